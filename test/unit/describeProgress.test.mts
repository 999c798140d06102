import { formatRanges } from '../../nodes/MessagingService/engine/describeProgress.ts';

test.each([
	[[], ''],
	[[3], 'item 3'],
	[[0, 1], 'items 0 to 1'],
	[[0, 1, 2, 5], 'items 0 to 2, item 5'],
	[[10, 2, 9, 1], 'items 1 to 2, items 9 to 10'],
	[[0, 2, 4], 'item 0, item 2, item 4'],
])('formats the item numbers %j as "%s"', (numbers, text) => {
	const before = [...numbers];
	expect(formatRanges(numbers)).toBe(text);
	expect(numbers).toEqual(before);
});

test('lists at most 20 ranges and counts the others', () => {
	const everySecond = (count: number) => Array.from({ length: count }, (_, n) => 2 * n);
	expect(formatRanges(everySecond(20))).toMatch(/item 38$/);
	expect(formatRanges(everySecond(21))).toMatch(/item 38 and 1 more range$/);
	expect(formatRanges(everySecond(25))).toMatch(/item 38 and 5 more ranges$/);
});
