import type { Fail } from './failure';

/** A name as it is compared: without case and outer blanks; "é" as one code point equals "é" as two. */
export function normalizeName(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}

/** The records with exactly that name, as `normalizeName` compares it. */
export function findByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const wanted = normalizeName(name);
	return records.filter((record) => normalizeName(String(record.name ?? '')) === wanted);
}

/**
 * The only record with exactly that name.
 *
 * @param what the kind of record, for the error: `recipient group`
 * @param advice what to do when several records have the name
 * @returns undefined when no record has the name
 * @throws what `fail` makes when several records have it
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
