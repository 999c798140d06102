import type { IDataObject } from 'n8n-workflow';

import { randomNumbers } from './randomSurvey.mts';

/** A question as its author means it. */
type Meant = {
	/** The question in the format of the API. */
	question: IDataObject;
	type: string;
	title: string;
	options: string[];
	/** The number of the question that the last option leads to. */
	leadsTo?: number;
};

/** A survey as somebody pastes it. */
export type Paste = {
	text: string;
	/** The questions in the format of the API. */
	meant: IDataObject[];
	/** Whether every habit of the author is one that docs/questions-as-text.md promises to read. */
	isPromised: boolean;
	/** The numbers of the lines that do not have the documented form. An error may name only these. */
	unusual: Set<number>;
};

const TITLES =
	'How was your week?|Did you get a laptop|What is missing?|Wie zufrieden bist du?|Qu’en pensez-vous ?|¿Cómo fue tu semana?|هل أنت راضٍ؟|今週はどうでしたか？|Your team|Old → new office: how is it?|How do you rate R&D (all of it)?|Any comments (good or bad)?|Was it worth 5 % more?|Kommst du zum Fest am 3. Mai?|Hoe gaat het?|What about “home office”?|Is it 10:30 or later?|Rate C++ and C#|Do you feel “safe, seen, heard”?|Как прошла неделя?|E-mail or chat?'.split(
		'|',
	);
const OPTIONS =
	'Yes|No|Maybe|Don’t know|N/A|Sales|R&D|18-25|Very good|Ja|Nein|Trifft zu|Plutôt oui|はい|いいえ|نعم|לא|Head office (Oslo)|C++|100 %|Yes, always|Nein, nie|Oui, toujours|36+|9:00'.split(
		'|',
	);
const ENDS: Array<[string, string]> = [
	['Bad', 'Great'],
	['Gar nicht', 'Sehr'],
	['とても悪い', 'とても良い'],
	['Not at all', 'Very much'],
];
/** The quotes of English, German, Swedish, French, Danish, Swiss, British and Japanese. */
const QUOTES = '“” „“ ”” «» »« ‹› ‘’ ‚‘ 「」 "" \'\''.split(' ');
const ARROWS = '→ -> => ⇒ ➔ ⟹ \uf0e0 --> ➡️'.split(' ');
const BREAKS: Array<[string, string]> = [
	...['\\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '<br>', '<br />', '\r\n', '\n\n'].map(
		(between): [string, string] => [between, ''],
	),
	['</p><p>', '<p>'],
];
const ITEM_MARKS = ['- ', '• ', '☐ ', '* ', '[ ] ', '○ ', 'a) ', '1. '];

/** Lines around a survey that are no questions. */
const STRAY =
	'Here are the questions:|Sure! Here is your survey:|Hi Anna,|Employee pulse survey|Best regards|Anna Berg|Let me know if you want changes!|Thanks 😊|-- |## About you|Part 2|**Section A**|Mark only one oval.|1. About you|Seite 1 von 2|* Required|---|***|```|```text|=====|> Anna 10:42|[10:42] Anna:'.split(
		'|',
	);

/** Forms of a question that other tools use. */
const FOREIGN = [
	...[' / ', ' – ', ' or ', ' | ', ' · ', ' … ', ' - ', '; '].map(
		(between) => `‹title› (radio: ‹a›${between}‹b›)`,
	),
	...`‹title› ☐ ‹a› ☐ ‹b›
‹title› ☐ ‹a› ☐ ‹b› (radio)
‹title› (radio: A. ‹a›, B. ‹b›)
‹title› (radio: ‹a›, ‹b› (go to 2))
‹title› (radio: ‹a›, ‹b› - skip to question 2)
‹title› (radio: ‹a›, or ‹b›)
‹title› (radio: [‹a›, ‹b›])
‹title› (radio: “‹a›, ‹b›)
‹title› (radio: «‹a›, ‹b›)
‹title› (radio: ‘‹a›, ‹b›)
‹title› (rating: 1 = Bad … 5 = Great)
‹title› (rating: Bad (1) … Great (5))
‹title› (rating: 1 Bad … 7 Great)
‹title› (rating: Bad = 1 … Great = 5)
‹title› (rating: 1-5)
‹title› (rating: Bad … Great → 2)
‹title› (text) → 2
‹title› → 2 (text)
‹title› (textarea; placeholder: → 2)
‹title›\tradio\tYes, No
‹title›,rating
"‹title›","rating","Bad"
Rating\t‹title›
‹title›\t(radio: Yes, No)\tx
‹title› – rating
Rating: ‹title›
‹title› [rating]
‹title›: rating
‹title› ______
Name: ______ (text)
‹title› 1 2 3 4 5
‹title› 1 2 3 4 5 (rating)
<b>‹title›</b> (rating)
‹title› &uuml; (text)
If no: why? (text)
Wenn nein: warum?
(If no) Why? (text)
Si non, pourquoi ?
How was **your* week? (rating)`.split('\n'),
];

/** Four ways of language models to write a survey. */
const MODELS: Array<(meant: Meant[]) => string[]> = [
	(meant) =>
		meant.flatMap(({ title, type, options }, index) => [
			`${index + 1}. **${title}**`,
			`   - Type: ${type}`,
			`   - Options: ${options.join(', ')}`,
		]),
	(meant) => [
		'| # | Question | Type | Options |',
		'|---|---|---|---|',
		...meant.map(
			({ title, type, options }) => `| 1 | ${title} | ${type} | ${options.join(', ')} |`,
		),
	],
	(meant) => ['```json', ...JSON.stringify(meant, null, 2).split('\n'), '```'],
	(meant) => meant.map(({ title, options }) => `1. ${title} Please choose: ${options.join(', ')}.`),
];

/** Returns a random survey, written with a random mix of habits. */
export function pastedSurvey(seed: number): Paste {
	const random = randomNumbers(seed);
	const below = (limit: number): number => Math.floor(random() * limit);
	const chance = (share: number): boolean => random() < share;
	const pick = <Value,>(list: readonly Value[]): Value =>
		list[below(list.length)] ?? (list[0] as Value);
	const some = (list: string[], count: number): string[] => {
		const left = [...list];
		return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0] ?? '');
	};

	const titles = some(TITLES, 2 + below(4));
	const meant = titles.map((title, place): Meant => {
		const type = pick(
			'text textarea radio radio dropdown multiselect rank matrix rating date number'.split(' '),
		);
		const hasOptions = 'radio dropdown multiselect rank matrix'.includes(type);
		const options = hasOptions ? some(OPTIONS, 2 + below(3)) : [];
		const isFork = type === 'radio' && place < titles.length - 1 && chance(0.4);
		const [zeroLabel, tenLabel] = pick(ENDS);
		const question = {
			...{ templateCode: type === 'text' ? 'input' : type, title, required: chance(0.3) },
			...(hasOptions && { options }),
			...(type === 'matrix' && { matrixQuestions: some(['Pay', 'Tools', 'Team'], 2) }),
			...(type === 'rating' && chance(0.7) && { zeroLabel, tenLabel }),
		};
		const leadsTo = isFork ? place + 2 + below(titles.length - place - 1) : undefined;
		return { question, type, title, options, leadsTo };
	});
	for (const [index, { question, options, leadsTo }] of meant.entries()) {
		if (leadsTo === undefined) continue;
		const leading = { value: options.at(-1), branchQuestions: [`q${leadsTo}`] };
		const all = [...options.slice(0, -1).map((value) => ({ value })), leading];
		Object.assign(question, { fork: true, questionId: `q${index + 1}`, options: all });
		Object.assign(meant[leadsTo - 1]?.question ?? {}, { branch: true, questionId: `q${leadsTo}` });
	}

	// Habits of the whole text: authors are consistent.
	const isNumbered =
		chance(0.3) && pick(['1. ', '1) ', '1.', '1\t', '**1.** ', '- ', '• ', '### ', '* ']);
	const bold = chance(0.3) ? pick(['**', '__', '*', '`']) : '';
	const requiredBy = pick([' *', ' *', ' (required)', '(required) before', '(optional)']);
	const isWide = chance(0.1);
	const comma = chance(0.2) ? pick(['،', '、', '，', '\t']) : ', ';
	const isBelow = chance(0.2) && pick(ITEM_MARKS);
	const isPlain =
		!isNumbered && !bold && comma === ', ' && !isBelow && !isWide && requiredBy === ' *';

	const written = (option: string, leadsTo?: number): string => {
		const [open = '', close = ''] = /[,，、]/.test(option) ? pick(QUOTES) : '';
		const isRightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(option);
		const arrow = isRightToLeft && chance(0.5) ? '←' : pick(ARROWS);
		return open + option + close + (leadsTo === undefined ? '' : ` ${arrow} ${leadsTo}`);
	};
	const write = ({ question, type, title, options, leadsTo }: Meant, place: number): string[] => {
		const { required, matrixQuestions: rows, zeroLabel, tenLabel } = question;
		const items = options.map((option, index) =>
			written(option, index === options.length - 1 ? leadsTo : undefined),
		);
		const isOpen = isBelow && items.length > 0 && !rows;
		const details = [
			...(Array.isArray(rows) ? [rows.join(comma)] : []),
			...(zeroLabel === undefined ? [] : [`${String(zeroLabel)} … ${String(tenLabel)}`]),
			...(items.length > 0 && !isOpen ? [items.join(comma)] : []),
		].join(isWide ? '；' : '; ');
		let inside = details === '' ? type : `${type}${isWide ? '：' : ': '}${details}`;
		inside = isWide ? `（${inside}）` : `(${inside})`;
		if (bold && chance(0.3)) inside = `*${inside}*`;
		let head = bold + title + bold;
		if (isNumbered) head = isNumbered.replace('1', String(place + 1)) + head;
		const isBefore = requiredBy.endsWith('before');
		if (required === true && isBefore) head += ' (required)';
		let line = `${head} ${inside}`;
		if (required === true && !isBefore) line += requiredBy === '(optional)' ? ' *' : requiredBy;
		if (required !== true && requiredBy === '(optional)') line += ' (optional)';
		if (chance(0.1)) line += pick(['\u200f', '\u200b', '\u200e', '\u00a0', '\ufeff']);
		const mark = (index: number): string =>
			String(isBelow)
				.replace('1', String(index + 1))
				.replace('a', String('abcdef'[index]));
		return [line, ...(isOpen ? items.map((item, index) => `   ${mark(index)}${item}`) : [])];
	};
	let lines = meant.flatMap((question, place) =>
		write(question, place).map((text) => ({ text, asked: meant[place] })),
	);

	// Slips and foreign forms: each changes a line, or adds one.
	let isPromised = true;
	const touched = new Set<object>(isPlain ? [] : lines);
	const at = below(lines.length);
	const target = lines[at] ?? { text: '', asked: undefined };
	const { title = '', options = [], question } = target.asked ?? {};
	const replace = (text: string): void => {
		target.text = text;
		touched.add(target);
	};
	const insert = (place: number, text: string): void => {
		const added = { text, asked: undefined };
		lines.splice(place, 0, added);
		touched.add(added);
	};
	const isChoice = options.length > 0 && !options.some((option) => option.includes(','));
	const foreign = FOREIGN.filter((form) => isChoice || !form.includes('‹a›')).filter(
		(form) => question?.branch !== true || !/^\(?(?:If|Wenn|Si) /.test(form),
	);
	const slips: Array<() => void> = [
		() => insert(pick([0, at, lines.length]), pick(STRAY)),
		// Two questions in a line. Without the joined question, an arrow may lead nowhere.
		() => {
			const [next] = lines.splice(at + 1, 1);
			if (next)
				replace(target.text + pick(['; ', ' | ', ' ', ' / ', '. ', ' – ', ', ']) + next.text);
			for (const line of lines) if (line.asked?.leadsTo !== undefined) touched.add(line);
		},
		// A line that is wrapped.
		() => {
			const words = target.text.split(' ');
			const cut = 1 + below(Math.max(1, words.length - 1));
			replace(words.slice(0, cut).join(' '));
			insert(at + 1, words.slice(cut).join(' ') || 'and why');
		},
		...Array.from({ length: 5 }, () => () => {
			const [first = '', second = ''] = options;
			const form = pick(foreign).replace('‹title›', title);
			replace(form.replace('‹a›', first).replace('‹b›', second));
		}),
		// Options without marks.
		() => options.slice(2).forEach((option) => insert(at + 1, option)),
		() => {
			lines = pick(MODELS)(meant).map((text) => ({ text, asked: undefined }));
			for (const line of lines) touched.add(line);
		},
	];
	if (chance(0.6)) {
		isPromised = false;
		pick(slips)();
	}

	const [between, start] = chance(0.3) ? pick(BREAKS) : ['\n', ''];
	const unusual = new Set<number>();
	for (const [index, line] of lines.entries()) {
		const number = between === '\n\n' ? index * 2 + 1 : index + 1;
		if (touched.has(line) || line.text.includes('\u200f')) unusual.add(number);
	}
	const text = start + lines.map((line) => line.text).join(between) + start.replace('<', '</');
	return { text, meant: meant.map((one) => one.question), isPromised, unusual };
}
