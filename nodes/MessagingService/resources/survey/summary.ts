import type { IDataObject } from 'n8n-workflow';

import { isDataObject } from '../../../shared/typeGuards';
import type { SurveyData } from '../../../shared/surveyData';
import { answerKeysOf, unusedName } from '../../../shared/surveyData';
import { isAnswered, textOf } from './answers';

/** How often each answer was given; of a matrix, by row. */
type Distribution = { [answer: string]: number | { [answer: string]: number } };

/**
 * Sums a survey up, one item a question. Only rows whose `submitted` is true count.
 *
 * - `responses`: how many gave an answer to the question; blank texts and empty lists are none.
 * - `distribution`: how often each answer was given. Of a list each entry counts, once a person. Of a matrix there is one
 *   distribution a row. Free text stands in it as it was written.
 * - `average`, `min`, `max`: where every answer is a number, or text that is nothing but one.
 * - `enps`, from -100 to 100: where every answer is a whole number from 0 to 10, and so is every option of the question.
 *   The share of 9 and 10 less the share of 0 to 6, in percent.
 * - `suppressed`: fewer than `minimumResponses` answers, of which nothing is shown. `suppressedRows`: the rows of a matrix
 *   to which that happened.
 * - `recipients`, `submitted`, `responseRate` (0 to 1): of the whole survey, as far as the service lists its recipients.
 *
 * A question keeps its raw key while nothing proves which one it is (numberingOf in surveyData); it has no `enps` then.
 */
export function summarise(
	survey: SurveyData,
	campaignId: string,
	minimumResponses: number,
): IDataObject[] {
	const rows = survey.result.filter(({ submitted }) => submitted === true);
	const recipients = survey.result.length;
	const ofSurvey = {
		recipients,
		submitted: rows.length,
		responseRate: recipients === 0 ? 0 : rows.length / recipients,
	};
	return answerKeysOf(survey).map(({ key, name, question }) => {
		const answers = rows.map((row) => row[key]).filter(isAnswered);
		return {
			campaignId,
			campaignName: survey.name ?? null,
			question: name,
			responses: answers.length,
			...(answers.length < minimumResponses
				? { suppressed: true }
				: resultsOf(answers, question, minimumResponses)),
			...ofSurvey,
		};
	});
}

function resultsOf(
	answers: unknown[],
	question: IDataObject | undefined,
	minimumResponses: number,
): IDataObject {
	if (answers.every(isDataObject)) {
		return resultsOfMatrix(answers, question, minimumResponses);
	}
	return {
		distribution: distributionOf(answers, listIn(question?.options)),
		...numbersOf(answers),
		...enpsOf(answers, question),
	};
}

/** A row is a question of its own: few who answered it must not be seen behind the many who answered another. */
function resultsOfMatrix(
	answers: IDataObject[],
	question: IDataObject | undefined,
	minimumResponses: number,
): IDataObject {
	const answersByRow = new Map<string, unknown[]>();
	for (const row of listIn(question?.matrixQuestions)) answersByRow.set(textOf(row), []);
	for (const answer of answers) {
		for (const [row, value] of Object.entries(answer)) {
			if (!isAnswered(value)) continue;
			const answersOfRow = answersByRow.get(row) ?? [];
			answersOfRow.push(value);
			answersByRow.set(row, answersOfRow);
		}
	}
	const shown = new Map<string, { [answer: string]: number }>();
	const suppressedRows: string[] = [];
	for (const [row, answersOfRow] of answersByRow) {
		if (answersOfRow.length < minimumResponses) suppressedRows.push(row);
		else shown.set(row, distributionOf(answersOfRow, listIn(question?.options)));
	}
	if (shown.size === 0) return { suppressed: true };
	const distribution: Distribution = toObject(shown);
	return suppressedRows.length > 0 ? { distribution, suppressedRows } : { distribution };
}

/** Options come first and in their order; what nobody chose is left out. */
function distributionOf(answers: unknown[], options: unknown[]): { [answer: string]: number } {
	const counts = new Map<string, number>(options.map((option) => [textOf(option), 0]));
	for (const answer of answers) {
		const entries = Array.isArray(answer) ? answer.filter(isAnswered) : [answer];
		for (const text of new Set(entries.map(textOf))) counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return toObject(new Map([...counts].filter(([, count]) => count > 0)));
}

/** n8n copies items key by key, and a key "__proto__" would be lost on the way or change the copy itself. */
function toObject<Value>(map: Map<string, Value>): { [name: string]: Value } {
	const taken = new Set(map.keys());
	const named = [...map].map(([name, value]): [string, Value] => [
		name === '__proto__' ? unusedName('(__proto__)', taken) : name,
		value,
	]);
	return Object.fromEntries(named);
}

function numbersOf(answers: unknown[]): IDataObject {
	let sum = 0;
	let min = Infinity;
	let max = -Infinity;
	for (const answer of answers) {
		const number = toNumber(answer);
		if (number === undefined) return {};
		sum += number;
		min = Math.min(min, number);
		max = Math.max(max, number);
	}
	return { average: sum / answers.length, min, max };
}

/** Employee net promoter score, where answers and options can only be those of its scale. */
function enpsOf(answers: unknown[], question: IDataObject | undefined): IDataObject {
	// What the options are is unknown for a question that is, and for options in a form that nobody knows.
	const isKnown = question !== undefined && Array.isArray(question.options ?? []);
	const onScale = [...answers, ...listIn(question?.options)].every(isZeroToTen);
	if (!isKnown || !onScale) return {};
	let balance = 0;
	for (const answer of answers) {
		const score = toNumber(answer) ?? 0;
		if (score >= 9) balance += 1;
		else if (score <= 6) balance -= 1;
	}
	return { enps: (balance * 100) / answers.length };
}

function isZeroToTen(value: unknown): boolean {
	const number = toNumber(value) ?? NaN;
	return Number.isInteger(number) && number >= 0 && number <= 10;
}

/** A number, also one that came as text; "007" and "+3" are written by somebody and stay text. */
function toNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const number = Number(value);
	return Number.isFinite(number) && String(number) === String(value) ? number : undefined;
}

function listIn(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}
