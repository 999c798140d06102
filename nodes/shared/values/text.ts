import type { Field } from '../field';
import { isBlank, kindOf } from './any';

/** Converts a text, number or boolean to text, and a missing value to an empty text. @throws for an object, NaN or Infinity */
export function toText(value: unknown, field: Field): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return value;
	checkFinite(value, field);
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw field.fail(
		`${field.label} must be text`,
		`It is ${kindOf(value)}. The expression may use the wrong field.`,
	);
}

/** Fails for NaN and Infinity, which come from expressions such as Number($json.id). */
export function checkFinite(value: unknown, { label, fail }: Field): void {
	if (typeof value !== 'number' || Number.isFinite(value)) return;
	throw fail(`${label} contains ${value}`, 'Check the expression. Nothing was sent.');
}

/**
 * Converts a number or a text to a number. Returns `NaN` for anything else, such as a boolean, a list or a blank text.
 */
export function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && !isBlank(value) ? Number(value) : NaN;
}
