import {
	chooseCode,
	explainOdd,
	sortIds,
	wordsOf,
	type Thing,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/words.ts';
import fc from '../kit/property.mts';

const load = { chunkSize: 500, isFirst: false };
const NO_TAGS = new Map<string, string>();

test('words are different, have the same length, are less than half of the groups and fill them evenly', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 3_000 }), (words) => {
			const code = chooseCode({ ...load, words, addresses: words });
			if (!code) throw new Error('no code');
			const { groups, perWord } = code;
			const list = wordsOf(code, words);
			expect(groups).toBeGreaterThan(2 * perWord);
			expect(new Set(list.map((word) => [...word].sort((a, b) => a - b).join())).size).toBe(words);
			const sizes = Array.from({ length: groups }, () => 0);
			for (const word of list) for (const group of word) sizes[group] = (sizes[group] ?? 0) + 1;
			expect(list.every((word) => new Set(word).size === perWord)).toBe(true);
			expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(perWord);
		}),
	);
});

test.each([
	[10_000, Infinity, { groups: 24, perWord: 4 }, 170],
	[100_000, Infinity, { groups: 86, perWord: 3 }, 860],
	[10_000, 20, undefined, 180],
	[10_000, 10, 'none', 0],
])('%s people in at most %s groups', (words, most, expected, requests) => {
	const code = chooseCode({ ...load, words, addresses: words }, most);
	if (expected === 'none') return expect(code).toBeUndefined();
	const { groups = Infinity, perWord = 0 } = code ?? {};
	expect(groups).toBeLessThanOrEqual(most);
	expect(groups * (3 + Math.ceil((words * perWord) / groups / 500))).toBeLessThanOrEqual(requests);
});

const thing = (...word: number[]): Thing => {
	const address = { key: word.join(), value: word.join() };
	return { addresses: [address], wordNumber: 0, tag: '', word, accepted: [address] };
};

test('an ID belongs to the thing whose word it was seen under; any other ID is odd', () => {
	const [a, b, c] = [thing(0), thing(1), thing(2)];
	const seenIn = new Map([
		['7', [0]],
		['5', [0, 1]],
		['9', [0, 1, 2]],
	]);
	const found = sortIds([a, b, c], seenIn, NO_TAGS);
	expect(found.idsOf).toEqual(new Map([[a, ['7']]]));
	expect([...found.lacking]).toEqual([b, c]);
	expect([...found.odd]).toEqual(['5', '9']);
});

test('a person with two addresses is found only if their words explain the groups in one way', () => {
	const [a, b, c, d] = [thing(0, 1), thing(2, 3), thing(0, 2), thing(1, 3)];
	const explained = (things: Thing[], seen: number[]) => {
		const seenIn = new Map([['7', seen]]);
		return explainOdd(sortIds(things, seenIn, NO_TAGS), seenIn, NO_TAGS, 5);
	};
	expect(explained([a, b], [0, 1, 2, 3]).idsOf).toEqual(
		new Map([
			[a, ['7']],
			[b, ['7']],
		]),
	);
	// A third word within the groups changes nothing; with a fourth, there is a second way.
	expect([...explained([a, b, c], [0, 1, 2, 3]).odd]).toEqual([]);
	expect([...explained([a, b, c, d], [0, 1, 2, 3]).odd]).toEqual(['7']);
	expect([...explained([a, b], [0, 1, 2]).odd]).toEqual(['7']);
	expect([...explained([a, b], [0, 1, 2, 3, 4]).odd]).toEqual(['7']);
});
