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
 * Returns a name without differences that readers overlook: case, Unicode forms, and double, special and zero-width
 * blanks.
 */
export function looksOf(name: string): string {
	const visible = name.normalize('NFKC').replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '');
	return visible.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * Returns the records of exactly that name. If there are none, returns the records whose names look alike (`looksOf`).
 */
export function findLookalikes<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const alike = records.filter((record) => looksOf(String(record.name ?? '')) === looksOf(name));
	const exact = alike.filter((record) => record.name === name);
	return exact.length > 0 ? exact : alike;
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
