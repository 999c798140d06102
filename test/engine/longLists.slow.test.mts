import { locator } from '../kit/engine.mts';
import { first } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const COUNT = 200_000;

const SMALL = { seed: 1, people: 1, groups: 1, surveys: 1, responsesPerSurvey: 1 };

describe('a long list', () => {
	const service = useService({ ...SMALL, campaigns: COUNT });

	test('of 200,000 campaigns comes out of one Get Many, in 200 pages and one empty one', async () => {
		const { items, error } = await service.run('campaign', 'getAll', { returnAll: true });
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThanOrEqual(COUNT);
		expect(new Set(items.map(({ json }) => json._id)).size).toBe(items.length);
		expect(service.requests).toHaveLength(Math.ceil(items.length / 1000) + 1);
	}, 120_000);
});

describe('a survey with many answers', () => {
	const service = useService({ ...SMALL, campaigns: 0 });

	test('gives 200,000 responses', async () => {
		const survey = first(service.emulator.state.campaigns.values(), 'survey');
		survey.survey?.clear();
		const answers = [7, 'Yes', ['Team'], { Leadership: 1, Tools: 2 }, 'Fine'];
		for (let number = 0; number < COUNT; number += 1) {
			service.emulator.submitResponse(survey._id, { userId: `user-${number}`, answers });
		}
		const { json, error } = await service.run('survey', 'getResponses', {
			campaignId: locator(survey._id),
			returnAll: true,
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(COUNT);
		expect(json.at(-1)).toMatchObject({
			userId: 'user-199999',
			answers: { 'How do you feel?': 7, 'What do you like?': ['Team'] },
		});
	}, 60_000);
});
