/** Returns a pseudo-random number generator (mulberry32, 32 bits of state). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return (mixed ^ (mixed >>> 14)) >>> 0;
	};
}

/** Returns a random element of a list. @throws if the list is empty */
export function pick<T>(list: readonly T[], random: () => number): T {
	const chosen = list[random() % list.length];
	if (chosen === undefined) throw new Error('The list is empty');
	return chosen;
}
