import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { checkQuestions } from '../../nodes/MessagingService/resources/survey/questions/checkQuestions.ts';
import {
	QUESTION_TYPES,
	WITH_OPTIONS,
	type QuestionType,
} from '../../nodes/MessagingService/resources/survey/questions/questionTypes.ts';
import {
	questionProperties,
	toQuestions,
} from '../../nodes/MessagingService/resources/survey/questions/questionFields.ts';
import { convertQuestion } from '../../nodes/MessagingService/resources/survey/questions/questionValues.ts';
import { fieldCalled } from '../kit/field.mts';

const field = fieldCalled('Questions');

/** Returns what is sent of the questions of a form, without checking the survey. */
const build = (...question: unknown[]) =>
	toQuestions({ question }).map((one, index) => convertQuestion(one, index, field));

const text = { templateCode: 'input', title: 'One' };
const why = { templateCode: 'input', title: 'Why?', questionId: 'why' };
const leave = { templateCode: 'radio', title: 'Leave?', questionId: 'leave', fork: true };
const leaveTo = (option: object) => ({ ...leave, options: [{ value: 'Yes', ...option }] });
const age = { templateCode: 'number', title: 'Age?' };
const how = { templateCode: 'matrix', title: 'How?', options: ['A', 'B'] };

describe('checkQuestions', () => {
	test('returns valid questions unchanged, including undocumented keys', () => {
		const questions = [
			{ templateCode: 'radio', title: 'Which?', colour: 'red', options: [0, 1] },
			{ templateCode: 'dropdown', title: 'Icon?', options: [{ value: 'A', icon: 'a' }] },
			{ templateCode: 'matrix', title: 'Rows?', matrixQuestions: ['Pay'], options: ['Bad', 'OK'] },
			{ templateCode: 'rating', title: 'Well?', options: [] },
			{ ...leave, options: [{ value: 0, branchQuestions: ['why'] }, { value: 1 }] },
			{ ...why, branch: true },
			{ ...age, min: 3, max: 3 },
			{ ...age, min: null, max: -3 },
		];
		expect(checkQuestions(questions, field)).toEqual(questions);
	});

	test('reads the values of JSON like those of the form', () => {
		const json = {
			...{ templateCode: 'RADIO', title: 7, required: 'false', fork: 'yes', questionId: ' a ' },
			...{ layout: 'vertical', hideText: 'Yes', min: '9', max: '10' },
			options: [{ value: 'A', branchQuestionId: 'why; why' }, 1],
		};
		expect(checkQuestions([json, { ...why, branch: 1 }], field)).toEqual([
			{
				...{ templateCode: 'radio', title: '7', required: false, fork: true, questionId: 'a' },
				...{ layout: 'Vertical', hideText: 'true', min: 9, max: 10 },
				options: [{ value: 'A', branchQuestions: ['why'] }, { value: '1' }],
			},
			{ ...why, branch: true },
		]);
	});

	test.each<[unknown, string]>([
		[text, 'Questions must be a list of questions'],
		[[], 'Add at least one question | Questions is empty.'],
		[['Why?'], 'Question 1 is not an object'],
		[[{ title: 'Why?' }], 'Question 1 (“Why?”) has no question type'],
		[[{ ...text, templateCode: 'slider' }], ' (“One”): Question Type must be date, dropdown,'],
		[[{ ...text, title: { de: 'Was?' } }], 'Question 1: Title must be text'],
		[[{ ...text, title: ' ' }], 'Question 1 has no title'],
		[[{ ...text, fork: 'true' }], 'Question 1 (“One”) is a fork without a question ID'],
		[[text, { ...text, branch: 1 }], 'Question 2 (“One”) is a branch without a question ID'],
		[
			[{ ...leaveTo({ branchQuestions: 'why' }), fork: false }],
			'Question 1 (“Leave?”) has options with Branch Questions but is not a fork',
		],
		[
			[leaveTo({ branchQuestions: 'why' }), why],
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
			[leaveTo({ branchQuestions: ['nowhere'] })],
			'(“Leave?”) leads from option "Yes" to the question ID "nowhere", which no question has | The question IDs are: leave.',
		],
		[[leaveTo({ branchQuestionId: 'leave' })], 'to the question ID "leave", which is its own'],
		[
			[{ ...text, questionId: 'one' }, leaveTo({ branchQuestions: 'one' })],
			'leads from option "Yes" to the question ID "one", which is that of question 1',
		],
		...[{}, ' '].map((blank): [unknown, string] => [
			[{ ...leave, options: [{ value: 'Yes' }, blank] }],
			'Question 1 (“Leave?”) has no value for option 2',
		]),
		[[leaveTo({ value: {} })], 'Question 1 (“Leave?”): Options must be text | It is an object'],
		[[{ ...leave, options: [NaN] }], 'Options contains NaN'],
		[[{ ...leave, options: ['A', ' A'] }], 'has the option "A" twice'],
		...WITH_OPTIONS.flatMap((templateCode) =>
			[undefined, [], {}, 'A'].map((options): [unknown, string] => [
				[{ templateCode, title: 'Which?', matrixQuestions: ['Pay'], options }],
				'Question 1 (“Which?”) has no options',
			]),
		),
		...[undefined, [], [' '], ''].map((matrixQuestions): [unknown, string] => [
			[{ ...how, matrixQuestions }],
			'Question 1 (“How?”) has no rows',
		]),
		[[{ ...age, min: '10', max: '9' }], 'Question 1 (“Age?”) has a min (10) above its max (9)'],
		[[{ ...age, min: 'ten' }], 'Question 1 (“Age?”): Min must be a number: it is "ten"'],
	])('refuses %j: %s', (questions, message) => {
		expect(() => checkQuestions(questions, field)).toThrow(message);
	});
});

describe('the fields of a question on the screen', () => {
	const fieldsIn = (question: INodeParameters) =>
		questionProperties.filter((property) =>
			NodeHelpers.displayParameter(question, property, null, null),
		);
	const shown = (question: INodeParameters): string[] =>
		fieldsIn(question).map(({ displayName }) => displayName);
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
		fieldsIn(question)
			.filter(({ name }) => name === 'options')
			.map(({ displayName, options = [] }) => [
				displayName,
				...options
					.flatMap((option) => ('values' in option ? option.values : []))
					.filter(({ type }) => type !== 'hidden')
					.map(({ name }) => name),
			]);

	const plain = ['value'];
	const leading = ['value', 'branchQuestions'];

	test.each<[string, boolean | string, string[][]]>([
		['radio', false, [['Options', ...plain]]],
		['radio', '={{ $json.fork }}', [['Options', ...leading]]],
		['rank', true, [['Options', ...leading]]],
		['rating', true, [['Options', ...leading]]],
		['matrix', false, [['Columns', ...plain]]],
		['matrix', true, [['Columns', ...leading]]],
		['matrix', '={{ $json.fork }}', [['Options', ...leading]]],
		['={{ $json.type }}', true, [['Options', ...leading]]],
		['={{ $json.type }}', '={{ $json.fork }}', [['Options', ...leading]]],
	])('for a %s with Fork %s, show the options as %j', (templateCode, fork, variants) => {
		expect(optionsOf({ templateCode, fork })).toEqual(variants);
	});
});

describe('toQuestions', () => {
	test('omits blank fields and default values', () => {
		const untouched = Object.fromEntries(
			questionProperties.map(({ name, default: value }) => [name, value]),
		);
		expect(build({ ...untouched, ...age })).toEqual([{ ...age, required: true }]);
	});

	test('omits the fields that belong to other question types', () => {
		const others = { min: 1, layout: 'Vertical', matrixQuestions: 'Pay' };
		const options = { option: [{ value: 'a' }] };
		expect(build({ ...text, ...others, options })).toEqual([text]);
		// An expression may return a type in capitals.
		expect(build({ ...age, ...others, templateCode: 'Number' })).toEqual([{ ...age, min: 1 }]);
	});

	test.each(QUESTION_TYPES)(
		'lets a %s have a placeholder and be a fork and a branch',
		(templateCode) => {
			const both = {
				templateCode,
				title: 'Q',
				questionId: 'q',
				placeholder: 'e.g. 3',
				branch: true,
			};
			const option = [{ value: 3, branchQuestions: 'why' }, { value: 4 }];
			const options = [{ value: 3, branchQuestions: ['why'] }, { value: 4 }];
			expect(build({ ...both, fork: 'Yes', options: { option } })).toEqual([
				{ ...both, fork: true, options },
			]);
		},
	);

	test.each(['templateCode', 'layout', 'required', 'hideText', 'fork', 'branch'])(
		'refuses a blank %s',
		(name) => {
			for (const value of ['', null, undefined])
				expect(() => build({ templateCode: 'radio', [name]: value, title: 'Q' })).toThrow(
					'it is empty',
				);
		},
	);

	test('sends options as texts or numbers, or as objects if an option leads to a question', () => {
		const options = (...option: unknown[]) =>
			build({ templateCode: 'dropdown', title: 'Q', fork: true, options: { option } })[0]?.options;
		expect(options({ value: '1', branchQuestions: '' }, { value: '007' })).toEqual(['1', '007']);
		expect(options({ value: 1 }, { value: 2 })).toEqual([1, 2]);
		// Lists from expressions.
		expect(toQuestions([{ ...text, fork: '1', options: [1, 2] }])).toMatchObject([
			{ options: [1, 2] },
		]);
		expect(options({ value: 'a' }, { value: '' })).toEqual(['a', '']);
		expect(options({ value: '' }, { value: null })).toBeUndefined();
		expect(options({ value: 1 }, { value: 'many' })).toEqual(['1', 'many']);
		expect(options({ value: 'Yes' }, { value: 'No', branchQuestions: 'a; b, a' })).toEqual([
			{ value: 'Yes' },
			{ value: 'No', branchQuestions: ['a', 'b'] },
		]);
	});

	test('keeps commas in matrix rows entered one per line', () => {
		const rows = (matrixQuestions: unknown) =>
			build({ templateCode: 'matrix', title: 'Q', matrixQuestions })[0]?.matrixQuestions;
		expect(rows('Pay, bonus\n\n Tools \n')).toEqual(['Pay, bonus', 'Tools']);
		expect(rows('Pay; Tools\n')).toEqual(['Pay', 'Tools']);
		expect(rows(['Pay, bonus', ''])).toEqual(['Pay, bonus']);
	});
});
