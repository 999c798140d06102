import type { Fail } from '../../../shared/failure';
import { cellOf, isAnswered, textOf } from '../../../shared/answers';
import { normalizeName } from '../../../shared/names';
import type { AnswerKey, SurveyRow } from '../../../shared/surveyData';
import { countPeople, hasText, scaleOf, tally, type Answers } from './scale';

/** The minimum numbers of people whose answers are shown together. */
export type Minimums = {
	minimumResponses: number;
	/** The minimum for free texts. */
	minimumComments: number;
};

/** People whose answers are summarized together. */
export type Segment = {
	/** The answer of these people to the Break Down By question; null if it must stay hidden. */
	name?: string | null;
	rows: SurveyRow[];
};

export type Segments = {
	segments: Segment[];
	/** The people without a segment. */
	rest: SurveyRow[];
};

/**
 * Without Break Down By, returns all people as one segment. With Break Down By, returns one segment per answer to the chosen
 * question: first those of the question's options, in their order, then the others by name, then the one without a name.
 *
 * What the summary of the chosen question hides is no name of a segment. Either all people are then one segment without a
 * name, or, next to options, those who gave other answers.
 *
 * @param breakDownBy name or number of the chosen question
 * @throws the error of `fail` if there is no such question
 */
export function segmentsOf(
	rows: SurveyRow[],
	keys: AnswerKey[],
	breakDownBy: string | undefined,
	{ minimumResponses, minimumComments }: Minimums,
	fail: Fail,
): Segments {
	if (breakDownBy === undefined) return { segments: [{ rows }], rest: [] };
	const { key, question } = questionNamed(breakDownBy, keys, fail);
	const scale = scaleOf(question);
	const answers: Answers = new Map();
	for (const row of rows) tally(answers, row[key]);
	for (const answer of answers.keys()) if (!isAnswered(answer)) answers.delete(answer);

	const people = countPeople(answers, scale);
	const showsTexts = people.texts >= Math.max(minimumResponses, minimumComments);
	const names = new Map<unknown, string | null>();
	const sizes = new Map<string, number>();
	for (const [answer, times] of answers) {
		const name = segmentName(answer);
		names.set(answer, name);
		tally(sizes, name, times);
	}
	// Several selected options together are not an option: the summary counts each on its own.
	const isOption = (answer: unknown, name: string) =>
		scale.options.has(name) && !Array.isArray(answer);
	for (const [answer, name] of names) {
		if (name === null || isOption(answer, name)) continue;
		const isSmall = (sizes.get(name) ?? 0) < minimumResponses;
		if (isSmall || (!showsTexts && hasText(answer, scale))) names.set(answer, null);
	}
	const hidesAll =
		scale.options.size > 0
			? people.choices < minimumResponses
			: names.size === 0 || [...names.values()].includes(null);
	if (hidesAll) return { segments: [{ name: null, rows }], rest: [] };

	const byName = new Map<string | null, SurveyRow[]>();
	for (const option of scale.options) byName.set(option, []);
	const rest: SurveyRow[] = [];
	for (const row of rows) {
		const name = names.get(row[key]);
		if (name === undefined) {
			rest.push(row);
			continue;
		}
		const same = byName.get(name);
		if (same) same.push(row);
		else byName.set(name, [row]);
	}
	const segments = [...byName]
		.filter(([, own]) => own.length > 0)
		.map(([name, own]) => ({ name, rows: own }));
	const place = ({ name }: Segment) =>
		name === null ? 2 : scale.options.has(String(name)) ? 0 : 1;
	// Sorted by name, because the order of appearance could reveal whose answer is new.
	segments.sort(
		(a, b) =>
			place(a) - place(b) ||
			(place(a) === 0 ? 0 : String(a.name).localeCompare(String(b.name), 'en', { numeric: true })),
	);
	return { segments, rest };
}

function segmentName(answer: unknown): string {
	return String(cellOf(Array.isArray(answer) ? answer.map(textOf).sort() : answer)).trim();
}

/** Finds a question by its name in the summary (ignoring case and outer blanks), else by its number, counted from 1. */
function questionNamed(given: string, keys: AnswerKey[], fail: Fail): AnswerKey {
	const found =
		keys.find(({ name }) => name === given) ??
		keys.find(({ name }) => normalizeName(name) === normalizeName(given)) ??
		keys.filter(({ question }) => question !== undefined)[Number(given) - 1];
	if (found) return found;
	const names = keys.map(({ name }) => `“${name}”`).join(', ');
	throw fail(
		`The survey has no question “${given}” to break down by`,
		keys.some(({ question }) => question)
			? `Its questions are ${names}.`
			: `The responses do not show which answers belong to which question. Enter one of these answer keys instead: ${names}.`,
	);
}
