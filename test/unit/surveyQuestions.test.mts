import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { checkQuestions } from '../../nodes/MessagingService/resources/survey/checkQuestions.ts';
import {
	QUESTION_TYPES,
	WITH_OPTIONS,
	type QuestionType,
} from '../../nodes/MessagingService/resources/survey/questionTypes.ts';
import {
	questionProperties,
	toQuestions,
} from '../../nodes/MessagingService/resources/survey/questionFields.ts';
import { isBlank } from '../../nodes/shared/values/index.ts';

const field = {
	label: 'Questions',
	timezone: 'UTC',
	fail: (message: string, description?: string) => new Error(`${message} | ${description ?? ''}`),
};

const build = (...question: unknown[]) => toQuestions({ question }, field);

const why = { templateCode: 'input', title: 'Why?', questionId: 'why' };

describe('checkQuestions', () => {
	test('returns valid questions unchanged, including undocumented keys', () => {
		const questions = [
			{ templateCode: 'radio', title: 'Which?', colour: 'red', options: [0, 1] },
			{ templateCode: 'matrix', title: 'Rows?', matrixQuestions: ['Pay'], options: ['Bad', 'OK'] },
			{ templateCode: 'rating', title: 'Well?', options: [] },
			{
				...{ templateCode: 'dropdown', title: 'Leave?', questionId: 'leave', fork: true },
				options: [{ value: 0, branchQuestions: ['why'] }, { value: 1 }],
			},
			{ templateCode: 'textarea', title: 'Why?', questionId: 'why', branch: true },
			{ templateCode: 'number', title: 'How many?', min: 3, max: 3 },
		];
		expect(checkQuestions(questions, field)).toEqual(questions);
	});

	test.each<[string, IDataObject]>([
		['the smallest number alone', { min: 3 }],
		['the largest number alone', { min: null, max: -3 }],
		['numbers as text', { min: '9', max: '10' }],
		['text that is not a number', { min: 'few', max: 3 }],
	])('accepts a range with %s', (_, range) => {
		const questions = [{ templateCode: 'number', title: 'How many?', ...range }];
		expect(checkQuestions(questions, field)).toEqual(questions);
	});

	test.each(['', null, 'why', ['why']])('accepts an option that leads to %j', (branchQuestions) => {
		const options = [{ value: 'Yes', branchQuestions }];
		const fork = {
			templateCode: 'radio',
			title: 'Leave?',
			fork: true,
			questionId: 'leave',
			options,
		};
		const questions = [fork, { ...why, branch: !isBlank(branchQuestions) }];
		expect(checkQuestions(questions, field)).toEqual(questions);
	});

	test('reads switches and the layout of JSON like those of the form', () => {
		const layout = { layout: 'vertical', hideText: 'Yes', options: ['A', 'B'] };
		const json = { templateCode: 'radio', title: 'Q', required: 'false', fork: 'no', ...layout };
		const read = { required: false, fork: false, layout: 'Vertical', hideText: 'true' };
		expect(checkQuestions([json], field)).toEqual([{ ...json, ...read }]);
	});

	const leave = { templateCode: 'radio', title: 'Leave?' };
	const leaveTo = (option: object) => [{ ...leave, options: [{ value: 'Yes', ...option }] }];
	const text = { templateCode: 'input', title: 'One' };
	const how = { templateCode: 'matrix', title: 'How?', options: ['A'] };
	const age = { templateCode: 'number', title: 'Age?' };

	test.each<[unknown, string]>([
		[text, 'Questions must be a list of questions'],
		[[], 'Add at least one question | Questions is empty.'],
		[['Why?'], 'Question 1 is not an object'],
		[[{ title: 'Why?' }], 'Question 1 (“Why?”) has no question type'],
		[
			[{ ...text, templateCode: 'slider' }],
			'Question 1 (“One”) has the unknown question type (templateCode) "slider"',
		],
		[
			[{ ...text, title: 7 }],
			'Question 1 (“7”) has no title | Enter the text of the question as its title.',
		],
		[[{ ...text, title: { de: 'Was?' } }], 'Question 1 has no title'],
		[[{ ...text, title: ' ' }], 'Question 1 has no title'],
		[
			[text, { ...leave, fork: true, questionId: '' }],
			'Question 2 (“Leave?”) is a fork without a question ID',
		],
		[[{ ...text, branch: true }], 'Question 1 (“One”) is a branch without a question ID'],
		[[{ ...leave, fork: 'true' }], 'Question 1 (“Leave?”) is a fork without a question ID'],
		[[{ ...text, branch: 'yes' }], 'Question 1 (“One”) is a branch without a question ID'],
		[[{ ...text, required: 'maybe' }], 'Question 1 (“One”): Required must be on or off'],
		[[{ ...text, required: null }], 'Question 1 (“One”): Required must be on or off'],
		[[{ ...text, layout: 'diagonal' }], 'Question 1 (“One”): Layout must be Horizontal or'],
		[
			[...leaveTo({ branchQuestions: 'why' }), { ...why, branch: true }],
			'Question 1 (“Leave?”) has options with Branch Questions but is not a fork',
		],
		[
			[...leaveTo({ branchQuestions: 'why' }), why],
			'leads from option "Yes" to the question ID "why", but question 2 is not a branch',
		],
		[
			[text, { ...why, branch: true }],
			'Question 2 (“Why?”) is a branch, but no option leads to it',
		],
		[
			[text, { ...text, title: 'Two' }].map((one) => ({ ...one, questionId: 'a' })),
			'Question 2 (“Two”) has the same question ID "a" as Question 1 (“One”)',
		],
		[
			[{ ...text, questionId: 'one' }, ...leaveTo({ branchQuestions: ['nowhere'] })],
			'Question 2 (“Leave?”) leads from option "Yes" to the question ID "nowhere", which no question has | The question IDs are: one.',
		],
		[
			leaveTo({ branchQuestions: 'nowhere' }),
			'Question 1 (“Leave?”) leads from option "Yes" to the question ID "nowhere"',
		],
		[
			leaveTo({ branchQuestionId: ['nowhere'] }),
			'which no question has | Set this questionId on the question that the option leads to.',
		],
		...[{}, ' '].map((blank): [unknown, string] => [
			[{ ...leave, options: [{ value: 'Yes' }, blank] }],
			'Question 1 (“Leave?”) has no value for option 2',
		]),
		[
			leaveTo({ branchQuestions: 'me' }).map((one) => ({ ...one, questionId: 'me' })),
			'leads from option "Yes" to the question ID "me", which is its own',
		],
		[
			[{ ...text, questionId: 'one' }, ...leaveTo({ branchQuestions: 'one' })],
			'leads from option "Yes" to the question ID "one", which is that of question 1',
		],
		[leaveTo({ value: {} }), 'has an object as option 1'],
		[leaveTo({ value: ['A'] }), 'has a list as option 1'],
		[[{ ...leave, options: ['A', ' A'] }], 'has the option "A" twice'],
		[[{ ...how, matrixQuestions: ['B', 'B '] }], 'has the row "B" twice'],
		...WITH_OPTIONS.flatMap((templateCode) =>
			[undefined, [], {}, 'A'].map((options): [unknown, string] => [
				[{ templateCode, title: 'Which?', matrixQuestions: ['Pay'], options }],
				'Question 1 (“Which?”) has no options',
			]),
		),
		...[undefined, [], [' '], 'Pay'].map((matrixQuestions): [unknown, string] => [
			[{ ...how, matrixQuestions }],
			'Question 1 (“How?”) has no rows',
		]),
		[[{ ...age, min: 9, max: 8 }], 'Question 1 (“Age?”) has a min (9) above its max (8)'],
		[[{ ...age, min: '10', max: '9' }], 'Question 1 (“Age?”) has a min (10) above its max (9)'],
	])('refuses %j: %s', (questions, message) => {
		expect(() => checkQuestions(questions, field)).toThrow(message);
	});
});

describe('the fields of a question on the screen', () => {
	const shown = (question: INodeParameters): string[] =>
		questionProperties
			.filter((property) => NodeHelpers.displayParameter(question, property, null, null))
			.map(({ displayName }) => displayName);
	const everywhere = ['Question Type', 'Title', 'Required', 'Fork', 'Description', 'Placeholder'];
	const links = ['Branch', 'Question ID'];
	const fieldsOf = (question: INodeParameters) =>
		shown(question).filter((name) => ![...everywhere, ...links].includes(name));

	/** The fields that each type has in addition to the common ones. */
	const ownFields: Record<QuestionType, string[]> = {
		...{ input: [], textarea: [], email: [], date: [], time: [] },
		number: ['Min', 'Max', 'Decimal'],
		radio: ['Options', 'Layout', 'Hide Text'],
		multiselect: ['Options', 'Layout', 'Hide Text'],
		dropdown: ['Options'],
		rank: ['Options'],
		matrix: ['Rows', 'Columns'],
		rating: ['Zero Label', 'Ten Label'],
	};

	test.each(Object.entries(ownFields))(
		'for the type %s, the form shows the fields of this type and the common fields',
		(templateCode, fields) => {
			expect(fieldsOf({ templateCode, fork: false })).toEqual(fields);
			// Fork may have no value.
			expect(fieldsOf({ templateCode })).toEqual(fields);
			expect(shown({ templateCode })).toEqual(expect.arrayContaining([...everywhere, ...links]));
		},
	);

	/** Returns one list per visible options field: its label, then the names of its visible subfields. */
	const optionsOf = (question: INodeParameters) =>
		questionProperties
			.filter(
				(property) =>
					property.name === 'options' &&
					NodeHelpers.displayParameter(question, property, null, null),
			)
			.map(({ displayName, options = [] }) => [
				displayName,
				...options
					.flatMap((option) => ('values' in option ? option.values : []))
					.filter(({ type }) => type !== 'hidden')
					.map(({ name }) => name),
			]);

	const plain = ['value'];
	const leading = ['value', 'branchQuestions'];

	test.each<[string, boolean | string | undefined, string[][]]>([
		['radio', false, [['Options', ...plain]]],
		['radio', undefined, [['Options', ...plain]]],
		['radio', true, [['Options', ...leading]]],
		['radio', '={{ $json.fork }}', [['Options', ...leading]]],
		['rank', true, [['Options', ...leading]]],
		['rating', false, []],
		['rating', undefined, []],
		['rating', true, [['Options', ...leading]]],
		['matrix', false, [['Columns', ...plain]]],
		['matrix', undefined, [['Columns', ...plain]]],
		['matrix', true, [['Columns', ...leading]]],
		['matrix', '={{ $json.fork }}', [['Options', ...leading]]],
		['={{ $json.type }}', false, [['Options', ...plain]]],
		['={{ $json.type }}', true, [['Options', ...leading]]],
		['={{ $json.type }}', '={{ $json.fork }}', [['Options', ...leading]]],
	])('for a %s with Fork %s, show the options as %j', (templateCode, fork, variants) => {
		const question = fork === undefined ? { templateCode } : { templateCode, fork };
		expect(optionsOf(question)).toEqual(variants);
	});
});

describe('toQuestions', () => {
	test('omits blank fields and default values', () => {
		const untouched = Object.fromEntries(
			questionProperties.map(({ name, default: value }) => [name, value]),
		);
		expect(build({ ...untouched, templateCode: 'number', title: 'How many?' })).toEqual([
			{ templateCode: 'number', title: 'How many?', required: true },
		]);
	});

	test('omits the fields that belong to other question types', () => {
		const question = { templateCode: 'input', title: 'Name?' };
		const others = { min: 1, layout: 'Vertical', matrixQuestions: 'Pay' };
		const options = { option: [{ value: 'a' }] };
		expect(build({ ...question, ...others, options })).toEqual([question]);
	});

	test.each(QUESTION_TYPES)(
		'lets a %s have a placeholder and be a fork and a branch',
		(templateCode) => {
			const question = { templateCode, title: 'Q', questionId: 'q', placeholder: 'e.g. 3' };
			const option = [{ value: 3, branchQuestions: 'why' }, { value: 4 }];
			const both = { ...question, fork: true, branch: true };
			const options = [{ value: 3, branchQuestions: ['why'] }, { value: 4 }];
			expect(build({ ...both, options: { option } })).toEqual([{ ...both, options }]);
		},
	);

	test.each(['required', 'hideText', 'fork', 'branch'])('reads the switch %s', (name) => {
		const sent = (value: unknown) =>
			build({ templateCode: 'radio', title: 'Q', [name]: value })[0]?.[name];
		const on = name === 'hideText' ? 'true' : true;
		for (const value of [true, 'true', 'Yes', 1, '1']) expect(sent(value)).toBe(on);
		const off = name === 'required' ? false : undefined;
		for (const value of [false, 'FALSE', 'no', 0, '0']) expect(sent(value)).toBe(off);
		for (const value of ['', ' ', null, undefined, 'maybe', 2, {}, []]) {
			expect(() => sent(value)).toThrow(/^Question 1 \(“Q”\): .+ must be on or off: it is /);
		}
	});

	test('reads the question type and the layout in upper or lower case, and refuses other values', () => {
		expect(build({ templateCode: 'RADIO', title: 'Q', layout: 'vertical' })).toEqual([
			{ templateCode: 'radio', title: 'Q', layout: 'Vertical' },
		]);
		expect(() => build({ templateCode: 'radio', title: 'Q', layout: 'diagonal' })).toThrow(
			'Question 1 (“Q”): Layout must be Horizontal or Vertical: it is "diagonal"',
		);
		expect(() => build({ templateCode: 'radio', title: 'Q', layout: null })).toThrow('it is empty');
		expect(() => build({ templateCode: 'slider', title: 'Q' })).toThrow(
			'Question 1 (“Q”): Question Type must be date, dropdown,',
		);
		expect(() => build({ templateCode: '', title: 'Q' })).toThrow('it is empty');
	});

	test('also reads branch questions from the field branchQuestionId', () => {
		const options = [{ value: 'No', branchQuestionId: ['why'] }];
		expect(build({ templateCode: 'radio', title: 'Q', fork: true, options })).toMatchObject([
			{ options: [{ value: 'No', branchQuestions: ['why'] }] },
		]);
	});

	test('sends options as texts or numbers, or as objects if an option leads to a question', () => {
		const options = (...option: unknown[]) =>
			build({ templateCode: 'dropdown', title: 'Q', fork: true, options: { option } })[0]?.options;
		expect(options({ value: '1', branchQuestions: '' }, { value: '007' })).toEqual(['1', '007']);
		expect(options({ value: 1 }, { value: 2 }, { value: '' })).toEqual([1, 2]);
		expect(options({ value: 1 }, { value: 'many' })).toEqual(['1', 'many']);
		expect(options({ value: 'Yes' }, { value: 'No', branchQuestions: 'a; b, a' })).toEqual([
			{ value: 'Yes' },
			{ value: 'No', branchQuestions: ['a', 'b'] },
		]);
		const zero = { value: 0, branchQuestions: ['a'] };
		expect(options(zero)).toEqual([zero]);
		expect(options()).toBeUndefined();
	});

	test('keeps commas in matrix rows entered one per line', () => {
		const rows = (matrixQuestions: unknown) =>
			build({ templateCode: 'matrix', title: 'Q', matrixQuestions })[0]?.matrixQuestions;
		expect(rows('Pay, bonus\n\n Tools \n')).toEqual(['Pay, bonus', 'Tools']);
		expect(rows('Pay; Tools')).toEqual(['Pay', 'Tools']);
		expect(rows(['Pay, bonus', ''])).toEqual(['Pay, bonus']);
	});

	test('refuses text for a number and names the question and the field', () => {
		expect(() => build({ templateCode: 'number', title: 'Age?', min: 'ten' })).toThrow(
			'Question 1 (“Age?”): Min must be a number: it is "ten"',
		);
	});
});
