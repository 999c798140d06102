import type { RequestListener, ServerResponse } from 'node:http';
import { redactor, reportOf, reportText } from '../../check-service/report.mts';
import { run } from '../../check-service/run.mts';
import { Service } from '../../check-service/service.mts';
import { readReport } from '../../emulator/likeReport.mts';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.mts';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { startServer } from '../kit/testServer.mts';
import { check, readsOnly, SEED, useNoPauses } from './kit.mts';

useNoPauses();

const running: { stop: () => Promise<void> }[] = [];

async function started(options: EmulatorOptions): Promise<Emulator> {
	const emulator = await startEmulator(options);
	running.push(emulator);
	return emulator;
}

afterAll(async () => {
	await Promise.all(running.map(async (one) => await one.stop()));
});

async function serve(listener: RequestListener): Promise<string> {
	const server = await startServer(listener);
	running.push(server);
	return server.url;
}

type Answer = (response: ServerResponse) => void;

const json =
	(body: unknown, status = 200): Answer =>
	(response) =>
		void response
			.writeHead(status, { 'content-type': 'application/json' })
			.end(JSON.stringify(body));
const html =
	(status: number): Answer =>
	(response) =>
		void response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');

const KEY = 'secret-key-4711';
const data = (...records: unknown[]) => json({ success: true, data: records });

/** Services that are none, with what the table says of them. */
const services: [string, (response: ServerResponse, url: string) => void, RegExp][] = [
	['a web page at every address', html(200), /HTTP status 200 with text\/html/],
	[
		'a login page',
		(response) => void response.writeHead(302, { location: '/login' }).end(),
		/HTTP status 302/,
	],
	['failures alone', html(500), /HTTP status 500/],
	[
		'a body that never ends',
		(response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write('{"success":true,"data":[');
		},
		/no response within/,
	],
	['broken connections', ({ socket }) => void socket?.destroy(), /ECONNRESET|UND_ERR_SOCKET/],
	[
		'404 for half of the endpoints',
		(response, url) => (/campaign|channel/.test(url) ? html(404) : data())(response),
		/HTTP status 404 with text\/html/,
	],
	['other field names', data({ id: 1, label: 'x' }), /data\[\]\.label is not in the API document/],
	['lists of nothing', data(null, 7, 'x'), /differs/],
	['no envelope', json([{ _id: 'a' }]), /HTTP status 200 with application\/json/],
];

test.each(services)('of %s, a table comes out', async (_what, answer, shown) => {
	const url = await serve(({ url: path = '' }, response) => answer(response, path));
	const options = { url, accessKey: KEY, most: 150, timeoutMs: 300 };
	const service = new Service(options);
	const result = await run(service, readsOnly);
	const report = reportOf(service.exchanges, result);
	const text = reportText(report);
	expect(text).toMatch(shown);
	expect(text).toMatch(/What works: .*\nWhat the nodes do not expect: .*\nWhat to send: /);
	expect(JSON.stringify(report)).not.toContain(KEY);
	expect(service.exchanges.length).toBeLessThanOrEqual(150);
});

test('addresses, names, IDs and hosts are replaced', () => {
	const body = { data: { firstName: 'Ada', displayName: 'Ada Lovelace' } };
	const redacted = redactor([{ body }]);
	expect(
		redacted(
			'Ada Lovelace <ada@x.io> (65f0c2a4b1d2e3f4a5b6c7d8) at https://a.example/x and b.example.com',
		),
	).toBe('<name> <<address>> (<id>) at <url> and <host>');
});

test('the report says nothing of a person, and the emulator can be set by it', async () => {
	const set = { questionNumbering: 'from1', skipMeans: 'nothing', leadsTruncated: 1 } as const;
	const emulator = await started({ seed: SEED, switches: set });
	const { report } = await check(emulator, readsOnly);
	const text = JSON.stringify(report);
	const people = [...emulator.state.people.values()];
	const secrets = [
		...people.flatMap(({ email, lastName, _id }) => [email, _id, lastName]),
		...[...emulator.state.campaigns.values()].flatMap(({ _id, name }) => [_id, name]),
		...[emulator.clientSecret, emulator.accessKey, new URL(emulator.url).host],
	];
	expect(secrets.filter((secret) => text.includes(`${secret}`))).toEqual([]);
	const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'service-report.json');
	writeFileSync(file, text);
	const like = await started({ seed: SEED, switches: readReport(file) });
	expect(like.switches).toMatchObject(set);
	expect((await check(like, readsOnly)).report.switches).toEqual(report.switches);
});
