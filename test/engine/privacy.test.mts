import type { INodeParameters } from 'n8n-workflow';

import { loadOptions, locator } from '../kit/engine.mts';
import { watchLog } from '../kit/log.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { TriggerHost } from '../kit/poll.mts';
import { firstSurvey } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

// docs/privacy.md promises that no output identifies a person in an anonymous survey, whatever the service sends.

useFakeSleep();
const service = useService();
const log = watchLog();

const CANARY = /canary/i;

const person = {
	userId: 'canary-id',
	userDisplayName: 'Canary Bird',
	userEmail: 'canary@example.com',
};

const surveyCampaign = () => firstSurvey(service.emulator).campaign;

beforeEach(() => {
	log.clear();
	const campaign = surveyCampaign();
	for (const submitted of [true, false]) {
		service.emulator.submitResponse(campaign._id, {
			...person,
			...(submitted ? { answers: [9, 'Yes', ['Team'], { Leadership: 4 }] } : {}),
			submitted,
		});
	}
	firstSurvey(service.emulator).survey.anonymous = true;
	service.emulator.switches.anonymousRowsNamed = true;
});

const hasWarning = () => JSON.stringify(log.lines).includes('Raw contains them');

afterEach(() => {
	expect(JSON.stringify(log.lines)).not.toMatch(CANARY);
});

test.each<[string, INodeParameters]>([
	...['responses', 'table'].flatMap((output) =>
		['submitted', 'notSubmitted', 'everyone'].map((who): [string, INodeParameters] => [
			'getResponses',
			{ output, returnAll: true, options: { who } },
		]),
	),
	['getSummary', { options: { minimumResponses: 1, minimumComments: 1 } }],
	['getSummary', { options: { minimumResponses: 1, breakDownBy: 'Would you recommend us?' } }],
	['getSummary', { options: { breakDownBy: 'none of these' } }],
])('identifies no person in items, errors and hints of %s %j', async (operation, parameters) => {
	const { json, items, error, hints } = await service.run(`survey.${operation}`, {
		campaignId: locator(surveyCampaign()._id),
		...parameters,
	});
	expect(json.length > 0).toBe(error === undefined);
	expect(JSON.stringify({ items, hints })).not.toMatch(CANARY);
	expect([error?.message, error?.description, JSON.stringify(error)].join()).not.toMatch(CANARY);
});

test('identifies no person in the error about a missing question', async () => {
	service.emulator.switches.surveyQuestionsForm = 'titles';
	const { error } = await service.run('survey.getSummary', {
		campaignId: locator(surveyCampaign()._id),
		options: { breakDownBy: 'How do you feel?' },
	});
	expect(error?.message).toContain('has no question');
	expect(JSON.stringify(error)).not.toMatch(CANARY);
});

test('identifies no person in the list of questions in the editor', async () => {
	const questions = await loadOptions('getSurveyQuestions', service.accessKey, {
		resource: 'survey',
		operation: 'getSummary',
		campaignId: locator(surveyCampaign()._id),
	});
	expect(questions).toHaveLength(1 + 5);
	expect(JSON.stringify(questions)).not.toMatch(CANARY);
});

test.each<[string, object]>([
	['simplified', { answers: { 'How do you feel?': 10 } }],
	['table', { 'How do you feel?': 10 }],
	['raw', { 'q.0': 10 }],
])(
	'the trigger saves no personal data from an anonymous survey, and returns it only with Raw (Output: %s)',
	async (output, answer) => {
		const { _id } = surveyCampaign();
		const host = new TriggerHost({
			credential: service.accessKey,
			parameters: {
				events: ['surveySubmitted', 'campaignRead'],
				watch: 'selected',
				campaignIds: [_id],
				output,
				options: { emitExisting: true, maxReadGapMinutes: 0 },
			},
		});
		await host.activate();
		service.emulator.submitResponse(_id, { ...person, answers: [10] });
		await host.poll();
		expect(host.items.length).toBeGreaterThan(5);
		expect(JSON.stringify(host.database)).not.toMatch(CANARY);
		const submitted = host.items.filter(({ event }) => event === 'surveySubmitted');
		expect(submitted.at(-1)).toMatchObject({ campaignId: _id, ...answer });
		// With Raw, an item is the unchanged row of the service, and the log has a warning.
		for (const shown of [CANARY.test(JSON.stringify(host.items)), hasWarning()])
			expect(shown).toBe(output === 'raw');
	},
);
