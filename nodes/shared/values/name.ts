import type { Fail } from '../failure';
import type { Field } from '../field';
import { INVISIBLE, kindOf, OBJECT_IN_TEXT, shown } from './any';
import { inOneLine } from './text';

/** Matches texts that stand for an empty or failed cell, and expressions that were not evaluated. */
const NO_NAME =
	/^(=.*|[-–—]+|n\/a|none|((null|undefined|nan)( |$))+|#+|#(n\/a|div\/0!|name\?|getting_data|(null|num|ref|value|spill|calc|field|blocked|connect|unknown|busy|error)!))$/i;

/** A name, or what the value is instead: `problem` completes "it is …". */
export type NameReading =
	| { name: string; problem?: undefined }
	| { name?: undefined; problem: string; isBlank: boolean };

/** Reads the name of a record: a text or a number, in one line. Never throws. */
export function readName(value: unknown): NameReading {
	if (value === undefined || value === null) return { problem: 'empty', isBlank: true };
	const isNumber = typeof value === 'number' && Number.isFinite(value);
	if (typeof value !== 'string' && !isNumber) {
		const problem = typeof value === 'object' ? kindOf(value) : String(value);
		return { problem, isBlank: false };
	}
	const name = inOneLine(String(value));
	const isUsable = !NO_NAME.test(name) && !name.includes(OBJECT_IN_TEXT);
	return isUsable && name !== '' ? { name } : { problem: shown(name), isBlank: name === '' };
}

/** Returns the name of a record, with `readName`. @throws if the value is no name */
export function toName(value: unknown, { label, fail }: Field): string {
	const reading = readName(value);
	if (reading.name !== undefined) return reading.name;
	throw fail(
		reading.isBlank ? `${label} is empty` : `${label} must be a name: it is ${reading.problem}`,
		'Enter the name, or check the expression. Nothing was sent.',
	);
}

/**
 * Returns a name without differences that readers overlook: case, Unicode forms, and double, special and zero-width
 * blanks.
 */
export function looksOf(name: string): string {
	const visible = name.normalize('NFC').replace(INVISIBLE, '');
	return visible.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Returns the records of exactly that name. If there are none, returns the records whose names look alike (`looksOf`).
 */
export function findByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const exact = records.filter((record) => record.name === name);
	if (exact.length > 0) return exact;
	const looks = looksOf(name);
	return records.filter((record) => looksOf(String(record.name ?? '')) === looks);
}

/**
 * Returns the only record that was found.
 *
 * @param what the kind of record, for the error: `recipient group`
 * @param advice what to do if several records have the name
 * @returns undefined if none was found
 * @throws the error of `fail` if several were found
 */
export function onlyOne<Named>(
	found: Named[],
	name: string,
	what: string,
	fail: Fail,
	advice?: string,
): Named | undefined {
	if (found.length <= 1) return found[0];
	throw fail(`${found.length} ${what}s are called "${name}"`, advice);
}
