import type { Fail } from '../../shared/failure';

/** Normalizes a name for comparison: removes outer spaces, ignores case, and unifies the two Unicode forms of "é". */
export function normalizeName(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}

/** Returns the records with that name, ignoring case and outer spaces (`normalizeName`). */
export function findByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const wanted = normalizeName(name);
	return records.filter((record) => normalizeName(String(record.name ?? '')) === wanted);
}

/**
 * Returns the only record with that name, compared as in `findByName`.
 *
 * @param what the kind of record, for the error: `recipient group`
 * @param advice what to do if several records have the name
 * @returns undefined if no record has the name
 * @throws the error of `fail` if several records have the name
 */
export function findOnlyByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
	what: string,
	fail: Fail,
	advice?: (found: Named[]) => string,
): Named | undefined {
	return onlyOf(findByName(records, name), name, what, fail, advice);
}

function onlyOf<Named>(
	found: Named[],
	name: string,
	what: string,
	fail: Fail,
	advice?: (found: Named[]) => string,
): Named | undefined {
	if (found.length <= 1) return found[0];
	throw fail(`${found.length} ${what}s are called "${name}"`, advice?.(found));
}

/** Returns a name without what a reader does not see: case, double, special and zero-width blanks, Unicode forms. */
export function looksOf(name: string): string {
	const visible = name.normalize('NFKC').replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '');
	return visible.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Returns the record of exactly that name or, without one, the only one whose name looks alike. Otherwise as `findOnlyByName`.
 *
 * @throws the error of `fail` if several records have exactly that name, or several look alike and none has exactly that name
 */
export function findOnlyLookalike<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
	what: string,
	fail: Fail,
	advice?: (found: Named[]) => string,
): Named | undefined {
	const alike = records.filter((record) => looksOf(String(record.name ?? '')) === looksOf(name));
	const exact = alike.filter((record) => record.name === name);
	return onlyOf(exact.length > 0 ? exact : alike, name, what, fail, advice);
}
