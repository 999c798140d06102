import { countCpuTime } from '../kit/cpuTime.mts';
import { loadOptions, searchList } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const COUNT = 5000;

/** A limit for CPU time. A search in memory takes far less. */
const IMMEDIATE_MS = 400;

const service = useService({
	seed: 5,
	people: 20,
	groups: COUNT,
	campaigns: COUNT,
	broadcasts: COUNT,
	channels: COUNT,
	templates: COUNT,
	surveys: 0,
	responsesPerSurvey: 0,
});

test.each([
	['searchCampaigns', 6, 'welcome aboard 2'],
	['searchBroadcasts', 6, 'ada'],
	['searchRecipientGroups', 5, 'sales'],
	['searchChannels', 1, 'channel 49'],
])(
	'%s opens a list immediately from the second time on, and typing sends no request',
	async (method, requests, text) => {
		const first = await searchList(method, service.accessKey);
		expect(first.results).toHaveLength(100);
		expect(service.requests).toHaveLength(requests);

		const used = countCpuTime();
		const opened = await searchList(method, service.accessKey);
		expect(opened).toEqual(first);
		for (let length = 1; length <= text.length; length++) {
			const typed = await searchList(method, service.accessKey, { filter: text.slice(0, length) });
			expect(typed.results.length).toBeGreaterThan(0);
		}
		expect(used() / (text.length + 1)).toBeLessThan(IMMEDIATE_MS);
		expect(service.requests).toHaveLength(requests);
	},
	60_000,
);

test('opens lists of options immediately from the second time on', async () => {
	for (const method of ['getTemplates', 'getRecipientGroups', 'getCategories', 'getDrafts']) {
		expect((await loadOptions(method, service.accessKey)).length).toBeGreaterThan(0);
	}
	const requestCount = service.requests.length;
	const used = countCpuTime();
	expect(await loadOptions('getTemplates', service.accessKey)).toHaveLength(COUNT);
	expect(await loadOptions('getRecipientGroups', service.accessKey)).toHaveLength(COUNT);
	await loadOptions('getCategories', service.accessKey);
	expect(used()).toBeLessThan(3 * IMMEDIATE_MS);
	expect(service.requests).toHaveLength(requestCount);
	// One request for templates, six for campaigns (used by categories and drafts) and five for groups.
	expect(requestCount).toBe(12);
}, 60_000);
