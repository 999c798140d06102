import { createHash } from 'node:crypto';

/**
 * The claim of an item to be the only one of its run that does something, for example resets a certain group. If several
 * items have the same claim, all of them fail before anything is sent.
 */
export type Claim = {
	/** What the item does, as JSON. Two claims with equal keys are the same claim. */
	key: unknown;
	/** The message of the error. @param count the number of items with this claim */
	message: (count: number) => string;
	advice: string;
};

/** The claims of the items of a run. */
export class Claims {
	/** Each claim with its items, by the hash of its key, because the body of a request may be large. */
	private readonly byHash = new Map<string, { claim: Claim; items: number[] }>();

	/** Records the claim of an item. */
	add(itemIndex: number, claim: Claim): void {
		const hash = createHash('sha256').update(JSON.stringify(claim.key)).digest('base64');
		const known = this.byHash.get(hash);
		if (known) known.items.push(itemIndex);
		else this.byHash.set(hash, { claim, items: [itemIndex] });
	}

	/** Returns the items of each claim that several items have, with the texts of their error. */
	clashes(): Array<{ items: number[]; message: string; advice: string }> {
		return [...this.byHash.values()]
			.filter(({ items }) => items.length > 1)
			.map(({ claim: { message, advice }, items }) => ({
				items,
				message: message(items.length),
				advice: `${advice} Nothing was sent.`,
			}));
	}
}
