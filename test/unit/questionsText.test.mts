import fc, { anyCharacter, runs } from '../kit/property.mts';
import type { IDataObject } from 'n8n-workflow';

import { checkQuestions } from '../../nodes/MessagingService/resources/survey/questions/checkQuestions.ts';
import {
	QUESTION_TYPES,
	questionTypes,
	WITH_OPTIONS,
} from '../../nodes/MessagingService/resources/survey/questions/questionTypes.ts';
import { questionsFromText } from '../../nodes/MessagingService/resources/survey/questions/text/parse.ts';
import { tableOf } from '../kit/table.mts';

class Refused extends Error {}

const field = {
	label: 'Questions as Text',
	timezone: 'UTC',
	fail: (message: string, description = '') => new Refused(`${message} | ${description}`),
};

const read = (text: unknown): IDataObject[] =>
	checkQuestions(questionsFromText(text, field), field);

const table = (rows: string) =>
	tableOf(rows).map(([left = '', right = '']): [string, string] => [left, right]);

test.each(
	table(String.raw`
	short text ⇒ "input"
	textarea: ⇒ "textarea"
	 LONG   text  ⇒ "textarea"
	Time ⇒ "time"
	single choice: 1, 007 ⇒ "radio", "options":["1","007"]
	dropdown:A,,B,  ⇒ "dropdown", "options":["A","B"]
	multiselect: A (b), c ⇒ "multiselect", "options":["A (b)","c"]
	multiple choice: 9:00, A/B ⇒ "multiselect", "options":["9:00","A/B"]
	multiselect: A; layout : horizontal ⇒ "multiselect", "options":["A"], "layout":"Horizontal"
	ranking: A, B ⇒ "rank", "options":["A","B"]
	rating: Bad ... Great ⇒ "rating", "zeroLabel":"Bad", "tenLabel":"Great"
	rating: 0 … 10 ⇒ "rating", "zeroLabel":"0", "tenLabel":"10"
	rating: … Great ⇒ "rating", "tenLabel":"Great"
	rating: a \… b … c\...d ⇒ "rating", "zeroLabel":"a … b", "tenLabel":"c...d"
	scale ⇒ "rating"
	rating 0-10 ⇒ "rating"
	text (short) ⇒ "input"
	Text (Long) ⇒ "textarea"
	yes/no ⇒ "radio", "options":["Yes","No"]
	Yes / No: Ja, Nein ⇒ "radio", "options":["Ja","Nein"]
	yes /no; layout: vertical ⇒ "radio", "options":["Yes","No"], "layout":"Vertical"
	radio: "Yes, always", No ⇒ "radio", "options":["Yes, always","No"]
	radio: “Yes; always” , No ⇒ "radio", "options":["Yes; always","No"]
	radio: "a → 2", "b \" c" ⇒ "radio", "options":["a → 2","b \" c"]
	radio: "1,000", "Yes / No", "a|b" ⇒ "radio", "options":["1,000","Yes / No","a|b"]
	radio: 1,2,3 ⇒ "radio", "options":["1","2","3"]
	radio: a,2, b ⇒ "radio", "options":["a","2","b"]
	radio: 1,2345 ⇒ "radio", "options":["1","2345"]
	radio: N/A, 18-25, No ⇒ "radio", "options":["N/A","18-25","No"]
	radio: A, \A; Layout: VERTICAL; placeholder: ⇒ "radio", "options":["A","\\A"], "layout":"Vertical"
	radio: a\, b, c\; d, e \→ f, g\->h, \), \\, Layout\: x ⇒ "radio", "options":["a, b","c; d","e → f","g->h",")","\\","Layout: x"]
	radio: \😀, b\?\*\~ ⇒ "radio", "options":["😀","b?*~"]
	radio: A, B; placeholder: 5" ⇒ "radio", "options":["A","B"], "placeholder":"5\""
	number: -1.5...2 ⇒ "number", "min":-1.5, "max":2
	number: 1-10 ⇒ "number", "min":1, "max":10
	number: -5 to -1 ⇒ "number", "min":-5, "max":-1
	number: +1.25 … ⇒ "number", "min":1.25
	number: … 5 ⇒ "number", "max":5
	number: 1  –  5 ⇒ "number", "min":1, "max":5
	number: 1.0005 … 1234.567 ⇒ "number", "min":1.0005, "max":1234.567
	number; decimals: 0 ⇒ "number", "decimal":0
	input; placeholder: e.g. Ada; description: Your first name ⇒ "input", "placeholder":"e.g. Ada", "desc":"Your first name"
`),
)('reads the type (%s)', (type, expected) => {
	const fields: unknown = JSON.parse(`{ "templateCode": ${expected} }`);
	expect(read(`Q? (${type})`)).toEqual([{ title: 'Q?', required: false, ...Object(fields) }]);
});

test.each(
	table(String.raw`
	Q? ⇒ Q?
	Q?(Text) ⇒ Q?
	•  1. Q? (input) ⇒ Q?
	Q? (input)* ⇒ Q? *
	1. Q? * (input) * ⇒ Q? *
	-1 or +1? (input) ⇒ -1 or +1?
	Q (the first)? (input) ⇒ Q (the first)?
	What about :( and :)? (input) ⇒ What about :( and :)?
	\24. December? (input) ⇒ 24. December?
	24\. December? (input) ⇒ 24. December?
	1.5 hours? (input) ⇒ 1.5 hours?
	2026 goals: met? (input) ⇒ 2026 goals: met?
	C:\temp? (input) ⇒ C:\temp?
	Footnote\* (input) ⇒ Footnote*
	\_\_proto\_\_ (input) ⇒ __proto__
	How was **your** week? ⇒ How was your week?
`),
)('reads the question in %j', (line, written) => {
	const title = written.replace(' *', '');
	expect(read(line)).toEqual([{ templateCode: 'input', title, required: written.endsWith(' *') }]);
});

test.each(questionTypes.filter(({ value }) => [...WITH_OPTIONS, 'rating'].includes(value)))(
	'shows an example in the error for an invalid $value',
	({ value, example }) => {
		const unreadable = WITH_OPTIONS.includes(value) ? `Q? (${value})` : `Q? (${value}: ?)`;
		expect(() => read(unreadable)).toThrow(`: ${example}.`);
	},
);

test('accepts any line break, blank lines, and a list of lines', () => {
	const titles = (text: unknown) => read(text).map(({ title }) => title);
	const lines = 'A (input)\r\n\r\n  \r\nB (input)\rC (input)\u2028D (input)\n';
	expect(titles(lines)).toEqual(['A', 'B', 'C', 'D']);
	expect(titles(['A (input)', '', 'B (input)\nC (input)'])).toEqual(['A', 'B', 'C']);
});

test('reads numbers after an arrow as question numbers, not line numbers, and accepts several', () => {
	const questions = read(
		[
			'Who? (multiselect: A → 2 + 3, B->3, C → q2 and question 4, D)',
			'',
			'Two (rank: X → #4, Y)',
			'Three (input)',
			'Four (matrix: r; x → 5, y)',
			'Five (dropdown: 1, 2)',
		].join('\n'),
	);
	const toIds = (value: string, ...branchQuestions: string[]) =>
		branchQuestions.length > 0 ? { value, branchQuestions } : { value };
	expect(questions).toMatchObject([
		{
			...{ fork: true, questionId: 'q1' },
			options: [toIds('A', 'q2', 'q3'), toIds('B', 'q3'), toIds('C', 'q2', 'q4'), toIds('D')],
		},
		{ fork: true, branch: true, questionId: 'q2', options: [toIds('X', 'q4'), toIds('Y')] },
		{ branch: true, questionId: 'q3' },
		{ fork: true, branch: true, questionId: 'q4', options: [toIds('x', 'q5'), toIds('y')] },
		{ branch: true, questionId: 'q5', options: ['1', '2'] },
	]);
	for (const place of [0, 4])
		expect(questions[place]?.[place === 0 ? 'branch' : 'fork']).toBeUndefined();
});

/** What is read, as the same questions in the documented form. */
test.each<[string, string]>([
	...['\v', '\f', '\u0085', '\u2028', '\u2029', '<br>', '<br/>\n', '</p><p class="x">', '\\n'].map(
		(between): [string, string] => [`A? (text)${between}B? (text)`, 'A? (text)\nB? (text)'],
	),
	...['1.A?', '1\tA?', '1) A?', '１．A?', 'a) A?', '☐ A?', '+ A?', '– A?', '* A?', '\u200eA?'].map(
		(line): [string, string] => [`${line} (text)\u200b`, 'A? (text)'],
	),
	...['„“', '„”', '””', '«»', '»«', '‹›', '‘’', '‚‘', "''", '「」', '『』'].map(
		([open, close]): [string, string] => [
			`A? (radio: ${open}Yes, (always)${close}, Don’t know)`,
			'A? (radio: "Yes, (always)", Don’t know)',
		],
	),
	...'→ -> => ⇒ ➔ —> –> --> ==> ➜ ⟶ ⟹ \uf0e0 ➡️'
		.split(' ')
		.map((arrow): [string, string] => [
			`A? (radio: x, "y ${arrow} z" ${arrow} 2)\nB?`,
			'A? (radio: x, "y ' + arrow + ' z" → 2)\nB?',
		]),
	...['A？', 'A؟', 'Τι;', 'A?!?', 'A? *', 'A? 😊', '“A?”', '(A?)', 'A? 👍🏽'].map(
		(line): [string, string] => [
			line,
			`${line.replace(' *', '')} (text)${line.includes('*') ? ' *' : ''}`,
		],
	),
	...table(String.raw`
		A? (radio: \"Yes, always\", No)\r\nB? (text) ⇒ A? (radio: "Yes, always", No)⏎B? (text)
		<p>R&amp;D &#8211; ok? (radio: a, c&nbsp;d)</p> ⇒ R&D – ok? (radio: a, c d)
		**A?** *(radio: Yes, No)* ⇒ A? (radio: Yes, No)
		**A?** (radio: **Yes**, _No way_) ⇒ A? (radio: Yes, No way)
		**A? (radio: Yes, No)** ⇒ A? (radio: Yes, No)
		### 1. **A?** ${'`(rating)`'} * ⇒ A? (rating) *
		**1.** A? (text) ⇒ A? (text)
		**1. A?*** (text) ⇒ A? (text) *
		A (required) (text) ⇒ A (text) *
		A (text) (Pflichtfeld) ⇒ A (text) *
		A? (optional) ⇒ A? (text)
		A (all of it) (text) * ⇒ A (all of it) (text) *
		A? 【radio：Yes，No、Maybe】 ⇒ A? (radio: Yes, No, Maybe)
		A （b）？（matrix：r，s；x，y） ⇒ A （b）？ (matrix: r, s; x, y)
		هل؟ (radio: نعم، لا ← 2)⏎لماذا؟ ⇒ هل؟ (radio: نعم, لا → 2)⏎لماذا؟ (text)
		A? (radio: ‘Don’t know, yes’, No) ⇒ A? (radio: "Don’t know, yes", No)
		A? (radio: ":)", ":(") ⇒ A? (radio: \:\), \:\()
		A? (textarea; placeholder: "a; b") ⇒ A? (textarea; placeholder: a\; b)
		A? (rating: "Bad" … "Great") ⇒ A? (rating: Bad … Great)
		A? (radio: 1-5) ⇒ A? (radio: 1, 2, 3, 4, 5)
		A? (radio: 1-100) ⇒ A? (radio: ${Array.from({ length: 100 }, (_, index) => index + 1).join(', ')})
		A? (matrix: Pay, Tools; 0–3) ⇒ A? (matrix: Pay, Tools; 0, 1, 2, 3)
		A? (radio: 2020 to 2022) ⇒ A? (radio: 2020, 2021, 2022)
		A? (radio: 18-25, 26-35, 36+) ⇒ A? (radio: "18-25", "26-35", "36+")
		Old → new office: how is it? (text) ⇒ Old \→ new office: how is it? (text)
		A? (radio)⏎- x, y⏎- z → 2⏎B? ⇒ A? (radio: "x, y", z → 2)⏎B?
		1. A? (rank) *⏎  1. “x”⏎  2. y⏎2. B? ⇒ A? (rank: x, y) *⏎B?
		- A? (radio)⏎  - x⏎  - y⏎- B? (text) ⇒ A? (radio: x, y)⏎B?
		A? (multiselect)⏎☐ x (6:00, all)⏎⏎☐ y ⇒ A? (multiselect: "x (6:00, all)", y)
		A? (radio: 1 → 2, 2, 3)⏎B? ⇒ A? (radio: "1" → 2, "2", "3")⏎B?
		A? (radio: None, 3, Many → 2)⏎B? ⇒ A? (radio: None, "3", Many → 2)⏎B?
		A? (radio: Last → 2, 3rd, No 3)⏎B? ⇒ A? (radio: Last → 2, "3rd", "No 3")⏎B?
		A? (radio: x → 2+2, y → #2)⏎B? ⇒ A? (radio: x → 2, y → 2)⏎B?
		A? (dropdown: Berlin (HQ, 3rd floor), 0, 1-3, Kolleg*innen) ⇒ A? (dropdown: "Berlin (HQ, 3rd floor)", 0, "1-3", "Kolleg*innen")
		A? (radio: 1-5, 6-10, 11 Tage, 1 to 3 years, 10 m²) ⇒ A? (radio: "1-5", "6-10", "11 Tage", "1 to 3 years", "10 m²")
		1.) 3 Tage: ok? (text)⏎2.) B? (text) ⇒ \3 Tage: ok? (text)⏎B? (text)
		١. A? (text)⏎b.) B? (text) ⇒ A? (text)⏎B? (text)
	`),
	['A? (radio: a\tb)', 'A? (radio: a, b)'],
	['A\u200cB 👩‍💻? (text)', 'A\u200cB 👩‍💻? (text)'],
])('reads %j as %j', (pasted, documented) => {
	expect(read(pasted)).toEqual(read(documented));
});

/** What is asked about: the last line of the text, and what the error says. NO_TYPE is the commonest. */
const NO_TYPE = 'add an answer type in brackets, for example (input)';
test.each(
	table(String.raw`
	Q [radio: Yes, No] ⇒ NO_TYPE
	Q? (radio: a), b) ⇒ NO_TYPE | A bracket is
	Q? (input ⇒ NO_TYPE | The types are date,
	Q? (input\) ⇒ NO_TYPE | A bracket is
	Q? ( (input) ⇒ NO_TYPE
	Q? (input) please ⇒ NO_TYPE
	Here are the questions: ⇒ NO_TYPE
	Best regards ⇒ NO_TYPE
	## How are you? ⇒ NO_TYPE
	${'```'} ⇒ NO_TYPE
	| How was it? | rating | ⇒ NO_TYPE
	> Anna 10:42 ⇒ NO_TYPE
	A? (text) → 1 ⇒ NO_TYPE
	A? ☐ Yes ☐ No ⇒ NO_TYPE
	A? – rating ⇒ NO_TYPE
	A? (rating) ** ⇒ NO_TYPE
	A (raido: x, y?) ⇒ "raido" is not an answer type
	A?⏎- x ⇒ NO_TYPE
	A? (radio: x, y)⏎- z ⇒ NO_TYPE
	A? (yes/no)⏎- x⏎- y ⇒ NO_TYPE
	A? (radio)⏎- x⏎* y ⇒ NO_TYPE
	A? (radio)⏎x ⇒ NO_TYPE
	- A? (radio)⏎- x ⇒ NO_TYPE
	A? (radio)⏎2. x ⇒ is this an option or a question?
	A? (radio)⏎- x⏎- Why? ⇒ is this an option or a question?
	A? (radio)⏎- x⏎- B? (text) ⇒ is this an option or a question?
	A? (radio)⏎- x⏎- Other team (text) ⇒ is this an option or a question?
	A? (radio)⏎- x⏎- Optional ⇒ is this an option or a question?
	A? (radio)⏎- x⏎- y | z ⇒ leftover formatting
	A? (radio)⏎- x⏎- y, ⇒ leftover list marker
	Q? () ⇒ add an answer type in the brackets
	* (input) ⇒ add the question before the brackets | For example: What is your name? (input).
	9. Q? (input) ⇒ numbered 9, but this is question 2 | Correct the number or remove it: arrows count questions from 1. If the number is part of the question, write \9.
	Q? (slider) ⇒ "slider" is not an answer type | Use one of date, dropdown, email,
	Q? (rating 1-5) ⇒ "rating 1-5" is not an answer type
	Q? (my rating 0-10) ⇒ "my rating 0-10" is not an answer type
	Q? (input: Tell us) ⇒ "Tell us" is not a setting | Write only settings after a semicolon: description, placeholder, layout, decimals.
	Q? (radio: A, B; C) ⇒ "C" is not a setting
	Q? (matrix: A; B, D; C) ⇒ "C" is not a setting
	Q? (multiselect: , ,) ⇒ add options after multiselect
	Q? (rank; description: x) ⇒ add options after rank
	Q? (radio: Yes) ⇒ "Yes" is the only option
	Q? (rank: "Yes, always") ⇒ "Yes, always" is the only option
	Q? (matrix: r; x) ⇒ "x" is the only option
	Q? (radio: 5-1) ⇒ "5-1" is the only option
	Q? (radio: 1-101) ⇒ "1-101" is the only option
	Q? (radio: 01-05) ⇒ "01-05" is the only option
	Q? (matrix: A, B) ⇒ add rows, one semicolon, then options after matrix
	Q? (matrix: ,; A) ⇒ add rows, one semicolon, then options after matrix
	Q? (matrix: A; ,) ⇒ add rows, one semicolon, then options after matrix
	Q? (rating: Bad, Great) ⇒ "Bad, Great" is not a pair of labels
	Q? (rating: Bad … OK … Great) ⇒ "Bad … OK … Great" is not a pair of labels
	Q? (rating: 1 … 5) ⇒ a rating goes from 0 to 10
	Q? (rating: … 5) ⇒ a rating goes from 0 to 10
	Q? (rating: 1-5) ⇒ a rating goes from 0 to 10
	Q? (rating: 1 = Bad … 5 = Great) ⇒ leftover formatting
	Q? (rating: Bad (1) … Great (5)) ⇒ a rating goes from 0 to 10
	Q? (rating: ١ … ٥) ⇒ a rating goes from 0 to 10
	Del 1 al 5, how was it? (rating) ⇒ a rating goes from 0 to 10
	Q? (number: 5) ⇒ "5" is not a range
	Q? (number: 1. … 2) ⇒ "1. … 2" is not a range
	Q? (number: -5) ⇒ "-5" is not a range
	Q? (number: 1,5 … 2) ⇒ "1,5 … 2" is not a range
	Q? (number: -12.000 … 5) ⇒ "-12.000 … 5" is not a range | Write (number: 0 … 1000), 1000 for a thousand
	Q? (radio: A; see desc: x) ⇒ "see desc: x" is not a setting
	Q? (rating; decimals: 1) ⇒ the setting "decimals" is only for number
	Q? (rank: A; layout: vertical) ⇒ the setting "layout" is only for
	Q? (input; description: a; Description: b) ⇒ the setting "Description" appears twice
	Q? (radio: Yes / No) ⇒ "Yes / No" may be several options
	Q? (dropdown: Yes | No) ⇒ "Yes | No" may be several options
	Q? (matrix: Pay | Tools; Bad, Good) ⇒ "Pay | Tools" may be several options
	Q? (radio: Yes – No – Maybe) ⇒ may be several options
	Q? (radio: Yes or No) ⇒ may be several options
	Q? (multiselect: a • b) ⇒ may be several options
	Q? (multiselect: a - b) ⇒ may be several options
	Q? (radio: 1-5, N/A) ⇒ "1-5" may be several options
	Q? (radio: N/A, 0-10) ⇒ "0-10" may be several options
	Q? (radio: a (b (c), d), e) ⇒ may be several options
	Q? (radio: 1, 2, ..., 10) ⇒ leftover word between options
	Q? (radio: Yes, No, description: x) ⇒ a setting must follow a semicolon
	Q? (rating: Bad … Great, layout: x) ⇒ a setting must follow a semicolon
	Q? (radio: Yes, No, required) ⇒ a setting must follow a semicolon
	2. Klasse ok? (text) ⇒ all questions need a number, or none | Correct
	Frage 1: How? (text) ⇒ leftover question marker: “Frage 1:”
	Q? (radio: bad … good) ⇒ may be several options
	Q? (radio: 5,1,000,7) ⇒ a comma in "5,1,000,7" could be part of a number
	Q? (radio: 0,5, 1,5) ⇒ a comma in "0,5, 1,5" could be part of a number
	Q? (radio: N/A,1,5) ⇒ a comma in "N/A,1,5" could be part of a number
	Q? (radio: "Yes, always, No) ⇒ a quote is not around
	Q? (radio: "Yes, always" or so, No) ⇒ a quote is not around
	Q? (radio: My „own, No) ⇒ a quote is not around
	Q? (radio: 5", 7") ⇒ a quote is not around
	Q? (rating: “Bad … Great) ⇒ a quote is not around
	Q? (radio: A, → 2) ⇒ add an option before the arrow
	Q? (radio: A → end) ⇒ "end" after the arrow of "A" is not a question number
	Q? (radio: A → 2 → 3) ⇒ "2 → 3" after the arrow of "A"
	Q? (radio: A → 2 2) ⇒ "2 2" after the arrow of "A"
	Q? (radio: A →) ⇒ "" after the arrow of "A"
	Q? (radio: A → 0, B) ⇒ there is no question 0
	Q? (radio: A → 3, B) ⇒ there is no question 3
	Q? (radio: A → 2, B) ⇒ question 2 does not come after this one
	Q? (radio: Yes, No → 2, 3) ⇒ "3" after an arrow could be an option or a question
	Q? (radio: 1st → 2, q3) ⇒ "q3" after an arrow could be an option or a question
	A? → 1 (text) ⇒ an arrow to a question is allowed only after an option
	A? (text; description: x -> 1) ⇒ an arrow to a question is allowed only after an option
	A? (rating: Bad … Great → 1) ⇒ an arrow to a question is allowed only after an option
	A? (radio: x, y ← 1) ⇒ an arrow to a question is allowed only after an option
	A? (radio: x, y (go to 2)) ⇒ leftover arrow in words
	A? (radio: Yes, No #1) ⇒ leftover arrow in words
	If no: why? (text) ⇒ is this question only for some people?
	Wenn nein, warum? ⇒ is this question only for some people?
	Laptop (Ja / Nein)? ⇒ write the type and its options in brackets
	A? (if no) (text) ⇒ is this question only for some people?
	A? (rating); B? (textarea) ⇒ two questions in one line?
	A? （rating：a … b） B? (text) ⇒ two questions in one line?
	[Rating] How was it? ⇒ two questions in one line?
	> How was it? (rating) ⇒ leftover formatting
	A? ☐ Yes ☐ No (radio: Yes, No) ⇒ leftover formatting
	Name: ______ (text) ⇒ leftover formatting
	Your   team? (text) ⇒ leftover formatting: a tab or several blanks
	How was **your week? (text) ⇒ leftover formatting
	How was [it](https://example.com)? (text) ⇒ leftover formatting
	<b>A?</b> (text) ⇒ leftover formatting
	A &uuml;? (text) ⇒ leftover formatting
	A?   B (text) ⇒ leftover formatting
	A? (radio: [Yes, No]) ⇒ leftover formatting
	A? (radio: Yes, No > 2) ⇒ leftover formatting
	A? 1 2 3 4 5 (rating) ⇒ leftover scale
	Rating: how was it? ⇒ the type belongs into
	Q: How was it? (text) ⇒ the type belongs into
	A? (radio: A. Yes, B. No) ⇒ leftover list marker
	A. How? (text) ⇒ leftover list marker
	3.1.How? (text) ⇒ leftover list marker
	1 How was it? (text) ⇒ leftover question marker
	①A? (text) ⇒ leftover list marker
	10:42 Anna: How was it? ⇒ leftover chat time
	*How was it? (rating) ⇒ leftover formatting
	Q1: How was it? (text) ⇒ leftover question marker
	(1) How was it? (text) ⇒ leftover question marker
	How was it? – (radio: x, y) ⇒ leftover question marker
	(Required) Name (text) ⇒ a question is required only by its end
	A? (required) (text) (optional) ⇒ either required or optional
	A? (radio: Yes, No, or Maybe) ⇒ leftover word between options
	A? (radio; options: Yes, No) ⇒ leftover list name
	A? (matrix: rows: r, s; x, y) ⇒ leftover list name
`),
)('asks about %j: %s', (text, expected) => {
	const message = expected.replace('NO_TYPE', NO_TYPE);
	const line = text.split('\n').length + 2;
	const asked = () => read(`First? (text)\n\n${text}`);
	expect(asked).toThrow(Refused);
	expect(asked).toThrow(message);
	expect(asked).toThrow(`Line ${line}: `);
	// A line is reported once.
	expect(asked).not.toThrow(new RegExp(`Line ${line}: .*Line ${line}: `));
});

test.each([
	['Q? (radio: A, B, A)', 'has the option "A" twice'],
	['Q? (number: 9 … 1)', 'has a min (9) above its max (1)'],
	['Q? (number; decimals: many)', ': Decimal must be a number: it is "many"'],
	['Q? (radio: A, B; layout: diagonal)', ': Layout must be Horizontal or Vertical'],
])('leaves %j to the check of the questions', (text, message) => {
	const asked = () => read(`First (input)\n\n${text}`);
	expect(asked).toThrow('Question 2');
	expect(asked).toThrow(message);
});

test('reports one problem of each line, in line order, and none that another may cause', () => {
	const text = 'A (rank: x → 1, y → 2)\nIf no: B?\nC (radio)\n\nIf no: D?\nE (foo)';
	expect(() => read(text)).toThrow(
		/^Line 1: question 1 does not .* The line: “A \(rank: x → 1, y → 2\)”\. Line 3: add options after radio \(“C \(radio\)”\)\. Line 6: "foo" is not an answer type \(“E \(foo\)”\)\.$/,
	);
	// All have a number, and one is wrong.
	const numbered = '1. A? (text)\n3. B? (text)';
	expect(() => read(numbered)).toThrow('Line 2: numbered 3, but this is question 2');
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
