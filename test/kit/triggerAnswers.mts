import type { IDataObject } from 'n8n-workflow';

export type Output = 'simplified' | 'table' | 'raw';

/** The questions that a survey can have, in order. Each has a title, and the name that its answer gets in an item. */
export const QUESTIONS = [
	{ title: 'How?', name: 'How?' },
	{ title: 'Why?', name: 'Why?' },
	{ title: 'How?', name: 'How? (2)' },
	{ title: 'What else?', name: 'What else?' },
];

/** The answers of one row, by position of the question, including questions that were removed later. */
export type Answers = Array<number | undefined>;

/**
 * Whether rows had proved which answer key is the first one (`q.0` or `q.1`), before the trigger built an item; `maybe` if
 * n8n lost the proof.
 */
export type Proof = 'proved' | 'maybe' | 'never';

/** The fields of an item that are not answers, in the outputs `table` and `raw`. */
const BESIDE =
	/^(event|campaign\w+|anonymous|user\w+|submitted\w*|responseDuration|responseSubmitted|read)$/;

/** Returns the answers in the form of a service row. */
export function rawAnswers(answers: Answers, first: number): IDataObject {
	return Object.fromEntries(
		answers.flatMap((answer, place) =>
			answer === undefined ? [] : [[`q.${place + first}`, answer]],
		),
	);
}

/**
 * Returns what is wrong with the answers of an item; undefined if they are right. This check knows the questions, the
 * answers and the number of the first answer key (`first`), but not how the trigger determines that number.
 *
 * @param questions how many questions the survey has; they are the first ones of QUESTIONS
 * @param proof `proved`: the answers must be under titles; `never`: under raw keys (`q.1`); `maybe`: both are right
 */
export function wrongAnswers(
	item: IDataObject,
	output: Output,
	{ answers, questions }: { answers: Answers; questions: number },
	first: number,
	proof: Proof,
): string | undefined {
	const names = QUESTIONS.slice(0, questions).map(({ name }) => name);
	const raw = rawAnswers(answers, first);
	const titled: IDataObject = {};
	for (const [place, name] of names.entries()) titled[name] = answers[place] ?? null;
	Object.assign(
		titled,
		rawAnswers(
			answers.map((answer, place) => (place < questions ? undefined : answer)),
			first,
		),
	);
	const given = Object.entries(
		typeof item.answers === 'object' ? (item.answers ?? {}) : item,
	).filter(
		// In a table, every item has the keys of all rows, so a raw key (`q.7`) that belongs to no question may be null.
		([name, value]) => !BESIDE.test(name) && (names.includes(name) || value !== null),
	);
	const right =
		output === 'raw' || proof === 'never' ? [raw] : proof === 'proved' ? [titled] : [raw, titled];
	const isRight = right.some(
		(form) => JSON.stringify(Object.entries(form)) === JSON.stringify(given),
	);
	// In a table, a row without answers may have null under all questions.
	const isBlank =
		answers.every((answer) => answer === undefined) && given.every(([, value]) => value === null);
	if (isRight || (isBlank && output === 'table')) return undefined;
	return `answers ${JSON.stringify(Object.fromEntries(given))}, ${proof} by then, instead of ${JSON.stringify(right)}`;
}
