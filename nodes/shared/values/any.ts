import type { IDataObject } from 'n8n-workflow';

import { truncate } from '../truncate';

/** Whether a value is any object, also an array or an error. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a value is an object, but not an array or null. Meant for parsed JSON: a Date or an error is an object, too. */
export function isDataObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object (`isDataObject`) as it is, and an empty object for any other value. */
export function fieldsIn(value: unknown): IDataObject {
	return isDataObject(value) ? value : {};
}

/** Returns a list as it is, and an empty list for any other value. */
export function listIn(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** Matches invisible characters, which text copied from other programs may contain. */
export const INVISIBLE =
	/[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** What JavaScript writes for an object inside a text: `Hello {{ $json.person }}` becomes `Hello [object Object]`. */
export const OBJECT_IN_TEXT = '[object Object]';

/**
 * Returns a text without blanks and invisible characters at its ends, or an empty text for any other value. Invisible
 * characters inside stay, because they may join the parts of an emoji.
 */
export function trimmed(value: unknown): string {
	if (typeof value !== 'string') return '';
	const isVisible = (character: string) => character.replace(INVISIBLE, '').trim() !== '';
	let start = 0;
	let end = value.length;
	while (start < end && !isVisible(value.charAt(start))) start++;
	while (start < end && !isVisible(value.charAt(end - 1))) end--;
	return value.slice(start, end);
}

/** Whether a value is undefined, null or a blank text: from an emptied field, or an expression without a result. */
export function isBlank(value: unknown): boolean {
	return typeof value === 'string' ? trimmed(value) === '' : value === undefined || value === null;
}

/** The words that people write into a cell that has no value. Sync and the HR list treat such a cell as blank. */
const NO_VALUE = /^([-–—]+|\?|n\/a|na|n\.a\.|tbd|none)?$/i;

/** Whether a text stands for no value: a blank text or one of `NO_VALUE`. */
export function isNoValue(text: string): boolean {
	return NO_VALUE.test(trimmed(text.replace(INVISIBLE, '')));
}

/** Maximum characters of a value in an error. */
const LONGEST_VALUE = 60;

/** Describes a value in an error: `"Pulse"`, `empty` for a blank value, `a list`, `7`. */
export function describeValue(value: unknown): string {
	if (isBlank(value)) return 'empty';
	if (typeof value === 'string') return `"${truncate(value, LONGEST_VALUE)}"`;
	return typeof value === 'object' || typeof value === 'function' ? kindOf(value) : String(value);
}

/** Names the kind of a value in an error: `a list`, `an object`, `a number`. @param value not undefined */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
