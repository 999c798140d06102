import { randomNumbers } from './randomSurvey.mts';

/** A question as its author means it. */
export type Meant = {
	type: string;
	title: string;
	required: boolean;
	options?: string[];
	rows?: string[];
	/** The labels of a rating. */
	ends?: [string, string];
	/** An option, and the place of the question that it leads to, counted from 0. */
	leads?: { option: string; to: number };
};

/** A survey as somebody pastes it. */
export type Paste = {
	text: string;
	meant: Meant[];
	/** Whether every habit of the author is one that docs/questions-as-text.md promises to read. */
	isPromised: boolean;
	/** The numbers of the lines that do not have the documented form. An error may name only these. */
	unusual: Set<number>;
	/** What the author did, for the message of a failure. */
	habits: string[];
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
		(between): [string, string] => [between, between],
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
How was **your** week? (rating)`.split('\n'),
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
	const habits: string[] = [];
	const unusual = new Set<number>();
	let isPromised = true;

	const titles = some(TITLES, 2 + below(4));
	const meant = titles.map((title, place): Meant => {
		const type = pick(
			'text textarea radio radio dropdown multiselect rank matrix rating date number'.split(' '),
		);
		const hasOptions = 'radio dropdown multiselect rank matrix'.includes(type);
		const options = hasOptions ? some(OPTIONS, 2 + below(3)) : undefined;
		const isFork = type === 'radio' && place < titles.length - 1 && chance(0.4);
		return {
			...{ type, title, required: chance(0.3) },
			...(options && { options }),
			...(type === 'matrix' && { rows: some(['Pay', 'Tools', 'Team'], 2) }),
			...(type === 'rating' && chance(0.7) && { ends: pick(ENDS) }),
			...(isFork && {
				leads: { option: options?.at(-1) ?? '', to: place + 1 + below(titles.length - place - 1) },
			}),
		};
	});

	// Habits of the whole text: authors are consistent.
	const isNumbered =
		chance(0.3) && pick(['1. ', '1) ', '1.', '1\t', '**1.** ', '- ', '• ', '### ', '* ']);
	const bold = chance(0.3) && pick(['**', '__', '*', '`']);
	const requiredBy = pick(['*', '*', '(required)', '(required) before', '(optional)']);
	const isWide = chance(0.1);
	const comma = chance(0.2) ? pick(['،', '、', '，', '\t']) : ', ';
	const isBelow = chance(0.2) && pick(ITEM_MARKS);

	const quoted = (option: string): string => {
		if (!/[,，、]/.test(option)) return option;
		const [open = '', close = ''] = pick(QUOTES);
		return open + option + close;
	};
	const write = (question: Meant, place: number): string[] => {
		const { type, title, required, options, rows, ends, leads } = question;
		const written = (options ?? []).map((option) => {
			const isRightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(option);
			const arrow = isRightToLeft && chance(0.5) ? '←' : pick(ARROWS);
			return quoted(option) + (leads?.option === option ? ` ${arrow} ${leads.to + 1}` : '');
		});
		const list = written.join(comma);
		const details = rows
			? `${rows.join(comma)}${isWide ? '；' : '; '}${list}`
			: (ends?.join(' … ') ?? list);
		const isOpen = isBelow && options && !rows && !written.some((option) => option.includes('\t'));
		let inside = details === '' || isOpen ? type : `${type}${isWide ? '：' : ': '}${details}`;
		inside = isWide ? `（${inside}）` : `(${inside})`;
		if (bold && chance(0.3)) inside = `*${inside}*`;
		let head = bold ? bold + title + bold : title;
		if (isNumbered) head = isNumbered.replace('1', String(place + 1)) + head;
		const before = requiredBy.endsWith('before');
		if (required) head += before ? ' (required)' : '';
		let line = `${head} ${inside}`;
		if (required && !before) line += requiredBy === '(required)' ? ' (required)' : ' *';
		if (!required && requiredBy === '(optional)') line += ' (optional)';
		if (chance(0.1)) line += pick(['\u200f', '\u200b', '\u200e', '\u00a0', '\ufeff']);
		const marks = (index: number): string =>
			isBelow === 'a) '
				? `${'abcdef'[index]}) `
				: isBelow === '1. '
					? `${index + 1}. `
					: String(isBelow);
		return [line, ...(isOpen ? written.map((option, index) => `   ${marks(index)}${option}`) : [])];
	};
	let lines = meant.flatMap((question, place) =>
		write(question, place).map((text) => ({ text, question: place })),
	);
	const isPlain =
		!isNumbered && !bold && comma === ', ' && !isBelow && !isWide && requiredBy === '*';
	for (const [habit, is] of Object.entries({
		isNumbered,
		bold,
		requiredBy,
		isWide,
		comma,
		isBelow,
	})) {
		habits.push(`${habit}: ${String(is)}`);
	}

	// Slips and foreign forms: each changes a line, or adds one.
	const touched = new Set<object>(isPlain ? [] : lines);
	const slip = (name: string, change: () => void): void => {
		habits.push(name);
		isPromised = false;
		change();
	};
	const at = below(lines.length);
	const target = lines[at] ?? { text: '', question: 0 };
	const asked = meant[target.question];
	const replace = (text: string): void => {
		target.text = text;
		touched.add(target);
	};
	const insert = (place: number, text: string): void => {
		const added = { text, question: -1 };
		lines.splice(place, 0, added);
		touched.add(added);
	};
	const join = (between: string): void => {
		const [next] = lines.splice(at + 1, 1);
		if (next) replace(target.text + between + next.text);
		// Without the joined question, an arrow may lead nowhere.
		for (const line of lines) if (meant[line.question]?.leads) touched.add(line);
	};
	const [first = '', second = '', ...others] = asked?.options ?? [];
	const isChoice = second !== '' && !asked?.options?.some((option) => option.includes(','));
	const isLedTo = meant.some(({ leads }) => leads?.to === target.question);
	const foreign = FOREIGN.filter(
		(form) => (isChoice || !form.includes('‹a›')) && !(isLedTo && /^\(?(?:If|Wenn|Si) /.test(form)),
	);
	const fill = (form: string): string =>
		form
			.replace('‹title›', asked?.title ?? '')
			.replace('‹a›', first)
			.replace('‹b›', second);
	const slips: Array<[string, () => void]> = [
		['stray line', () => insert(pick([0, at, lines.length]), pick(STRAY))],
		['two in a line', () => join(pick(['; ', ' | ', ' ', ' / ', '. ', ' – ', ', ']))],
		[
			'wrapped',
			() => {
				const words = target.text.split(' ');
				const cut = 1 + below(Math.max(1, words.length - 1));
				replace(words.slice(0, cut).join(' '));
				insert(at + 1, words.slice(cut).join(' ') || 'and why');
			},
		],
		...Array.from({ length: 5 }, (): [string, () => void] => [
			'foreign form',
			() => replace(fill(pick(foreign))),
		]),
		['unmarked options', () => others.forEach((option) => insert(at + 1, option))],
	];
	if (chance(0.5)) slip(...pick(slips));

	// Four ways of language models. They replace the text.
	if (chance(0.15)) {
		const model = pick(['list', 'table', 'json', 'prose']);
		slip(`model: ${model}`, () => {
			const text = {
				list: meant.flatMap(({ title: of, type, options }, index) => [
					`${index + 1}. **${of}**`,
					`   - Type: ${type}`,
					...(options ? [`   - Options: ${options.join(', ')}`] : []),
				]),
				table: [
					'| # | Question | Type | Options |',
					'|---|---|---|---|',
					...meant.map(
						({ title: of, type, options = [] }, index) =>
							`| ${index + 1} | ${of} | ${type} | ${options.join(', ')} |`,
					),
				],
				json: [
					'```json',
					...JSON.stringify(
						meant.map(({ title: of, type, options }) => ({ question: of, type, options })),
						null,
						2,
					).split('\n'),
					'```',
				],
				prose: meant.map(
					({ title: of, options }, index) =>
						`${index + 1}. ${of}${options ? ` Please choose: ${options.join(', ')}.` : ' Please answer in a few words.'}`,
				),
			}[model];
			lines = (text ?? []).map((line) => ({ text: line, question: -1 }));
			for (const line of lines) touched.add(line);
		});
	}

	const [between, start] = chance(0.3) ? pick(BREAKS) : ['\n', ''];
	habits.push(`break: ${JSON.stringify(between)}`);
	for (const [index, line] of lines.entries()) {
		const number = between === '\n\n' ? index * 2 + 1 : index + 1;
		if (touched.has(line) || line.text.includes('\u200f')) unusual.add(number);
	}
	// A tab, an entity or a mark behind the line may make any line unusual.
	const text =
		(start === '<p>' ? start : '') +
		lines.map((line) => line.text).join(between) +
		(start === '<p>' ? '</p>' : '');
	return { text, meant, isPromised, unusual, habits };
}
