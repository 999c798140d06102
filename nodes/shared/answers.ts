import { isBlank, isRecord } from './values';

/**
 * Whether a question is answered. A blank text, or a list or matrix without answers, is no answer. Answers of any type
 * may occur (SurveyDataRow in emulator/openapi.yaml).
 */
export function isAnswered(answer: unknown): boolean {
	return isRecord(answer) ? Object.values(answer).some(isAnswered) : !isBlank(answer);
}

/** Converts an answer, or one entry of a list, to text. */
export function answerText(answer: unknown): string {
	return isRecord(answer) ? JSON.stringify(answer) : String(answer);
}

/**
 * Converts an answer to a table cell: a list joined by commas, a matrix as `row: answer`, any other answer unchanged. If
 * there is no answer, the cell is null. A blank text stays as it is.
 */
export function cellOf(answer: unknown): string | number | boolean | null {
	if (!isAnswered(answer) && typeof answer !== 'string') return null;
	if (Array.isArray(answer)) return answer.filter(isAnswered).map(answerText).join(', ');
	if (isRecord(answer)) {
		const rows = Object.entries(answer).filter(([, value]) => isAnswered(value));
		return rows.map(([row, value]) => `${row}: ${String(cellOf(value))}`).join(', ');
	}
	return typeof answer === 'number' || typeof answer === 'boolean' ? answer : String(answer);
}
