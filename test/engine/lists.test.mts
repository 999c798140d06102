import { loadOptions, searchList } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const service = useService({
	seed: 3,
	people: 5,
	groups: 4,
	campaigns: 150,
	templates: 4,
	responsesPerSurvey: 1,
});

describe('the list of campaigns', () => {
	test('shows a page with names and states, and where to go on', async () => {
		const { results, paginationToken } = await searchList('searchCampaigns', service.accessKey);
		expect(results).toHaveLength(100);
		expect(results[0]).toMatchObject({
			name: expect.stringMatching(/\((draft|live|closed|scheduled)\)$/),
			value: expect.any(String),
			url: expect.stringContaining('http'),
		});
		const next = await searchList('searchCampaigns', service.accessKey, {
			paginationToken: String(paginationToken),
		});
		expect(next.results.length).toBeGreaterThan(0);
		const values = new Set(results.map(({ value }) => value));
		expect(next.results.some(({ value }) => values.has(value))).toBe(false);
	});

	test('a search looks through all pages', async () => {
		const [oldest] = service.emulator.state.campaigns.values();
		service.emulator.switches.pageCap = { campaign: 20 };
		const { results } = await searchList('searchCampaigns', service.accessKey, {
			filter: oldest?._id.toUpperCase(),
		});
		expect(results.map(({ value }) => value)).toEqual([oldest?._id]);
	});

	test('a search with many matches stops at 50 of them, and says where to go on', async () => {
		for (let number = 0; number < 200; number++) {
			service.emulator.state.addCampaign({ name: `Pulse ${number}`, description: 'How are you?' });
		}
		service.emulator.switches.pageCap = { campaign: 20 };
		const { results, paginationToken } = await searchList('searchCampaigns', service.accessKey, {
			filter: 'pulse',
		});
		expect(service.requests).toHaveLength(3);
		expect(results).toHaveLength(60);
		const next = await searchList('searchCampaigns', service.accessKey, {
			filter: 'pulse',
			paginationToken: String(paginationToken),
		});
		expect(next.results.map(({ name }) => name).slice(0, 1)).toEqual([
			expect.stringMatching(/^Pulse 139\b/),
		]);
	});

	test('no match is an empty list', async () => {
		const { results } = await searchList('searchCampaigns', service.accessKey, { filter: '§§§' });
		expect(results).toEqual([]);
	});

	test('an error shows the service’s message', async () => {
		const credential = { ...service.accessKey, accessKey: 'wrong' };
		await expect(searchList('searchCampaigns', credential)).rejects.toThrow(/refused access/);
	});
});

test('the list of recipient groups goes through all pages', async () => {
	service.emulator.switches.pageCap = { recipientGroup: 3 };
	const first = await searchList('searchRecipientGroups', service.accessKey);
	expect(first.results).toHaveLength(3);
	const second = await searchList('searchRecipientGroups', service.accessKey, {
		paginationToken: String(first.paginationToken),
	});
	expect(second.results).toHaveLength(1);
	expect(second.paginationToken).toBeUndefined();
	const { results } = await searchList('searchRecipientGroups', service.accessKey, {
		filter: second.results[0]?.name,
	});
	expect(results).toEqual(second.results);
});

test('options of recipient groups and templates are sorted by name', async () => {
	for (const method of ['getRecipientGroups', 'getTemplates']) {
		const options = await loadOptions(method, service.accessKey);
		const names = options.map(({ name }) => name);
		expect(names).toHaveLength(4);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

test.each([
	['searchRecipientGroups', 'skipMeans'],
	['searchCampaigns', 'previousLastIdMeans'],
] as const)('%s ends when the service gives the same page again', async (method, switchName) => {
	service.emulator.switches[switchName] = 'nothing';
	service.emulator.switches.pageCap = { recipientGroup: 2, campaign: 2 };
	const { results } = await searchList(method, service.accessKey, { filter: '§§§' });
	expect(results).toEqual([]);
	expect(service.requests).toHaveLength(2);
});

test('a total that counts only its page hides no group', async () => {
	service.emulator.switches.totalMeans = 'page';
	service.emulator.switches.pageCap = { recipientGroup: 2 };
	const all = service.emulator.state.recipientGroups.values().map(({ name }) => name);
	const { results } = await searchList('searchRecipientGroups', service.accessKey, {
		filter: all.at(-1),
	});
	expect(results.map(({ name }) => name)).toContain(all.at(-1));
});
