import { loadOptions, searchList } from '../kit/engine.mts';
import { useService } from '../kit/service.mts';

const COUNT = 5000;

/** Far from what a search in memory takes, near what one request too many would: the service answers after half a second. */
const AT_ONCE_MS = 400;
const ANSWER_MS = 500;

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
	'%s opens at once after the first time, and typing asks for nothing',
	async (method, requests, text) => {
		service.emulator.faults.add({
			match: { path: '/int/v1/*' },
			times: Infinity,
			action: { delayMs: ANSWER_MS },
		});
		const first = await searchList(method, service.accessKey);
		expect(first.results).toHaveLength(100);
		expect(service.requests).toHaveLength(requests);

		const begin = performance.now();
		const opened = await searchList(method, service.accessKey);
		expect(opened).toEqual(first);
		for (let length = 1; length <= text.length; length++) {
			const typed = await searchList(method, service.accessKey, { filter: text.slice(0, length) });
			expect(typed.results.length).toBeGreaterThan(0);
		}
		expect((performance.now() - begin) / (text.length + 1)).toBeLessThan(AT_ONCE_MS);
		expect(service.requests).toHaveLength(requests);
	},
	60_000,
);

test('the lists of options are there at once after the first time', async () => {
	for (const method of ['getTemplates', 'getRecipientGroups', 'getCategories', 'getDrafts']) {
		expect((await loadOptions(method, service.accessKey)).length).toBeGreaterThan(0);
	}
	const asked = service.requests.length;
	const begin = performance.now();
	expect(await loadOptions('getTemplates', service.accessKey)).toHaveLength(COUNT);
	expect(await loadOptions('getRecipientGroups', service.accessKey)).toHaveLength(COUNT);
	await loadOptions('getCategories', service.accessKey);
	expect(performance.now() - begin).toBeLessThan(3 * AT_ONCE_MS);
	// Templates, six pages of campaigns for categories and drafts, five of groups.
	expect(service.requests).toHaveLength(asked);
	expect(asked).toBe(12);
}, 60_000);
