import { isRecord } from '../../../shared/typeGuards';
import { isBlank } from '../../../shared/values';

/**
 * Whether something was answered: no blank text, no list or matrix without an answer in it. Answers may be of any type
 * (SurveyDataRow in emulator/openapi.yaml).
 */
export function isAnswered(answer: unknown): boolean {
	return isRecord(answer) ? Object.values(answer).some(isAnswered) : !isBlank(answer);
}

/** One answer, or one entry of a list, as text. */
export function textOf(answer: unknown): string {
	return isRecord(answer) ? JSON.stringify(answer) : String(answer);
}

/**
 * An answer as it fits into one field of a table: null for none, a list joined by commas, a matrix as `row: answer`.
 * Texts, numbers and switches stay what they are.
 */
export function cellOf(answer: unknown): string | number | boolean | null {
	if (Array.isArray(answer)) return isAnswered(answer) ? joined(answer) : null;
	if (isRecord(answer)) {
		const rows = Object.entries(answer).filter(([, value]) => isAnswered(value));
		const texts = rows.map(([row, value]) => `${row}: ${String(cellOf(value))}`);
		return texts.length > 0 ? texts.join(', ') : null;
	}
	if (typeof answer === 'string' || typeof answer === 'number' || typeof answer === 'boolean') {
		return answer;
	}
	return null;
}

function joined(list: unknown[]): string {
	return list.filter(isAnswered).map(textOf).join(', ');
}
