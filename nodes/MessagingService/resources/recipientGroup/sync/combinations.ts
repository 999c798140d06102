/** Some of the temporary groups, by index, in ascending order. */
export type Combination = number[];

/**
 * If there are at most this many look-up targets, each has a separate group. At most this many addresses are looked up
 * alone.
 */
export const MOST_SEPARATE = 12;

/**
 * If there are more, each has four groups: if some groups show people late, the groups that show one person are then hardly
 * ever those of another.
 */
const GROUPS_EACH = 4;

/**
 * Returns this many different combinations: of one group each for at most `MOST_SEPARATE`, otherwise of four each. Uses the
 * fewest groups that give enough of them.
 */
export function combinationsFor(count: number): Combination[] {
	const size = count <= MOST_SEPARATE ? 1 : GROUPS_EACH;
	let groupCount = size;
	while (choose(groupCount, size) < count) groupCount++;
	const combinations = combinationsOf(size, groupCount);
	return Array.from({ length: count }, () => combinations.next().value ?? []);
}

/** Returns the binomial coefficient: in how many ways `few` of `many` can be chosen. */
function choose(many: number, few: number): number {
	return few === 0 ? 1 : (choose(many - 1, few - 1) * many) / few;
}

/** Yields all combinations of some size, in lexical order: for 2 of 3 groups `[0, 1]`, `[0, 2]`, `[1, 2]`. */
function* combinationsOf(size: number, groupCount: number, first = 0): Generator<Combination> {
	if (size === 0) return yield [];
	for (let group = first; group <= groupCount - size; group++) {
		for (const rest of combinationsOf(size - 1, groupCount, group + 1)) yield [group, ...rest];
	}
}
