import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { loadOptions, locator, type RunResult } from '../kit/engine.mts';
import { required } from '../kit/required.mts';
import { useService } from '../kit/service.mts';

const service = useService();

const stored = (id: unknown) => service.emulator.state.campaigns.get(String(id));

const draftSurvey = async (): Promise<string> => {
	const { json } = await create({ questions: form({ templateCode: 'input', title: 'Old?' }) });
	service.emulator.clearRequests();
	return String(json[0]?._id);
};

/** What a survey is created with besides its questions. */
const TEXTS = { name: 'Pulse', description: 'How are we?' };
const INPUT = { templateCode: 'input', title: 'Q' };
const INPUT_SENT = [{ ...INPUT, required: true }];

const pairsOf = ({ items }: RunResult) => items.map(({ pairedItem }) => pairedItem);

const form = (...question: INodeParameters[]): INodeParameters => ({ question });

const create = (parameters: INodeParameters, options = {}) =>
	service.run(
		'survey',
		'create',
		{ name: TEXTS.name, campaignDescription: TEXTS.description, ...parameters },
		options,
	);

/** Whole random numbers below a bound, the same in each run. */
const randomNumbers = (seed: number) => {
	let state = seed;
	return (below: number) => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return Math.floor((state / 2_147_483_648) * below);
	};
};

/** Answers to the questions of a seeded survey, in their order. */
const answersOf = (...[feeling, recommend, likes, satisfied, why]: unknown[]) => ({
	'How do you feel?': feeling,
	'Would you recommend us?': recommend,
	'What do you like?': likes,
	'How satisfied are you?': satisfied,
	'Why?': why,
});

const liveSurvey = () =>
	required(
		service.emulator.state.campaigns.find(({ survey }) => survey !== undefined),
		'survey',
	);

describe('create', () => {
	test('creates a draft from the form and gives id and URL', async () => {
		const { json, items } = await create({
			questions: form({ templateCode: 'rating', title: 'How do you feel?' }),
		});
		const questions = [{ templateCode: 'rating', title: 'How do you feel?', required: true }];
		expect(service.lastSent).toEqual(['POST /campaign/survey', { ...TEXTS, questions }]);
		const campaignUrl = expect.stringContaining('http');
		expect(json).toEqual([{ _id: expect.any(String), campaignUrl }]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(stored(json[0]?._id)?.status).toBe('0');
	});

	test('sends every question field of the API', async () => {
		const common = { title: 'Q', desc: 'More', required: false };
		const choices = { option: [{ value: 'A' }, { value: 'B' }] };
		const options = ['A', 'B'];
		const leads = { option: [{ value: 'A', branchQuestions: 'why, who' }, { value: 'B' }] };
		/** A question in the form, and what is sent otherwise than it was entered. */
		const cases: Array<[question: INodeParameters, sentAs?: object]> = [
			[{ templateCode: 'input', placeholder: 'Text' }],
			[{ templateCode: 'textarea', placeholder: 'Text' }],
			[
				{ templateCode: 'radio', layout: 'Vertical', hideText: true, options: leads },
				{
					hideText: 'true',
					options: [{ value: 'A', branchQuestions: ['why', 'who'] }, { value: 'B' }],
				},
			],
			[
				{ templateCode: 'dropdown', branch: true, questionId: 'why', options: choices },
				{ options },
			],
			[{ templateCode: 'multiselect', layout: 'Vertical', options: choices }, { options }],
			[
				{
					templateCode: 'matrix',
					options: { option: [{ value: '={{ 1 }}' }, { value: '={{ 2 }}' }] },
					matrixQuestions: 'Pay\nTools, old and new',
				},
				{ options: [1, 2], matrixQuestions: ['Pay', 'Tools, old and new'] },
			],
			[{ templateCode: 'rank', options: choices }, { options }],
			[{ templateCode: 'rating', zeroLabel: 'Bad', tenLabel: 'Good' }],
			[{ templateCode: 'date' }],
			[{ templateCode: 'time' }],
			[{ templateCode: 'email', branch: true, questionId: 'who' }],
			[{ templateCode: 'number', min: -5, max: 5.5, decimal: 0 }],
		];
		const isFork = ({ options: own }: INodeParameters) =>
			own === leads ? { fork: true, questionId: 'leave' } : {};
		await create({
			questions: form(
				...cases.map(([question]) => ({ ...common, ...isFork(question), ...question })),
			),
		});
		expect(service.lastRequest.body).toMatchObject({
			questions: cases.map(([question, sentAs]) => ({
				...common,
				...isFork(question),
				...question,
				...sentAs,
			})),
		});
	});

	test('sends nothing that does not apply when the question type is an expression', async () => {
		await create({
			questions: form({
				...{ templateCode: '={{ "number" }}', title: '={{ "How many?" }}', placeholder: 'e.g. 3' },
				...{ layout: 'Vertical', matrixQuestions: 'A, B', zeroLabel: 'Bad', min: 0 },
			}),
		});
		const sent = { templateCode: 'number', title: 'How many?', placeholder: 'e.g. 3', min: 0 };
		expect(service.lastRequest.body).toEqual({
			...TEXTS,
			questions: [{ ...sent, required: true }],
		});
	});

	test.each([
		['literally', true, 'matrix'],
		['by expressions', '={{ $json.on }}', '={{ $json.type }}'],
	])(
		'sends where the columns of a matrix lead, when type and fork are given %s',
		async (_, fork, templateCode) => {
			const { error } = await create(
				{
					questions: form(
						{
							...{ templateCode, title: 'How content are you?', matrixQuestions: 'Pay\nTools' },
							...{ fork, questionId: 'content' },
							options: { option: [{ value: 'Good' }, { value: 'Bad', branchQuestions: 'why' }] },
						},
						{
							...{ templateCode: 'time', title: 'Why?', placeholder: 'now' },
							...{ branch: true, questionId: 'why' },
						},
					),
				},
				{ items: [{ json: { on: 'yes', type: 'matrix' } }] },
			);
			expect(error).toBeUndefined();
			expect(service.lastRequest.body).toMatchObject({
				questions: [
					{
						templateCode: 'matrix',
						matrixQuestions: ['Pay', 'Tools'],
						fork: true,
						options: [{ value: 'Good' }, { value: 'Bad', branchQuestions: ['why'] }],
					},
					{ templateCode: 'time', placeholder: 'now', branch: true },
				],
			});
		},
	);

	test('sends every setting and additional field', async () => {
		const surveySettings = {
			show_questions_individually: true,
			show_user_response: true,
			full_height: false,
			adaptive_height: true,
			text_width: '80%',
			text_color: '#010101',
			text_position: 'Center',
			input_width: '90%',
			input_color: '#020202',
			input_position: 'Right',
			required_color: '#030303',
			page_button_position: 'Top',
			prev_button_text_color: '#040404',
			prev_button_background_color: '#050505',
			next_button_text_color: '#060606',
			next_button_background_color: '#070707',
		};
		const [templateId = ''] = service.emulator.state.templates.values().map(({ _id }) => _id);
		await create({
			questions: form(INPUT),
			surveySettings,
			additionalFields: { title: 'Tell us', templateId, templateData: '{ "city": "Oslo" }' },
		});
		expect(service.lastRequest.body).toEqual({
			...TEXTS,
			questions: INPUT_SENT,
			surveySettings,
			title: 'Tell us',
			templateId,
			templateData: '{ "city": "Oslo" }',
		});
	});

	test('leaves out settings and fields that were added and emptied', async () => {
		await create({
			questions: form(INPUT),
			surveySettings: { text_color: '', input_width: ' ' },
			additionalFields: { title: '', templateId: '', templateData: '' },
		});
		expect(service.lastRequest.body).toEqual({
			...TEXTS,
			questions: INPUT_SENT,
		});
	});

	test.each([
		['text', '[{ "templateCode": "radio", "title": "Q", "options": [1, 2] }]'],
		['a list', [{ templateCode: 'radio', title: 'Q', options: [1, 2] }]],
		['a list from an expression', '={{ $json.list }}'],
	])('takes the questions as JSON, as %s', async (_, questionsJson) => {
		const list = [{ templateCode: 'radio', title: 'Q', options: [1, 2] }];
		await create({ questionsInput: 'json', questionsJson }, { items: [{ json: { list } }] });
		expect(service.lastRequest.body).toEqual({ ...TEXTS, questions: list });
	});

	test.each([
		['text', 'Did you get a laptop? (radio: Yes, No → 2) *\nWhat happened? (textarea)'],
		['a list of lines from an expression', '={{ $json.lines }}'],
	])('takes the questions as text, as %s', async (_, questionsText) => {
		const lines = ['Did you get a laptop? (radio: Yes, No → 2) *', 'What happened? (textarea)'];
		const { json } = await create(
			{ questionsInput: 'text', questionsText },
			{ items: [{ json: { lines } }] },
		);
		expect(service.lastRequest.body).toEqual({
			...TEXTS,
			questions: [
				{
					...{ templateCode: 'radio', title: 'Did you get a laptop?', required: true },
					...{ fork: true, questionId: 'q1' },
					options: [{ value: 'Yes' }, { value: 'No', branchQuestions: ['q2'] }],
				},
				{
					...{ templateCode: 'textarea', title: 'What happened?', required: false },
					...{ branch: true, questionId: 'q2' },
				},
			],
		});
		expect(stored(json[0]?._id)?.survey?.questions).toHaveLength(2);
	});

	test('passes on keys of a JSON question that are not documented', async () => {
		const question = { templateCode: 'input', title: 'Q', tags: ['new'], options: [] };
		const { error } = await create({ questionsInput: 'json', questionsJson: [question] });
		expect(service.lastRequest.body).toMatchObject({ questions: [question] });
		// The emulator takes only what is documented, which is what this test goes beyond.
		expect(error?.message).toContain('tags');
		service.emulator.clearRequests();
	});

	const asJson = (questionsJson: NodeParameterValueType) => ({
		questionsInput: 'json',
		questionsJson,
	});
	const asText = (questionsText: string) => ({ questionsInput: 'text', questionsText });
	const leave = { templateCode: 'radio', title: 'Leave?' };
	const leadsOn = { option: [{ value: 'Yes', branchQuestions: 'why' }] };
	const withYes = { ...leave, options: { option: [{ value: 'Yes' }] } };
	const leadsNowhere =
		'Question 1 (“Leave?”) leads from option "Yes" to the question ID "why", which no question has';

	test.each<[string, INodeParameters, string]>([
		['no question', {}, 'Add at least one question'],
		['text that is not JSON', asJson('[{ "title": }]'), 'Questions (JSON) is not valid JSON'],
		['JSON that is no list', asJson('{}'), 'Questions (JSON) must be a list of questions'],
		['an empty JSON field', asJson(''), 'Add at least one question'],
		[
			'an untitled question in the form',
			{ questions: form(INPUT, { templateCode: 'date', title: '={{ "" }}' }) },
			'Question 2 has no title',
		],
		[
			'a fork to nowhere in the form',
			{ questions: form({ ...leave, fork: true, questionId: 'leave', options: leadsOn }) },
			leadsNowhere,
		],
		[
			'a fork to nowhere in JSON',
			asJson([{ ...leave, options: [{ value: 'Yes', branchQuestions: ['why'] }] }]),
			leadsNowhere,
		],
		...['required', 'templateCode'].map((name): [string, INodeParameters, string] => [
			`an expression without a result for ${name}`,
			{ questions: form({ ...withYes, [name]: '={{ $json.nope }}' }) },
			'it is empty',
		]),
		...['full_height', 'text_position'].map((name): [string, INodeParameters, string] => [
			`an expression without a result for ${name}`,
			{ questions: form(INPUT), surveySettings: { [name]: '={{ $json.nope }}' } },
			'it is empty',
		]),
		[
			'options that are there twice in JSON',
			asJson([{ ...leave, options: ['Yes', 'No', ' Yes'] }]),
			'Question 1 (“Leave?”) has the option "Yes" twice',
		],
		[
			'options that are lists in JSON',
			asJson(JSON.stringify([{ ...leave, options: ['Yes', ['No']] }])),
			'Question 1 (“Leave?”) has an option 2 that is a list',
		],
		[
			'a question that leads to itself in JSON',
			asJson([{ ...leave, questionId: 'a', options: [{ value: 'Yes', branchQuestions: ['a'] }] }]),
			'leads from option "Yes" to the question ID "a", which is its own',
		],
		[
			'a question that leads backwards in JSON',
			asJson([
				{ ...INPUT, questionId: 'a' },
				{ ...leave, options: [{ value: 'Yes', branchQuestions: ['a'] }] },
			]),
			'leads from option "Yes" to the question ID "a", which is that of question 1',
		],
		['no name', { name: '={{ "" }}' }, 'Name is empty'],
		[
			'a line of text without a type',
			asText('How are you? (rating)\n\nWhy? (input) now'),
			'Line 3: add an answer type in brackets, for example (text)',
		],
		['empty text', asText('={{ " " }}'), 'Add at least one question'],
		[
			'a choice without options in the form',
			{ questions: form(leave) },
			'Question 1 (“Leave?”) has no options',
		],
	])('fails before sending with %s', async (_, parameters, message) => {
		const { error } = await create(parameters);
		expect(error?.message).toContain(message);
		expect(error?.context.itemIndex).toBe(0);
		expect(service.requests).toEqual([]);
	});

	test('names the item whose questions cannot be sent, and creates the others', async () => {
		const { json } = await create(
			{ questions: form({ templateCode: 'input', title: '={{ $json.title }}' }) },
			{
				items: [{ json: { title: 'One' } }, { json: { title: '' } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(json[0]).toHaveProperty('_id');
		expect(json[1]).toEqual({ error: expect.stringContaining('Question 1 has no title') });
		expect(service.requests).toHaveLength(1);
	});

	test('marks the templates that are made for surveys', async () => {
		const templates = service.emulator.state.templates.values();
		const options = await loadOptions('getTemplates', service.accessKey);
		const marked = options.filter(({ description }) => description === 'Survey template');
		expect(options).toHaveLength(templates.length);
		expect(marked.map(({ value }) => value).sort()).toEqual(
			templates
				.filter(({ isSurvey }) => isSurvey)
				.map(({ _id }) => _id)
				.sort(),
		);
		expect(marked).not.toHaveLength(0);
	});
});

describe('update', () => {
	test.each([
		['data', { _id: expect.any(String), campaignUrl: expect.any(String) }],
		['onlySuccess', { success: true, campaignId: expect.any(String) }],
	] as const)('replaces the questions of a draft, whose answer is %s', async (answer, output) => {
		const id = await draftSurvey();
		service.emulator.switches.updateSurveyResponse = answer;
		const { json, items } = await service.run('survey', 'update', {
			campaignId: locator(id),
			questions: form({ templateCode: 'time', title: 'When?' }),
			surveySettings: { full_height: true, text_color: '#abcdef' },
		});
		const questions = [{ templateCode: 'time', title: 'When?', required: true }];
		expect(service.lastSent).toEqual([
			`PUT /campaign/survey/${id}`,
			{ questions, surveySettings: { full_height: true, text_color: '#abcdef' } },
		]);
		expect(json).toEqual([output]);
		expect(Object.values(json[0] ?? {})).toContain(id);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(stored(id)?.survey?.questions.map(({ title }) => title)).toEqual(['When?']);
	});

	test('takes JSON', async () => {
		const id = await draftSurvey();
		const questions = [{ templateCode: 'input', title: 'New?' }];
		await service.run('survey', 'update', {
			campaignId: locator(id),
			questionsInput: 'json',
			questionsJson: questions,
		});
		expect(service.lastRequest.body).toEqual({ questions });
	});

	test('tells that only a draft takes questions', async () => {
		const { error } = await service.run('survey', 'update', {
			campaignId: locator(liveSurvey()._id),
			questions: form(INPUT),
		});
		expect(error?.message).toBe(
			"Invalid campaign ID for survey creation, 'draft' campaign required",
		);
		expect(error?.description).toContain('Choose a draft survey');
	});

	test('keeps the old questions when the new ones cannot be sent', async () => {
		const id = await draftSurvey();
		const { error } = await service.run('survey', 'update', {
			campaignId: locator(id),
			questions: form({ templateCode: 'number', title: 'Age?', min: 2, max: 1 }),
		});
		expect(error?.message).toBe('Question 1 (“Age?”) has a min (2) above its max (1)');
		expect(service.requests).toEqual([]);
	});
});

describe('getResponses', () => {
	const getResponses = (parameters: INodeParameters = {}, options = {}) =>
		service.run(
			'survey',
			'getResponses',
			{ campaignId: locator(liveSurvey()._id), returnAll: true, ...parameters },
			options,
		);

	test.each(['from0', 'from1'] as const)(
		'gives one item per respondent, answers under titles, numbered %s',
		async (numbering) => {
			service.emulator.switches.questionNumbering = numbering;
			const { _id, name } = liveSurvey();
			const result = await getResponses();
			const { json } = result;
			expect(service.lastSent[0]).toBe(`GET /campaign/${_id}/surveyData`);
			expect(json).toHaveLength(5);
			const [number, text] = [expect.any(Number), expect.any(String)];
			expect(json[0]).toEqual({
				...{ campaignId: _id, campaignName: name, anonymous: false },
				...{ userId: text, userDisplayName: text, userEmail: expect.stringContaining('@') },
				...{ submittedDate: expect.stringMatching(/Z$/), responseDuration: number },
				answers: answersOf(
					number,
					text,
					expect.any(Array),
					{ Leadership: number, Tools: number },
					text,
				),
				...{ read: true, responseSubmitted: true, submitted: true },
			});
			expect(pairsOf(result)).toEqual(Array(5).fill({ item: 0 }));
		},
	);

	test.each(['from0', 'from1'] as const)(
		'keeps the raw keys until the rows show where they begin, numbered %s',
		async (numbering) => {
			service.emulator.switches.questionNumbering = numbering;
			const { _id, survey } = liveSurvey();
			survey?.clear();
			service.emulator.submitResponse(_id, { answers: [undefined, 'Yes', ['Team']] });
			const [second, third] = numbering === 'from0' ? ['q.1', 'q.2'] : ['q.2', 'q.3'];
			expect((await getResponses()).json[0]?.answers).toEqual({
				[second]: 'Yes',
				[third]: ['Team'],
			});

			service.emulator.submitResponse(_id, {
				answers: [7, undefined, undefined, undefined, 'All'],
			});
			const answers = (await getResponses()).json.map((item) => item.answers);
			expect(answers).toEqual([
				answersOf(null, 'Yes', ['Team'], null, null),
				answersOf(7, null, null, null, 'All'),
			]);
			expect(Object.keys(answers[1] ?? {})).toEqual(survey?.questions.map(({ title }) => title));
		},
	);

	test('keeps the keys in an anonymous survey, where the service names nobody', async () => {
		const survey = liveSurvey();
		survey.survey?.setAnonymous(true);
		const { json } = await getResponses();
		const nobody = { userId: null, userDisplayName: null, userEmail: null };
		expect(json[0]).toMatchObject({ anonymous: true, ...nobody });
	});

	test('gives those who submitted, those who did not, or everyone', async () => {
		service.emulator.submitResponse(liveSurvey()._id, { submitted: false });
		const submitted = async (options?: INodeParameters) =>
			(await getResponses(options ? { options } : {})).json.map((item) => item.submitted);
		expect(await submitted()).toEqual(Array(5).fill(true));
		expect(await submitted({ who: 'submitted' })).toEqual(Array(5).fill(true));
		expect(await submitted({ who: 'notSubmitted' })).toEqual([false]);
		expect(await submitted({ who: '={{ "EVERYONE" }}' })).toEqual([
			...Array<boolean>(5).fill(true),
			false,
		]);
	});

	test('counts only those who are wanted towards Limit', async () => {
		const { _id, survey } = liveSurvey();
		survey?.clear();
		for (const submitted of [false, false, true, false, true, true]) {
			service.emulator.submitResponse(_id, { submitted });
		}
		const submitted = async (who: string, limit: number) =>
			(await getResponses({ returnAll: false, limit, options: { who } })).json.map(
				(item) => item.submitted,
			);
		expect(await submitted('submitted', 2)).toEqual([true, true]);
		expect(await submitted('notSubmitted', 3)).toEqual([false, false, false]);
		expect(await submitted('everyone', 3)).toEqual([false, false, true]);
	});

	test.each<[string, INodeParameters, string]>([
		['an unknown output', { output: '={{ "pivot" }}' }, 'Output must be'],
		['no output', { output: '={{ $json.nope }}' }, 'Output must be'],
		['an unknown who', { options: { who: '={{ "nobody" }}' } }, 'Who must be'],
		['an empty who', { options: { who: '={{ "" }}' } }, 'Who must be'],
	])('fails before reading with %s', async (_, parameters, message) => {
		const { error } = await getResponses(parameters);
		expect(error?.message).toContain(message);
		expect(error?.context.itemIndex).toBe(0);
		expect(service.requests).toEqual([]);
	});

	/** Makes those in the rows the only recipients. */
	const listEverybody = () => {
		const survey = liveSurvey();
		survey.recipients = new Set([...(survey.survey?.rows() ?? [])].map(({ rowId }) => rowId));
	};

	test('warns that nobody of an anonymous survey can be reminded', async () => {
		service.emulator.submitResponse(liveSurvey()._id, { submitted: false });
		listEverybody();
		const options = { who: 'notSubmitted' };
		expect((await getResponses({ options })).hints).toEqual([]);
		liveSurvey().survey?.setAnonymous(true);
		expect((await getResponses({ options: { who: 'everyone' } })).hints).toEqual([]);
		const { json, hints } = await getResponses({ options });
		expect(json).toMatchObject([{ userEmail: null, submitted: false }]);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('nobody can be named'), type: 'warning' },
		]);
	});

	test('warns that the list of Not Submitted is short, and by how many', async () => {
		const { _id, name } = liveSurvey();
		for (const read of [true, false])
			service.emulator.submitResponse(_id, { submitted: false, read });
		listEverybody();
		const hintsOf = async (who: string) => (await getResponses({ options: { who } })).hints;
		expect(await hintsOf('notSubmitted')).toEqual([]);
		service.emulator.switches.surveyDataLists = 'whoActed';
		expect(await hintsOf('everyone')).toEqual([]);
		const { json, hints } = await getResponses({ options: { who: 'notSubmitted' } });
		expect(json).toHaveLength(1);
		expect(hints).toMatchObject([
			{
				message: `The survey “${name}” has 1 more recipient than the service lists here: the list of those who have not submitted it is short by as many.`,
				type: 'warning',
			},
		]);
	});

	test.each<[string, INodeParameters, string]>([
		['responses', {}, 'null'],
		['table', { output: 'table' }, 'null'],
		['raw', { output: 'raw' }, 'canary@example.com'],
	])(
		'of an anonymous survey whose rows name people all the same, %s',
		async (_, parameters, userEmail) => {
			const survey = liveSurvey();
			survey.survey?.clear();
			service.emulator.submitResponse(survey._id, {
				userId: 'canary-id',
				userDisplayName: 'Canary Bird',
				userEmail: 'canary@example.com',
				answers: [9, 'Yes', ['Team'], { Leadership: 4 }, 'Fine'],
			});
			survey.survey?.setAnonymous(true);
			service.emulator.switches.anonymousRowsNamed = true;
			const isRaw = userEmail !== 'null';
			for (const who of ['everyone', 'submitted', 'notSubmitted']) {
				const { items, hints, error } = await getResponses({ ...parameters, options: { who } });
				expect(error).toBeUndefined();
				expect(/canary/i.test(JSON.stringify(items))).toBe(isRaw);
				expect(JSON.stringify(hints)).not.toMatch(/canary/i);
				const messages = hints.map(({ message }) => message).join();
				expect(messages.includes('Raw passes this on')).toBe(isRaw);
			}
		},
	);

	test.each(['from0', 'from1'] as const)(
		'gives each question a field of its own as table, numbered %s',
		async (numbering) => {
			service.emulator.switches.questionNumbering = numbering;
			service.emulator.submitResponse(liveSurvey()._id, { answers: [undefined, 'No', []] });
			const [response] = (await getResponses()).json;
			const { answers, ...respondent } = response ?? {};
			const { json, items } = await getResponses({ output: 'table' });
			expect(json).toHaveLength(6);
			expect(json[0]).toMatchObject(respondent);
			expect(json[0]).not.toHaveProperty('answers');
			const fields = [...Object.keys(respondent), ...Object.keys(answers ?? {})];
			expect(fields).toHaveLength(16);
			for (const item of json) expect(Object.keys(item)).toEqual(fields);
			const matrix = expect.stringMatching(/^Leadership: \d+, Tools: \d+$/);
			const [number, text] = [expect.any(Number), expect.any(String)];
			expect(json[0]).toMatchObject(answersOf(number, text, text, matrix, text));
			expect(json[5]).toMatchObject(answersOf(null, 'No', null, null, null));
			expect(items[5]?.pairedItem).toEqual({ item: 0 });
		},
	);

	test('gives the very object of the service as raw', async () => {
		const { json } = await getResponses({ output: 'raw', returnAll: false, limit: 1 });
		const lists = { questions: { length: 5 }, result: { length: 5 } };
		expect(json).toMatchObject([{ name: liveSurvey().name, anonymous: false, ...lists }]);
		expect(json[0]).toHaveProperty(['result', 0, 'q.0']);
	});

	test('gives no item when the service leaves the result out', async () => {
		service.emulator.hideResponses(liveSurvey()._id, { result: 'absent' });
		const { json, error } = await getResponses();
		expect(error).toBeUndefined();
		expect(json).toEqual([]);
	});

	test('reads a survey for each input item, and goes on after one that is none', async () => {
		const campaign = service.emulator.state.campaigns.find(({ survey }) => survey === undefined);
		const result = await getResponses(
			{ campaignId: locator('={{ $json.id }}'), returnAll: false, limit: 2 },
			{
				items: [{ json: { id: campaign?._id } }, { json: { id: liveSurvey()._id } }],
				onError: 'continueRegularOutput',
			},
		);
		expect(result.json).toHaveLength(3);
		expect(result.json[0]).toEqual({ error: 'Campaign is not a survey' });
		expect(pairsOf(result)).toEqual([{ item: 0 }, { item: 1 }, { item: 1 }]);
	});

	test('tells what to do about a campaign that is no survey', async () => {
		const campaign = service.emulator.state.campaigns.find(({ survey }) => survey === undefined);
		const { error } = await getResponses({ campaignId: locator(campaign?._id ?? '') });
		expect(error?.message).toBe('Campaign is not a survey');
		expect(error?.description).toContain('Choose a survey');
	});
});

describe('getSummary', () => {
	const getSummary = (parameters: INodeParameters = {}, options = {}) =>
		service.run(
			'survey',
			'getSummary',
			{ campaignId: locator(liveSurvey()._id), ...parameters },
			options,
		);

	const respond = (...answers: Array<[unknown, string, string[]]>) => {
		const { _id, survey } = liveSurvey();
		survey?.clear();
		for (const [rating, choice, several] of answers) {
			service.emulator.submitResponse(_id, {
				answers: [Number(rating), choice, several, { Leadership: 4 }],
			});
		}
		service.emulator.submitResponse(_id, { submitted: false });
	};

	test.each(['from0', 'from1'] as const)(
		'gives one item a question with its answers counted, numbered %s',
		async (numbering) => {
			service.emulator.switches.questionNumbering = numbering;
			respond(
				[9, 'Yes', ['Team', 'Pay']],
				[10, 'Yes', ['Team']],
				[8, 'No', []],
				[2, 'Yes', ['Pay']],
			);
			// Proves where the numbers begin, from 1 too.
			service.emulator.submitResponse(liveSurvey()._id, {
				answers: [9, 'Yes', ['Team'], { Leadership: 3, Tools: 1 }, 'Only one said why'],
			});
			const { _id, name } = liveSurvey();
			const result = await getSummary();
			expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
				`GET /int/v1/campaign/${_id}/surveyData`,
				`GET /int/v1/campaign/${_id}/report`,
			]);
			const of = (question: string, responses: number, figures: object) => ({
				...{ campaignId: _id, campaignName: name, question, responses, ...figures },
				...{ recipients: 12, submitted: 5, responseRate: 5 / 12 },
			});
			expect(result.json).toEqual([
				of('How do you feel?', 5, {
					...{ distribution: { 2: 1, 8: 1, 9: 2, 10: 1 }, average: 7.6, min: 2, max: 10, enps: 40 },
				}),
				of('Would you recommend us?', 5, { distribution: { Yes: 4, No: 1 } }),
				of('What do you like?', 4, { suppressed: true }),
				of('How satisfied are you?', 5, {
					distribution: { Leadership: { 3: 1, 4: 4 } },
					rows: { Leadership: { responses: 5, average: 3.8, min: 3, max: 4, topTwoShare: 0.8 } },
					suppressedRows: ['Tools'],
				}),
				of('Why?', 1, { suppressed: true }),
			]);
			expect(pairsOf(result)).toEqual(Array(5).fill({ item: 0 }));
		},
	);

	test('shows the answers of fewer people only when told to', async () => {
		respond([9, 'Yes', []], [8, 'No', []]);
		expect((await getSummary()).json[0]).toMatchObject({ responses: 2, suppressed: true });
		const { json } = await getSummary({ options: { minimumResponses: '={{ "2" }}' } });
		expect(json[0]).toMatchObject({ responses: 2, average: 8.5 });
	});

	test.each(['0', '-1', '2.5', '""', 'null', '"few"', '[]'])(
		'a minimum of %s fails before reading: nobody must be recognized by a mistake',
		async (minimum) => {
			for (const [name, label] of [
				['minimumResponses', 'Minimum Responses'],
				['minimumComments', 'Minimum Comments'],
			] as const) {
				const { error } = await getSummary({ options: { [name]: `={{ ${minimum} }}` } });
				expect(error?.message).toBe(`${label} must be a whole number of 1 or more`);
			}
			expect(service.requests).toEqual([]);
		},
	);

	test.each<[INodeParameters, string]>([
		[{ breakDownBy: '={{ $json.nope }}' }, 'Break Down By is empty'],
		[{ breakDownBy: '={{ [1] }}' }, 'Break Down By must be text'],
		[{ onlyOnceClosed: '={{ $json.nope }}' }, 'Only Once Closed must be on or off'],
	])('%j fails before reading', async (options, message) => {
		const { error } = await getSummary({ options });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	test('rests on the report where it counts more recipients than are listed', async () => {
		const survey = liveSurvey();
		survey.survey?.clear();
		survey.recipients = new Set(['one', 'two']);
		service.emulator.submitResponse(survey._id, { answers: [9] });
		service.emulator.submitResponse(survey._id, { submitted: false, read: false });
		service.emulator.switches.surveyDataLists = 'whoActed';
		expect((await getSummary()).json[0]).toMatchObject({
			recipients: 2,
			submitted: 1,
			responseRate: 0.5,
		});
		survey.recipients = new Set();
		expect((await getSummary()).json[0]).toMatchObject({ recipients: 1, responseRate: 1 });
	});

	test.each<[string, string, boolean]>([
		['live', '1', false],
		['a draft', '0', false],
		['scheduled', '4', false],
		['closed', '3', true],
	])('with Only Once Closed, a survey that is %s', async (_, status, isShown) => {
		const survey = liveSurvey();
		Object.assign(survey, { status });
		const { json, error } = await getSummary({ options: { onlyOnceClosed: '={{ "yes" }}' } });
		expect(json).toHaveLength(isShown ? 5 : 0);
		expect(error?.message).toBe(isShown ? undefined : 'The survey is not closed');
		expect(service.requests).toHaveLength(isShown ? 3 : 1);
	});

	test('breaks the survey down by a question from a list that loads them', async () => {
		const choiceOf = (n: number) => (n < 5 ? 'Yes' : 'No');
		const ratings = [...Array(11).keys()];
		respond(...ratings.map((n): [number, string, string[]] => [n, choiceOf(n), ['Team']]));
		const { _id } = liveSurvey();
		const choices = await loadOptions('getSurveyQuestions', service.accessKey, {
			resource: 'survey',
			operation: 'getSummary',
			campaignId: locator(_id),
		});
		const names = ['Choose a question', ...Object.keys(answersOf())];
		expect(choices.map(({ name }) => name)).toEqual(names);
		for (const breakDownBy of [choices[2]?.value ?? '', '={{ 2 }}', 'would you recommend us?']) {
			const { json } = await getSummary({ options: { breakDownBy } });
			const feeling = json.filter(({ question }) => question === 'How do you feel?');
			const averages = feeling.map(
				({ segment, average }) => `${String(segment)}: ${String(average)}`,
			);
			expect(averages).toEqual(['Yes: 2', 'No: 7.5']);
			expect(json).toHaveLength(10);
		}
		const { error } = await getSummary({ options: { breakDownBy: 'Team' } });
		expect(error?.message).toBe('The survey has no question “Team” to break down by');
	});

	test('sums up 10,000 people over five teams as an independent computation does', async () => {
		const id = service.emulator.state.addSurvey({
			name: 'Teams',
			liveAt: Date.now(),
			recipients: new Set(),
			questions: [
				{ templateCode: 'rating', title: 'Happy?' },
				{ templateCode: 'dropdown', title: 'Team', options: ['A', 'B', 'C', 'D', 'E'] },
				{ templateCode: 'multiselect', title: 'Likes', options: ['Pay', 'Time', 'People'] },
			],
		})._id;
		const random = randomNumbers(7);
		const people = Array.from({ length: 10_000 }, () => ({
			score: random(11),
			team: 'ABCDE'.charAt(random(5)),
			likes: ['Pay', 'Time', 'People'].filter(() => random(2) === 1),
		}));
		for (const { score, team, likes } of people) {
			service.emulator.submitResponse(id, { userId: null, answers: [score, team, likes] });
		}
		const { json } = await getSummary({
			campaignId: locator(id),
			options: { breakDownBy: 'Team' },
		});
		expect(json).toHaveLength(15);
		for (const team of 'ABCDE') {
			const own = people.filter((person) => person.team === team);
			const scores = own.map(({ score }) => score);
			const share = (test: (score: number) => boolean) => scores.filter(test).length / own.length;
			const find = (title: string) =>
				json.find(({ question, segment }) => question === title && segment === team);
			expect(find('Happy?')).toMatchObject({
				responses: own.length,
				average: scores.reduce((sum, score) => sum + score, 0) / own.length,
				min: Math.min(...scores),
				max: Math.max(...scores),
				distribution: Object.fromEntries(
					[...new Set(scores)].map((score) => [score, scores.filter((s) => s === score).length]),
				),
				recipients: 10_000,
				submitted: 10_000,
				responseRate: 1,
			});
			const enps = 100 * (share((s) => s > 8) - share((s) => s < 7));
			expect(find('Happy?')?.enps).toBeCloseTo(enps, 8);
			expect(find('Likes')).toMatchObject({
				responses: own.filter(({ likes }) => likes.length > 0).length,
				distribution: Object.fromEntries(
					['Pay', 'Time', 'People'].map((like) => [
						like,
						own.filter(({ likes }) => likes.includes(like)).length,
					]),
				),
			});
		}
	});

	test('sums up a survey for each input item, and goes on after one that is none', async () => {
		const campaign = service.emulator.state.campaigns.find(({ survey }) => survey === undefined);
		const result = await getSummary(
			{ campaignId: locator('={{ $json.id }}') },
			{
				items: [{ json: { id: campaign?._id } }, { json: { id: liveSurvey()._id } }],
				onError: 'continueRegularOutput',
			},
		);
		const [failed, ...summary] = result.json;
		expect(failed).toEqual({ error: 'Campaign is not a survey' });
		expect(summary.map(({ responses }) => responses)).toEqual(Array(5).fill(5));
		expect(pairsOf(result)).toEqual([{ item: 0 }, ...Array<object>(5).fill({ item: 1 })]);
	});
});
