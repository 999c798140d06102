import type { INodeParameters } from 'n8n-workflow';

import { anyAccessKey } from '../kit/credentials.mts';
import { locator, runNode } from '../kit/engine.mts';
import { LAUNCH } from '../kit/questions.mts';
import { startServer, useTestServer } from '../kit/testServer.mts';

const GROUP = { _id: 'g1', name: 'Everybody', leads: [], leadsTotal: 0 };
const RECORDS: Record<string, object> = {
	'/int/v1/campaign': [{ _id: 'c1', name: 'Picnic' }],
	'/int/v1/recipientGroup': [GROUP],
	'/int/v1/recipientGroup/g1': GROUP,
};

/** The proxy of Request Options. The proxy responds in place of http://service.invalid, a host that does not exist. */
const proxy = useTestServer(({ path, query, send }) => {
	const isNextPage = Number(query.skip) > 0 || query.previousLastId !== undefined;
	const record = { _id: 'c1', campaignUrl: '/c1', status: '0' };
	const data = isNextPage ? [] : (RECORDS[path] ?? record);
	send(200, { success: true, data, access_token: 'token', expires_in: 3600 });
});

const accessKey = anyAccessKey('http://service.invalid');
const client = {
	...accessKey,
	authentication: 'clientCredentials',
	clientId: 'id',
	clientSecret: 'secret',
};

const survey = { ...LAUNCH, sendNow: true };
const close = { resource: 'campaign', operation: 'close' };
const closeByName = { ...close, campaignId: { __rl: true, mode: 'name', value: 'Picnic' } };
const archive = { resource: 'channel', operation: 'archive', channelId: locator('c1') };

describe('the proxy of Request Options', () => {
	const cases: Array<[string, INodeParameters, string[], typeof accessKey?]> = [
		['the look-up of a name', closeByName, ['GET /campaign', 'PUT /campaign/c1/close']],
		[
			'the steps of Launch',
			survey,
			['POST /campaign/survey', 'PUT /campaign/c1/addRecipients', 'PUT /campaign/c1'],
		],
		[
			'Launch with a draft',
			{ ...survey, options: { draftId: 'c1' } },
			['GET /campaign/c1', 'PUT /campaign/c1/addRecipients', 'PUT /campaign/c1'],
		],
		[
			'Get or Create',
			{ resource: 'recipientGroup', operation: 'getOrCreate', name: 'Everybody' },
			['GET /recipientGroup', 'GET /recipientGroup/g1'],
		],
		['a list', { resource: 'campaign', operation: 'getAll', limit: 1 }, ['GET /campaign']],
		['the token request', archive, ['POST /oauth/token', 'POST /channel/c1/archive'], client],
	];

	test.each(cases)('carries %s', async (_what, parameters, expected, credential = accessKey) => {
		const { error } = await runNode({
			credential,
			parameters: { ...parameters, requestOptions: { proxy: proxy.url } },
		});
		expect(error).toBeUndefined();
		const calls = proxy.requests.map(({ method, url }) =>
			`${method} ${url.split('?')[0]}`.replace('http://service.invalid/int/v1', ''),
		);
		expect([...new Set(calls)]).toEqual(expected);
	});

	test('if the address of the proxy is invalid, an error occurs before anything is sent', async () => {
		const { error } = await runNode({
			credential: accessKey,
			parameters: { ...closeByName, requestOptions: { proxy: 'proxy here' } },
		});
		expect(error?.message).toBe('Proxy is not the address of a proxy');
		expect(proxy.requests).toEqual([]);
	});

	test.each([
		['access key', accessKey],
		['client credentials', { ...client, clientId: 'another' }],
	])('if the proxy is down, the error names the proxy (%s)', async (_what, credential) => {
		const server = await startServer();
		await server.stop();
		const { error } = await runNode({
			credential,
			parameters: { ...archive, requestOptions: { proxy: server.url } },
		});
		expect(error?.message).toContain(`The proxy at ${new URL(server.url).host} could not`);
		expect(error?.description).toMatch(/^Nothing (else )?was sent/);
		expect(`${error?.message} ${error?.description}`).not.toContain('Base URL');
	});
});
