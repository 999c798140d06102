import type { IDataObject } from 'n8n-workflow';

export type Output = 'simplified' | 'table' | 'raw';

/** The possible questions of a survey, in order: the title, and the name of the answer in an item. */
export const QUESTIONS = [
	{ title: 'How?', name: 'How?' },
	{ title: 'Why?', name: 'Why?' },
	{ title: 'How?', name: 'How? (2)' },
	{ title: 'What else?', name: 'What else?' },
];

/** The answers of one row, by question position; a question may have been removed since. */
export type Answers = Array<number | undefined>;

/** Whether, when an item was built, rows had already proved the number of the first answer key. */
export type Proof = 'proved' | 'maybe' | 'never';

/** The fields of a table or raw row that are not answers. */
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
 * Describes what is wrong with the answers of an item. Knows the questions, the answers and the number of the first answer
 * key (`first`), but not how the trigger determines it.
 *
 * @param questions the number of questions of the survey, which are the first ones of QUESTIONS
 * @param proof answers have raw names before the number of the first key is proved, and titles afterwards
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
		// Other rows of a table may have a key without a question.
		([name, value]) => !BESIDE.test(name) && (names.includes(name) || value !== null),
	);
	const right =
		output === 'raw' || proof === 'never' ? [raw] : proof === 'proved' ? [titled] : [raw, titled];
	const isRight = right.some(
		(form) => JSON.stringify(Object.entries(form)) === JSON.stringify(given),
	);
	// A table without any answer may name the questions.
	const isBlank =
		answers.every((answer) => answer === undefined) && given.every(([, value]) => value === null);
	if (isRight || (isBlank && output === 'table')) return undefined;
	return `answers ${JSON.stringify(Object.fromEntries(given))}, ${proof} by then, instead of ${JSON.stringify(right)}`;
}
