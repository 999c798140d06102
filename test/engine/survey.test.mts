import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import type { FaultAction } from '../../emulator/emulator.mts';
import { loadOptions, locator, type RunOptions } from '../kit/engine.mts';
import { questions, questionsInForm } from '../kit/questions.mts';
import { firstSurvey, required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const TEXTS = { name: 'Pulse', description: 'How are we?' };
const QUESTION = { templateCode: 'radio', title: 'Q', required: true, options: ['1', '2'] };

/** The questions of test/kit/questions.mts in the output. */
const UNDERSTOOD = [
	{ title: 'Was it a good week?', type: 'radio', required: false, options: ['Yes', 'No'] },
	{ title: 'What went wrong?', type: 'textarea', branchOf: [1] },
	{ title: 'Your team?', type: 'input' },
	{ title: 'Which office?', type: 'dropdown', options: ['Oslo', 'Bergen'] },
	{ title: 'What do you like?', type: 'multiselect', options: ['Team', 'Pay'] },
	{ title: 'How satisfied are you?', type: 'matrix', options: ['1', '2', '3'] },
	{ title: 'What matters most?', type: 'rank', options: ['Pay', 'Time'] },
	{ title: 'How likely are you to stay?', type: 'rating' },
	{ title: 'When did you start?', type: 'date' },
	{ title: 'When do you get up?', type: 'time' },
	{ title: 'Where do we reach you?', type: 'email' },
	{ title: 'How many meetings?', type: 'number' },
].map((question, index) => ({ number: index + 1, required: true, ...question }));

const form = (...question: INodeParameters[]): INodeParameters => ({ question });
const oneQuestion = form({ templateCode: 'time', title: 'When?' });

const create = (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	service.run(
		'survey.create',
		{ name: TEXTS.name, campaignDescription: TEXTS.description, ...parameters },
		options,
	);

const stored = (id: unknown) => service.emulator.state.campaigns.get(String(id));

const liveSurvey = () => firstSurvey(service.emulator).campaign;

const REPORT = 'GET /campaign/:id/report';
const TITLES = [
	...['How do you feel?', 'Would you recommend us?', 'What do you like?'],
	...['How satisfied are you?', 'Why?'],
];

/** Removes the recipients of the survey who have no row in its data. */
function removeOtherRecipients(): void {
	const survey = liveSurvey();
	survey.recipients = new Set([...(survey.survey?.rows() ?? [])].map(({ rowId }) => rowId));
}

describe('create', () => {
	test('creates a draft with every field, and returns its ID and URL', async () => {
		const [template] = service.emulator.state.templates.values();
		const content = {
			title: 'Tell us',
			templateId: required(template, 'template')._id,
			templateData: '{ "city": "Oslo" }',
		};
		const surveySettings = {
			...{ show_user_response: true, full_height: false, text_width: '80%' },
			...{ input_color: '#010101', page_button_position: 'Top' },
		};
		const { json, items } = await create({
			questionsInput: 'builder',
			questions: form(...questionsInForm),
			surveySettings,
			additionalFields: content,
		});
		expect(service.lastSent).toEqual([
			'POST /campaign/survey',
			{
				...TEXTS,
				...content,
				questions: questions.map((question) => ({ required: true, ...question })),
				surveySettings,
			},
		]);
		const campaignUrl = expect.stringContaining('http');
		expect(json).toEqual([{ _id: expect.any(String), campaignUrl, questions: UNDERSTOOD }]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(stored(json[0]?._id)?.status).toBe('0');
	});

	test.each<[string, INodeParameters]>([
		['JSON text', { questionsInput: 'json', questionsJson: JSON.stringify([QUESTION]) }],
		['a JSON list', { questionsInput: 'json', questionsJson: [QUESTION] }],
		['a list from an expression', { questionsInput: 'json', questionsJson: '={{ $json.list }}' }],
		['text, the default', { questionsText: 'Q (radio: 1, 2) *' }],
		['lines from an expression', { questionsInput: 'text', questionsText: '={{ $json.lines }}' }],
	])('accepts the questions as %s', async (_form, parameters) => {
		const items = [{ json: { list: [QUESTION], lines: ['', 'Q (radio: 1, 2) *'] } }];
		const { json } = await create(parameters, { items });
		expect(service.lastRequest.body).toEqual({ ...TEXTS, questions: [QUESTION] });
		expect(stored(json[0]?._id)?.survey?.questions).toHaveLength(1);
		const understood = { number: 1, title: 'Q', type: 'radio', required: true };
		expect(json[0]?.questions).toEqual([{ ...understood, options: ['1', '2'] }]);
	});

	test.each([
		[{ templateCode: 'Rating' }, 'Question 2: Question Type must be "rating", not "Rating"'],
		[{ fork: 'true' }, 'Question 2: Fork must be true, not "true"'],
	])('names the question whose fields n8n has removed because of %j', async (saved, message) => {
		const questions = form({ title: 'When?' }, { title: 'Why?', ...saved });
		const { error } = await create({ questionsInput: 'builder', questions });
		expect([error?.message, service.requests]).toEqual([message, []]);
	});

	test('a question in JSON without `required` is required, as by default in the service', async () => {
		const questionsJson = [{ templateCode: 'input', title: 'Q' }];
		const { json } = await create({ questionsInput: 'json', questionsJson });
		expect(service.lastRequest.body).toEqual({ ...TEXTS, questions: questionsJson });
		const understood = { number: 1, title: 'Q', type: 'input', required: true };
		expect(json[0]?.questions).toEqual([understood]);
	});

	test('marks survey templates in the list of templates', async () => {
		const options = await loadOptions('getTemplates', service.accessKey);
		const marked = options.filter(({ description }) => description === 'Survey template');
		const templates = service.emulator.state.templates.values().filter(({ isSurvey }) => isSurvey);
		expect(templates.length).toBeGreaterThan(0);
		expect(marked.map(({ value }) => value).sort()).toEqual(templates.map(({ _id }) => _id).sort());
	});
});

test.each([
	[
		'data',
		{ _id: expect.any(String), campaignId: expect.any(String), campaignUrl: expect.any(String) },
	],
	['onlySuccess', { success: true, campaignId: expect.any(String) }],
] as const)('update replaces the questions of a draft (response: %s)', async (response, output) => {
	const inForm = { questionsInput: 'builder', questions: form(...questionsInForm) };
	const { json: drafts } = await create(inForm);
	const id = String(drafts[0]?._id);
	service.emulator.switches.updateSurveyResponse = response;
	const surveySettings = { full_height: true, text_color: '#abcdef' };
	const { json, items } = await service.run('survey.update', {
		campaignId: locator(id),
		questionsInput: 'builder',
		questions: oneQuestion,
		surveySettings,
	});
	const sent = [{ templateCode: 'time', title: 'When?', required: true }];
	expect(service.lastSent).toEqual([
		`PUT /campaign/survey/${id}`,
		{ questions: sent, surveySettings },
	]);
	const questions = [{ number: 1, title: 'When?', type: 'time', required: true }];
	expect(json).toEqual([{ ...output, questions }]);
	expect(Object.values(json[0] ?? {})).toContain(id);
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
	expect(stored(id)?.survey?.questions.map(({ title }) => title)).toEqual(['When?']);
});

/** The hints of a node that warns of this. */
const warning = (text: string) => [{ message: expect.stringContaining(text), type: 'warning' }];

describe('getResponses', () => {
	const getResponses = (parameters: INodeParameters = {}) =>
		service.run('survey.getResponses', {
			campaignId: locator(liveSurvey()._id),
			returnAll: true,
			...parameters,
		});

	test('docs/development/conventions.md lists every field of a response', async () => {
		service.emulator.submitResponse(liveSurvey()._id, { submitted: false });
		const { json } = await getResponses();
		expect(json).toHaveLength(5);
		expect((await getResponses({ returnAll: false, limit: 2 })).json).toEqual(json.slice(0, 2));
		const conventions = readFileSync('docs/development/conventions.md', 'utf8');
		for (const field of Object.keys(json[0] ?? {}))
			expect(conventions).toMatch(new RegExp(`[\`"]${field}[\`"]`));
	});

	test('warns that an anonymous survey does not show whom to remind', async () => {
		service.emulator.submitResponse(liveSurvey()._id, { submitted: false });
		removeOtherRecipients();
		const options = { who: 'notSubmitted' };
		expect((await getResponses({ options })).hints).toEqual([]);
		firstSurvey(service.emulator).survey.anonymous = true;
		expect((await getResponses({ options: { who: 'everyone' } })).hints).toEqual([]);
		const { json, hints } = await getResponses({ options });
		expect(json).toMatchObject([{ userEmail: null, submitted: false }]);
		expect(hints).toMatchObject(warning('do not show who has not submitted it'));
	});

	test('with Not Submitted, warns how many recipients are missing from the output', async () => {
		const { _id, name } = liveSurvey();
		for (const read of [true, false]) {
			service.emulator.submitResponse(_id, { submitted: false, read });
		}
		removeOtherRecipients();
		const hintsOf = async (who: string) => (await getResponses({ options: { who } })).hints;
		expect(await hintsOf('notSubmitted')).toEqual([]);
		service.emulator.switches.surveyDataLists = 'whoActed';
		expect(await hintsOf('everyone')).toEqual([]);
		expect(await hintsOf('notSubmitted')).toMatchObject(
			warning(`“${name}” counts 1 more recipient than`),
		);
	});

	test('with Not Submitted, returns the rows and warns if the report fails', async () => {
		const { _id } = liveSurvey();
		service.emulator.submitResponse(_id, { submitted: false });
		removeOtherRecipients();
		service.emulator.faults.on(REPORT, { refuse: 'No rights.' }, { times: Infinity });
		const { json, hints, error } = await getResponses({ options: { who: 'notSubmitted' } });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ submitted: false }]);
		expect(hints).toMatchObject(warning('may therefore be incomplete'));
	});

	test('with Raw, returns the unchanged survey data, and warns if the data of an anonymous survey names people', async () => {
		const raw = { output: 'raw', returnAll: false, limit: 1, options: { who: 'notSubmitted' } };
		const { json, hints } = await getResponses(raw);
		const lists = { questions: { length: 5 }, result: { length: 5 } };
		expect(json).toMatchObject([{ name: liveSurvey().name, anonymous: false, ...lists }]);
		expect(json[0]).toHaveProperty(['result', 0, 'q.0']);
		expect(hints).toEqual([]);
		firstSurvey(service.emulator).survey.anonymous = true;
		expect((await getResponses(raw)).hints).toEqual([]);
		service.emulator.switches.anonymousRowsNamed = true;
		expect((await getResponses(raw)).hints).toMatchObject(warning('Raw contains them'));
	});
});

describe('getSummary', () => {
	const getSummary = (options: INodeParameters = {}) =>
		service.run('survey.getSummary', { campaignId: locator(liveSurvey()._id), options });

	function respond(
		...people: Array<Array<string | number | string[] | Record<string, number>>>
	): void {
		const { _id, survey } = liveSurvey();
		survey?.clear();
		for (const answers of people) service.emulator.submitResponse(_id, { answers });
		service.emulator.submitResponse(_id, { submitted: false });
	}

	test('by default, hides the answers of fewer than five people, and texts of fewer than ten', async () => {
		const answers = [8, 'Yes', [], { Leadership: 4 }, 'Because'];
		const hidden = async (count: number) => {
			respond(...Array.from({ length: count }, () => answers));
			return (await getSummary()).json.map(({ suppressed }) => suppressed);
		};
		expect(await hidden(4)).toEqual([true, true, true, true, true]);
		expect(await hidden(5)).toEqual([false, false, true, false, true]);
		expect(await hidden(10)).toEqual([false, false, true, false, false]);
	});

	test.each<[string, FaultAction, string]>([
		['fails', { refuse: 'No rights.' }, ': No rights. Recipients'],
		['has no number', { status: 200, body: { success: true, data: {} } }, 'has no number'],
	])('if the report %s, warns and returns the results', async (_what, action, reason) => {
		respond([9], [8]);
		service.emulator.faults.on(REPORT, action, { times: Infinity });
		const { json, hints, error } = await getSummary({ minimumResponses: 1 });
		expect(error).toBeUndefined();
		const rates = { recipients: null, submitted: 2, responseRate: null };
		expect(json[0]).toMatchObject({ average: 8.5, ...rates });
		expect(hints).toMatchObject([{ ...warning(reason)[0], location: 'outputPane' }]);
	});

	test('gives the items of several surveys the same fields', async () => {
		respond([9, 'Yes'], [8, 'Yes']);
		const { _id } = liveSurvey();
		const { json: drafts } = await create({ questionsInput: 'text', questionsText: 'Q (rating)' });
		const items = [{ json: { id: drafts[0]?._id } }, { json: { id: _id } }];
		const { json } = await service.run(
			'survey.getSummary',
			{ campaignId: locator('={{ $json.id }}'), options: { minimumResponses: 1 } },
			{ items },
		);
		expect(json).toHaveLength(6);
		expect(json[0]).toMatchObject({ question: 'Q', suppressed: true, average: null });
		for (const item of json) expect(Object.keys(item)).toEqual(Object.keys(json[1] ?? {}));
	});

	/** Adds a survey of two ratings. Its first question is optional, so only a `q.0` or `q.2` proves the numbering. */
	function addSurvey(name: string, ...answers: Array<Record<string, number>>): string {
		const rating = (title: string) => ({ templateCode: 'rating' as const, title, required: false });
		const questions = [rating('A'), rating('B')];
		const { _id } = service.emulator.state.addSurvey({ name, questions });
		for (const given of answers) service.emulator.submitResponse(_id, { answers: given });
		return _id;
	}
	const summariesOf = async (
		ids: string[],
		options: INodeParameters = {},
		run: Partial<RunOptions> = {},
	) =>
		await service.run(
			'survey.getSummary',
			{ campaignId: locator('={{ $json.id }}'), options: { minimumResponses: 1, ...options } },
			{ items: ids.map((id) => ({ json: { id } })), ...run },
		);
	const questionsOf = ({ json }: Awaited<ReturnType<typeof summariesOf>>) =>
		json.map(({ campaignName, question, average = null, suppressed }) =>
			suppressed === true ? null : [campaignName, question, average].join(' '),
		);
	const NOT_NUMBERED = 'do not show which answers belong to which question';

	describe('with several surveys in one run', () => {
		const unclear = () => addSurvey('Unclear', { 'q.1': 7 });

		test.each<[string, Record<string, number>, string]>([
			['from 0', { 'q.0': 3 }, 'Unclear B 7'],
			['from 1', { 'q.2': 3 }, 'Unclear A 7'],
		])(
			'a survey that proves nothing uses what another proves: %s',
			async (_what, answers, expected) => {
				const clear = addSurvey('Clear', answers);
				for (const ids of [
					[unclear(), clear],
					[clear, unclear()],
				]) {
					const result = await summariesOf(ids);
					expect(questionsOf(result)).toContain(expected);
					expect(result.hints).toEqual([]);
					expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
						[0, 0, 1, 1].map((item) => ({ item })),
					);
				}
			},
		);

		test('without proof, shows the keys and says so', async () => {
			const result = await summariesOf([unclear(), unclear()]);
			expect(questionsOf(result)).toEqual(['Unclear q.1 7', 'Unclear q.1 7']);
			expect(result.hints).toMatchObject(warning(NOT_NUMBERED));
			const alone = await summariesOf([unclear()]);
			expect(questionsOf(alone)).toEqual(['Unclear q.1 7']);
			expect(alone.hints).toMatchObject(warning(NOT_NUMBERED));
		});

		test('breaks down a survey whose numbering another survey proves, or fails this survey alone', async () => {
			const ids = [unclear(), addSurvey('Clear', { 'q.2': 3 })];
			const options = { breakDownBy: 'A', minimumComments: 1 };
			expect((await summariesOf(ids, options)).error).toBeUndefined();
			const failing = await summariesOf([unclear(), 'nope', ids[1] ?? ''], options, {
				onError: 'continueErrorOutput',
			});
			expect(failing.errorItems).toMatchObject([{ pairedItem: { item: 1 } }]);
			expect(failing.items.at(-1)?.pairedItem).toEqual({ item: 2 });
			const alone = await summariesOf([unclear()], options);
			expect(alone.error?.message).toContain('has no question “A” to break down by');
		});

		test('reads no survey twice under Retry On Fail, and still uses what the first try proved', async () => {
			const clear = addSurvey('Clear', { 'q.2': 3 });
			const ids = [clear, unclear(), addSurvey('Late', { 'q.2': 3 })];
			service.emulator.faults.on(`GET /campaign/${ids[2]}/surveyData`, { refuse: 'Later' });
			const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
			const result = await summariesOf(ids, {}, { settings });
			expect(questionsOf(result)).toContain('Unclear A 7');
			const reads = service.requests.filter(({ path }) => path.endsWith(`${clear}/surveyData`));
			expect(reads).toHaveLength(1);
		});
	});

	test('with Safe for Spreadsheets, no text or column is a formula, in summaries and in responses', async () => {
		const title = '=Why?';
		const { _id } = service.emulator.state.addSurvey({
			...{ name: '=Pulse', questions: [{ templateCode: 'input', title }] },
		});
		service.emulator.submitResponse(_id, { answers: ['=cmd'] });
		const options = { safeForSpreadsheets: true };
		const { json } = await summariesOf([_id], options);
		expect(json[0]).toMatchObject({ campaignName: "'=Pulse" });
		const ofResponses = async (output: string, more: INodeParameters = options) =>
			(
				await service.run('survey.getResponses', {
					...{ campaignId: locator(_id), returnAll: true, output, options: more },
				})
			).json[0];
		const answer = { "'=Why?": "'=cmd" };
		service.emulator.submitResponse(_id, { answers: { 'q.0': '=cmd' } });
		expect((await summariesOf([_id], { ...options, minimumComments: 1 })).json[0]).toMatchObject({
			...{ question: "'=Why?", distribution: { "'=cmd": 2 } },
		});
		const ofFirst = { safeForSpreadsheets: '={{ $itemIndex === 0 }}' };
		const both = (await summariesOf([_id, _id], ofFirst)).json;
		expect(both.map(({ question }) => question)).toEqual([`'${title}`, title]);
		expect(await ofResponses('table')).toMatchObject(answer);
		expect((await ofResponses('responses'))?.answers).toEqual(answer);
		expect((await ofResponses('responses', {}))?.answers).toEqual({ '=Why?': '=cmd' });
		expect(await ofResponses('raw')).toMatchObject({ name: '=Pulse' });
	});

	describe('with eNPS Questions', () => {
		const enpsOf = ({ json }: Awaited<ReturnType<typeof summariesOf>>) =>
			json.map(({ enps = null }) => enps);
		const rated = () => addSurvey('Rated', { 'q.0': 9, 'q.1': 3 });

		test.each<[unknown]>([['B'], ['2'], [2], [['b']], [['A', 'B']], ['A, B'], ['["A","B"]']])(
			'%j names a rating',
			async (enpsQuestions) => {
				const result = await summariesOf([rated()], { enpsQuestions: enpsQuestions as string });
				expect(enpsOf(result)[1]).toBe(-100);
				expect(result.hints).toEqual([]);
			},
		);

		test('a question that one survey lacks is a hint, and one that all lack is an error', async () => {
			const other = service.emulator.state.addSurvey({
				...{ name: 'Other', questions: [{ templateCode: 'rating', title: 'C' }] },
			});
			service.emulator.submitResponse(other._id, { answers: { 'q.0': 9 } });
			const ids = [rated(), other._id];
			const both = await summariesOf(ids, { enpsQuestions: ['B', 'C'] });
			expect(enpsOf(both)).toEqual([null, -100, 100]);
			expect(both.hints.map(({ message }) => message)).toEqual([
				'The survey “Rated” has no question “C” for an eNPS.',
				'The survey “Other” has no question “B” for an eNPS.',
			]);
			const { error } = await summariesOf(ids, { enpsQuestions: ['B', 'Nope'] });
			expect(error?.message).toBe('No survey has the question “Nope” for an eNPS');
			const settings: Partial<RunOptions> = { onError: 'continueRegularOutput' };
			const { json } = await summariesOf(ids, { enpsQuestions: ['Nope'] }, settings);
			expect(json).toEqual([1, 2].map(() => ({ error: error?.message })));
		});
	});

	test('uses the number of recipients in the report if it is higher than the number of rows', async () => {
		const survey = liveSurvey();
		survey.survey?.clear();
		survey.recipients = new Set(['one', 'two']);
		service.emulator.submitResponse(survey._id, { answers: [9] });
		service.emulator.submitResponse(survey._id, { submitted: false, read: false });
		service.emulator.switches.surveyDataLists = 'whoActed';
		const rates = { recipients: 2, submitted: 1, responseRate: 0.5 };
		expect((await getSummary()).json[0]).toMatchObject(rates);
		survey.recipients = new Set();
		expect((await getSummary()).json[0]).toMatchObject({ recipients: 1, responseRate: 1 });
	});

	test.each(['0', '1', '3', '4'])(
		'with Only Once Closed, returns items only for a closed survey (status %s)',
		async (status) => {
			const isShown = status === '3';
			Object.assign(liveSurvey(), { status });
			const { json, error } = await getSummary({ onlyOnceClosed: '={{ "yes" }}' });
			expect(json).toHaveLength(isShown ? 5 : 0);
			expect(error?.message).toBe(isShown ? undefined : 'The survey is not closed');
			expect(service.requests).toHaveLength(isShown ? 3 : 1);
		},
	);

	test('breaks the survey down by a question chosen from the list', async () => {
		respond(...Array.from({ length: 11 }, (_, n) => [n, n < 5 ? 'Yes' : 'No']));
		const choices = await loadOptions('getSurveyQuestions', service.accessKey, {
			resource: 'survey',
			operation: 'getSummary',
			campaignId: locator(liveSurvey()._id),
		});
		expect(choices.map(({ name }) => name)).toEqual(['Choose a question', ...TITLES]);
		const breakDownBy = choices[2]?.value ?? '';
		const { json } = await getSummary({ breakDownBy });
		expect(json).toHaveLength(10);
		const more = await getSummary({ breakDownBy, includeEverybody: true });
		expect(more.json).toHaveLength(15);
		expect(json.slice(0, 2)).toMatchObject([
			{ question: TITLES[0], segment: 'Yes', average: 2 },
			{ question: TITLES[0], segment: 'No', average: 7.5 },
		]);
	});
});
