import { testCredential } from '../kit/credentialTest.mts';
import { runNode, searchList } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';
import { impersonate, useTestServer } from '../kit/testServer.mts';

const service = useService();
const elsewhere = useTestServer(impersonate);

const asIs = (error: unknown) => error;
const profile = { resource: 'profile', operation: 'get' };
const errorOf = async (credential = service.accessKey) =>
	(await runNode({ credential, parameters: profile })).error;

const domains = {
	allowedHttpRequestDomains: 'domains',
	allowedDomains: '127.0.0.1, *.example.com',
};
const creation = { name: 'N', campaignDescription: 'D', status: 'draft' };

test.each<[what: string, path: string, request: () => Promise<unknown>]>([
	['a read', '/me', async () => await errorOf()],
	['a change', '/campaign', async () => (await service.run('campaign', 'create', creation)).error],
	[
		'a read with allowed domains',
		'/me',
		async () => await errorOf({ ...service.accessKey, ...domains }),
	],
	['a token request', '/oauth/token', async () => await errorOf(service.newClient())],
	[
		'a drop-down list',
		'/campaign',
		async () => await searchList('searchCampaigns', service.accessKey).catch(asIs),
	],
	['the credential test', '/me', async () => await testCredential(service.accessKey).catch(asIs)],
])(
	'%s that is redirected to another host sends nothing there, and names both hosts in the error',
	async (_what, path, request) => {
		const action = { redirectTo: elsewhere.url, status: 307 } as const;
		service.emulator.faults.on(path, action, { times: Infinity });
		const shown = JSON.stringify(await request(), ['message', 'description']);
		for (const { url } of [service.emulator, elsewhere]) expect(shown).toContain(new URL(url).host);
		expect(shown).toContain('Check the Base URL in the credential');
		expect(elsewhere.requests).toEqual([]);
		expect(service.requests.length).toBeLessThan(2);
	},
);

test('follows the redirect of a read to the same host, with the credentials and the new query', async () => {
	service.emulator.faults.on('/campaign', {
		status: 307,
		headers: {
			location: `${service.emulator.url.replace('//', '//user:password@')}/int/v1/campaign?limit=2`,
		},
	});
	const { json, error } = await service.run('campaign', 'getAll', { limit: 5 });
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
	expect(service.requests[1]).toMatchObject({
		query: { limit: '2' },
		authorization: { kind: 'accessKey', ok: true },
	});
});
