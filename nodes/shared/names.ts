/** A name as it is compared: without case and outer blanks. "é" as one sign and as two are the same letter. */
export function normalizeName(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}

/** The records of exactly that name, as `normalizeName` compares it. */
export function findByName<Named extends { name?: unknown }>(
	records: Named[],
	name: string,
): Named[] {
	const wanted = normalizeName(name);
	return records.filter((record) => normalizeName(String(record.name ?? '')) === wanted);
}
