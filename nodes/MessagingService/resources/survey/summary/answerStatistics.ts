import type { IDataObject } from 'n8n-workflow';

import { round } from '../../../../shared/round';
import { fieldsIn, isObject, listIn } from '../../../../shared/values';
import { isAnswered, answerText } from '../../../../shared/answers';
import { saysNoAnswer } from './noAnswer';

/** What is known of the options of a question. */
export type OptionSet = {
	/** The options as text, in their order. Empty if there are no options, or if they are unknown. */
	options: Set<string>;
	/** Whether the options are known. */
	isKnown: boolean;
	/**
	 * The numeric options in ascending order, if there are at least two and every other option says "no answer". Empty if the
	 * options are no numbers. `undefined` if there are no options.
	 */
	scale?: number[];
};

/**
 * Reads the options of a question. If the question has no field `options`, there are none. If this field is no list, or the
 * question is `undefined`, the options are unknown.
 */
export function optionSetOf(question: IDataObject | undefined): OptionSet {
	const given: unknown = question?.options ?? [];
	const options = new Set(listIn(given).map(answerText));
	const isKnown = question !== undefined && Array.isArray(given);
	if (options.size === 0) return { options, isKnown };
	const numbers = [...new Set([...options].flatMap((option) => numberIn(option) ?? []))];
	const others = [...options].filter((option) => numberIn(option) === undefined);
	const isScale = numbers.length > 1 && others.every(saysNoAnswer);
	return { options, isKnown, scale: isScale ? numbers.sort((a, b) => a - b) : [] };
}

/** How many people gave each answer. Most answers repeat, so later steps handle each different answer only once. */
export type AnswerCounts = Map<unknown, number>;

/** Adds to the count of a key. */
export function addCount<Key>(counts: Map<Key, number>, key: Key, times = 1): void {
	counts.set(key, (counts.get(key) ?? 0) + times);
}

/** Returns the sum of numbers. */
export function sumOf(numbers: Iterable<number>): number {
	let sum = 0;
	for (const number of numbers) sum += number;
	return sum;
}

/** Returns the entries of a list. For any other answer, returns the answer itself. */
function entriesIn(answer: unknown): unknown[] {
	return Array.isArray(answer) ? answer.filter(isAnswered) : [answer];
}

/** Whether an answer contains a free text, such as a comment or the text of "Other". */
export function hasFreeText(answer: unknown, { options }: OptionSet): boolean {
	return entriesIn(answer).some((entry) => isFreeText(entry, options));
}

/** Whether an entry is a free text: neither a number nor true or false nor an option. */
function isFreeText(entry: unknown, options: Set<string>): boolean {
	if (typeof entry === 'number' || typeof entry === 'boolean') return false;
	return numberIn(entry) === undefined && !options.has(answerText(entry));
}

/** Numbers of people. A person who selected an option and wrote a text is in both numbers. */
export type PeopleCount = {
	/** The people who gave an option or a number. */
	choices: number;
	/** The people who wrote a free text. */
	texts: number;
};

/** Counts the people who gave options or numbers, and those who wrote texts. */
export function countChoicesAndTexts(answers: AnswerCounts, { options }: OptionSet): PeopleCount {
	const people = { choices: 0, texts: 0 };
	for (const [answer, times] of answers) {
		const entries = entriesIn(answer);
		const texts = entries.filter((entry) => isFreeText(entry, options)).length;
		if (texts > 0) people.texts += times;
		if (texts < entries.length) people.choices += times;
	}
	return people;
}

/**
 * Returns the answers without what is hidden. An answer that is all hidden is left out.
 *
 * @param shows whether to show the options and numbers (`choices`), and the free texts (`texts`)
 */
export function shownAnswers(
	answers: AnswerCounts,
	{ options }: OptionSet,
	shows: { choices: boolean; texts: boolean },
): AnswerCounts {
	if (shows.choices && shows.texts) return answers;
	const shown: AnswerCounts = new Map();
	for (const [answer, times] of answers) {
		const entries = entriesIn(answer).filter((entry) =>
			isFreeText(entry, options) ? shows.texts : shows.choices,
		);
		if (entries.length > 0) shown.set(Array.isArray(answer) ? entries : answer, times);
	}
	return shown;
}

/**
 * Whether the answers are rankings: every answer contains every option once, and at least one person ordered the
 * options differently. If all answers have the order of the options, people may have selected all options of a multiple
 * choice.
 */
export function areRankings(answers: unknown[], { options }: OptionSet): boolean {
	const order = [...options].join('\n');
	const hasEachOptionOnce = (entries: string[]): boolean =>
		entries.length === options.size &&
		new Set(entries).size === options.size &&
		entries.every((entry) => options.has(entry));
	const lists = answers.map((answer) => listIn(answer).map(answerText));
	return lists.every(hasEachOptionOnce) && lists.some((entries) => entries.join('\n') !== order);
}

/**
 * Returns how many people gave each answer, by answer as text. If an answer is a list, each of its entries counts once per
 * person. The options that somebody chose come first, in their order. Other answers follow in random order, because the
 * order of the rows could reveal whose answer is new.
 */
export function distributionOf(answers: AnswerCounts, { options }: OptionSet): IDataObject {
	// The options come first, so that they stay in their order.
	const counts = new Map([...options].map((option) => [option, 0]));
	for (const [answer, times] of answers)
		for (const text of new Set(entriesIn(answer).map(answerText))) addCount(counts, text, times);
	const given = [...counts].filter(([, times]) => times > 0);
	const ofOptions = given.filter(([text]) => options.has(text));
	const others = given.filter(([text]) => !options.has(text));
	const shuffled = others.map((entry) => ({ entry, place: Math.random() }));
	shuffled.sort((a, b) => a.place - b.place);
	return Object.fromEntries([...ofOptions, ...shuffled.map(({ entry }) => entry)]);
}

/**
 * Summarizes the numbers among answers: how many there are (`counted`), average (two decimals), minimum and maximum, the
 * eNPS (a whole number) if the question has one, and on a scale of three or more options the share of the two highest (four
 * decimals). Returns an empty object if there are no numbers, or if the options are no scale.
 */
export function numberStatistics(
	answers: AnswerCounts,
	optionSet: OptionSet,
	hasEnps: boolean,
): IDataObject {
	const numbers = numbersIn(answers, optionSet);
	const counted = sumOf(numbers.map(({ times }) => times));
	if (counted === 0) return {};
	const countIf = (test: (number: number) => boolean): number =>
		sumOf(numbers.filter(({ number }) => test(number)).map(({ times }) => times));
	const sum = sumOf(numbers.map(({ number, times }) => number * times));
	const enps = (countIf((number) => number >= 9) - countIf((number) => number <= 6)) / counted;
	const { scale = [] } = optionSet;
	const highest = scale.slice(-2);
	return {
		counted,
		average: round(sum / counted, 2),
		min: numbers[0]?.number,
		max: numbers.at(-1)?.number,
		...(hasEnps && { enps: round(enps * 100) }),
		...(scale.length > 2 && {
			topTwoShare: round(countIf((number) => highest.includes(number)) / counted, 4),
		}),
	};
}

/**
 * Whether a question has an eNPS. It has eleven options from 0 to 10, or the user named it (`isNamed`): then all its numbers
 * and numeric options are whole numbers from 0 to 10, and its highest option is 10.
 */
export function isEnpsQuestion(
	answers: AnswerCounts,
	optionSet: OptionSet,
	isNamed: boolean,
): boolean {
	const { scale = [] } = optionSet;
	if (!isNamed) return scale.length === 11 && scale.every(isZeroToTen);
	const numbers = numbersIn(answers, optionSet).map(({ number }) => number);
	const isTopTen = scale.length === 0 || scale.includes(10);
	return numbers.length > 0 && isTopTen && [...scale, ...numbers].every(isZeroToTen);
}

/** Returns the numbers among answers in ascending order, or none if the options are no scale, or an answer is a list. */
function numbersIn(
	answers: AnswerCounts,
	{ isKnown, scale }: OptionSet,
): Array<{ number: number; times: number }> {
	const numbers: Array<{ number: number; times: number }> = [];
	for (const [answer, times] of answers) {
		const number = numberIn(answer);
		// If the options are unknown, one of them may be "More".
		if (isObject(answer) || (number === undefined && !isKnown)) return [];
		if (number !== undefined && scale?.includes(number) !== false) numbers.push({ number, times });
	}
	return numbers.sort((a, b) => a.number - b.number);
}

/**
 * Returns the average rank of each option, with two decimals. The first rank is 1.
 *
 * @param rankings at least one. Each is a list of all options, each option once (`areRankings`)
 */
export function averageRank(rankings: AnswerCounts, { options }: OptionSet): IDataObject {
	const sums = new Map<string, number>();
	for (const [ranking, times] of rankings) {
		for (const [index, entry] of listIn(ranking).entries()) {
			addCount(sums, answerText(entry), (index + 1) * times);
		}
	}
	const people = sumOf(rankings.values());
	return Object.fromEntries(
		[...options].map((option) => [option, round((sums.get(option) ?? 0) / people, 2)]),
	);
}

/** Returns the answered rows of an answer to a matrix, or none for any other answer. */
export function matrixRowsIn(answer: unknown): Array<[row: string, answer: unknown]> {
	return Object.entries(fieldsIn(answer)).filter(([, value]) => isAnswered(value));
}

/** Returns the value of a number, or of a text like "7.50". Returns `undefined` for anything else, such as "007" or "7,5". */
function numberIn(value: unknown): number | undefined {
	const isText = typeof value === 'string' && /^\s*-?(0|[1-9]\d{0,14})(\.\d+)?\s*$/.test(value);
	const number = isText ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function isZeroToTen(number: number): boolean {
	return Number.isInteger(number) && number >= 0 && number <= 10;
}
