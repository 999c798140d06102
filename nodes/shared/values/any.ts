import type { IDataObject } from 'n8n-workflow';

import { truncate } from '../truncate';

/** Whether a value is an object, including errors and arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a value is a JSON object, not an array or null. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields of a JSON object, or none for any other value. */
export function fieldsIn(value: unknown): IDataObject {
	return isDataObject(value) ? value : {};
}

/** Returns a list as it is, and an empty list for any other value. */
export function listIn(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Matches characters without width, which text copied from other programs may contain. */
export const INVISIBLE =
	/[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** What a text becomes into which an expression puts an object. */
export const OBJECT_IN_TEXT = '[object Object]';

/** Removes blanks and invisible characters at both ends. Inside, invisible characters may join the parts of an emoji. */
export function tidy(text: string): string {
	const isVisible = (character: string) => character.replace(INVISIBLE, '').trim() !== '';
	let start = 0;
	let end = text.length;
	while (start < end && !isVisible(text.charAt(start))) start++;
	while (start < end && !isVisible(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** Whether a value is missing or blank, as from an emptied field or an expression without a result. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && tidy(value) === '');
}

/** Returns a text without outer blanks, or an empty text for any other value. */
export function trimmed(value: unknown): string {
	return typeof value === 'string' ? tidy(value) : '';
}

/** Maximum characters of a text in an error. */
const LONGEST_SHOWN = 60;

/** Formats a value for an error. */
export function shown(value: unknown): string {
	if (isBlank(value)) return 'empty';
	if (typeof value === 'string') return `"${truncate(value, LONGEST_SHOWN)}"`;
	return typeof value === 'object' || typeof value === 'function' ? kindOf(value) : String(value);
}

/** Names the kind of a value for an error, for example "a list". */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
