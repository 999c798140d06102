import type { INodeParameters } from 'n8n-workflow';

import { anyAccessKey } from '../kit/credentials.mts';
import { locator, runNode } from '../kit/engine.mts';
import { useTestServer } from '../kit/testServer.mts';

const GROUP = { _id: 'g1', name: 'Everybody', leads: [], leadsTotal: 0 };
const RECORDS: Record<string, object> = {
	'/int/v1/campaign': [{ _id: 'c1', name: 'Picnic' }],
	'/int/v1/recipientGroup': [GROUP],
	'/int/v1/recipientGroup/g1': GROUP,
};

/** Serves http://service.invalid, which is reachable only through the proxy of Request Options. */
const proxy = useTestServer(({ path, query, respond }) => {
	const isNextPage = Number(query.skip) > 0 || query.previousLastId !== undefined;
	const record = { _id: 'c1', campaignUrl: '/c1', status: '0' };
	respond(isNextPage ? [] : (RECORDS[path] ?? record));
});

const survey = {
	resource: 'survey',
	operation: 'launch',
	name: 'First week',
	campaignDescription: 'One question',
	questionsInput: 'text',
	questionsText: 'How was it? (rating: Bad … Great)',
	recipientsFrom: 'emails',
	recipientEmails: 'ada@example.com',
	sendNow: true,
};
const byName = (value: string) => ({ __rl: true, mode: 'name', value });

describe('the proxy of Request Options is for all requests of an operation', () => {
	const cases: Array<[string, INodeParameters, string[]]> = [
		[
			'the look-up of a name',
			{ resource: 'campaign', operation: 'close', campaignId: byName('Picnic') },
			['GET /campaign', 'PUT /campaign/c1/close'],
		],
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
		[
			'a single change',
			{ resource: 'channel', operation: 'archive', channelId: locator('c1') },
			['POST /channel/c1/archive'],
		],
	];

	test.each(cases)('%s', async (_what, parameters, expected) => {
		const { error } = await runNode({
			credential: anyAccessKey('http://service.invalid'),
			parameters: { ...parameters, requestOptions: { proxy: proxy.url } },
		});
		expect(error).toBeUndefined();
		const paths = proxy.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
		const calls = paths.map((path) => path.replace('http://service.invalid/int/v1', ''));
		expect([...new Set(calls)]).toEqual(expected);
	});

	test('a proxy that is no address fails before anything is sent, the look-up of a name too', async () => {
		const { error } = await runNode({
			credential: anyAccessKey('http://service.invalid'),
			parameters: {
				resource: 'campaign',
				operation: 'close',
				campaignId: byName('Picnic'),
				requestOptions: { proxy: 'proxy here' },
			},
		});
		expect(error?.message).toBe('Proxy is not the address of a proxy');
		expect(proxy.requests).toEqual([]);
	});
});
