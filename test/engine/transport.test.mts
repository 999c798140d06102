import { useFakeSleep } from '../kit/fakeSleep.mts';
import { locator, runNode } from '../kit/engine.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService();

const get = (id = 'x') => service.run('campaign', 'get', { campaignId: locator(id) });
const fault = (action: Parameters<typeof service.emulator.faults.add>[0]['action']) =>
	service.emulator.faults.add({ match: { path: /^\/int\/v1\// }, times: Infinity, action });

describe('a refusal with HTTP 200', () => {
	/** Every message of the specification's Errors part, and what the advice must lead to. */
	const messages: Array<[message: string, advice: RegExp]> = [
		['Illegal parameters', /filters/],
		['Not Found.', /from the list/],
		['description is mandatory', /Fill in the description/],
		['Campaign is not a survey', /Choose a survey/],
		['campaign Id is required', /Choose the campaign or broadcast/],
		['Please confirm delete for file used in campaign content.', /Delete File in Use/],
		["Invalid campaign ID for survey creation, 'draft' campaign required", /draft/],
		['Not all emails founded as recipient in system', /unknown/],
		['validation failed: name: Path `name` is required.', /name of the recipient group/],
		['Object does not exist', /no recipient group/],
		['Title is mandatory', /Fill in the title/],
		['Invalid request parameters', /scheduled broadcast/],
		['Broadcast not found', /Close a live broadcast/],
		['Campaign already closed', /nothing left to do/],
		['Invalid parameters', /channel/],
	];

	test.each(messages)('%s: keeps the message and adds what to do', async (message, advice) => {
		fault({ refuse: message });
		const { error } = await get();
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(advice);
		expect(error?.context.itemIndex).toBe(0);
	});

	test('an unknown message is shown as it is', async () => {
		fault({ refuse: 'The moon is full' });
		const { error } = await get();
		expect(error?.message).toBe('The moon is full');
	});

	test('no message at all is said so', async () => {
		fault({ status: 200, body: { success: false } });
		const { error } = await get();
		expect(error?.message).toContain('without saying why');
	});

	test('the same with HTTP 400 keeps the message too', async () => {
		fault({ status: 400, body: { success: false, message: 'Illegal parameters' } });
		const { error } = await get();
		expect(error?.message).toBe('Illegal parameters');
		expect(error?.description).toContain('filters');
	});
});

describe('an answer that is not the service’s', () => {
	test.each([
		['html', 'a web page'],
		['brokenJson', 'text that is not JSON'],
	] as const)('%s says to check the base URL', async (action, what) => {
		fault(action);
		const { error } = await get();
		expect(error?.message).toContain(what);
		expect(error?.description).toContain('Base URL');
	});

	test.each([[null], [[]], [{}], [{ data: {} }], ['']])('%j is no envelope', async (body) => {
		fault({ status: 200, body });
		const { error } = await get();
		expect(error?.message).toContain('where data was expected');
	});
});

test('an unknown recipient group, answered with a plain-text 404, is not found', async () => {
	const { error } = await service.run('recipientGroup', 'get', {
		recipientGroupId: locator('none'),
	});
	expect(error?.message).toBe('Not Found');
	expect(error?.description).toContain('from the list');
	expect(error).toMatchObject({ httpCode: '404' });
});

test('429 keeps its code and tells how to send fewer', async () => {
	fault({ status: 429, body: {} });
	const { error } = await get();
	expect(error).toMatchObject({ httpCode: '429' });
	expect(error?.description).toContain('Batching');
});

describe('a connection that breaks', () => {
	test('a change is not repeated, and nobody claims to know whether it happened', async () => {
		service.emulator.faults.add({ match: { method: 'PUT' }, action: 'dropAfter' });
		const { error } = await service.run('campaign', 'close', {
			campaignId: locator(liveCampaign()),
		});
		expect(error?.description).toContain('may or may not');
		expect(service.requests).toHaveLength(1);
	});

	test('a service that is not there is said so', async () => {
		const credential = { ...service.accessKey, baseUrl: 'http://127.0.0.1:1' };
		const { error } = await runNode({
			credential,
			parameters: { resource: 'profile', operation: 'get' },
		});
		expect(error?.message).toMatch(/refused the connection/);
	});
});

test('a change does not follow a redirect, which would make a list out of a create', async () => {
	const location = `${service.emulator.url}/int/v1/campaign`;
	service.emulator.faults.on('POST /campaign', { status: 301, headers: { location } });
	const { error } = await service.run('campaign', 'create', {
		name: 'N',
		campaignDescription: 'D',
	});
	expect(error?.description).toContain('Base URL');
	expect(service.requests).toHaveLength(1);
});

describe('ids in paths', () => {
	test.each([
		['../me', '/int/v1/campaign/..%2Fme'],
		['a/b?c#d', '/int/v1/campaign/a%2Fb%3Fc%23d'],
		['ä ö', '/int/v1/campaign/%C3%A4%20%C3%B6'],
	])('%j stays one segment', async (id, path) => {
		const { error } = await get(`={{ ${JSON.stringify(id)} }}`);
		expect(error?.message).toBe('Not Found.');
		expect(service.lastRequest.path).toBe(path);
	});

	test.each(['\ud83d', 'a\ude00b'])(
		'half a character (%j) is named, and nothing is sent',
		async (id) => {
			const { error } = await get(`={{ ${JSON.stringify(id)} }}`);
			expect(error?.message).toContain('Campaign is not an ID: it holds half a character');
			expect(error?.description).toContain('check the expression');
			expect(service.requests).toEqual([]);
		},
	);

	test.each(['', '.', '..', '  '])('%j fails before anything is sent', async (id) => {
		const { error } = await get(`={{ ${JSON.stringify(id)} }}`);
		expect(error?.message).toMatch(/^Campaign (is missing|"\.+" is not an ID)/);
		expect(service.requests).toEqual([]);
	});

	const id = '64f1c0ffee0000000000abcd';
	test.each([
		[`https://m.example.com/console/campaign/${id}`, id],
		[`https://m.example.com/console/#/campaign/${id}/report?tab=1`, id],
		['https://m.example.com/campaign/short-id', 'short-id'],
		['https://m.example.com/campaign/short-id/?tab=1', 'short-id'],
	])('the URL %s names the campaign', async (url, expected) => {
		await service.run('campaign', 'get', { campaignId: locator(url, 'url') });
		expect(service.lastRequest.path).toBe(`/int/v1/campaign/${expected}`);
	});
});

describe('several items', () => {
	test('each output item is paired with its input item', async () => {
		const ids = service.emulator.state.campaigns
			.values()
			.slice(0, 3)
			.map(({ _id }) => _id);
		const { items } = await service.run(
			'campaign',
			'get',
			{ campaignId: locator('={{ $json.id }}') },
			{ items: ids.map((id) => ({ json: { id } })) },
		);
		expect(items.map(({ json, pairedItem }) => [json._id, pairedItem])).toEqual(
			ids.map((id, item) => [id, { item }]),
		);
	});

	test('with continue on error, a failed item says why and the others come through', async () => {
		const id = liveCampaign();
		const { items, error } = await service.run(
			'campaign',
			'get',
			{ campaignId: locator('={{ $json.id }}') },
			{ items: [{ json: { id: 'nobody' } }, { json: { id } }], onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject({ json: { error: 'Not Found.' }, pairedItem: { item: 0 } });
		expect(items[1]).toMatchObject({ json: { _id: id }, pairedItem: { item: 1 } });
	});
});

describe('the error output', () => {
	test.each([
		['refused by the service', 'nobody', 'Not Found.'],
		['refused before sending', '..', 'Campaign ".." is not an ID'],
	])('an item %s stays paired with its input', async (_case, bad, message) => {
		const id = liveCampaign();
		const { items, errorItems } = await service.run(
			'campaign',
			'get',
			{ campaignId: locator('={{ $json.id }}') },
			{ items: [{ json: { id } }, { json: { id: bad } }], onError: 'continueErrorOutput' },
		);
		expect(items).toMatchObject([{ json: { _id: id }, pairedItem: { item: 0 } }]);
		expect(errorItems).toMatchObject([{ json: { error: message }, pairedItem: { item: 1 } }]);
	});
});

function liveCampaign(): string {
	const live = service.emulator.state.campaigns.find(({ status }) => status === '1');
	return required(live, 'live campaign')._id;
}
