import type { FieldInfo } from '../field';
import { isBlank, kindOf, OBJECT_IN_TEXT, trimmed } from './any';

/**
 * Converts a text, number or boolean to text, and undefined and null to an empty text. A text is not trimmed.
 *
 * @throws for an object, NaN or Infinity, and for a text into which an expression put an object
 */
export function toText(value: unknown, field: FieldInfo): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') {
		checkNoObject(value, field);
		return value;
	}
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw field.fail(`${field.label} contains ${value}`, 'Check the expression. Nothing was sent.');
	}
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	throw field.fail(
		`${field.label} must be text`,
		`It is ${kindOf(value)}. The expression may use the wrong field.`,
	);
}

/** Checks that no expression put an object into a text. @throws for a text that contains "[object Object]" */
export function checkNoObject(text: string, { label, fail }: FieldInfo): void {
	if (!text.includes(OBJECT_IN_TEXT)) return;
	throw fail(
		`${label} contains "[object Object]"`,
		'An expression puts an object into the text. Use one of its fields, for example {{ $json.person.name }}. Nothing was sent.',
	);
}

/**
 * Converts to one line of text, trimmed: an ID, a web address or another value that a line break would make wrong.
 *
 * @throws for text of several lines, and the errors of `toText`
 */
export function toLine(value: unknown, field: FieldInfo): string {
	const line = trimmed(toText(value, field));
	if (!LINE_BREAK.test(line)) return line;
	throw field.fail(
		`${field.label} must be one line, but contains a line break`,
		'Check the expression. Nothing was sent.',
	);
}

/**
 * Converts a title or name to one line of text, trimmed. Line breaks become blanks, because its words stay the same.
 *
 * @throws the errors of `toText`
 */
export function toTitle(value: unknown, field: FieldInfo): string {
	return inOneLine(toText(value, field));
}

/** What is wrong with an ID that lost digits. `problem` completes a sentence: "User" + "is a number without its last digits". */
export const ROUNDED = {
	problem: 'is a long number without its last digits',
	advice:
		'Excel and JavaScript round long numbers. Format the column as text, and read the file again.',
};

/** Whether an ID lost digits: a number beyond 2^53, or a text from a spreadsheet, such as `1.23457E+16`. */
export function isRounded(value: unknown): boolean {
	if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
	// Without the plus sign, it may be a hexadecimal ID.
	return typeof value === 'string' && /^-?\d+([.,]\d+)?e\+\d+$/i.test(trimmed(value));
}

/** Converts an ID to text, or a blank value to an empty text. @throws if it lost digits, and the errors of `toLine` */
export function toId(value: unknown, field: FieldInfo): string {
	if (isRounded(value)) {
		throw field.fail(
			`${field.label} ${ROUNDED.problem}: ${String(value)}`,
			`${ROUNDED.advice} Nothing was sent.`,
		);
	}
	return toLine(value, field);
}

/** Converts to the address of a web page or image, or a blank value to an empty text. @throws for anything else */
export function toWebAddress(value: unknown, field: FieldInfo): string {
	const line = toLine(value, field);
	if (line === '' || /^https?:\/\/[^\s/]/i.test(line)) return line;
	throw field.fail(
		`${field.label} must begin with https:// or http://`,
		'A path, such as the URL in the output of Upload, is no web address. Nothing was sent.',
	);
}

/** Puts a text into one line, trimmed: `' Team\n  day '` → `'Team day'`. */
export function inOneLine(text: string): string {
	const lines = trimmed(text).split(LINE_BREAK);
	return lines.map((line) => line.trim()).join(' ');
}

const LINE_BREAK = /[\r\n\v\f\u0085\u2028\u2029]+/;

/** Converts a number, or a text with only a number, to a number. Returns `NaN` for anything else, even for a blank text. */
export function toNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && !isBlank(value) ? Number(value) : NaN;
}

/** Converts to a whole number of 1 or more. @throws for anything else */
export function toPositiveInteger(value: unknown, { label, fail }: FieldInfo): number {
	const count = toNumber(value);
	if (Number.isInteger(count) && count >= 1) return count;
	throw fail(`${label} must be a whole number of 1 or more`, 'Nothing was sent.');
}
