import fc, { anyCharacter, runs } from '../kit/property.mts';
import type { IDataObject } from 'n8n-workflow';

import { checkQuestions } from '../../nodes/MessagingService/resources/survey/checkQuestions.ts';
import {
	QUESTION_TYPES,
	WITH_OPTIONS,
	type QuestionType,
} from '../../nodes/MessagingService/resources/survey/questionTypes.ts';
import { KINDS } from '../../nodes/MessagingService/resources/survey/questionsText/kinds.ts';
import { questionsFromText } from '../../nodes/MessagingService/resources/survey/questionsText/questionsFromText.ts';

class Refused extends Error {}

const field = {
	label: 'Questions as Text',
	timezone: 'UTC',
	fail: (message: string, description = '') => new Refused(`${message} | ${description}`),
};

const read = (text: unknown): IDataObject[] => questionsFromText(text, field);

/** The one question of a line, without what every question has. */
function fieldsOf(line: string): IDataObject {
	const [{ title, required, ...fields } = {}] = read(line);
	expect(title).toBe('Q?');
	expect(required).toBe(false);
	return fields;
}

test('reads the questions of the documentation', () => {
	const text = [
		'Which team are you in? (dropdown: Sales, Engineering, Other)',
		'How was your first week? (rating: Bad … Great)',
		'Did you get a laptop? (radio: Yes, No → 4) *',
		'What happened? (textarea)',
	].join('\n');
	expect(read(text)).toEqual([
		{
			templateCode: 'dropdown',
			title: 'Which team are you in?',
			required: false,
			options: ['Sales', 'Engineering', 'Other'],
		},
		{
			templateCode: 'rating',
			title: 'How was your first week?',
			required: false,
			zeroLabel: 'Bad',
			tenLabel: 'Great',
		},
		{
			templateCode: 'radio',
			title: 'Did you get a laptop?',
			required: true,
			fork: true,
			questionId: 'q3',
			options: [{ value: 'Yes' }, { value: 'No', branchQuestions: ['q4'] }],
		},
		{
			templateCode: 'textarea',
			title: 'What happened?',
			required: false,
			branch: true,
			questionId: 'q4',
		},
	]);
});

test.each<[string, IDataObject]>([
	['Q? (input)', { templateCode: 'input' }],
	['Q? (short text)', { templateCode: 'input' }],
	['Q?(Text)', { templateCode: 'input' }],
	['Q? (textarea:)', { templateCode: 'textarea' }],
	['Q? ( LONG   text )', { templateCode: 'textarea' }],
	['Q? (date)', { templateCode: 'date' }],
	['Q? (Time)', { templateCode: 'time' }],
	['Q? (email)', { templateCode: 'email' }],
	['Q? (radio: A)', { templateCode: 'radio', options: ['A'] }],
	['Q? (single choice: 1, 007)', { templateCode: 'radio', options: ['1', '007'] }],
	['Q? (dropdown:A,,B, )', { templateCode: 'dropdown', options: ['A', 'B'] }],
	['Q? (multiselect: A (b), c)', { templateCode: 'multiselect', options: ['A (b)', 'c'] }],
	['Q? (multiple choice: 9:00, A/B)', { templateCode: 'multiselect', options: ['9:00', 'A/B'] }],
	['Q? (rank: A, B)', { templateCode: 'rank', options: ['A', 'B'] }],
	['Q? (ranking: A, B)', { templateCode: 'rank', options: ['A', 'B'] }],
	[
		'Q? (matrix: Pay, Tools; Bad, OK, Good)',
		{ templateCode: 'matrix', matrixQuestions: ['Pay', 'Tools'], options: ['Bad', 'OK', 'Good'] },
	],
	['Q? (rating)', { templateCode: 'rating' }],
	['Q? (rating: Bad ... Great)', { templateCode: 'rating', zeroLabel: 'Bad', tenLabel: 'Great' }],
	['Q? (rating: 0 … 10)', { templateCode: 'rating', zeroLabel: '0', tenLabel: '10' }],
	['Q? (rating: Bad …)', { templateCode: 'rating', zeroLabel: 'Bad' }],
	['Q? (rating: … Great)', { templateCode: 'rating', tenLabel: 'Great' }],
	[
		'Q? (rating: 5 stars … top 5)',
		{ templateCode: 'rating', zeroLabel: '5 stars', tenLabel: 'top 5' },
	],
	['Q? (number)', { templateCode: 'number' }],
	['Q? (number: 0 … 120)', { templateCode: 'number', min: 0, max: 120 }],
	['Q? (number: -1.5...2)', { templateCode: 'number', min: -1.5, max: 2 }],
	['Q? (number: 1-10)', { templateCode: 'number', min: 1, max: 10 }],
	['Q? (number: -5 to -1)', { templateCode: 'number', min: -5, max: -1 }],
	['Q? (number: … 9)', { templateCode: 'number', max: 9 }],
	['Q? (number: 3 …)', { templateCode: 'number', min: 3 }],
	['Q? (number: …)', { templateCode: 'number' }],
	['Q? (number: +1.25 … +10.75)', { templateCode: 'number', min: 1.25, max: 10.75 }],
	['Q? (number: 1  –  5)', { templateCode: 'number', min: 1, max: 5 }],
	['Q? (number: 1TO5)', { templateCode: 'number', min: 1, max: 5 }],
	['Q? (number: 7 … 7; decimals: 0)', { templateCode: 'number', min: 7, max: 7, decimal: 0 }],
	['Q? (number; decimal: 3)', { templateCode: 'number', decimal: 3 }],
	['Q? (number; decimals: 12)', { templateCode: 'number', decimal: 12 }],
	[
		'Q? (multiselect: A; layout : horizontal)',
		{ templateCode: 'multiselect', options: ['A'], layout: 'Horizontal' },
	],
	['Q? (radio: A, \\A)', { templateCode: 'radio', options: ['A', '\\A'] }],
	[
		'Q? (input; placeholder: e.g. Ada; description: Your first name)',
		{ templateCode: 'input', placeholder: 'e.g. Ada', desc: 'Your first name' },
	],
	[
		'Q? (radio: A, B; Layout: VERTICAL; desc:)',
		{ templateCode: 'radio', options: ['A', 'B'], layout: 'Vertical' },
	],
	[
		'Q? (radio: a\\, b, c\\; d, e \\→ f, g\\->h, \\), \\\\, Layout\\: x)',
		{
			templateCode: 'radio',
			options: ['a, b', 'c; d', 'e → f', 'g->h', ')', '\\', 'Layout: x'],
		},
	],
	[
		'Q? (rating: a \\… b … c\\...d)',
		{ templateCode: 'rating', zeroLabel: 'a … b', tenLabel: 'c...d' },
	],
])('%s', (line, fields) => {
	expect(fieldsOf(line)).toEqual(fields);
});

test.each([
	['1. Q? (input)', 'Q?'],
	['1) Q? (input)', 'Q?'],
	['- Q? (input)', 'Q?'],
	['•  1. Q? (input)', 'Q?'],
	['– Q? (input)', 'Q?'],
	['* Q? (input)', 'Q?'],
	['-1 or +1? (input)', '-1 or +1?'],
	['  Q (the first)? (input)  ', 'Q (the first)?'],
	['What about :( and :)? (input)', 'What about :( and :)?'],
	['\\24. December? (input)', '24. December?'],
	['24\\. December? (input)', '24. December?'],
	['1.5 hours? (input)', '1.5 hours?'],
	['2026 goals: met? (input)', '2026 goals: met?'],
	['C:\\temp? (input)', 'C:\\temp?'],
	['Footnote\\* (input)', 'Footnote*'],
	['__proto__ (input)', '__proto__'],
])('the question in %j', (line, title) => {
	expect(read(line)).toEqual([{ templateCode: 'input', title, required: false }]);
});

test.each(KINDS)('the example that is shown for $type is one', ({ type, example }) => {
	expect(read(example)).toMatchObject([{ templateCode: type }]);
});

test.each(KINDS.filter(({ type }) => [...WITH_OPTIONS, 'rating', 'number'].includes(type)))(
	'what cannot be read as $type is answered by its example',
	({ type, example }) => {
		const unreadable = WITH_OPTIONS.includes(type) ? `Q? (${type})` : `Q? (${type}: ?)`;
		expect(() => read(unreadable)).toThrow(`: ${example}.`);
		expect(() => read(`(${type}: 0 … 1)`)).toThrow(`: ${example}.`);
	},
);

test('lines may be numbered to ten and on', () => {
	const numbered = (from: number) =>
		Array.from({ length: 10 }, (_, index) => `${index + from}. Q? (input)`).join('\n');
	expect(new Set(read(numbered(1)).map(({ title }) => title))).toEqual(new Set(['Q?']));
	expect(() => read(numbered(10))).toThrow(
		/line 1: is numbered 10, but is question 1 .* write \\10\. Line 2 is numbered 11,/,
	);
});

test.each(['Q? (input) *', 'Q? (input)*', 'Q? * (input)', 'Q?* (input)', '1. Q? * (input) *'])(
	'%j is required',
	(line) => {
		expect(read(line)).toEqual([{ templateCode: 'input', title: 'Q?', required: true }]);
	},
);

test('takes any line break, blank lines, and a list of lines', () => {
	const titles = (text: unknown) => read(text).map(({ title }) => title);
	expect(titles('A (input)\r\n\r\n  \r\nB (input)\rC (input)\u2028D (input)\n')).toEqual([
		'A',
		'B',
		'C',
		'D',
	]);
	expect(titles(['A (input)', '', 'B (input)\nC (input)'])).toEqual(['A', 'B', 'C']);
});

test('an arrow counts questions, not lines, and may lead to several', () => {
	const questions = read(
		[
			'Who? (multiselect: A → 2 + 3, B->3, C → q2 and question 4, D)',
			'',
			'Two (rank: X → 4, Y)',
			'Three (input)',
			'Four (matrix: r; x → 5, y)',
			'Five (dropdown: 1, 2)',
		].join('\n'),
	);
	expect(
		questions.map(({ fork, branch, questionId, options }) => [fork, branch, questionId, options]),
	).toEqual([
		[
			true,
			undefined,
			'q1',
			[
				{ value: 'A', branchQuestions: ['q2', 'q3'] },
				{ value: 'B', branchQuestions: ['q3'] },
				{ value: 'C', branchQuestions: ['q2', 'q4'] },
				{ value: 'D' },
			],
		],
		[true, true, 'q2', [{ value: 'X', branchQuestions: ['q4'] }, { value: 'Y' }]],
		[undefined, true, 'q3', undefined],
		[true, true, 'q4', [{ value: 'x', branchQuestions: ['q5'] }, { value: 'y' }]],
		[undefined, true, 'q5', ['1', '2']],
	]);
});

test.each<[string, string]>([
	['', 'Questions as Text holds no question'],
	['\n \n', 'Questions as Text holds no question'],
	['How are you?', 'line 1: has no question type in brackets at its end'],
	[
		'How are you? (radio: a), b)',
		'line 1: has no question type in brackets at its end | A bracket is',
	],
	['How are you? (input) please', 'line 1: has no question type'],
	['How are you? (input', 'line 1: has no question type in brackets at its end | Write it behind'],
	['How are you? input)', 'line 1: has no question type in brackets at its end | A bracket is'],
	['How are you? (input\\)', 'line 1: has no question type in brackets at its end | A bracket is'],
	[
		'How are you? (input) (',
		'line 1: has no question type in brackets at its end | Write it behind',
	],
	['How are you? ()', 'line 1: has empty brackets at its end'],
	['How are you? (optional)', 'line 1: has the unknown type "optional"'],
	['(input)', 'line 1: has a type but no question'],
	['* (input)', 'line 1: has a type but no question'],
	['2. Q? (input)', 'line 1: is numbered 2, but is question 1'],
	['Q? (input: Tell us)', 'line 1: has "Tell us" behind input, which takes no options'],
	['Q? (radio)', 'line 1: is a radio without options'],
	['Q? (dropdown: )', 'line 1: is a dropdown without options'],
	['Q? (multiselect: , ,)', 'line 1: is a multiselect without options'],
	['Q? (rank; description: x)', 'line 1: is a rank without options'],
	[
		'Q? (radio: A, B; C)',
		'line 1: has more than one list of options: "C" | Behind a semicolon stand settings, which are description, placeholder, layout, decimals.',
	],
	['Q? (radio: A, B, A)', 'line 1: has the option "A" twice'],
	['Q? (matrix: A, B)', 'line 1: is a matrix, which needs its rows and its options'],
	['Q? (matrix: ; A, B)', 'line 1: is a matrix, which needs its rows and its options'],
	['Q? (matrix: ,; A)', 'line 1: is a matrix, which needs its rows and its options'],
	['Q? (matrix: A; ,)', 'line 1: is a matrix, which needs its rows and its options'],
	['Q? (matrix: A; B; C)', 'line 1: is a matrix, which needs its rows and its options'],
	['Q? (matrix: A, A; B)', 'line 1: has the row "A" twice'],
	['Q? (rating: Bad, Great)', 'line 1: has the labels "Bad, Great"'],
	['Q? (rating: Bad … OK … Great)', 'line 1: has the labels "Bad … OK … Great"'],
	['Q? (rating: 1 … 5)', 'line 1: has a rating from 1 to 5'],
	['Q? (rating: 0 … 100)', 'line 1: has a rating from 0 to 100'],
	['Q? (rating: … 5)', 'line 1: has a rating from 0 to 5'],
	['Q? (rating: 1 …)', 'line 1: has a rating from 1 to 10'],
	['Q? (number: 5)', 'line 1: has the range "5"'],
	['Q? (number: 5 -)', 'line 1: has the range "5 -"'],
	['Q? (number: x1 … 2)', 'line 1: has the range "x1 … 2"'],
	['Q? (number: 1 … 2x)', 'line 1: has the range "1 … 2x"'],
	['Q? (number: 1. … 2)', 'line 1: has the range "1. … 2"'],
	['Q? (number: -5)', 'line 1: has the range "-5"'],
	['Q? (number: 1,5 … 2)', 'line 1: has the range "1,5 … 2"'],
	[`Q? (number: ${'9'.repeat(400)} …)`, 'line 1: has the range "999'],
	['Q? (number: 9 … 1)', 'line 1: goes from 9 to 1'],
	['Q? (number; decimals: many)', 'line 1: has the decimals "many"'],
	['Q? (number; decimals: 123)', 'line 1: has the decimals "123"'],
	['Q? (number; decimals: 1.5)', 'line 1: has the decimals "1.5"'],
	['Q? (number; decimals: x1)', 'line 1: has the decimals "x1"'],
	['Q? (radio: A; see desc: x)', 'line 1: has more than one list of options: "see desc: x"'],
	['Q? (rating; decimals: 1)', 'line 1: has the setting "decimals" | It is only for number'],
	['Q? (rank: A; layout: vertical)', 'line 1: has the setting "layout"'],
	['Q? (radio: A; layout: diagonal)', 'line 1: has the layout "diagonal"'],
	['Q? (input; desc: a; description: b)', 'line 1: has the setting "description" twice'],
	['Q? (radio: A, → 2)\nR (input)', 'line 1: has an arrow without an option before it'],
	['Q? (radio: A → end)', 'line 1: leads from "A" to "end", which is no number of a question'],
	['Q? (radio: A → 2 → 3)', 'line 1: leads from "A" to "2 → 3"'],
	['Q? (radio: A → x2)\nR (input)', 'line 1: leads from "A" to "x2"'],
	['Q? (radio: A → 2x)\nR (input)', 'line 1: leads from "A" to "2x"'],
	['Q? (radio: A → 2 2)\nR (input)', 'line 1: leads from "A" to "2 2"'],
	['Q? (radio: A → q+2)\nR (input)', 'line 1: leads from "A" to "q+2"'],
	['Q? (radio: A →)', 'line 1: leads from "A" to ""'],
	['Q? (radio: A → 0)', 'line 1: leads to question 0, but there are 1'],
	['Q? (radio: A → 3)\nR (input)', 'line 1: leads to question 3, but there are 2'],
	['Q? (radio: A → 1)', 'line 1: leads to question 1, which is not asked after it'],
	['R (input)\n\nQ? (radio: A → 1)', 'line 3: leads to question 1, which is not asked after it'],
	[
		'Q? (radio: Yes, No → 2, 3)\nR (input)\nS (input)',
		'line 1: has "3" behind an arrow, which may be an option or a question | For both questions write No → 2 + 3',
	],
])('refuses %j', (text, message) => {
	expect(() => read(text)).toThrow(Refused);
	expect(() => read(text)).toThrow(message);
});

test('takes a number behind an arrow for an option where no question is meant', () => {
	const options = (line: string) => read(`${line}\nR (input)\nS (input)`)[0]?.options;
	expect(options('Kids? (radio: 1 → 2, 2, 3)')).toEqual([
		{ value: '1', branchQuestions: ['q2'] },
		{ value: '2' },
		{ value: '3' },
	]);
	expect(options('Kids? (radio: None → 2, 1, 7)')).toHaveLength(3);
	expect(options('Kids? (radio: None → 2, 7)')).toHaveLength(2);
	expect(options('Kids? (radio: None, 3, Many → 2)')).toHaveLength(3);
	expect(options('Place? (radio: Last → 2, 3rd, No 3)')).toHaveLength(3);
});

test.each(['Plan 1 → 2, 3', '1st → 2, 3', 'None → 2, 10'])(
	'does not guess whether a number behind an arrow is an option: %s',
	(options) => {
		const lines = Array.from({ length: 9 }, () => 'R (input)');
		expect(() => read([`Q? (radio: ${options})`, ...lines].join('\n'))).toThrow(
			'behind an arrow, which may be an option or a question',
		);
	},
);

test.each([
	['2', ['q2']],
	['q 2', ['q2']],
	['#2', ['q2']],
	['# 2&QUESTION3', ['q2', 'q3']],
	['2 and q  3', ['q2', 'q3']],
	['2+2', ['q2']],
	['10  +  11', ['q10', 'q11']],
])('an arrow to %j', (target, branchQuestions) => {
	const lines = Array.from({ length: 10 }, () => 'R (input)');
	expect(read([`Q? (radio: A → ${target})`, ...lines].join('\n'))[0]?.options).toEqual([
		{ value: 'A', branchQuestions },
	]);
});

test.each(['Q? (radio: A → end)', 'Q? (radio: A → 3)', 'Q? (foo)', 'Q?', 'Q? (rating: A, B)'])(
	'tells once what is wrong with %j',
	(line) => {
		expect(() => read(line)).toThrow(/^Questions as Text, line 1: (?!.*Line 1)/);
	},
);

test('tells all that is wrong at once, the first line first, with advice for it', () => {
	const text = ['A', 'B (radio)', 'C (radio: x → 1)', 'D (input)', 'E (foo)'].join('\n');
	expect(() => read(text)).toThrow(
		/^Questions as Text, line 1: has no question type .*Line 2 is a radio without options\. Line 3 leads to question 1, .*\. Line 5 has the unknown type "foo"\.$/,
	);
});

test.each([
	[6, /Line 6 [^.]+\.$/],
	[7, /Line 6 [^.]+\. 1 more cannot be read\.$/],
	[20, /Line 6 [^.]+\. 14 more cannot be read\.$/],
])('of %d lines that cannot be read it tells six, and counts the others', (count, end) => {
	expect(() => read(Array<string>(count).fill('A'))).toThrow(end);
});

test('text is what it takes', () => {
	expect(() => read({ a: 1 })).toThrow('Questions as Text must be text');
	expect(() => read(['A (input)', { a: 1 }])).toThrow('Questions as Text must be text');
	expect(() => read(undefined)).toThrow('holds no question');
});

describe('any questions', () => {
	const word = fc
		.oneof(
			fc.string({ minLength: 1 }),
			fc.constantFrom(
				'Yes',
				'a, b',
				'(input)',
				'x → 2',
				'*',
				'3',
				'\\',
				'…',
				'layout: x',
				'- a',
				'1. b',
			),
			fc.stringMatching(/^[-→>,;:()*\\.…0-9a ]{1,12}$/),
		)
		.map((text) => text.replace(/[\s\u2028\u2029]+/g, ' ').trim())
		.filter((text) => text !== '');
	const words = fc.uniqueArray(word, { minLength: 1, maxLength: 4 });
	const number = fc.integer({ min: -1e6, max: 1e6 }).map((whole) => whole / 100 + 0);
	const label = word.filter((text) => !/^\d+$/.test(text));

	const bodies: Record<string, fc.Arbitrary<IDataObject>> = {
		number: fc.record(
			{ min: number, max: number.map((above) => above + 20_000), decimal: fc.nat({ max: 9 }) },
			{ requiredKeys: [] },
		),
		rating: fc.record({ zeroLabel: label, tenLabel: label }, { requiredKeys: [] }),
		matrix: fc.record({ matrixQuestions: words, options: words }),
		radio: fc.record(
			{ options: words, layout: fc.constantFrom('Horizontal', 'Vertical') },
			{ requiredKeys: ['options'] },
		),
	};
	const bodyOf = (type: QuestionType): fc.Arbitrary<IDataObject> =>
		bodies[type] ?? (WITH_OPTIONS.includes(type) ? fc.record({ options: words }) : fc.constant({}));
	const question = fc.constantFrom(...QUESTION_TYPES).chain((templateCode) =>
		fc
			.tuple(
				fc.record(
					{ title: word, required: fc.boolean(), desc: word, placeholder: word },
					{ requiredKeys: ['title', 'required'] },
				),
				bodyOf(templateCode),
				// Where the options lead, as steps ahead.
				fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }), {
					minLength: 4,
					maxLength: 4,
				}),
			)
			.map(([common, body, leads]) => ({ question: { templateCode, ...common, ...body }, leads })),
	);

	/** Questions with their links, as the API takes them. */
	const survey = fc.array(question, { minLength: 1, maxLength: 6 }).map((drafts) => {
		const questions: IDataObject[] = drafts.map((draft) => ({ ...draft.question }));
		for (const [index, { leads }] of drafts.entries()) {
			const from = questions[index];
			if (!from || !Array.isArray(from.options)) continue;
			const given: unknown[] = from.options;
			const options = given.map((value, place) => ({
				value,
				targets: (leads[place] ?? [])
					.map((step) => index + step)
					.filter((to) => to < questions.length),
			}));
			if (options.every(({ targets }) => targets.length === 0)) continue;
			Object.assign(from, { fork: true, questionId: `q${index + 1}` });
			from.options = options.map(({ value, targets }) =>
				targets.length === 0
					? { value }
					: { value, branchQuestions: targets.map((to) => `q${to + 1}`) },
			);
			for (const to of options.flatMap(({ targets }) => targets)) {
				Object.assign(questions[to] ?? {}, { branch: true, questionId: `q${to + 1}` });
			}
		}
		return questions;
	});

	const escaped = (text: unknown): string => String(text).replace(/[^\p{L}\s]/gu, '\\$&');

	function printOption(option: unknown): string {
		if (typeof option !== 'object' || option === null || !('value' in option))
			return escaped(option);
		const links = 'branchQuestions' in option ? option.branchQuestions : [];
		const targets = Array.isArray(links) ? links.map((id) => String(id).slice(1)) : [];
		return `${escaped(option.value)}${targets.length > 0 ? ` → ${targets.join(' + ')}` : ''}`;
	}

	function print(question: IDataObject): string {
		const { templateCode, title, required, desc, placeholder, options, layout, min, max } =
			question;
		const { decimal, zeroLabel, tenLabel, matrixQuestions } = question;
		const parts: string[] = [];
		if (Array.isArray(matrixQuestions)) parts.push(matrixQuestions.map(escaped).join(', '));
		if (Array.isArray(options)) parts.push(options.map(printOption).join(', '));
		if (zeroLabel !== undefined || tenLabel !== undefined)
			parts.push(`${escaped(zeroLabel ?? '')} … ${escaped(tenLabel ?? '')}`);
		if (min !== undefined || max !== undefined)
			parts.push(`${String(min ?? '')} … ${String(max ?? '')}`);
		if (layout !== undefined) parts.push(`layout: ${String(layout)}`);
		if (decimal !== undefined) parts.push(`decimals: ${String(decimal)}`);
		if (desc !== undefined) parts.push(`description: ${escaped(desc)}`);
		if (placeholder !== undefined) parts.push(`placeholder: ${escaped(placeholder)}`);
		return `${escaped(title)} (${String(templateCode)}: ${parts.join('; ')})${required ? ' *' : ''}`;
	}

	/** An option that is a number behind an arrow is refused where it could be a question. */
	const isClear = (questions: IDataObject[]): boolean =>
		questions.every(
			({ options }) =>
				!Array.isArray(options) ||
				!options.some((option: unknown) =>
					/^\d+$/.test(
						String(
							typeof option === 'object' && option !== null && 'value' in option
								? option.value
								: option,
						),
					),
				),
		);

	test('come back as they were written', () => {
		fc.assert(
			fc.property(survey.filter(isClear), (questions) => {
				const text = questions.map(print).join('\n');
				expect(read(text)).toEqual(questions);
			}),
			{ numRuns: runs(1_000) },
		);
	});

	test('whatever is written, it is read or refused in words that name the line', () => {
		const snippet = fc.constantFrom(
			'(',
			')',
			':',
			';',
			',',
			'→',
			'->',
			'…',
			'...',
			'*',
			'\\',
			'\n',
			' ',
			'4',
			'Q?',
			...QUESTION_TYPES,
			'(radio: A → 2)',
			'layout:',
			'decimals: 2',
			'1.',
			'- ',
			'to',
			'+',
			'and',
		);
		const text = fc.oneof(
			fc.array(snippet, { maxLength: 40 }).map((parts) => parts.join('')),
			fc.string({ unit: anyCharacter, maxLength: 200 }),
		);
		fc.assert(
			fc.property(text, (written) => {
				let questions: IDataObject[];
				try {
					questions = read(written);
				} catch (error) {
					expect(error).toBeInstanceOf(Refused);
					expect(String(error)).toMatch(/Questions as Text(, line \d+: | holds no question)/);
					return;
				}
				// What comes out is fit to be sent: it passes the check of every way of entering questions.
				expect(checkQuestions(questions, field)).toEqual(questions);
				expect(questions.length).toBeLessThanOrEqual(written.split(/[\n\r\u2028\u2029]/).length);
			}),
			{ numRuns: runs(3_000) },
		);
	});

	test('a long text is read at once', () => {
		const lines = Array.from({ length: 2_000 }, (_, n) => `Question ${n}? (radio: A, B, C) *`);
		expect(read(lines.join('\n'))).toHaveLength(2_000);
		const hard = [
			'('.repeat(50_000),
			'\\'.repeat(50_001),
			`Q (radio: ${'a → 1 + '.repeat(10_000)})`,
			`Q (number: 1${' '.repeat(50_000)}x)`,
		];
		const started = performance.now();
		expect(() => read(hard.join('\n'))).toThrow(Refused);
		expect(performance.now() - started).toBeLessThan(2_000);
	});
});
