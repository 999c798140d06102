import { questionTypes } from '../../emulator/state/survey.mts';
import { documentedQuestionTypes } from '../kit/contract.mts';
import { any, first, textWith, timeAfter, useEmulator } from './client.mts';

const { emulator, plain, call, ok, refused, expectViolations } = useEmulator({
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

test('knows every documented question type', () => {
	expect([...questionTypes].sort()).toEqual(documentedQuestionTypes().sort());
});

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

describe('questions', () => {
	test.each([
		{ templateCode: 'radio', title: 'x', fork: true },
		{ templateCode: 'radio', title: 'x', branch: true },
		{ templateCode: 'slider', title: 'x' },
		{ templateCode: 'input' },
		{ templateCode: 'input', title: 'x', label: 'x' },
		{ templateCode: 'radio', title: 'x', hideText: true },
		{ templateCode: 'radio', title: 'x', options: ['a', 1] },
		{ templateCode: 'radio', title: 'x', layout: 'vertical' },
		{ templateCode: 'radio', title: 'x', options: [{}] },
	])('%j is a violation', async (question) => {
		await refused('POST /campaign/survey', { name: 'x', description: 'x', questions: [question] });
		expectViolations(1);
	});

	test.each(questionTypes)(
		'of type %s can fork, branch, and have numbers as options',
		async (type) => {
			const fork = {
				templateCode: type,
				title: 'x',
				fork: true,
				questionId: 'a',
				options: [1, 2.5],
			};
			const branch = { templateCode: type, title: 'y', branch: true, questionId: 'b' };
			const neither = {
				templateCode: type,
				title: 'z',
				fork: false,
				branch: false,
				required: false,
			};
			await create({ questions: [{ ...fork, placeholder: 'Here' }, branch, neither] });
			expectViolations(0);
		},
	);

	test('are shown with defaults and can be overwritten in a draft', async () => {
		const id = await create({ questions: [{ templateCode: 'matrix', title: 'Mood' }] });
		const question = { _id: any(String), title: 'Mood', desc: '', required: true, options: [] };
		const shown = { ...question, tags: [], matrixQuestions: [] };
		expect(await data(id)).toMatchObject({ questions: [shown], result: [] });
		const options = [{ value: 'No', branchQuestions: ['reason'] }, { value: 1 }];
		await ok(`PUT /campaign/survey/${id}`, {
			questions: [{ templateCode: 'radio', title: 'New', options }],
		});
		expect((await data(id)).questions).toMatchObject([{ title: 'New', options: ['No', 1] }]);
		await ok(`PUT /campaign/${id}`, { status: 'live' });
		expect((await data(id)).liveDate).toBe(timeAfter());
	});

	test('turn a draft campaign into a survey if the caller has access to it', async () => {
		const draft = emulator.state.addCampaign({ name: 'Ours', status: '0' });
		const body = { questions: [{ templateCode: 'input', title: 'Taken over' }] };
		expect(await plain.refused(`PUT /campaign/survey/${draft._id}`, body)).toContain('draft');
		expect(draft.survey).toBeUndefined();
		draft.sharedUserIds = [emulator.state.plainUser._id];
		await plain.ok(`PUT /campaign/survey/${draft._id}`, body);
		expect((await data(draft._id)).questions).toHaveLength(1);
	});
});

describe('responses', () => {
	test('have the documented fields and an answer per question', async () => {
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

	test('name nobody in an anonymous survey', async () => {
		const shown = await data(surveys()[1]?._id ?? '');
		expect(shown.anonymous).toBe(true);
		for (const row of shown.result ?? [])
			expect(Object.keys(row).filter((key) => key.startsWith('user'))).toEqual([]);
	});

	test('are submitted by the next person without a row, unless a user ID is given', async () => {
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

	test('come from a new person when everybody has answered', async () => {
		const id = first(surveys())._id;
		for (let number = 0; number < 20; number += 1) emulator.submitResponse(id);
		const rows = (await data(id)).result ?? [];
		expect(new Set(rows.map((row) => row.userId)).size).toBe(23);
	});

	test('accept answers by question title or by key, and values for the other fields', async () => {
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

	test('show later changes, and disappear when removed', async () => {
		const { _id, survey } = first(surveys());
		const rowId = emulator.submitResponse(_id, { userId: 'u', submitted: false });
		const shown = async () => (await data(_id)).result?.find(({ userId }) => userId === 'u');
		expect(await shown()).toMatchObject({ submitted: false });
		const rows = [...(survey?.rows() ?? [])];
		survey?.put({ ...first(rows.filter((row) => row.rowId === rowId)), submitted: true });
		expect(await shown()).toMatchObject({ submitted: true });
		survey?.remove(rowId);
		expect(await shown()).toBeUndefined();
	});

	test('are counted in the report', async () => {
		const id = first(surveys())._id;
		emulator.submitResponse(id);
		const report = await ok(`GET /campaign/${id}/report`);
		expect(report).toMatchObject({ readCount: 4, completeReadCount: 3 });
	});

	test('cause HTTP 500 if a row violates the contract', async () => {
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
