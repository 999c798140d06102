import fc, { anyCharacter, runs } from '../kit/property.mts';
import type { IDataObject } from 'n8n-workflow';

import { checkQuestions } from '../../nodes/MessagingService/resources/survey/checkQuestions.ts';
import {
	QUESTION_TYPES,
	questionTypes,
	typesWith,
	WITH_OPTIONS,
	type QuestionType,
} from '../../nodes/MessagingService/resources/survey/questionTypes.ts';
import { questionsFromText } from '../../nodes/MessagingService/resources/survey/questionsText/parse.ts';

class Refused extends Error {}

const field = {
	label: 'Questions as Text',
	timezone: 'UTC',
	fail: (message: string, description = '') => new Refused(`${message} | ${description}`),
};

const read = (text: unknown): IDataObject[] =>
	checkQuestions(questionsFromText(text, field), field);

test.each<[string, QuestionType, IDataObject?]>([
	['short text', 'input'],
	['textarea:', 'textarea'],
	[' LONG   text ', 'textarea'],
	['Time', 'time'],
	['single choice: 1, 007', 'radio', { options: ['1', '007'] }],
	['dropdown:A,,B, ', 'dropdown', { options: ['A', 'B'] }],
	['multiselect: A (b), c', 'multiselect', { options: ['A (b)', 'c'] }],
	['multiple choice: 9:00, A/B', 'multiselect', { options: ['9:00', 'A/B'] }],
	['ranking: A, B', 'rank', { options: ['A', 'B'] }],
	['rating: Bad ... Great', 'rating', { zeroLabel: 'Bad', tenLabel: 'Great' }],
	['rating: 0 … 10', 'rating', { zeroLabel: '0', tenLabel: '10' }],
	['rating: 5 stars … top 5', 'rating', { zeroLabel: '5 stars', tenLabel: 'top 5' }],
	['text (short)', 'input'],
	['Text (Long)', 'textarea'],
	['Single Choice: A, B', 'radio', { options: ['A', 'B'] }],
	['yes/no', 'radio', { options: ['Yes', 'No'] }],
	['Yes / No: Ja, Nein', 'radio', { options: ['Ja', 'Nein'] }],
	['yes/ no', 'radio', { options: ['Yes', 'No'] }],
	['yes /no', 'radio', { options: ['Yes', 'No'] }],
	['yes/no; layout: vertical', 'radio', { options: ['Yes', 'No'], layout: 'Vertical' }],
	['scale', 'rating'],
	['rating 0-10', 'rating'],
	['Scale of 0 to 10: Bad … Great', 'rating', { zeroLabel: 'Bad', tenLabel: 'Great' }],
	['radio: "Yes, always", No', 'radio', { options: ['Yes, always', 'No'] }],
	['radio: “Yes; always” , No', 'radio', { options: ['Yes; always', 'No'] }],
	['radio: "a → 2", "b \\" c"', 'radio', { options: ['a → 2', 'b " c'] }],
	['radio: "A" teams, 5" pipe', 'radio', { options: ['"A" teams', '5" pipe'] }],
	['radio: "1,000", "Yes / No", "a|b"', 'radio', { options: ['1,000', 'Yes / No', 'a|b'] }],
	['radio: 1,2,3', 'radio', { options: ['1', '2', '3'] }],
	['radio: a,2, b', 'radio', { options: ['a', '2', 'b'] }],
	['radio: 1,2345', 'radio', { options: ['1', '2345'] }],
	['radio: N/A, Yes, No', 'radio', { options: ['N/A', 'Yes', 'No'] }],
	['number: -1.5...2', 'number', { min: -1.5, max: 2 }],
	['number: 1-10', 'number', { min: 1, max: 10 }],
	['number: -5 to -1', 'number', { min: -5, max: -1 }],
	['number: +1.25 … +10.75', 'number', { min: 1.25, max: 10.75 }],
	['number: 1  –  5', 'number', { min: 1, max: 5 }],
	['number: 1TO5', 'number', { min: 1, max: 5 }],
	['number: 1.0005 … 1234.567', 'number', { min: 1.0005, max: 1234.567 }],
	['number: 7 … 7; decimals: 0', 'number', { min: 7, max: 7, decimal: 0 }],
	['number; decimal: 3', 'number', { decimal: 3 }],
	['number; decimals: 12', 'number', { decimal: 12 }],
	['multiselect: A; layout : horizontal', 'multiselect', { options: ['A'], layout: 'Horizontal' }],
	['radio: A, \\A', 'radio', { options: ['A', '\\A'] }],
	[
		'input; placeholder: e.g. Ada; description: Your first name',
		'input',
		{ placeholder: 'e.g. Ada', desc: 'Your first name' },
	],
	['radio: A, B; Layout: VERTICAL; desc:', 'radio', { options: ['A', 'B'], layout: 'Vertical' }],
	[
		'radio: a\\, b, c\\; d, e \\→ f, g\\->h, \\), \\\\, Layout\\: x',
		'radio',
		{ options: ['a, b', 'c; d', 'e → f', 'g->h', ')', '\\', 'Layout: x'] },
	],
	['rating: a \\… b … c\\...d', 'rating', { zeroLabel: 'a … b', tenLabel: 'c...d' }],
])('reads the type (%s)', (type, templateCode, fields = {}) => {
	expect(read(`Q? (${type})`)).toEqual([{ templateCode, title: 'Q?', required: false, ...fields }]);
});

test.each([
	['Q?', 'Q?'],
	['Q?(Text)', 'Q?'],
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
])('reads the question in %j', (line, title) => {
	expect(read(line)).toEqual([{ templateCode: 'input', title, required: false }]);
});

test.each(
	questionTypes.filter(({ value }) => [...WITH_OPTIONS, 'rating', 'number'].includes(value)),
)('shows an example in the error for an invalid $value', ({ value, example }) => {
	const unreadable = WITH_OPTIONS.includes(value) ? `Q? (${value})` : `Q? (${value}: ?)`;
	expect(() => read(unreadable)).toThrow(`: ${example}.`);
	expect(() => read(`(${value}: 0 … 10)`)).toThrow(`: ${example}.`);
});

test('accepts lines numbered from 1 and refuses other numbers', () => {
	const numbered = (from: number) =>
		Array.from({ length: 10 }, (_, index) => `${index + from}. Q? (input)`).join('\n');
	expect(new Set(read(numbered(1)).map(({ title }) => title))).toEqual(new Set(['Q?']));
	expect(() => read(numbered(10))).toThrow(
		/Line 1: the number is 10, but this is question 1 .* write \\10\. The line: .* Line 2: the number is 11,/,
	);
});

test.each(['Q? (input) *', 'Q? (input)*', 'Q? * (input)', 'Q?* (input)', '1. Q? * (input) *'])(
	'reads the question in %j as required',
	(line) => {
		expect(read(line)).toEqual([{ templateCode: 'input', title: 'Q?', required: true }]);
	},
);

test('accepts any line break, blank lines, and a list of lines', () => {
	const titles = (text: unknown) => read(text).map(({ title }) => title);
	expect(titles('A (input)\r\n\r\n  \r\nB (input)\rC (input)\u2028D (input)\n')).toEqual([
		'A',
		'B',
		'C',
		'D',
	]);
	expect(titles(['A (input)', '', 'B (input)\nC (input)'])).toEqual(['A', 'B', 'C']);
});

test('reads numbers after an arrow as question numbers, not line numbers, and accepts several', () => {
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

const NO_TYPE = 'add an answer type in brackets, for example (text)';

test.each<[string, string]>([
	['Q [radio: Yes, No]', NO_TYPE],
	['Yes, No → 2', NO_TYPE],
	['Q? (radio: a), b)', `${NO_TYPE} | A bracket is`],
	['Q? (input) please', NO_TYPE],
	['Q? (input', `${NO_TYPE} | The types are Date,`],
	['Q? input)', `${NO_TYPE} | A bracket is`],
	['Q? (input\\)', `${NO_TYPE} | A bracket is`],
	['Q? (input) (', `${NO_TYPE} | The types are Date,`],
	['Q? ()', 'add an answer type in the brackets'],
	['(input)', 'add the question before the brackets'],
	['* (input)', 'add the question before the brackets'],
	['2. Q? (input)', 'the number is 2, but this is question 1'],
	['Q? (input: Tell us)', '"Tell us" is not allowed after input'],
	['Q? (radio)', 'add options after radio'],
	['Q? (dropdown: )', 'add options after dropdown'],
	['Q? (multiselect: , ,)', 'add options after multiselect'],
	['Q? (rank; description: x)', 'add options after rank'],
	[
		'Q? (radio: A, B; C)',
		'only one list of options is allowed, but "C" follows | Write only settings after a semicolon: description, placeholder, layout, decimals.',
	],
	['Q? (matrix: A, B)', 'a matrix needs rows and options'],
	['Q? (matrix: ; A, B)', 'a matrix needs rows and options'],
	['Q? (matrix: ,; A)', 'a matrix needs rows and options'],
	['Q? (matrix: A; ,)', 'a matrix needs rows and options'],
	['Q? (matrix: A; B; C)', 'a matrix needs rows and options'],
	['Q? (rating: Bad, Great)', '"Bad, Great" is not a pair of labels'],
	['Q? (rating: Bad … OK … Great)', '"Bad … OK … Great" is not a pair of labels'],
	['Q? (rating: 1 … 5)', 'a rating goes from 0 to 10, not from 1 to 5'],
	['Q? (rating: 0 … 100)', 'a rating goes from 0 to 10, not from 0 to 100'],
	['Q? (rating: … 5)', 'a rating goes from 0 to 10, not from 0 to 5'],
	['Q? (rating: 1 …)', 'a rating goes from 0 to 10, not from 1 to 10'],
	['Q? (number: 5)', '"5" is not a range'],
	['Q? (number: 5 -)', '"5 -" is not a range'],
	['Q? (number: x1 … 2)', '"x1 … 2" is not a range'],
	['Q? (number: 1 … 2x)', '"1 … 2x" is not a range'],
	['Q? (number: 1. … 2)', '"1. … 2" is not a range'],
	['Q? (number: -5)', '"-5" is not a range'],
	['Q? (number: 1,5 … 2)', '"1,5 … 2" is not a range'],
	[`Q? (number: ${'9'.repeat(400)} …)`, '"999'],
	['Q? (number; decimals: many)', '"many" is not valid for decimals'],
	['Q? (number; decimals: 123)', '"123" is not valid for decimals'],
	['Q? (number; decimals: 1.5)', '"1.5" is not valid for decimals'],
	['Q? (number; decimals: x1)', '"x1" is not valid for decimals'],
	['Q? (radio: A; see desc: x)', 'only one list of options is allowed, but "see desc: x" follows'],
	[
		'Q? (rating; decimals: 1)',
		'the setting "decimals" does not apply to rating | It is only for number',
	],
	['Q? (rank: A; layout: vertical)', 'the setting "layout" does not apply to rank'],
	['Q? (radio: A; layout: diagonal)', '"diagonal" is not valid for layout'],
	['Q? (input; desc: a; description: b)', 'the setting "description" appears twice'],
	['Q? (radio: Yes / No)', '"Yes / No" is not separated by commas'],
	['Q? (radio: Yes/No)', '"Yes/No" is not separated by commas'],
	['Q? (dropdown: Yes | No)', '"Yes | No" is not separated by commas'],
	['Q? (matrix: Pay | Tools; Bad, Good)', '"Pay | Tools" is not separated by commas'],
	[
		'Q? (radio: 1-999, 1,000-4,999, 5,000+)',
		'a comma in "1-999, 1,000-4,999, 5,000+" could be part of a number',
	],
	['Q? (radio: 5,1,000,7)', 'a comma in "5,1,000,7" could be part of a number'],
	['Q? (radio: 1,000,2,000)', 'a comma in "1,000,2,000" could be part of a number'],
	['Q? (radio: 0,5, 1,5)', 'a comma in "0,5, 1,5" could be part of a number'],
	['Q? (radio: "Yes, always, No)', '"Yes has an unclosed quote'],
	['Q? (radio: "Sure, No)', '"Sure has an unclosed quote'],
	['Q? (radio: "Yes, always" or so, No)', '"Yes has an unclosed quote'],
	['Q? (number: 1.000 … 5.000)', '"1.000 … 5.000" could mean thousands or decimals'],
	['Q? (number: -12.000 … 5)', '"-12.000 … 5" could mean thousands or decimals'],
	['Q? (number: 1,000 … 5,000)', '"1,000 … 5,000" is not a range'],
	['Q? (rating 1-10)', 'a rating goes from 0 to 10, not from 1 to 10'],
	['Q? (rating 10-20)', 'a rating goes from 0 to 10, not from 10 to 20'],
	['Q? (my rating 0-10)', '"my rating 0-10" is not an answer type'],
	['Q? (rating 0-10 stars)', '"rating 0-10 stars" is not an answer type'],
	['Q? (rating 1-5)', 'a rating goes from 0 to 10, not from 1 to 5'],
	['Q? (scale 0 to 5)', 'a rating goes from 0 to 10, not from 0 to 5'],
	['Q? (slider)', '"slider" is not an answer type | Use one of Date, Dropdown, Email,'],
	['Q? (radio: A, → 2)\nR (input)', 'add an option before the arrow'],
	['Q? (radio: A → end)', '"end" after the arrow of "A" is not a question number'],
	['Q? (radio: A → 2 → 3)', '"2 → 3" after the arrow of "A"'],
	['Q? (radio: A → x2)\nR (input)', '"x2" after the arrow of "A"'],
	['Q? (radio: A → 2x)\nR (input)', '"2x" after the arrow of "A"'],
	['Q? (radio: A → 2 2)\nR (input)', '"2 2" after the arrow of "A"'],
	['Q? (radio: A → q+2)\nR (input)', '"q+2" after the arrow of "A"'],
	['Q? (radio: A →)', '"" after the arrow of "A"'],
	['Q? (radio: A → 0)', 'there is no question 0'],
	['Q? (radio: A → 3)\nR (input)', 'there is no question 3'],
	['Q? (radio: A → 1)', 'question 1 does not come after this one'],
	[
		'Q? (radio: Yes, No → 2, 3)\nR (input)\nS (input)',
		'"3" after an arrow could be an option or a question | If it is a question, write No → 2 + 3',
	],
])('refuses %j', (text, message) => {
	expect(() => read(text)).toThrow(Refused);
	expect(() => read(text)).toThrow(`Line 1: ${message}`);
});

/** What is read, as the same questions in the documented form. */
test.each<[string, string]>([
	['A? (text)\\nB? (rating)', 'A? (text)\nB? (rating)'],
	['A? (radio: \\"Yes, always\\", No)\\r\\nB? (text)', 'A? (radio: "Yes, always", No)\nB? (text)'],
	...['\v', '\f', '\u0085', '\u2028', '\u2029', '<br>', '<br/>\n', '</p><p class="x">'].map(
		(between): [string, string] => [`A? (text)${between}B? (text)`, 'A? (text)\nB? (text)'],
	),
	['<p>R&amp;D &#8211; ok? (radio: a &lt; b, c&nbsp;d)</p>', 'R&D – ok? (radio: a < b, c\u00a0d)'],
	['**A?** (rating)', 'A? (rating)'],
	['**A?** *(radio: Yes, No)*', 'A? (radio: Yes, No)'],
	['**A?** (radio: **Yes**, _No way_)', 'A? (radio: Yes, No way)'],
	['**A? (radio: Yes, No)**', 'A? (radio: Yes, No)'],
	['### 1. **A?** `(rating)` *', 'A? (rating) *'],
	['**1.** A? (text)', 'A? (text)'],
	['**1. A?*** (text)', 'A? (text) *'],
	...[
		'1.A?',
		'1\tA?',
		'1) A?',
		'(1) A?',
		'Q1: A?',
		'①A?',
		'1️⃣ A?',
		'１．A?',
		'a) A?',
		'☐ A?',
		'+ A?',
	].map((line): [string, string] => [`${line} (text)`, 'A? (text)']),
	['A (required) (text)', 'A (text) *'],
	['A (text) (required) ', 'A (text) *'],
	['A (text) (Pflichtfeld)', 'A (text) *'],
	['A (text) (optional)', 'A (text)'],
	['A? (optional)', 'A? (text)'],
	['A (all of it) (text) *', 'A (all of it) (text) *'],
	['A? 【radio：Yes，No、Maybe】', 'A? (radio: Yes, No, Maybe)'],
	['A （b）？（matrix：r，s；x，y）', 'A （b）？ (matrix: r, s; x, y)'],
	['هل؟ (radio: نعم، لا ← 2)\u200f\nلماذا؟', 'هل؟ (radio: نعم, لا → 2)\nلماذا؟ (text)'],
	['\u200eA? (text)\u200b', 'A? (text)'],
	['A\u200cB 👩‍💻? (text)', 'A\u200cB 👩‍💻? (text)'],
	...['„“', '„”', '””', '«»', '»«', '‹›', '‘’', '‚‘', "''", '「」', '『』'].map(
		([open, close]): [string, string] => [
			`A? (radio: ${open}Yes, (always)${close}, Don’t know)`,
			'A? (radio: "Yes, (always)", Don’t know)',
		],
	),
	['A? (radio: ‘Don’t know, yes’, No)', 'A? (radio: "Don’t know, yes", No)'],
	['A? (radio: ":)", ":(")', 'A? (radio: \\:\\), \\:\\()'],
	['A? (textarea; placeholder: "a; b")', 'A? (textarea; placeholder: a\\; b)'],
	['A? (rating: "Bad" … "Great")', 'A? (rating: Bad … Great)'],
	['A? (radio: a\tb)', 'A? (radio: a, b)'],
	['A? (radio: 1-5)', 'A? (radio: 1, 2, 3, 4, 5)'],
	['A? (matrix: Pay, Tools; 1–3)', 'A? (matrix: Pay, Tools; 1, 2, 3)'],
	['A? (radio: 2020 to 2022)', 'A? (radio: 2020, 2021, 2022)'],
	['A? (radio: 18-25, 26-35, 36+)', 'A? (radio: "18-25", "26-35", "36+")'],
	...['\uf0e0', '⟹', '=>', '->', '➡️', '&rarr;'].map((arrow): [string, string] => [
		`A? (radio: x, y ${arrow} 2)\nB?`,
		'A? (radio: x, y → 2)\nB?',
	]),
	['Old → new office: how is it? (text)', 'Old \\→ new office: how is it? (text)'],
	['Old → new office: how is it?', 'Old \\→ new office: how is it? (text)'],
	['A? (radio)\n- x, y\n- z → 2\nB?', 'A? (radio: "x, y", z → 2)\nB?'],
	['1. A? (rank) *\n  1. x\n  2. y\n2. B?', 'A? (rank: x, y) *\nB?'],
	['A? (dropdown:)\na) x\nb) y', 'A? (dropdown: x, y)'],
	['A? (multiselect)\n☐ x (all)\n\n☐ y', 'A? (multiselect: x (all), y)'],
	...['A？', 'A؟', 'Τι;', 'A?!?', 'A? *', 'A? 😊', '“A?”', '(A?)', 'A? 👍🏽'].map(
		(line): [string, string] => [
			line,
			`${line.replace(' *', '')} (text)${line.includes('*') ? ' *' : ''}`,
		],
	),
])('reads %j as %j', (pasted, documented) => {
	expect(read(pasted)).toEqual(read(documented));
});

const TWO = 'two questions in one line?';

/** What is asked about: the last line of the text, and what the error says. */
test.each<[string, string]>([
	['Here are the questions:', NO_TYPE],
	['Best regards', NO_TYPE],
	['Mark only one oval.', NO_TYPE],
	['## How are you?', NO_TYPE],
	['```', NO_TYPE],
	['---', NO_TYPE],
	['| How was it? | rating |', NO_TYPE],
	['> Anna 10:42', NO_TYPE],
	['> How was it? (rating)', 'a quote or a row of a table'],
	['A? (rating); B? (textarea)', TWO],
	['A? (rating) | B?', TWO],
	['A? (rating) B? (textarea)', TWO],
	['A? （rating：a … b） B? (text)', TWO],
	['A? (radio: “Yes, always, No)', 'has an unclosed quote'],
	['A? (radio: My „own, No)', 'has an unclosed quote'],
	['A? (radio: Yes)', 'is the only option'],
	['A? (rank: "Yes, always")', 'is the only option'],
	['A? (matrix: r; x)', 'is the only option'],
	['A? (radio: Yes – No – Maybe)', 'is not separated by commas'],
	['A? (radio: Yes or No)', 'is not separated by commas'],
	['A? (multiselect: a • b)', 'is not separated by commas'],
	['A? (radio: bad … good)', 'is not separated by commas'],
	['A? (radio: 1-101)', 'is the only option'],
	['A? (radio: 5-1)', 'is the only option'],
	...[
		'1 = Bad … 5 = Great',
		'Bad (1) … Great (5)',
		'1 Bad … 7 Great',
		'1 star … 5 stars',
		'1-5',
		'١ … ٥',
	].map((labels): [string, string] => [`A? (rating: ${labels})`, 'a rating goes from 0 to 10']),
	...['A? (rating: Bad … Great → 1)', 'A? → 1 (text)', 'A → 1?', 'A? (text; desc: x -> 1)'].map(
		(line): [string, string] => [line, 'an arrow to a question is allowed only behind an option'],
	),
	['A? (radio: x, y ← 1)', 'an arrow to a question'],
	['A? (text) → 1', NO_TYPE],
	['A? (radio: x, y (go to 2))', 'an arrow in words'],
	['If no: why? (text)', 'is only somebody asked?'],
	['Wenn nein, warum?', 'is only somebody asked?'],
	['A? ☐ Yes ☐ No', NO_TYPE],
	['A? ☐ Yes ☐ No (radio: Yes, No)', 'a blank or a box'],
	['Name: ______', NO_TYPE],
	['Name: ______ (text)', 'a blank or a box'],
	['A? 1 2 3 4 5', NO_TYPE],
	['A? 1 2 3 4 5 (rating)', 'a scale is left'],
	['A? – rating', NO_TYPE],
	['Rating: how was it?', 'the type belongs into'],
	['A\tradio\tYes, No', NO_TYPE],
	['A\tB (text)', 'a gap between cells'],
	['A?,rating', NO_TYPE],
	['A? (radio: A. Yes, B. No)', 'a mark of a list'],
	['A. How? (text)', 'the number is A., but'],
	['How was **your** week? (text)', 'a mark of Markdown'],
	['A? (rating) **', NO_TYPE],
	['<b>A?</b> (text)', 'HTML is left'],
	['A &uuml;? (text)', 'HTML is left'],
	['A? (required) (text) (optional)', 'either required or optional'],
	['A?\n- x', NO_TYPE],
	['A? (radio: x, y)\n- z', NO_TYPE],
	['A? (radio)\n- x\n* y', NO_TYPE],
	['A? (radio)\n2. x', NO_TYPE],
	['A? (radio)\nx', NO_TYPE],
	['A? (radio)\n- x\n- Why?', 'is this an option or a question?'],
	['A? (radio)\n- x\n- B? (text)', 'is this an option or a question?'],
	['A? (radio)\n- x\n- Optional', 'is this an option or a question?'],
	['A? (radio)\n- x\n- y | z', 'a mark of a list'],
	['A? (radio)\n- x\n  - y', 'is this an option or a question?'],
	['A? (radio)\n- x\n- Other team (text)', 'is this an option or a question?'],
	['A? (radio)\n- x\n- y,', 'a mark of a list'],
	['A? (radio: Yes, No #1)', 'an arrow in words'],
	['(Required) Name (text)', 'a question is required only by its end'],
	['A (raido: x, y?)', 'the type belongs into'],
	['[Rating] How was it?', TWO],
	['10:42 Anna: How was it?', 'a quote or a row'],
	['Q: How was it? (text)', 'a mark of the question'],
	['*How was it? (rating)', 'a mark of the question'],
	['How was it? – (radio: x, y)', 'a mark of the question'],
	['On a scale of 1 to 5, how was it? (rating)', 'a rating goes from 0 to 10'],
	['How was [it](https://example.com)? (text)', 'a mark of Markdown'],
	['A? (radio: [Yes, No])', 'a bracket or a quote'],
	['A? (radio: <<Oui, x>>, Non)', 'a bracket or a quote'],
	['A? (radio: Yes, No > 2)', 'an arrow in words'],
	['A? (radio: Yes, No, or Maybe)', 'a word between options'],
	['A? (radio; options: Yes, No)', 'a name of the list'],
	['A? (matrix: rows: r, s; x, y)', 'a name of the list'],
	['A? (if no) (text)', 'is only somebody asked?'],
	['A?   B   (text)', 'a gap between cells'],
])('asks about %j: %s', (text, message) => {
	const lines = text.split('\n').length;
	expect(() => read(`First? (text)\n\n${text}`)).toThrow(Refused);
	expect(() => read(`First? (text)\n\n${text}`)).toThrow(
		new RegExp(`Line ${lines + 2}: .*${message.replace(/[()?]/g, '\\$&')}`),
	);
});

test.each([
	['Q? (radio: A, B, A)', 'has the option "A" twice'],
	['Q? (matrix: A, A; B, C)', 'has the row "A" twice'],
	['Q? (number: 9 … 1)', 'has a min (9) above its max (1)'],
])('leaves %j to the check of the questions', (text, message) => {
	expect(() => read(`First (input)\n\n${text}`)).toThrow(`Question 2 (“Q?”) ${message}`);
});

test('reads a number after a comma as an option if it cannot belong to an arrow', () => {
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

test.each(['→', '->', '=>', '⇒', '➔', '—>', '–>', '-->', '==>', '➜', '⟶'])(
	'reads %s as an arrow',
	(arrow) => {
		expect(read(`Q? (radio: Yes, No ${arrow} 2)\nR (input)`)[0]?.options).toEqual([
			{ value: 'Yes' },
			{ value: 'No', branchQuestions: ['q2'] },
		]);
		expect(read(`Q? (radio: "A ${arrow} B" ${arrow} 2, C)\nR?`)[0]?.options).toEqual([
			{ value: `A ${arrow} B`, branchQuestions: ['q2'] },
			{ value: 'C' },
		]);
	},
);

test.each(['Plan 1 → 2, 3', '1st → 2, 3', 'None → 2, 10'])(
	'refuses an ambiguous number after an arrow: %s',
	(options) => {
		const lines = Array.from({ length: 9 }, () => 'R (input)');
		expect(() => read([`Q? (radio: ${options})`, ...lines].join('\n'))).toThrow(
			'after an arrow could be an option or a question',
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
])('reads an arrow to %j', (target, branchQuestions) => {
	const lines = Array.from({ length: 10 }, () => 'R (input)');
	expect(read([`Q? (radio: A → ${target}, B)`, ...lines].join('\n'))[0]?.options).toEqual([
		{ value: 'A', branchQuestions },
		{ value: 'B' },
	]);
});

test.each(['Q? (radio: A → end)', 'Q? (radio: A → 3, B)', 'Q? (foo)', 'Q (?', 'Q? (rating: A, B)'])(
	'reports the problem in %j once',
	(line) => {
		expect(() => read(line)).toThrow(/^Line 1: (?!.*Line 1)/);
	},
);

test('reports all problems in line order', () => {
	const text = ['A)', 'B (radio)', 'C (radio: x → 1, y)', '', 'D (input)', 'E (foo)'].join('\n');
	expect(() => read(text)).toThrow(
		/^Line 1: add an answer type .* The line: “A\)”\. Line 2: add options after radio \(“B \(radio\)”\)\. Line 3: question 1 does not .*\. Line 6: "foo" is not an answer type \(“E \(foo\)”\)\.$/,
	);
});

test.each([
	[6, /Line 6: [^.]+\.$/],
	[7, /Line 6: [^.]+\. And 1 more\.$/],
	[20, /Line 6: [^.]+\. And 14 more\.$/],
])('reports six of %d invalid lines and counts the others', (count, end) => {
	expect(() => read(Array<string>(count).fill('A)'))).toThrow(end);
});

test('accepts questions only as text', () => {
	expect(() => read({ a: 1 })).toThrow('Questions as Text must be text');
	expect(() => read(['A (input)', { a: 1 }])).toThrow('Questions as Text must be text');
	for (const nothing of [undefined, '', '\n \n'])
		expect(() => read(nothing)).toThrow('Add at least one question');
});

describe('generated questions', () => {
	const word = fc
		.oneof(
			fc.string({ minLength: 1 }),
			fc.constantFrom(...'Yes|a, b|(input)|x → 2|*|3|\\|…|layout: x|- a|1. b'.split('|')),
			fc.stringMatching(/^[-→>,;:()*\\.…0-9a ]{1,12}$/),
		)
		.map((text) => text.replace(/[\s\u2028\u2029]+/g, ' ').trim())
		.filter((text) => text !== '');
	// A label of digits could be read as a question number after an arrow, or as a value of a scale.
	const label = word.filter((text) => !/^\d+$/.test(text));
	const number = fc.integer({ min: -1e6, max: 1e6 }).map((whole) => whole / 100 + 0);
	const maybe = <Value,>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
	const upToFour = { minLength: 2, maxLength: 4 };
	/** The targets of an option, as distances from its question: 1 is the next question. */
	const steps = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 });
	const draft = fc.record({
		templateCode: fc.constantFrom(...QUESTION_TYPES),
		title: word,
		required: fc.boolean(),
		desc: maybe(word),
		placeholder: maybe(word),
		layout: maybe(fc.constantFrom('Horizontal', 'Vertical')),
		zeroLabel: maybe(label),
		tenLabel: maybe(label),
		min: maybe(number),
		max: maybe(number.map((above) => above + 20_000)),
		decimal: maybe(fc.nat({ max: 9 })),
		matrixQuestions: fc.uniqueArray(word, upToFour),
		choices: fc.uniqueArray(fc.record({ value: label, steps }), {
			...upToFour,
			selector: ({ value }) => value,
		}),
	});
	type Draft = typeof draft extends fc.Arbitrary<infer Value> ? Value : never;
	type Choice = { value: string; targets: number[] };

	const escaped = (text = ''): string => text.replace(/[^\p{L}\s]/gu, '\\$&');

	function print(question: Draft, choices: Choice[]): string {
		const { templateCode, title, required, desc, placeholder } = question;
		const { layout, zeroLabel, tenLabel, min, max, decimal, matrixQuestions } = question;
		const has = (field: string) => typesWith(field).includes(templateCode);
		const options = choices.map(({ value, targets }) =>
			[escaped(value), targets.join(' + ')].filter((text) => text !== '').join(' → '),
		);
		const parts = [
			has('matrixQuestions') && matrixQuestions.map(escaped).join(', '),
			options.join(', '),
			has('zeroLabel') && `${escaped(zeroLabel)} … ${escaped(tenLabel)}`,
			has('min') && `${min ?? ''} … ${max ?? ''}`,
			has('layout') && layout && `layout: ${layout}`,
			has('decimal') && decimal !== undefined && `decimals: ${decimal}`,
			desc !== undefined && `description: ${escaped(desc)}`,
			placeholder !== undefined && `placeholder: ${escaped(placeholder)}`,
		];
		const inside = `${templateCode}: ${parts.filter(Boolean).join('; ')}`;
		return `${escaped(title)} (${inside})${required ? ' *' : ''}`;
	}

	/** The same questions as text and in the format of the API. */
	const survey = fc.array(draft, { minLength: 1, maxLength: 6 }).map((drafts) => {
		const choicesOf = ({ templateCode, choices }: Draft, index: number): Choice[] =>
			!WITH_OPTIONS.includes(templateCode)
				? []
				: choices.map(({ value, steps: ahead }) => ({
						value,
						targets: ahead.map((step) => index + step + 1).filter((to) => to <= drafts.length),
					}));
		const branches = new Set(drafts.flatMap(choicesOf).flatMap(({ targets }) => targets));
		const idOf = (place: number) => `q${place}`;
		const questions = drafts.map((question, index) => {
			const {
				templateCode,
				title,
				required,
				desc,
				placeholder,
				choices: _,
				...settings
			} = question;
			const own = Object.entries(settings).filter(([name]) =>
				typesWith(name).includes(templateCode),
			);
			const choices = choicesOf(question, index);
			const fork = choices.some(({ targets }) => targets.length > 0) || undefined;
			const branch = branches.has(index + 1) || undefined;
			const options = choices.map(({ value, targets }) => {
				if (!fork) return value;
				return targets.length === 0 ? { value } : { value, branchQuestions: targets.map(idOf) };
			});
			return {
				...{ templateCode, title, required, desc, placeholder, ...Object.fromEntries(own) },
				...(options.length > 0 && { options }),
				...{ fork, branch, questionId: fork || branch ? idOf(index + 1) : undefined },
			};
		});
		const lines = drafts.map((question, index) => print(question, choicesOf(question, index)));
		return { questions, text: lines.join('\n') };
	});

	test('questions are the same after printing and reading', () => {
		fc.assert(
			fc.property(survey, ({ questions, text }) => {
				expect(read(text)).toEqual(questions);
			}),
			{ numRuns: runs(1_000) },
		);
	});

	test('any text is either read or refused with an error for the user', () => {
		const symbols = '( ) : ; , → -> … ... * \\ 4 Q? 1. to + and layout: - \n'.split(' ');
		const phrases = [' ', '- ', '(radio: A → 2)', 'decimals: 2'];
		const snippet = fc.constantFrom(...symbols, ...phrases, ...QUESTION_TYPES);
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
					expect(String(error)).toMatch(/Line \d+: |Question \d+ |Add at least one question/);
					return;
				}
				// A second check of the questions changes nothing.
				expect(checkQuestions(questions, field)).toEqual(questions);
				expect(questions.length).toBeLessThanOrEqual(written.split(/[\n\r\u2028\u2029]/).length);
			}),
			{ numRuns: runs(3_000) },
		);
	});

	test('a long text is read fast', () => {
		const lines = Array.from({ length: 2_000 }, (_, n) => `Question ${n}? (radio: A, B, C) *`);
		expect(read(lines.join('\n'))).toHaveLength(2_000);
		const hard = [
			'('.repeat(50_000),
			'\\'.repeat(50_001),
			`Q (radio: ${'a → 1 + '.repeat(10_000)})`,
			`Q (number: 1${' '.repeat(50_000)}x)`,
			`Q (radio: ${'-'.repeat(50_000)})`,
			`Q (radio: ${'", '.repeat(20_000)})`,
			`Q (radio: ${'"'.repeat(50_001)})`,
			`Q (radio: ,${' '.repeat(50_000)}x)`,
			`Q (radio: ${'1,'.repeat(20_000)} 2)`,
		];
		const started = process.cpuUsage();
		expect(() => read(hard.join('\n'))).toThrow(Refused);
		expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
	});
});
