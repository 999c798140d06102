import { testCredential } from '../kit/credentialTest.mts';
import { locator, runNode, searchList } from '../kit/engine.mts';
import { TriggerHost } from '../kit/poll.mts';
import { useService } from '../kit/service.mts';
import { impersonate, useTestServer } from '../kit/testServer.mts';

const service = useService();
const elsewhere = useTestServer(impersonate);

const hostOf = (url: string) => new URL(url).host;
const redirect = (path: string, to = elsewhere.url, status: 301 | 302 | 307 | 308 = 302) =>
	service.emulator.faults.add({
		match: { path },
		times: Infinity,
		action: { redirectTo: to, status },
	});

/** What a person reads, in one text. */
const shown = (error: { message: string; description?: string | null } | undefined) =>
	`${error?.message} ${error?.description ?? ''}`;

function expectBothHosts(text: string): void {
	expect(text).toContain(hostOf(service.emulator.url));
	expect(text).toContain(hostOf(elsewhere.url));
	expect(text).toContain('Check the Base URL in the credential');
}

afterEach(() => {
	expect(elsewhere.requests).toEqual([]);
});

describe('a redirect to another host is an error that names both, and nothing goes there', () => {
	test.each([301, 302, 307, 308] as const)('a read (%i)', async (status) => {
		redirect('/int/v1/me', elsewhere.url, status);
		const { error } = await service.run('profile', 'get');
		expectBothHosts(shown(error));
		expect(error).toMatchObject({ httpCode: String(status) });
	});

	test('a Get Many', async () => {
		redirect('/int/v1/campaign');
		const { error } = await service.run('campaign', 'getAll');
		expectBothHosts(shown(error));
	});

	test.each([302, 307, 308] as const)(
		'a change (%i), of which nobody knows whether it was carried out',
		async (status) => {
			redirect('/int/v1/campaign', elsewhere.url, status);
			const { error } = await service.run('campaign', 'create', {
				name: 'N',
				campaignDescription: 'D',
				status: 'draft',
			});
			expectBothHosts(shown(error));
			expect(error?.description).toContain('may or may not have been carried out');
			expect(service.requests).toHaveLength(1);
		},
	);

	test('a write of Sync', async () => {
		const [group] = service.emulator.state.recipientGroups.values();
		redirect('/int/v1/recipientGroup/:id/recipients');
		const { json } = await service.run(
			'recipientGroup',
			'sync',
			{
				recipientGroupId: locator(group?._id ?? ''),
				identifyBy: 'email',
				recipient: '={{ $json.email }}',
				mode: 'add',
				dryRun: false,
			},
			{ items: [{ json: { email: 'a@example.com' } }], onError: 'continueRegularOutput' },
		);
		expect(JSON.stringify(json)).toContain(hostOf(elsewhere.url));
	});

	test('a list of the editor', async () => {
		redirect('/int/v1/campaign');
		const error = await searchList('searchCampaigns', service.accessKey).catch(
			(failure: Error) => failure,
		);
		expectBothHosts(shown(error instanceof Error ? error : undefined));
	});

	test('a poll of the trigger', async () => {
		redirect('/int/v1/campaign');
		const host = new TriggerHost({
			credential: service.accessKey,
			parameters: { events: ['surveySubmitted'], watch: 'all' },
		});
		const error = await host.activate().catch((failure: Error) => failure);
		expectBothHosts(shown(error instanceof Error ? error : undefined));
	});

	test('a token request, with its client id and secret', async () => {
		redirect('/int/v1/oauth/token', elsewhere.url, 307);
		const { error } = await runNode({
			credential: service.newClient(),
			parameters: { resource: 'profile', operation: 'get' },
		});
		expectBothHosts(shown(error));
		expect(service.requests).toEqual([]);
	});

	test('when the allowed domains of the credential are set', async () => {
		redirect('/int/v1/me');
		const { error } = await runNode({
			credential: {
				...service.accessKey,
				allowedHttpRequestDomains: 'domains',
				allowedDomains: '127.0.0.1, *.example.com',
			},
			parameters: { resource: 'profile', operation: 'get' },
		});
		expectBothHosts(shown(error));
	});

	test('the credential test', async () => {
		redirect('/int/v1/me');
		const error = await testCredential(service.accessKey).catch((failure: Error) => failure);
		expectBothHosts(String(error));
	});
});

describe('a redirect on the same host', () => {
	test('is followed by a read, with the credentials and the query', async () => {
		service.emulator.faults.on('/campaign', {
			status: 307,
			headers: { location: '/int/v1/campaign?limit=2' },
		});
		const { json, error } = await service.run('campaign', 'getAll', { limit: 5 });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		expect(service.requests[1]).toMatchObject({
			query: { limit: '2' },
			authorization: { ok: true },
		});
	});

	test('that leads in a circle ends, with advice', async () => {
		redirect('/int/v1/me', service.emulator.url);
		const { error } = await service.run('profile', 'get');
		expect(error?.message).toContain('from place to place');
		expect(error?.description).toContain('Base URL');
		expect(service.requests.length).toBeLessThan(10);
	});

	test('is not followed by a change, which would become another request', async () => {
		redirect('/int/v1/campaign', service.emulator.url);
		const { error } = await service.run('campaign', 'create', {
			name: 'N',
			campaignDescription: 'D',
			status: 'draft',
		});
		expect(error?.message).toContain('another place');
		expect(service.requests).toHaveLength(1);
	});
});
