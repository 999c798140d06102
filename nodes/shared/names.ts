import type { Fail } from './failure';

/** Normalizes a name for comparison, ignoring case and outer blanks; "é" as one code point equals "é" as two. */
export function normalizeName(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}

/** Returns the records with exactly that name, compared with `normalizeName`. */
export function findByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const wanted = normalizeName(name);
	return records.filter((record) => normalizeName(String(record.name ?? '')) === wanted);
}

/**
 * Returns the only record with exactly that name.
 *
 * @param what the kind of record, for the error: `recipient group`
 * @param advice what to do if several records have the name
 * @returns undefined if no record has the name
 * @throws the error of `fail` if several records have it
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
