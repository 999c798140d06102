import { isRecord } from './typeGuards';
import { isBlank } from './values';

/** Whether this is an answer: not a blank text, nor a list or matrix without one. Any type may come (SurveyDataRow in emulator/openapi.yaml). */
export function isAnswered(answer: unknown): boolean {
	if (typeof answer === 'number') return true;
	return isRecord(answer) ? Object.values(answer).some(isAnswered) : !isBlank(answer);
}

/** One answer, or one entry of a list, as text. */
export function textOf(answer: unknown): string {
	return isRecord(answer) ? JSON.stringify(answer) : String(answer);
}

/** An answer as one field of a table: null for none, a list joined by commas, a matrix as `row: answer`, else as it is. */
export function cellOf(answer: unknown): string | number | boolean | null {
	if (!isAnswered(answer) && typeof answer !== 'string') return null;
	if (Array.isArray(answer)) return answer.filter(isAnswered).map(textOf).join(', ');
	if (isRecord(answer)) {
		const rows = Object.entries(answer).filter(([, value]) => isAnswered(value));
		return rows.map(([row, value]) => `${row}: ${String(cellOf(value))}`).join(', ');
	}
	return typeof answer === 'number' || typeof answer === 'boolean' ? answer : String(answer);
}
