import { useService } from '../kit/service.mts';

const COUNT = 200_000;

const service = useService({
	seed: 1,
	people: 1,
	groups: 1,
	campaigns: COUNT,
	responsesPerSurvey: 1,
});

test('200,000 campaigns come out of one Get Many, in 200 pages and one empty one', async () => {
	const { items, error } = await service.run('campaign', 'getAll', { returnAll: true });
	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThanOrEqual(COUNT);
	expect(new Set(items.map(({ json }) => json._id)).size).toBe(items.length);
	expect(service.requests).toHaveLength(Math.ceil(items.length / 1000) + 1);
}, 120_000);
