import { createServer } from 'node:net';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { testCredential } from '../kit/credentialTest.mts';
import { runNode, searchList } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { useService } from '../kit/service.mts';

const service = useService();
useFakeSleep();

const NO_SERVICE = /^There is no messaging service at the Base URL: another web server responded/;
const NO_DATA = /where data was expected/;
const NO_TOKEN = /^The response of the service contains no access token/;

const http = (status: number, body: string) => {
	const type = body.startsWith('{') ? 'application/json' : 'text/html';
	return `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n${body}`;
};
const page = '<html><head><title>Welcome to nginx!</title></head></html>';

/** A name, the response at the Base URL, the expected error, and the error of the token request if it is different. */
const WRONG_ADDRESSES: Array<[string, string | undefined, RegExp, RegExp?]> = [
	['a web page', http(200, page), NO_DATA, NO_TOKEN],
	['the JSON of another service', http(200, '{"status":"ok"}'), NO_DATA, NO_TOKEN],
	['a web page with HTTP 400', http(400, page), NO_SERVICE],
	['a web page with HTTP 401', http(401, page), NO_SERVICE],
	['a web page with HTTP 403', http(403, page), NO_SERVICE],
	['a web page with HTTP 404', http(404, page), NO_SERVICE],
	['a web page with HTTP 405', http(405, page), NO_SERVICE],
	['HTTP 404 in JSON', http(404, '{"message":"No such route"}'), NO_SERVICE],
	['HTTP 404 as text', http(404, '404 page not found'), NO_SERVICE],
	['a port that does not use HTTP', 'SSH-2.0-OpenSSH\r\n', /that is not HTTP \(HPE_/],
	['a port that sends no response', '', /^The connection broke/],
	['a port without a server', undefined, /refused the connection/],
];

test.each(WRONG_ADDRESSES)(
	'if the Base URL leads to %s, every error names the Base URL',
	async (_what, response, message, tokenMessage = message) => {
		await withServer(response, async (baseUrl) => {
			const accessKey = { ...service.accessKey, baseUrl };
			const client = { ...service.newClient(), baseUrl };
			const asIs = (error: unknown) => error;
			const failure = async (credential: ICredentialDataDecryptedObject) =>
				(await runNode({ credential, parameters: { resource: 'profile', operation: 'get' } }))
					.error;
			for (const [error, expected] of [
				[await testCredential(accessKey).catch(asIs), message],
				[await searchList('searchCampaigns', accessKey).catch(asIs), message],
				[await failure(accessKey), message],
				[await testCredential(client).catch(asIs), tokenMessage],
				[await failure(client), tokenMessage],
			] as const) {
				expect(error).toMatchObject({ message: expect.stringMatching(expected) });
				expect(JSON.stringify(error, ['message', 'description'])).toContain('Base URL');
			}
		});
	},
);

test('if the Base URL is a page of the console, every error says which address works', async () => {
	const origin = String(service.accessKey.baseUrl);
	const baseUrl = `${origin}/console/campaign/65f1c0ffee00000000000001`;
	const accessKey = { ...service.accessKey, baseUrl };
	const client = { ...service.newClient(), baseUrl };
	await expect(testCredential(accessKey)).rejects.toThrow(
		`The service is at ${origin}: enter this address as Base URL.`,
	);
	const enter = `If this is the address of a page, enter only ${origin}.`;
	await expect(testCredential(client)).rejects.toThrow(enter);
	for (const credential of [accessKey, client]) {
		const parameters = { resource: 'profile', operation: 'get' };
		const { error } = await runNode({ credential, parameters });
		expect(JSON.stringify(error, ['message', 'description'])).toContain(enter);
	}
});

test('if the host of the Base URL does not exist, every error names the field', async () => {
	const baseUrl = 'http://messages.invalid';
	for (const credential of [
		{ ...service.accessKey, baseUrl },
		{ ...service.newClient(), baseUrl },
	]) {
		const said = /messages.invalid could not be reached.*Check the Base URL in the credential/;
		await expect(testCredential(credential)).rejects.toThrow(said);
		const parameters = { resource: 'profile', operation: 'get' };
		const { error } = await runNode({ credential, parameters });
		expect(JSON.stringify(error, ['message', 'description'])).toMatch(said);
	}
});

/** Calls `run` with the URL of a server that always sends the same response, or of a closed port. */
async function withServer(
	response: string | undefined,
	run: (url: string) => Promise<void>,
): Promise<void> {
	const server = createServer((connection) => {
		connection.on('error', () => {}).once('data', () => connection.end(response ?? ''));
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const stop = async () => await new Promise((closed) => server.close(closed));
	if (response === undefined) await stop();
	await run(`http://127.0.0.1:${port}`).finally(response === undefined ? undefined : stop);
}
