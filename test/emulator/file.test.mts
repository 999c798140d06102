import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import axios from 'axios';
import FormData from 'form-data';
import { any, clientOf, first, textLike, timeAfter, useEmulator } from './client.mts';

const { emulator, call, ok, done, refused, expectViolations } = useEmulator({
	seed: { people: 1, campaigns: 1, surveys: 0, broadcasts: 1 },
});

interface FileData {
	_id: string;
	name: string;
	size: number;
	media: string;
	mime: string;
	VersionId: string;
	__v: number;
}

interface Answer {
	success: boolean;
	data?: FileData;
	message?: string;
}

const ownerPath = (kind: 'campaign' | 'broadcast'): string => {
	const { campaigns, broadcasts } = emulator.state;
	const owner = first<{ _id: string }>(
		kind === 'campaign' ? campaigns.values() : broadcasts.values(),
	);
	return `/${kind}/${owner._id}/file`;
};

function form(
	content: Buffer | Readable,
	filename: string,
	fields: Record<string, string> = {},
): FormData {
	const data = new FormData();
	data.append('file', content, { filename, contentType: 'application/pdf' });
	for (const [name, value] of Object.entries(fields)) data.append(name, value);
	return data;
}

async function post(path: string, data: FormData): Promise<Answer> {
	const answer = await call<Answer>(`POST ${path}`, data);
	expect(answer.status).toBe(200);
	return answer.data;
}

async function upload(path: string, filename: string, content = 'content'): Promise<FileData> {
	const { data, message } = await post(path, form(Buffer.from(content), filename));
	if (data === undefined) throw new Error(message);
	return data;
}

test('finds a file only under its own record', async () => {
	const file = await upload(ownerPath('campaign'), 'a.pdf');
	await ok(`GET ${ownerPath('campaign')}/${file._id}`);
	const elsewhere = `${ownerPath('broadcast')}/${file._id}`;
	expect(await refused(`GET ${elsewhere}`)).toBe('File not found');
	expect(await refused(`DELETE ${elsewhere}`)).toBe('File not found');
});

describe.each(['campaign', 'broadcast'] as const)('files of a %s', (kind) => {
	test('are uploaded, read, and listed in alphabetical order', async () => {
		const path = ownerPath(kind);
		const file = await upload(path, 'b.pdf');
		expect(file).toEqual({
			_id: any(String),
			campaignId: path.split('/')[2],
			draftUsed: false,
			activeUsed: false,
			name: 'b.pdf',
			type: 'file',
			media: 'raw',
			ready: true,
			deleted: false,
			mime: 'application/pdf',
			_type: 'CampaignFile',
			size: 7,
			mDate: timeAfter(),
			aDate: timeAfter(),
			__v: 0,
			VersionId: any(String),
			lastVersionDate: timeAfter(),
			storageId: any(String),
			url: textLike(/^\/files\//),
		});
		await upload(path, 'c.pdf');
		await upload(path, 'A.pdf');
		const files = await ok<FileData[]>(`GET ${path}`);
		expect(files.map((entry) => entry.name)).toEqual(['A.pdf', 'b.pdf', 'c.pdf']);
		expect(await ok(`GET ${path}/${file._id}`)).toEqual(file);
	});

	test('get a new version when replaced', async () => {
		const path = ownerPath(kind);
		const file = await upload(path, 'a.pdf');
		emulator.clock.advance(1000);
		const { data } = await post(
			`${path}/${file._id}`,
			form(Buffer.from('newer content'), 'b.pdf', { media: 'image' }),
		);
		expect(data).toMatchObject({ _id: file._id, name: 'b.pdf', size: 13, media: 'image', __v: 1 });
		expect(data?.VersionId).not.toBe(file.VersionId);
	});

	test('that are in use are deleted only with a confirmation', async () => {
		const path = ownerPath(kind);
		const [used, unused] = [await upload(path, 'a.pdf'), await upload(path, 'b.pdf')];
		emulator.state.setFileInUse(used._id);
		for (const query of ['', '?deleteFileInUse=false'])
			expect(await refused(`DELETE ${path}/${used._id}${query}`)).toBe(
				'Please confirm delete for file used in campaign content.',
			);
		await done(`DELETE ${path}/${used._id}?deleteFileInUse=true`);
		await done(`DELETE ${path}/${unused._id}`);
		expect(await ok(`GET ${path}`)).toEqual([]);
		expect(await refused(`GET ${path}/${unused._id}`)).toBe('File not found');
	});
});

describe('multipart', () => {
	const path = (): string => ownerPath('campaign');

	test.each(['raw', 'image', 'video'])(
		'accepts media %s before or after the file',
		async (media) => {
			expect((await post(path(), form(Buffer.from('x'), 'x', { media }))).data?.media).toBe(media);
			const before = new FormData();
			before.append('media', media);
			before.append('file', Buffer.from('x'), 'x');
			expect((await post(path(), before)).data?.media).toBe(media);
		},
	);

	test.each(['Überblick – 概要 📄.pdf', 'with "quotes" & spaces.txt', 'a/b.txt'])(
		'decodes the file name %s',
		async (filename) => {
			const data = new FormData();
			data.append('file', Buffer.from('x'), { filepath: filename });
			await post(path(), data);
			const received = emulator.requests.at(-1)?.upload?.filename;
			expect(received).toBe(filename);
		},
	);

	test('decodes a file name that is encoded as in browsers', async () => {
		const data = new globalThis.FormData();
		data.append('file', new Blob(['x'], { type: 'text/plain' }), 'résumé 履歴書.txt');
		await axios.post(`${emulator.url}/int/v1${path()}`, data, {
			headers: { Authorization: `Bearer ${emulator.accessKey}` },
		});
		expect(emulator.requests.at(-1)?.upload).toMatchObject({
			filename: 'résumé 履歴書.txt',
			mime: 'text/plain',
		});
	});

	test('records the size, the hash and the first MiB of the file, and the Content-Length of the request', async () => {
		const content = randomBytes(3 * 1024 * 1024 + 17);
		const data = form(content, 'large.bin');
		const summary = {
			...{ filename: 'large.bin', mime: 'application/pdf', encoding: '7bit' },
			...{ size: content.length, sha256: createHash('sha256').update(content).digest('hex') },
			...{ contentComplete: false, contentLength: data.getLengthSync() },
		};
		expect((await post(path(), data)).data?.size).toBe(content.length);
		const kept = { content: content.subarray(0, 1024 * 1024) };
		expect(first(emulator.state.files.values()).upload).toEqual({ ...summary, ...kept });
		expect(emulator.requests.at(-1)).toMatchObject({ upload: summary, body: {} });
	});

	test('reads a stream of unknown length in chunks', async () => {
		const chunk = Buffer.alloc(64 * 1024, 7);
		const chunks = 512;
		const source = Readable.from(
			(function* () {
				for (let number = 0; number < chunks; number += 1) yield chunk;
			})(),
		);
		const before = process.memoryUsage().arrayBuffers;
		const file = await post(path(), form(source, 'stream.bin'));
		expect(file.data?.size).toBe(chunk.length * chunks);
		expect(emulator.requests.at(-1)?.upload?.transferEncoding).toBe('chunked');
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * 1024 * 1024);
	});

	test.each<[string, add: (data: FormData) => void]>([
		['an unknown field', (data) => data.append('name', 'x')],
		['an unknown media', (data) => data.append('media', 'audio')],
		['two files', (data) => data.append('file', Buffer.from('y'), 'y')],
		['a text as a second file', (data) => data.append('file', 'just text')],
	])('%s is a violation', async (_name, add) => {
		const data = form(Buffer.from('x'), 'x');
		add(data);
		expect(await post(path(), data)).toMatchObject({ success: false });
		expectViolations(1);
		expect(emulator.state.files.size).toBe(0);
	});

	test('reports a violation if the field "file" contains text, not an uploaded file', async () => {
		const data = new FormData();
		data.append('file', 'just text');
		expect(await post(path(), data)).toMatchObject({ message: 'file must be a file' });
		expectViolations(1);
	});

	test('refuses a form without a file', async () => {
		const data = new FormData();
		data.append('media', 'raw');
		expect(await post(path(), data)).toEqual({ success: false, message: 'file is mandatory' });
	});

	test('treats JSON instead of multipart as a violation', async () => {
		await refused(`POST ${path()}`, { file: 'x' });
		expectViolations(1);
	});

	test('discards an interrupted upload without a violation', async () => {
		const arrived = new Promise<void>((resolve) => {
			emulator.onRequest(() => resolve());
		});
		const socket = connect(Number(new URL(emulator.url).port), '127.0.0.1');
		const part =
			'--B\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nthe first bytes';
		socket.write(
			`POST /int/v1${path()} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${emulator.accessKey}\r\n` +
				'content-type: multipart/form-data; boundary=B\r\ntransfer-encoding: chunked\r\n\r\n' +
				`${part.length.toString(16)}\r\n${part}\r\n`,
		);
		await arrived;
		socket.destroy();
		while (emulator.requests[0]?.endedAt === undefined) await setImmediate();
		expect(emulator.requests[0]).toMatchObject({ status: 0, violations: [] });
		expectViolations(0);
		expect(emulator.state.files.size).toBe(0);
	});

	test('refuses a wrong token', async () => {
		const stranger = clientOf({ url: emulator.url, accessKey: 'wrong' });
		const data = form(Buffer.alloc(5 * 1024 * 1024), 'x');
		expect((await stranger.call(`POST ${path()}`, data)).status).toBe(401);
		expect(emulator.state.files.size).toBe(0);
	});
});
