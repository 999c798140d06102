import { jsonParse, type IDataObject } from 'n8n-workflow';

import type { Fail } from './failure';
import type { FieldInfo } from './field';
import { truncate } from './truncate';

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

/** Matches a blank or invisible character. */
const UNSEEN = new RegExp(`\\s|${INVISIBLE.source}`);

/** What expressions write into a text for an object, and for a date that Luxon cannot read: `Hello [object Object]`. */
const FAILED_IN_TEXT = /\[object Object\]|\bInvalid DateTime\b/;

/**
 * Returns a text without blanks and invisible characters at its ends, or an empty text for any other value. Invisible
 * characters inside stay, because they may join the parts of an emoji.
 */
export function trimmed(value: unknown): string {
	if (typeof value !== 'string') return '';
	let start = 0;
	let end = value.length;
	while (start < end && UNSEEN.test(value.charAt(start))) start++;
	while (start < end && UNSEEN.test(value.charAt(end - 1))) end--;
	return value.slice(start, end);
}

/** Whether a value is undefined, null or a blank text: from an emptied field, or an expression without a result. */
export function isBlank(value: unknown): boolean {
	return typeof value === 'string' ? trimmed(value) === '' : value === undefined || value === null;
}

/** Whether a converted value is blank or an empty list. */
export function isEmptyValue(value: unknown): boolean {
	return Array.isArray(value) ? value.length === 0 : isBlank(value);
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
function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Converts a text, number or boolean to text, and undefined and null to an empty text. A text is not trimmed.
 *
 * @throws for an object, NaN or Infinity, and for a text into which an expression put an object
 */
export function toText(value: unknown, field: FieldInfo): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') {
		checkNoFailure(value, field);
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

/** Checks that no expression in a text failed. @throws for a text that contains "[object Object]" or "Invalid DateTime" */
function checkNoFailure(text: string, { label, fail }: FieldInfo): void {
	const [found] = FAILED_IN_TEXT.exec(text) ?? [];
	if (found === undefined) return;
	throw fail(
		`${label} contains "${found}"`,
		'An expression failed. For an object, use one of its fields, for example {{ $json.person.name }}. For a date, check its format. Nothing was sent.',
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
function inOneLine(text: string): string {
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

/** What the error of a field needs. */
type Labeled = Pick<FieldInfo, 'label' | 'fail'>;

/** Joins texts: `a`, `a or b`, `a, b or c`. */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * Converts to one of the listed values, ignoring case: `'LIVE'` → `'live'`, 1 → `'1'` (docs/development/conventions.md).
 *
 * @param listed the values as they are sent to the service
 * @param names the names of these values on the screen, in the same order, if users may enter them, too
 * @throws if the value is blank or not listed. A blank value must not be left out of the request: a campaign without a
 *   status goes live (campaign.create in emulator/openapi.yaml)
 */
export function toChoice<const Value extends string>(
	value: unknown,
	listed: readonly Value[],
	field: Labeled,
	names: readonly string[] = listed,
): Value {
	const given = lowerCase(value);
	const isGiven = (text: string) => text.toLowerCase() === given;
	const chosen = listed.find(isGiven) ?? listed[names.findIndex(isGiven)];
	if (chosen !== undefined) return chosen;
	throw field.fail(
		`${field.label} must be ${ALTERNATIVES.format(names)}: it is ${describeValue(value)}`,
		'Choose one from the list, or check the expression. Nothing was sent.',
	);
}

/**
 * Converts to a boolean. Accepts a boolean, a number 1 or 0, and the texts true, false, yes, no, 1 and 0, ignoring
 * case (docs/development/conventions.md).
 *
 * @throws for anything else, even for a blank value: if a blank Dry Run counted as off, the node would make changes
 */
export function toSwitch(value: unknown, field: Labeled): boolean {
	const text = lowerCase(value) ?? '';
	if (['true', 'yes', '1'].includes(text)) return true;
	if (['false', 'no', '0'].includes(text)) return false;
	throw field.fail(
		`${field.label} must be on or off: it is ${describeValue(value)}`,
		'Use the switch, or an expression that returns true or false (yes, no, 1 and 0 work, too). Nothing was sent.',
	);
}

/** Returns a text, number or boolean as a text in lower case. Returns `undefined` for anything else. */
function lowerCase(value: unknown): string | undefined {
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value).toLowerCase()
		: undefined;
}

/** Whether a parameter is an expression. @param saved the parameter as it is saved, for example `={{ $json.name }}` */
export function isExpression(saved: unknown): saved is string {
	return typeof saved === 'string' && saved.startsWith('=') && saved.includes('{{');
}

/**
 * Whether a value is empty because an expression has no result, and not because it is meant to be empty. The first rule that
 * applies decides:
 *
 * 1. Undefined and null are no result: `={{ $json.name }}` without such a field.
 * 2. A list with entries, as evaluated or as saved, is no result: its entries are all blank, and an emptied field has none.
 * 3. Without an expression, the field was emptied.
 * 4. From one expression, `={{ $json.name }}`, a blank text is the result. From `={{ $json.first }} {{ $json.last }}`, it is
 *    no result, because n8n replaces undefined inside a text by nothing (n8n-workflow 1.120.31 and 2.41.0).
 *
 * @param value a value that is empty: missing, blank, or a list whose entries are all missing or blank
 * @param saved the parameter as it is saved
 */
export function hasNoResult(value: unknown, saved: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (hasEntries(value) || hasEntries(saved)) return true;
	if (!isExpression(saved)) return false;
	const isOneExpression = saved.lastIndexOf('{{') === 1 && saved.endsWith('}}');
	return !isOneExpression;
}

function hasEntries(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0;
}

/** Matches a text that is meant as a JSON list: `[HR]` and `["HR", ` but not `[HR] News`. */
const LIKE_JSON = /^\[(?:\s*["'“‘„]|[^]*\]$)/;

/** Matches a text in quotes, or outside quotes a whole number so long that JavaScript may round it. */
const QUOTED_OR_LONG_NUMBER = /"[^"]*"|\b\d{16,}\b/g;

/**
 * Converts to a list of texts. Takes an array, a JSON array as text, or a text with separators: `'HR, IT,'` → `['HR', 'IT']`.
 * Any other value is the only entry of its list: 7 → `['7']`. Undefined, null and a blank text are an empty list
 * (docs/development/conventions.md).
 *
 * @param split splits a text that is not JSON. Without it, commas, semicolons and new lines are separators
 * @returns the entries in order, trimmed, without blank and repeated ones
 * @throws if the text is broken JSON, or if an entry is an object, a list, NaN or Infinity
 */
export function toList(
	value: unknown,
	{ label, fail }: FieldInfo,
	split = (text: string): string[] => text.split(/[,;\r\n]/),
): string[] {
	const entries = typeof value === 'string' ? splitText(trimmed(value), split) : [value].flat();
	if (!entries) {
		throw fail(
			`${label} looks like a JSON list but is not valid JSON`,
			'Check the quotes, commas and brackets. An entry in brackets is written as an expression: ={{ ["[HR] News"] }}. Nothing was sent.',
		);
	}
	const list = new Set<string>();
	for (const entry of entries) {
		if (entry === undefined || entry === null) continue;
		if (typeof entry === 'number' && !Number.isFinite(entry)) {
			throw fail(`${label} contains ${entry}`, 'Check the expression. Nothing was sent.');
		}
		if (isRounded(entry)) {
			throw fail(
				`${label} contains ${String(entry)}, which ${ROUNDED.problem}`,
				`${ROUNDED.advice} Nothing was sent.`,
			);
		}
		const text = typeof entry === 'string' ? trimmed(entry) : String(entry);
		if (typeof entry === 'object' || typeof entry === 'function' || text === '[object Object]') {
			// A text gets here only if it is "[object Object]".
			const kind = typeof entry === 'string' ? 'an object' : kindOf(entry);
			throw fail(
				`${label} must be a list of texts`,
				`It contains ${kind}. From a list of records, take one field, for example {{ $json.people.map(person => person.email) }}. Nothing was sent.`,
			);
		}
		if (text !== '') list.add(text);
	}
	return [...list];
}

/** Returns the entries of a JSON array or of any other text, or `undefined` if the text is broken JSON. */
function splitText(text: string, split: (text: string) => string[]): unknown[] | undefined {
	if (!text.startsWith('[')) return split(text);
	// Quotes keep a long ID exact: JavaScript would round it as a number.
	const json = text.replace(QUOTED_OR_LONG_NUMBER, (found) =>
		found.startsWith('"') ? found : `"${found}"`,
	);
	try {
		const parsed = jsonParse<unknown>(json);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// Not JSON.
	}
	return LIKE_JSON.test(text) ? undefined : split(text);
}

/**
 * Returns the rows of a form (a fixedCollection), or of a list from an expression.
 *
 * - `{ question: [a, b] }` and `[a, b]` → `[a, b]`
 * - `{ question: a }` → `[a]`, and `a` that is no object → `[a]`
 * - a blank value, or an object without `question` → `[]`
 *
 * @param name the name of a row: `question`
 */
export function rowsOfForm(form: unknown, name: string): unknown[] {
	const rows: unknown = isDataObject(form) ? form[name] : form;
	if (Array.isArray(rows)) return rows;
	return isBlank(rows) ? [] : [rows];
}

/** Matches texts that stand for an empty or failed cell, and expressions that were not evaluated. */
const NO_NAME =
	/^(=.*|[-–—]+|n\/a|none|((null|undefined|nan)( |$))+|#+|#(n\/[a-z]+|nv|getting_data|\S+[!?]))$/i;

/**
 * Converts to the name of a record, in one line. Accepts a text or a number.
 *
 * @throws for anything else, and for a text that stands for an empty or failed cell, such as "n/a" or "#REF!"
 */
export function toName(value: unknown, { label, fail }: FieldInfo): string {
	const name = typeof value === 'string' || Number.isFinite(value) ? inOneLine(String(value)) : '';
	if (name !== '' && !NO_NAME.test(name) && !FAILED_IN_TEXT.test(name)) return name;
	throw fail(
		isBlank(value)
			? `${label} is empty`
			: `${label} is ${describeValue(name || value)}, which is not a name`,
		'Enter the name, or check the expression. Nothing was sent.',
	);
}

/**
 * Returns a name as it is compared with others: `'Café  TEAM '` → `'café team'`. Case, kinds of blanks, invisible
 * characters and Unicode forms make no difference.
 */
export function normalizeName(name: string): string {
	const visible = name.normalize('NFC').replace(INVISIBLE, '');
	return visible.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Returns the records of exactly this name. If there are none, returns those whose name is the same after `normalizeName`,
 * which may be none, too.
 */
export function findByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const exact = records.filter((record) => record.name === name);
	if (exact.length > 0) return exact;
	const wanted = normalizeName(name);
	return records.filter((record) => normalizeName(String(record.name ?? '')) === wanted);
}

/**
 * Returns the record that was found by its name, or `undefined` if none was found.
 *
 * @param found the records that have the name, for example from `findByName`
 * @param what the kind of record, for the error: `recipient group`
 * @param advice what to do if several records have the name
 * @throws the error of `fail` if several were found
 */
export function onlyMatch<Named>(
	found: Named[],
	name: string,
	what: string,
	fail: Fail,
	advice?: string,
): Named | undefined {
	if (found.length <= 1) return found[0];
	throw fail(`${found.length} ${what}s are called "${name}"`, advice);
}

/**
 * Parses JSON text. An object or array from an expression is written as JSON first, so that a date in it becomes text.
 *
 * @returns the parsed value, or `undefined` for a blank value
 * @throws if the value cannot be written as JSON, or if its text is not JSON or contains "[object Object]"
 */
export function parseJson(value: unknown, field: FieldInfo): unknown {
	if (isBlank(value)) return undefined;
	let text = '';
	let parsed: unknown;
	try {
		text = typeof value === 'string' ? value : JSON.stringify(value);
		parsed = jsonParse<unknown>(text);
	} catch (error) {
		if (typeof value !== 'string') {
			throw field.fail(
				`${field.label} cannot be written as JSON`,
				'An expression returns an unsupported value, or an object that contains itself. Nothing was sent.',
			);
		}
		const advice = error instanceof Error ? error.message : 'Check brackets, quotes and commas.';
		throw field.fail(`${field.label} is not valid JSON`, advice);
	}
	checkNoFailure(text, field);
	return parsed;
}

/** Reads a JSON object, with `parseJson`. Returns `undefined` for a blank value. @throws if it is not an object */
export function parseJsonObject(value: unknown, field: FieldInfo): IDataObject | undefined {
	const parsed = parseJson(value, field);
	if (parsed === undefined) return undefined;
	if (isDataObject(parsed)) return parsed;
	throw field.fail(
		`${field.label} must be a JSON object`,
		`It is ${kindOf(parsed)}. Write it in braces: { "key": "value" }.`,
	);
}
