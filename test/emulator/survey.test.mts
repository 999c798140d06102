import { questionTypes } from '../../emulator/state/survey.mts';
import { documentedQuestionTypes } from '../kit/contract.mts';
import { any, first, textWith, timeAfter, useEmulator } from './client.mts';

const { emulator, call, ok, done, refused, expectViolations } = useEmulator({
	seed: { people: 20, campaigns: 1, surveys: 1, anonymousSurveys: 1, responsesPerSurvey: 3 },
});

interface Row {
	[key: string]: unknown;
	userId?: string;
	submittedDate?: string;
}

interface SurveyData {
	name: string;
	anonymous: boolean;
	senderUserEmail: string;
	liveDate?: string;
	questions: { _id: string; title: string; options: unknown[]; required: boolean }[];
	result?: Row[];
}

test('every documented question type is known', () => {
	expect([...questionTypes].sort()).toEqual(documentedQuestionTypes().sort());
});

const everyQuestion = [
	{ templateCode: 'input', title: 'Name', desc: 'Yours', placeholder: 'Type', required: false },
	{ templateCode: 'textarea', title: 'Why?' },
	{
		...{ templateCode: 'radio', title: 'Stay?', questionId: 'stay', fork: true },
		...{ layout: 'Vertical', hideText: 'true' },
		options: [{ value: 'No', branchQuestions: ['reason'] }, { value: 1 }],
	},
	{
		...{ templateCode: 'dropdown', title: 'Where?', questionId: 'reason', branch: true },
		options: ['A', 'B'],
	},
	{ templateCode: 'multiselect', title: 'What?', options: [1, 2], layout: 'Horizontal' },
	{ templateCode: 'matrix', title: 'Rate', options: ['x'], matrixQuestions: ['Row 1', 'Row 2'] },
	{ templateCode: 'rank', title: 'Order', options: ['x', 'y'] },
	{ templateCode: 'rating', title: 'Mood', zeroLabel: 'Bad', tenLabel: 'Good' },
	{ templateCode: 'date', title: 'When?' },
	{ templateCode: 'time', title: 'What time?' },
	{ templateCode: 'email', title: 'Email' },
	{ templateCode: 'number', title: 'How many?', min: 0, max: 10, decimal: 0 },
];

const everySetting = {
	...{ show_questions_individually: true, show_user_response: true },
	...{ full_height: true, adaptive_height: true },
	...{ text_width: '50%', text_color: '#000000', text_position: 'Center' },
	...{ input_width: '50%', input_color: '#000000', input_position: 'Right' },
	...{ required_color: '#ff0000', page_button_position: 'Top' },
	...{ prev_button_text_color: '#000000', prev_button_background_color: '#ffffff' },
	...{ next_button_text_color: '#000000', next_button_background_color: '#ffffff' },
};

const surveys = () =>
	emulator.state.campaigns.values().filter((campaign) => campaign.survey !== undefined);

async function data(id: string): Promise<SurveyData> {
	return await ok<SurveyData>(`GET /campaign/${id}/surveyData`);
}

async function create(body: object = {}): Promise<string> {
	const created = await ok<{ _id: string; campaignUrl: string }>('POST /campaign/survey', {
		name: 'Pulse',
		description: 'Weekly',
		questions: [{ templateCode: 'rating', title: 'Mood' }],
		...body,
	});
	expect(Object.keys(created).sort()).toEqual(['_id', 'campaignUrl']);
	return created._id;
}

describe('create', () => {
	test('takes every question field and all 16 settings, and makes a draft', async () => {
		const id = await create({ questions: everyQuestion, surveySettings: everySetting });
		const campaign = emulator.state.campaigns.get(id);
		expect(campaign?.status).toBe('0');
		expect(campaign?.survey?.settings).toEqual(everySetting);
		expect(Object.keys(everySetting)).toHaveLength(16);
		const shown = await data(id);
		expect(shown.questions).toHaveLength(12);
		expect(shown.questions[0]).toEqual({
			...{ _id: any(String), title: 'Name', desc: 'Yours', required: false },
			...{ options: [], tags: [], matrixQuestions: [] },
		});
		expect(shown.questions[2]).toMatchObject({ required: true, options: ['No', 1] });
		expect(shown.questions[5]).toMatchObject({ matrixQuestions: ['Row 1', 'Row 2'] });
		expect(shown.result).toEqual([]);
		expectViolations(0);
	});

	test.each([
		['name', 'name is mandatory'],
		['description', 'description is mandatory'],
		['questions', 'questions is mandatory'],
	])('needs %s', async (field, message) => {
		const body = { name: 'x', description: 'x', questions: everyQuestion, [field]: undefined };
		expect(await refused('POST /campaign/survey', body)).toBe(message);
		expectViolations(0);
	});

	test.each([
		['fork without questionId', { templateCode: 'radio', title: 'x', fork: true }],
		['branch without questionId', { templateCode: 'radio', title: 'x', branch: true }],
		['an unknown type', { templateCode: 'slider', title: 'x' }],
		['no title', { templateCode: 'input' }],
		['an unknown field', { templateCode: 'input', title: 'x', label: 'x' }],
		['hideText as boolean', { templateCode: 'radio', title: 'x', hideText: true }],
		['mixed options', { templateCode: 'radio', title: 'x', options: ['a', 1] }],
		['an unknown layout', { templateCode: 'radio', title: 'x', layout: 'vertical' }],
		['an option without value', { templateCode: 'radio', title: 'x', options: [{}] }],
	])('a question with %s is a violation', async (_name, question) => {
		await refused('POST /campaign/survey', { name: 'x', description: 'x', questions: [question] });
		expectViolations(1);
	});

	test('fork: false needs no questionId', async () => {
		await create({
			questions: [{ templateCode: 'radio', title: 'x', fork: false, branch: false }],
		});
	});

	test('goes live by an update of the campaign', async () => {
		const id = await create();
		await ok(`PUT /campaign/${id}`, { status: 'live' });
		expect((await data(id)).liveDate).toBe(timeAfter());
	});
});

describe('update', () => {
	const questions = [{ templateCode: 'input', title: 'New' }];
	const body = { questions, surveySettings: everySetting };

	test('overwrites the questions of a draft', async () => {
		const id = await create();
		const updated = await ok(`PUT /campaign/survey/${id}`, body);
		expect(updated).toEqual({ _id: id, campaignUrl: textWith(id) });
		expect((await data(id)).questions.map((question) => question.title)).toEqual(['New']);
	});

	test('makes a survey of a draft campaign that was none', async () => {
		const campaign = emulator.state.addCampaign({ name: 'x', status: '0' });
		await ok(`PUT /campaign/survey/${campaign._id}`, body);
		expect((await data(campaign._id)).questions).toHaveLength(1);
	});

	test('may answer with success only', async () => {
		emulator.switches.updateSurveyResponse = 'onlySuccess';
		const id = await create();
		await done(`PUT /campaign/survey/${id}`, body);
	});

	test('needs a draft campaign', async () => {
		const message = "Invalid campaign ID for survey creation, 'draft' campaign required";
		const live = first(surveys())._id;
		for (const id of [live, '000000000000000000000000']) {
			expect(await refused(`PUT /campaign/survey/${id}`, body)).toBe(message);
		}
	});

	test('may know only the settings that are shown', async () => {
		emulator.switches.surveySettingsOnUpdate = 'upToInputColor';
		const id = await create();
		await refused(`PUT /campaign/survey/${id}`, body);
		await ok(`PUT /campaign/survey/${id}`, { ...body, surveySettings: { input_color: '#000000' } });
	});
});

describe('responses', () => {
	test('a campaign that is no survey has none', async () => {
		const plain = emulator.state.campaigns.find((campaign) => !campaign.survey);
		expect(await refused(`GET /campaign/${plain?._id ?? ''}/surveyData`)).toBe(
			'Campaign is not a survey',
		);
	});

	test('rows have the documented fields and an answer per question', async () => {
		const shown = await data(first(surveys())._id);
		expect(Object.keys(shown).sort().join(' ')).toBe(
			'anonymous liveDate name questions result senderName senderUserEmail',
		);
		expect(shown.result).toHaveLength(3);
		expect(Object.keys(first(shown.result ?? [])).join(' ')).toBe(
			'responseSubmitted read submitted submittedDate userId userDisplayName userEmail ' +
				'responseDuration q.0 q.1 q.2 q.3 q.4',
		);
	});

	test('answer keys may count from 1', async () => {
		const id = first(surveys())._id;
		await data(id);
		emulator.switches.questionNumbering = 'from1';
		const row = first((await data(id)).result ?? []);
		expect(Object.keys(row)).toContain('q.5');
		expect(Object.keys(row)).not.toContain('q.0');
	});

	test('an anonymous survey names nobody', async () => {
		const anonymous = surveys()[1];
		const shown = await data(anonymous?._id ?? '');
		expect(shown.anonymous).toBe(true);
		for (const row of shown.result ?? []) {
			expect(Object.keys(row).filter((key) => key.startsWith('user'))).toEqual([]);
		}
	});

	test('are submitted, by default by the next person who has no row', async () => {
		const id = first(surveys())._id;
		const people = emulator.state.people.values();
		emulator.clock.advance(5000);
		emulator.submitResponse(id, { answers: [7, undefined, ['Team']] });
		emulator.submitResponse(id);
		const rows = (await data(id)).result ?? [];
		expect(rows).toHaveLength(5);
		expect(rows[3]).toEqual({
			responseSubmitted: true,
			read: true,
			submitted: true,
			submittedDate: timeAfter(5000),
			userId: people[3]?._id,
			userDisplayName: any(String),
			userEmail: people[3]?.email,
			'q.0': 7,
			'q.2': ['Team'],
		});
		expect(rows[4]).toEqual({
			responseSubmitted: false,
			read: true,
			submitted: false,
			userId: people[4]?._id,
			userDisplayName: any(String),
			userEmail: people[4]?.email,
		});
	});

	test('somebody new answers when everybody has', async () => {
		const id = first(surveys())._id;
		for (let number = 0; number < 20; number += 1) emulator.submitResponse(id);
		const rows = (await data(id)).result ?? [];
		expect(new Set(rows.map((row) => row.userId)).size).toBe(23);
	});

	test('answers by title, by literal key, and rows of every kind', async () => {
		const id = first(surveys())._id;
		emulator.submitResponse(id, {
			userId: 'somebody',
			userEmail: 'some@body.example',
			answers: { 'Why?': 'Because', 'q.9': 'unknown question' },
			submittedDate: '2020-01-01T00:00:00.000Z',
			responseDuration: 12,
		});
		emulator.submitResponse(id, {
			userId: null,
			answers: ['x'],
			submittedDate: null,
			responseSubmitted: false,
			read: false,
		});
		const rows = (await data(id)).result ?? [];
		expect(rows[3]).toEqual({
			responseSubmitted: true,
			read: true,
			submitted: true,
			submittedDate: '2020-01-01T00:00:00.000Z',
			userId: 'somebody',
			userEmail: 'some@body.example',
			responseDuration: 12,
			'q.4': 'Because',
			'q.9': 'unknown question',
		});
		expect(rows[4]).toEqual({ responseSubmitted: false, read: false, submitted: true, 'q.0': 'x' });
		expect(() => emulator.submitResponse(id, { answers: { Nope: 1 } })).toThrow('Nope');
		expect(() => emulator.submitResponse('nope')).toThrow('No survey campaign');
	});

	test('change, go away and come back', async () => {
		const id = first(surveys())._id;
		const rowId = emulator.submitResponse(id, { userId: 'u', submitted: false });
		const row = async () => (await data(id)).result?.find((shown) => shown.userId === 'u');
		expect(await row()).toMatchObject({ submitted: false });
		emulator.changeResponse(id, rowId, { submitted: true, answers: [3] });
		expect(await row()).toMatchObject({ submitted: true, 'q.0': 3, submittedDate: any(String) });
		emulator.hideResponses(id, { rows: [rowId], calls: 2 });
		expect(await row()).toBeUndefined();
		expect(await row()).toBeUndefined();
		expect(await row()).toBeDefined();
		emulator.hideResponses(id);
		expect((await data(id)).result).toEqual([]);
		emulator.hideResponses(id, { result: 'absent' });
		expect(await data(id)).not.toHaveProperty('result');
		expect((await data(id)).result).toHaveLength(4);
		emulator.removeResponse(id, rowId);
		expect(await row()).toBeUndefined();
		expect(() => emulator.changeResponse(id, rowId, {})).toThrow('No response');
	});

	test('count in the report', async () => {
		const id = first(surveys())._id;
		emulator.submitResponse(id);
		const report = await ok(`GET /campaign/${id}/report`);
		expect(report).toMatchObject({ readCount: 4, completeReadCount: 3 });
	});

	test('a row that breaks the contract is a loud 500', async () => {
		const id = first(surveys())._id;
		emulator.submitResponse(id, { answers: [1], submittedDate: 'yesterday' });
		const answer = await call(`GET /campaign/${id}/surveyData`);
		expect(answer.status).toBe(500);
		expect(answer.data).toMatchObject({ success: false, message: textWith('broke the contract') });
		expect(emulator.violations).toMatchObject([
			{ kind: 'response', operationId: 'survey.getResponses' },
		]);
		emulator.clearRequests();
	});
});
