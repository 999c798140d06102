import type { Fail } from '../failure';
import type { FieldInfo } from '../field';
import { INVISIBLE, kindOf, OBJECT_IN_TEXT, describeValue } from './any';
import { inOneLine } from './text';

/** Matches texts that stand for an empty or failed cell, and expressions that were not evaluated. */
const NO_NAME =
	/^(=.*|[-–—]+|n\/a|none|((null|undefined|nan)( |$))+|#+|#(n\/[a-z]+|nv|getting_data|\S+[!?]))$/i;

/** The name, or what the value is instead: `problem` completes "it is …", for example "a list" or "empty". */
export type ParsedName =
	| { name: string; problem?: undefined }
	/** `isBlank`: the value is missing or a blank text. */
	| { name?: undefined; problem: string; isBlank: boolean };

/**
 * Reads the name of a record: a text or a number, in one line. Never throws. A text that stands for an empty or failed cell,
 * such as "n/a" or "#REF!", is a problem, not a name.
 */
export function parseName(value: unknown): ParsedName {
	if (value === undefined || value === null) return { problem: 'empty', isBlank: true };
	const isNumber = typeof value === 'number' && Number.isFinite(value);
	if (typeof value !== 'string' && !isNumber) {
		const problem = typeof value === 'object' ? kindOf(value) : String(value);
		return { problem, isBlank: false };
	}
	const name = inOneLine(String(value));
	const isName = name !== '' && !NO_NAME.test(name) && !name.includes(OBJECT_IN_TEXT);
	return isName ? { name } : { problem: describeValue(name), isBlank: name === '' };
}

/** Converts to the name of a record, with `parseName`. @throws if the value is no name */
export function toName(value: unknown, { label, fail }: FieldInfo): string {
	const parsed = parseName(value);
	if (parsed.name !== undefined) return parsed.name;
	throw fail(
		parsed.isBlank ? `${label} is empty` : `${label} is ${parsed.problem}, which is not a name`,
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
