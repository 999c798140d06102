import type { Fail } from '../../../../shared/failure';
import { toTableCell, isAnswered, answerText } from '../../../../shared/answers';
import { findByName, onlyMatch } from '../../../../shared/values';
import type { AnswerColumn, SurveyRow } from '../../../../shared/surveyData';
import { addToList } from '../../../../shared/listsByKey';
import { addCount, countChoicesAndTexts, hasFreeText, optionSetOf } from './answerStatistics';
import type { AnswerCounts, OptionSet } from './answerStatistics';

/** The minimum numbers of people whose answers are shown together. */
export type Minimums = {
	minimumResponses: number;
	/** The minimum for free texts. */
	minimumComments: number;
};

/** People whose answers are summarized together. */
export type Segment = {
	/**
	 * The answer of these people to the Break Down By question, or null if it must stay hidden. Absent without
	 * Break Down By, and for the people who gave no answer.
	 */
	name?: string | null;
	rows: SurveyRow[];
};

/**
 * Without Break Down By, returns all people as one segment. With Break Down By, returns one segment per answer to the
 * chosen question. The question's options come first, in their order, then other answers by name. The segment with a
 * hidden name and the people without an answer come last. If no name may be shown, everybody is in the segment with a
 * hidden name.
 *
 * @param breakDownBy name or number of the chosen question
 * @throws the error of `fail` if there is no such question
 */
export function segmentsOf(
	rows: SurveyRow[],
	columns: AnswerColumn[],
	breakDownBy: string | undefined,
	minimums: Minimums,
	fail: Fail,
): Segment[] {
	if (breakDownBy === undefined) return [{ rows }];
	const chosen = findQuestion(breakDownBy, columns, fail);
	if (!chosen) {
		const titles = columns.map(({ name }) => `“${name}”`).join(', ');
		throw fail(
			`The survey has no question “${breakDownBy}” to break down by`,
			columns.some(({ question }) => question)
				? `Its questions are ${titles}.`
				: `The responses do not show which answers belong to which question. Enter one of these answer keys instead: ${titles}.`,
		);
	}
	const { key, question } = chosen;
	const optionSet = optionSetOf(question);
	const answers: AnswerCounts = new Map();
	for (const row of rows) if (isAnswered(row[key])) addCount(answers, row[key]);
	const names = segmentNames(answers, optionSet, minimums);
	if (!names) return [{ name: null, rows }];
	const byName = new Map<Segment['name'], SurveyRow[]>();
	// `names` has the answers themselves as keys. People without an answer get the name `undefined`.
	for (const row of rows) addToList(byName, names.get(row[key]), row);
	// Sorted by name, because the order of appearance could reveal whose answer is new.
	const others = [...byName.keys()]
		.filter((name) => typeof name === 'string' && !optionSet.options.has(name))
		.sort((a, b) => String(a).localeCompare(String(b), 'en', { numeric: true }));
	return [...optionSet.options, ...others, null, undefined].flatMap((name) => {
		const people = byName.get(name);
		return people ? [{ name, rows: people }] : [];
	});
}

/**
 * Returns the name of each answer's segment, or null if the name must stay hidden, because it would reveal an answer.
 *
 * @returns `undefined` if all people must be one segment. If the question has options: too few people in all chose any of
 *   them. If it has none: any name must stay hidden, or nobody answered
 */
function segmentNames(
	answers: AnswerCounts,
	optionSet: OptionSet,
	{ minimumResponses, minimumComments }: Minimums,
): Map<unknown, string | null> | undefined {
	const sizes = new Map<string, number>();
	for (const [answer, times] of answers) addCount(sizes, segmentName(answer), times);
	const people = countChoicesAndTexts(answers, optionSet);
	// A text of fewer people than `minimumResponses` is small in any case.
	const showsTexts = people.texts >= minimumComments;
	const names = new Map<unknown, string | null>();
	for (const answer of answers.keys()) {
		const name = segmentName(answer);
		// Several chosen options together are not an option, because the summary counts each of them separately.
		const isOption = optionSet.options.has(name) && !Array.isArray(answer);
		const isSmall = (sizes.get(name) ?? 0) < minimumResponses;
		const isHiddenText = !showsTexts && hasFreeText(answer, optionSet);
		const isHidden = !isOption && (isSmall || isHiddenText);
		names.set(answer, isHidden ? null : name);
	}
	const isAnyHidden = names.size === 0 || [...names.values()].includes(null);
	const hasOptions = optionSet.options.size > 0;
	const isOneSegment = hasOptions ? people.choices < minimumResponses : isAnyHidden;
	return isOneSegment ? undefined : names;
}

/** The name is the same for the same choices in any order. */
function segmentName(answer: unknown): string {
	return String(toTableCell(Array.isArray(answer) ? answer.map(answerText).sort() : answer)).trim();
}

/**
 * Finds a question by its name in the summary. If no question has this name, or one that looks alike, finds the question by
 * its number, counted from 1.
 *
 * @throws the error of `fail` if several questions have the name
 */
export function findQuestion(
	given: string,
	columns: AnswerColumn[],
	fail: Fail,
): AnswerColumn | undefined {
	return (
		onlyMatch(findByName(columns, given), given, 'question', fail, 'Enter its number instead.') ??
		columns.filter(({ question }) => question !== undefined)[Number(given) - 1]
	);
}
