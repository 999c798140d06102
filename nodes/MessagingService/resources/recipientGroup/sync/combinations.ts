/** Some of the temporary groups, by index, in ascending order. */
export type Combination = number[];

/** Up to this many targets, each target has one separate group. */
export const MOST_SEPARATE = 12;

/**
 * More targets have four groups each: if some groups show people late, the groups that show one person are then hardly
 * ever those of another.
 */
const GROUPS_EACH = 4;

/** Returns this many different combinations, with the fewest groups that give enough of them. */
export function combinationsFor(count: number): Combination[] {
	const length = count <= MOST_SEPARATE ? 1 : GROUPS_EACH;
	let groups = length;
	while (choose(groups, length) < count) groups++;
	const combinations = combinationsOf(length, groups);
	return Array.from({ length: count }, () => combinations.next().value ?? []);
}

/** Returns the binomial coefficient: in how many ways `few` of `many` can be chosen. */
function choose(many: number, few: number): number {
	return few === 0 ? 1 : (choose(many - 1, few - 1) * many) / few;
}

/** Yields all combinations of some length, in lexical order: for 2 of 3 groups `[0, 1]`, `[0, 2]`, `[1, 2]`. */
function* combinationsOf(length: number, groups: number, first = 0): Generator<Combination> {
	if (length === 0) return yield [];
	for (let group = first; group <= groups - length; group++) {
		for (const rest of combinationsOf(length - 1, groups, group + 1)) yield [group, ...rest];
	}
}
