import {
	chooseCode,
	wordsOf,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/words.ts';
import fc from '../kit/property.mts';

test('a code has as many different words as requested, and each word uses fewer than half of the groups', () => {
	const number = fc.integer({ min: 1, max: 3000 });
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
			expect(chooseCode(load, code.groups - 1)?.groups ?? 0).toBeLessThan(code.groups);
		}),
	);
});
