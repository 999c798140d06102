import {
	combinationsFor,
	type Combination,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/combinations.ts';
import {
	assignIds,
	createLookUpTarget,
	possibleOwners,
	type LookUpTarget,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/lookUp.ts';

test.each([
	[1, 1, 1],
	[12, 12, 1],
	[13, 6, 4],
	[15, 6, 4],
	[16, 7, 4],
	[300, 11, 4],
	[10_000, 24, 4],
	[100_000, 41, 4],
])('%i different combinations have %i groups, and %i each', (count, groups, length) => {
	const all = combinationsFor(count);
	expect(new Set(all.map((one) => one.join())).size).toBe(count);
	expect(new Set(all.flat())).toEqual(new Set(Array.from({ length: groups }, (_, one) => one)));
	const isAscending = (one: Combination) =>
		one.every((group, index) => index === 0 || group > (one[index - 1] ?? group));
	expect(all.filter((one) => one.length !== length || !isAscending(one))).toEqual([]);
});

/** Returns targets with these groups, each with one accepted address. */
function targetsWith(...combinations: Combination[]) {
	return combinations.map((groups) => {
		const address = { key: groups.join(), value: groups.join() };
		return { ...createLookUpTarget(address.key, [address]), groups, accepted: [address] };
	});
}
type Seen = Array<[string, Combination]>;

const idsOf = (targets: LookUpTarget[]) => targets.map(({ ids }) => ids);

test('an ID belongs to the target with its groups; the creator is in all groups, any other ID is unassigned', () => {
	const targets = targetsWith([0], [1], [2]);
	const seen: Seen = [
		['a', [0, 3]],
		['b', [1]],
		['c', [0, 1, 2, 3]],
		['d', [1, 2]],
		['e', [2, 3]],
	];
	const found = assignIds(targets, new Map(seen), 3, targets[0]);
	expect(idsOf(targets)).toEqual([['a'], ['b'], []]);
	expect([...found.unassigned.keys()]).toEqual(['d', 'e']);
	expect([...found.everywhere]).toEqual(['c']);
	expect(found.isShort).toBe(false);
});

test('the person alone in the control group of a single target is no creator', () => {
	const targets = targetsWith([0]);
	assignIds(targets, new Map<string, Combination>([['a', [0, 1]]]), 1, targets[0]);
	expect(idsOf(targets)).toEqual([['a']]);
});

test('groups are short if they show fewer people than were put in, whoever is in all groups', () => {
	const targets = targetsWith([0], [1], [2]);
	const found = assignIds(targets, new Map([['creator', [0, 1, 2, 3]]]), 3, targets[0]);
	expect(found.isShort).toBe(true);
});

test.each<[Combination, meant: string[]]>([
	[
		[0, 1, 2, 3, 4, 5],
		['0,1,2,3', '2,3,4,5'],
	],
	[
		[0, 1, 2, 3, 4, 5, 6],
		['0,1,2,3', '2,3,4,5', '3,4,5,6'],
	],
	[[0, 1], []],
])('an unassigned ID in the groups %j may belong to %j', (groups, meant) => {
	const targets = targetsWith([0, 1, 2, 3], [2, 3, 4, 5], [3, 4, 5, 6], [5, 6, 7, 8]);
	const seen: Seen = [
		['unassigned', groups],
		['p', [3, 4, 5, 6]],
		['q', [5, 6, 7, 8]],
	];
	const found = assignIds(targets, new Map(seen), 9);
	expect(possibleOwners(targets, found).map(({ key }) => key)).toEqual(meant);
});
