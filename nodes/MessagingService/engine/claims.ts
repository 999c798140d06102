import { createHash } from 'node:crypto';

/** What only one item of a run may do. Several items with the same claim fail before anything is sent. */
export type Claim = {
	/** What the item does, for example a request with its body. */
	key: unknown;
	/** The message of the error. @param count the number of items with this claim */
	message: (count: number) => string;
	advice: string;
};

/** Returns the claims of a run, to which each item adds its own. */
export function createClaims() {
	/** By the hash of the key, because the body of a request may be large. */
	const claims = new Map<string, { claim: Claim; items: number[] }>();
	return {
		add(itemIndex: number, claim: Claim): void {
			const key = createHash('sha256').update(JSON.stringify(claim.key)).digest('base64');
			const same = claims.get(key);
			if (same) same.items.push(itemIndex);
			else claims.set(key, { claim, items: [itemIndex] });
		},
		/** Returns the items that share a claim, with the texts of their error. */
		clashes(): Array<{ items: number[]; message: string; advice: string }> {
			return [...claims.values()]
				.filter(({ items }) => items.length > 1)
				.map(({ claim: { message, advice }, items }) => ({
					items,
					message: message(items.length),
					advice: `${advice} Nothing was sent.`,
				}));
		},
	};
}
