import {
	chooseCode,
	lookUpTarget,
	meantBy,
	sortIds,
	suspectsIn,
	wordsOf,
	type Word,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/code.ts';
import fc from '../kit/property.mts';

test('a code has as many different words as requested, all of one length', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 300 }), (words) => {
			const code = chooseCode(words) ?? { groups: 0, perWord: 0 };
			const found = wordsOf(code, words).map((word) => [...new Set(word)].sort((a, b) => a - b));
			expect(new Set(found.map((word) => word.join())).size).toBe(words);
			for (const word of found) {
				expect(word).toHaveLength(code.perWord);
				expect(word.every((group) => group >= 0 && group < code.groups)).toBe(true);
			}
			expect(chooseCode(words, code.groups)).toEqual(code);
			expect(chooseCode(words, code.groups - 1)?.groups ?? 0).toBeLessThan(code.groups);
		}),
	);
});

test.each([
	[1, undefined, 1, 1],
	[12, undefined, 12, 1],
	[13, undefined, 6, 4],
	[12, 11, 6, 4],
	[300, undefined, 11, 4],
	[10_000, undefined, 24, 4],
	[10_000, 20, 19, 5],
	[100_000, undefined, 41, 4],
])(
	'for %i words and at most %p groups, takes %i groups, and %i per word',
	(words, most, ...code) => {
		const [groups, perWord] = code;
		expect(chooseCode(words, most)).toEqual({ groups, perWord });
	},
);

/** Returns targets with these words, each with one accepted address. */
function targetsWith(...words: Word[]) {
	return words.map((word) => {
		const address = { key: word.join(), value: word.join() };
		return { ...lookUpTarget([address]), word, accepted: [address] };
	});
}
type Seen = Array<[string, Word]>;
const FURTHER = 9;

test('an ID belongs to the target with its word; the creator is in all groups, and any other ID is odd', () => {
	const [one, two, three] = targetsWith([0], [1], [2]);
	const targets = [one, two, three].flatMap((target) => target ?? []);
	const seen: Seen = [
		['a', [0, FURTHER]],
		['b', [1]],
		['c', [0, 1, 2, FURTHER]],
		['d', [1, 2]],
		['e', [2, FURTHER]],
	];
	const found = sortIds(targets, new Map(seen), FURTHER, one);
	expect([...found.idsOf.values()]).toEqual([['a'], ['b']]);
	expect([...found.lacking]).toEqual([three]);
	expect([...found.odd.keys()]).toEqual(['d', 'e']);
	expect([...found.everywhere]).toEqual(['c']);
	expect([...found.short]).toEqual([]);
});

test('the known person alone in the further group of a single target is no creator', () => {
	const targets = targetsWith([0]);
	const found = sortIds(targets, new Map<string, Word>([['a', [0, FURTHER]]]), FURTHER, targets[0]);
	expect([...found.idsOf.values()]).toEqual([['a']]);
});

test('groups are short if they show fewer people than were put in, whoever is in all groups', () => {
	const targets = targetsWith([0], [1], [2]);
	const all: Word = [0, 1, 2, FURTHER];
	const found = sortIds(targets, new Map([['creator', all]]), FURTHER, targets[0]);
	expect([...found.short].sort()).toEqual([0, 1, 2, FURTHER]);
});

test.each<[what: string, Seen, suspects: string[]]>([
	['one hidden account', [['p', [2, 3, 4, 5]]], []],
	['a person with two addresses, shown in the groups of another word', [['x', [2, 3, 4, 5]]], []],
])('suspects nobody if one address lacks an ID: %s', (_what, seen, suspects) => {
	const targets = targetsWith([0, 1, 2, 3], [2, 3, 4, 5]);
	const found = sortIds(targets, new Map(seen), FURTHER, undefined);
	expect(suspectsIn(found).map(({ accepted }) => accepted[0]?.key)).toEqual(suspects);
});

test('suspects the ID that a person with two addresses may have, if all their other groups are short', () => {
	const targets = targetsWith([0, 1, 2, 3], [2, 3, 4, 5], [4, 5, 6, 7], [0, 1, 6, 7]);
	const [, other] = targets;
	const seen: Seen = [
		['x', [2, 3, 4, 5]],
		['y', [0, 1, 6, 7]],
	];
	expect(suspectsIn(sortIds(targets, new Map(seen), FURTHER, undefined))).toEqual([
		other,
		targets[3],
	]);
});

test.each<[Word, meant: string[]]>([
	[
		[0, 1, 2, 3, 4, 5],
		['0,1,2,3', '2,3,4,5'],
	],
	[
		[0, 1, 2, 3, 4, 5, 6],
		['0,1,2,3', '2,3,4,5', '3,4,5,6'],
	],
	[[0, 1], []],
])('an odd ID in the groups %j may belong to %j', (groups, meant) => {
	const targets = targetsWith([0, 1, 2, 3], [2, 3, 4, 5], [3, 4, 5, 6], [5, 6, 7, 8]);
	const seen: Seen = [
		['odd', groups],
		['p', [3, 4, 5, 6]],
		['q', [5, 6, 7, 8]],
	];
	const found = sortIds(targets, new Map(seen), FURTHER, undefined);
	expect(Array.from(meantBy(targets, found), ({ word }) => word.join())).toEqual(meant);
});
