import {
	chooseCode,
	explainOdd,
	sortIds,
	wordsOf,
	type Code,
	type Holder,
	type Word,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/words.ts';
import fc from '../kit/property.mts';

test('a code has as many different words as requested, and each word uses fewer than half of the groups', () => {
	const number = fc.integer({ min: 1, max: 300 });
	fc.assert(
		fc.property(number, number, fc.boolean(), (words, chunkSize, isFirst) => {
			const load = { words, addresses: 2 * words, chunkSize, isFirst };
			const code = chooseCode(load) ?? { groups: 0, perWord: 0 };
			const found = wordsOf(code, words).map((word) => [...new Set(word)].sort((a, b) => a - b));
			expect(new Set(found.map((word) => word.join())).size).toBe(words);
			for (const word of found) {
				expect(word).toHaveLength(code.perWord);
				expect(word.every((group) => group >= 0 && group < code.groups)).toBe(true);
			}
			expect(code.groups).toBeGreaterThan(2 * code.perWord);
			expect(chooseCode(load, code.groups)).toEqual(code);
			expect(chooseCode(load, code.groups - 1)?.groups ?? 0).toBeLessThan(code.groups);
		}),
	);
});

test.each([
	[{ words: 2, isHalved: true }, 500, 2, 1],
	[{ words: 12, isAgain: true }, 500, 12, 1],
	[{ words: 13, isAgain: true }, 500, 6, 2],
	[{ words: 12 }, 500, 6, 2],
	[{ words: 125 }, 50, 11, 3],
	[{ words: 125, isFirst: true }, 50, 9, 4],
	[{ words: 10_000 }, 3, 142, 2],
	[{ words: 10_000 }, 100, 41, 3],
	[{ words: 10_000 }, 500, 24, 4],
])(
	'for %j and %i recipients per request, takes %i groups, and %i per word',
	(load, chunkSize, groups, perWord) => {
		const code = chooseCode({ isFirst: false, ...load, addresses: load.words, chunkSize });
		expect(code).toEqual({ groups, perWord });
	},
);

/**
 * Looks up addresses with these owners, and checks that no ID gets the address of another owner. No group shows owner
 * 0, and the creator is in all groups. If `tags` is above 1, that many addresses share each word, each with a
 * different tag.
 *
 * @returns the owner of each address whose ID is found
 */
function lookUp(owners: number[], { groups, perWord }: Code, tags = 1): number[] {
	const words = wordsOf({ groups, perWord }, Math.ceil(owners.length / tags));
	const seenIn = new Map<string, Word>([['creator', [...Array(groups).keys()]]]);
	const tagOf = new Map<string, string>();
	const ownerOf = new Map<Holder, { owner: number; id: string }>();
	for (const [index, owner] of owners.entries()) {
		const accepted = [{ key: `address ${index}`, value: '' }];
		const tag = String(index % tags);
		const wordNumber = Math.floor(index / tags);
		const word = words[wordNumber] ?? [];
		const id = `person ${owner} of ${tag}`;
		ownerOf.set({ addresses: accepted, accepted, wordNumber, tag, word }, { owner, id });
		if (owner === 0) continue;
		if (tags > 1) tagOf.set(id, tag);
		seenIn.set(id, [...new Set([...(seenIn.get(id) ?? []), ...word])]);
	}
	const holders = [...ownerOf.keys()];
	const sorted = sortIds(holders, seenIn, tagOf);
	const { idsOf, lacking, odd } = explainOdd(sorted, seenIn, tagOf, groups);
	const found = [...idsOf].flatMap(([holder, ids]) => ids.map((id) => ({ id, holder })));
	for (const { id, holder } of found) expect(id).toBe(ownerOf.get(holder)?.id);
	expect(lacking).toEqual(new Set(holders.filter((one) => !idsOf.has(one))));
	const all = [...seenIn.keys()];
	expect(odd).toEqual(new Set(all.filter((id) => found.every((one) => one.id !== id))));
	return found.flatMap(({ holder }) => ownerOf.get(holder)?.owner ?? []);
}

test('finds each person with one address, and gives no person the address of another', () => {
	const owners = fc.array(fc.nat(12), { minLength: 1, maxLength: 24 });
	fc.assert(
		fc.property(owners, fc.integer({ min: 1, max: 3 }), (given, tags) => {
			const load = { words: given.length, addresses: given.length, chunkSize: 1, isFirst: true };
			const found = lookUp(given, chooseCode(load) ?? { groups: 0, perWord: 0 }, tags);
			const once = given.filter((one) => one > 0 && given.filter((it) => it === one).length === 1);
			expect(found).toEqual(expect.arrayContaining(once));
		}),
	);
});

test.each([
	['1123', '1123'],
	['12113', '11123'],
	// More than three addresses are not tried.
	['11112', '2'],
	['11022', '1122'],
])('of addresses with the owners %s, finds those of %s', (owners, expected) => {
	const found = lookUp([...owners].map(Number), { groups: 9, perWord: 1 });
	expect(found.sort().join('')).toBe(expected);
});
