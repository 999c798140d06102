import { createHash, randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';

import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { switchValues } from '../../emulator/switches.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import {
	binaryStorage,
	inMemory,
	onDisk,
	pathOf,
	setSizeInStorage,
	sparseOnDisk,
} from '../kit/binary.mts';
import { locator, runNode, searchList, type RunOptions } from '../kit/engine.mts';
import { startServer } from '../kit/testServer.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';
import { only } from '../kit/typed.mts';

useFakeSleep();
const service = useService();

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const withFile = (data: IBinaryData, json = {}): INodeExecutionData => ({ json, binary: { data } });

const kinds = {
	inMemory: async (content: Buffer, file?: Partial<IBinaryData>) => inMemory(content, file),
	onDisk,
};

describe.each(['campaign', 'broadcast'] as const)('files of a %s', (parent) => {
	const resource = `${parent}File`;
	const parentId = () => {
		const { campaigns, broadcasts } = service.emulator.state;
		const records: Iterable<{ _id: string }> = (
			parent === 'campaign' ? campaigns : broadcasts
		).values();
		return first(records, parent)._id;
	};
	const files = () => `/${parent}/${parentId()}/file`;
	const run = async (
		operation: string,
		parameters: INodeParameters = {},
		item: INodeExecutionData = { json: {} },
	) =>
		await service.run(
			`${resource}.${operation}`,
			{ [`${parent}Id`]: locator(parentId()), ...parameters },
			{ items: [item] },
		);
	const uploaded = async (name = 'a.pdf'): Promise<string> => {
		const file = withFile(inMemory(Buffer.from('old'), { fileName: name }));
		const { json } = await run('upload', {}, file);
		return String(json[0]?._id);
	};

	test.each(['inMemory', 'onDisk'] as const)('upload sends a file stored %s', async (kind) => {
		const content = randomBytes(3 * 1024 * 1024 + 5);
		const { items } = await run('upload', { media: 'video' }, withFile(await kinds[kind](content)));
		const { upload, headers } = service.lastRequest;
		expect(service.lastSent).toEqual([`POST ${files()}`, { media: 'video' }]);
		const { length: size } = content;
		const received = { filename: 'a.pdf', mime: 'application/pdf', size, sha256: sha256(content) };
		expect(upload).toMatchObject(received);
		expect(upload?.transferEncoding).toBeUndefined();
		expect(upload?.contentLength).toBe(Number(headers['content-length']));
		const file = { campaignId: parentId(), name: 'a.pdf', media: 'video', size };
		const json = expect.objectContaining({ _id: expect.any(String), ...file });
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	test('delete returns the IDs, and deletes a file in use only with Delete File in Use', async () => {
		const fileId = await uploaded();
		const deleted = [{ [`${parent}Id`]: parentId(), fileId, deleted: true }];
		Object.assign(service.emulator.state.files.get(fileId) ?? {}, { activeUsed: true });
		const remove = async (options: INodeParameters) =>
			await run('delete', { fileId: locator(fileId), options });
		const { error } = await remove({ deleteFileInUse: false });
		expect(service.lastRequest.query).toEqual({ deleteFileInUse: 'false' });
		expect(error?.message).toBe('Please confirm delete for file used in campaign content.');
		expect((await remove({ deleteFileInUse: true })).json).toEqual(deleted);
		expect(service.lastSent[0]).toBe(`DELETE ${files()}/${fileId}`);
		expect(service.lastRequest.query).toEqual({ deleteFileInUse: 'true' });
		expect(service.emulator.state.files.get(fileId)).toBeUndefined();
		await run('delete', { fileId: locator(await uploaded()) });
		expect(service.lastRequest.query).toEqual({});
	});

	test(`the drop-down list needs a selected ${parent}`, async () => {
		const parameters = { resource, [`${parent}Id`]: locator('', 'list') };
		const list = searchList('searchFiles', service.accessKey, { parameters });
		await expect(list).rejects.toThrow(`Choose the ${parent} from the list first`);
		expect(service.requests).toEqual([]);
	});
});

const campaignId = () => locator(first(service.emulator.state.campaigns.values(), 'campaign')._id);
const upload = async (
	items: INodeExecutionData[],
	parameters: INodeParameters = {},
	options = {},
) =>
	await service.run(
		'campaignFile.upload',
		{ campaignId: campaignId(), ...parameters },
		{ items, ...options },
	);

describe('the upload request', () => {
	/** Runs an upload. Returns the headers and the body of the upload exactly as the node sends them. */
	const received = async (binary: IBinaryData) => {
		const all: Array<{ headers: IncomingHttpHeaders; body: Buffer }> = [];
		const server = await startServer((request, response) => {
			void buffer(request).then((body) => {
				all.push({ headers: request.headers, body });
				response.setHeader('Content-Type', 'application/json');
				response.end('{"success":true,"data":{"_id":"f1"}}');
			});
		});
		const { error } = await runNode({
			credential: { ...service.accessKey, baseUrl: server.url },
			parameters: { resource: 'campaignFile', operation: 'upload', campaignId: locator('c1') },
			items: [withFile(binary)],
		});
		await server.stop();
		expect([error, all.length]).toEqual([undefined, 1]);
		return first(all);
	};

	test.each([
		['Отчёт за май.pdf', 'Отчёт за май.pdf'],
		['报告 – 概要.pdf', '报告 – 概要.pdf'],
		['📄👩‍🚀.pdf', '📄👩‍🚀.pdf'],
		['the "final" one; really.pdf', 'the %22final%22 one; really.pdf'],
		["it's 100% done.pdf", "it's 100% done.pdf"],
		['back\\slash.pdf', 'back\\slash.pdf'],
		['a"\r\nX-Evil: 1\r\n\r\n--boundary.pdf', 'a%22%0D%0AX-Evil: 1%0D%0A%0D%0A--boundary.pdf'],
	])('encodes the file name %j as browsers do', async (fileName, sent) => {
		const content = randomBytes(70_000);
		const { headers, body } = await received(await onDisk(content, { fileName }));
		expect(headers['content-length']).toBe(String(body.length));
		const [, boundary = ''] =
			/^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '') ?? [];
		const head =
			`--${boundary}\r\nContent-Disposition: form-data; name="media"\r\n\r\nraw\r\n` +
			`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${sent}"\r\n` +
			'Content-Type: application/pdf\r\n\r\n';
		expect(body).toEqual(
			Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
		);
	});

	test('removes line breaks from a MIME type, so that it cannot add headers', async () => {
		const { body } = await received(
			inMemory(Buffer.from('x'), { mimeType: 'text/plain\r\nX-Evil: 1' }),
		);
		expect(body.toString()).toContain('\r\nContent-Type: text/plainX-Evil: 1\r\n\r\nx\r\n');
	});
});

test('sends a default for a file without name or type, and a name that is a number', async () => {
	await upload([withFile({ data: 'eA==', mimeType: '', fileExtension: 'txt' })]);
	const file = { filename: 'file.txt', mime: 'application/octet-stream' };
	expect(service.lastRequest.upload).toMatchObject(file);
	await upload([withFile({ data: 'eA==', mimeType: '' })]);
	expect(service.lastRequest.upload?.filename).toBe('file');
	const numbered = Object.assign(inMemory(Buffer.from('x')), { fileName: 2026 });
	expect((await upload([withFile(only<IBinaryData>(numbered))])).json).toMatchObject([
		{ name: '2026' },
	]);
});

test('sends the file of each item', async () => {
	const contents = Array.from({ length: 20 }, () => randomBytes(200_000));
	const items = await Promise.all(
		contents.map(async (content, index) => {
			const store = index % 2 ? onDisk : inMemory;
			return withFile(await store(content, { fileName: `${index}` }));
		}),
	);
	const output = await upload(items);
	expect(output.items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual(
		contents.map((_, item) => [`${item}`, { item }]),
	);
	const received = service.requests.map((request) => request.upload);
	for (const [index, content] of contents.entries()) {
		expect(received.find((file) => file?.filename === `${index}`)?.sha256).toBe(sha256(content));
	}
});

function* breaking() {
	yield Buffer.alloc(100_000);
	throw new Error('EIO: i/o error');
}

describe('upload', () => {
	test.each<[string, Partial<RunOptions>]>([
		['report', {}],
		[' report ', {}],
		['={{ $input.item.binary.report }}', {}],
		// n8n keeps this file in `_files`.
		['data', { binaryMode: 'combined' }],
		['_files.data', { binaryMode: 'combined' }],
		['={{ $json._files.data }}', { binaryMode: 'combined' }],
		['data', { binaryMode: 'separate' }],
	])('reads the file from %j (%j)', async (binaryPropertyName, options) => {
		const json = { _files: { data: await onDisk(Buffer.from('r')) } };
		const items = [{ json, binary: { report: inMemory(Buffer.from('r')) } }];
		const { json: output, error } = await upload(items, { binaryPropertyName }, options);
		expect(error).toBeUndefined();
		expect(output).toEqual([expect.objectContaining({ name: 'a.pdf', size: 1 })]);
	});

	const NO_FILE = /has no file in the binary field "data"/;
	const NO_NAME = /^Input Binary Field must be the name of a field$/;
	const ITS_FIELDS = /Input Binary Field to a binary field of the item: report, photo/;
	const [report, photo] = [inMemory(Buffer.from('r')), inMemory(Buffer.from('p'))];
	const other = { json: {}, binary: { report, photo } };

	test.each<[string, INodeExecutionData, message: RegExp, description: RegExp, field?: string]>([
		['a file only in other fields', other, NO_FILE, ITS_FIELDS],
		['no binary data', { json: {} }, NO_FILE, /has no binary data/],
		['an empty file', withFile(inMemory(Buffer.alloc(0))), /"a\.pdf" is empty/, /nothing was sent/],
		// Comes without the content.
		['a file instead of a name', other, NO_NAME, ITS_FIELDS, '={{ $binary.report }}'],
	])('with %s, fails before sending', async (_, item, message, description, field = 'data') => {
		const { error } = await upload([item], { binaryPropertyName: field });
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(service.requests).toEqual([]);
	});

	test.each<[string, () => Promise<Readable>]>([
		['breaks', async () => Readable.from(breaking())],
		['is gone', async () => await Promise.reject(new Error('ENOENT'))],
	])('blames the storage of n8n if the file %s while it is sent', async (_what, open) => {
		const binary = await onDisk(randomBytes(300_000));
		const storage = await binaryStorage();
		jest.spyOn(storage, 'getAsStream').mockImplementation(open);
		const { error } = await upload([withFile(binary)]);
		jest.restoreAllMocks();
		const text = `${error?.message} ${error?.description}`;
		expect(text).toMatch(/^The file "a.pdf" could not be read from n8n's storage: E/);
		expect(text).toContain('Run the workflow again from the node that creates the file');
		expect(text).toContain('The request was not carried out');
		expect(text).not.toMatch(/Base URL|may or may not/);
		expect(error?.context.outcomeUnknown).toBeUndefined();
		expect(service.emulator.state.files.values()).toEqual([]);
		service.emulator.clearRequests();
	});

	test('names a file whose size is not known, and sends one without a MIME type', async () => {
		const binary = await onDisk(Buffer.from('a'));
		const storage = await binaryStorage();
		const metadata = only<Awaited<ReturnType<typeof storage.getMetadata>>>({ fileName: 'a.pdf' });
		jest.spyOn(storage, 'getMetadata').mockResolvedValue(metadata);
		const { error } = await upload([withFile(binary)]);
		jest.restoreAllMocks();
		expect(error?.message).toBe(`n8n's storage does not know the size of the file "a.pdf"`);
		expect(service.requests).toEqual([]);
		const { mimeType: _mimeType, ...untyped } = inMemory(Buffer.from('a'));
		const sent = await upload([withFile(only<IBinaryData>(untyped))]);
		expect(sent.error).toBeUndefined();
		expect(service.emulator.state.files.values()[0]?.upload.mime).toBe('application/octet-stream');
	});

	test.each([-1, 1])('stops if the stored size of the file is wrong by %i', async (by) => {
		const content = randomBytes(300_000);
		const binary = await onDisk(content);
		await setSizeInStorage(binary, content.length + by);
		const { error } = await upload([withFile(binary)]);
		expect(`${error?.message} ${error?.description}`).toMatch(/changed while it was sent/);
		expect(service.emulator.state.files.values()).toEqual([]);
		// Clears the request, because its body is incomplete and would violate the contract.
		service.emulator.clearRequests();
	});
});

describe('access', () => {
	test.each(switchValues.expiredToken)(
		'renews an expired token (%s), and sends the whole file again',
		async (expiredToken) => {
			service.emulator.switches.expiredToken = expiredToken;
			const content = randomBytes(5_000_000);
			const items = [withFile(await onDisk(content))];
			const credential = service.clientCredentials;
			await upload(items, {}, { credential });
			service.emulator.clearRequests();
			service.emulator.expireTokens();
			const { json, error } = await upload(items, {}, { credential });
			expect(error).toBeUndefined();
			expect(json).toEqual([expect.objectContaining({ size: content.length })]);
			expect(service.lastRequest.upload?.sha256).toBe(sha256(content));
			const uploads = service.requests.filter(({ method }) => method === 'POST');
			expect(uploads.map(({ status, authorization }) => [status, authorization.ok])).toEqual([
				[Number(expiredToken), false],
				[200, true],
			]);
		},
	);

	const onLinux = process.platform === 'linux' ? test : test.skip;

	onLinux(
		'closes the file after the service refuses access',
		async () => {
			const binary = await sparseOnDisk(256 * 1024 * 1024);
			const path = await pathOf(binary);
			const credential = { ...service.accessKey, accessKey: 'wrong' };
			const { error } = await upload([withFile(binary)], {}, { credential });
			expect(error?.message).toMatch(/^The service refused access/);
			expect(error?.description).toMatch(/Check the access key/);
			while ((await openFiles()).includes(path)) await setImmediate();
		},
		10_000,
	);
});

/** Returns the paths of the files that this process has open (Linux). */
async function openFiles(): Promise<string[]> {
	const folder = '/proc/self/fd';
	const links = await Promise.allSettled(
		(await readdir(folder)).map(async (fd) => await readlink(`${folder}/${fd}`)),
	);
	return links.flatMap((link) => (link.status === 'fulfilled' ? [link.value] : []));
}
