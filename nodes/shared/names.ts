import type { Fail } from './failure';

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
	const found = findByName(records, name);
	if (found.length <= 1) return found[0];
	throw fail(`${found.length} ${what}s are called "${name}"`, advice?.(found));
}
