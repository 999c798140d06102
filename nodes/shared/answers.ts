import { isBlank, isObject } from './values';

/**
 * Whether a question is answered. A blank text, or a list or matrix without answers, is no answer. Answers of any type
 * may occur (SurveyDataRow in emulator/openapi.yaml).
 */
export function isAnswered(answer: unknown): boolean {
	return isObject(answer) ? Object.values(answer).some(isAnswered) : !isBlank(answer);
}

/** Converts an answer, or one entry of a list, to text. A list or matrix becomes JSON. */
export function answerText(answer: unknown): string {
	return isObject(answer) ? JSON.stringify(answer) : String(answer);
}

/**
 * Converts an answer to a table cell. A list becomes `a, b`, and a matrix `row: answer, row: answer`. A missing answer, or
 * a list or matrix without answers, becomes null. A text (also a blank one), a number or a boolean stays as it is.
 */
export function toTableCell(answer: unknown): string | number | boolean | null {
	if (typeof answer === 'string') return answer;
	if (!isAnswered(answer)) return null;
	if (Array.isArray(answer)) return answer.filter(isAnswered).map(answerText).join(', ');
	if (isObject(answer)) {
		const rows = Object.entries(answer).filter(([, value]) => isAnswered(value));
		return rows.map(([row, value]) => `${row}: ${String(toTableCell(value))}`).join(', ');
	}
	return typeof answer === 'number' || typeof answer === 'boolean' ? answer : String(answer);
}
