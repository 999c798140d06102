/**
 * What a test needs of the emulator's records, for which there is nothing to test without it.
 *
 * @param what names it where it is missing: the seed may have changed
 */
export function required<Item>(found: Item | undefined, what: string): Item {
	if (found === undefined) throw new Error(`The emulator has no ${what}`);
	return found;
}

/** The first of some records. @throws when there is none */
export function first<Item>(records: Iterable<Item>, what = 'such record'): Item {
	const [found] = records;
	return required(found, what);
}
