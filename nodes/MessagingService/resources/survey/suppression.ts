/**
 * Selects the groups to hide. Each visible group must have at least the minimum number of people. If there are people
 * outside the visible groups, they must also be at least the minimum number, because subtracting the visible groups from
 * the total gives their answers.
 *
 * @param sizes for each group, the number of its people who answered
 * @param rest the number of people who answered but belong to no group; they are never shown
 * @param minimum the minimum number of people whose answers may be shown together, 1 or more
 * @param hidden indexes of groups that are hidden in any case
 * @returns indexes of the hidden groups: the smallest ones, and as few as possible
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
