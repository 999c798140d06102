/**
 * Returns a record of the emulator that a test needs.
 *
 * @param what names it in the error
 * @throws when it is missing, as after a change of the seed
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
