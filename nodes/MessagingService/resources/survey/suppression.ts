/**
 * Chooses which groups of people must stay hidden so that neither a shown group nor the difference between all people and the
 * shown groups tells the answers of fewer people than the minimum.
 *
 * @param sizes how many people of each group answered
 * @param rest how many people answered who are in no group; they are never shown
 * @param minimum the fewest people whose answers may be shown together, from 1
 * @param hidden indexes of groups that are hidden anyway
 * @returns indexes of the hidden groups: the smallest ones, and no more than it takes
 */
export function hiddenGroups(
	sizes: number[],
	rest: number,
	minimum: number,
	hidden: ReadonlySet<number> = new Set(),
): Set<number> {
	const chosen = new Set(hidden);
	const candidates = sizes
		.map((size, index) => ({ size, index }))
		.filter(({ index }) => !hidden.has(index))
		.sort((a, b) => a.size - b.size);
	let together = rest;
	for (const index of hidden) together += sizes[index] ?? 0;
	for (const { size, index } of candidates) {
		if (size >= minimum && (together === 0 || together >= minimum)) break;
		chosen.add(index);
		together += size;
	}
	return chosen;
}
