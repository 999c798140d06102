import {
	append,
	changedAll,
	chunksOf,
	isAmong,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';

const recipients = ['a', 'b', 'c'].map((key) => ({ key, value: key }));

test.each([
	[0, []],
	[1, [[1]]],
	[2, [[1, 2]]],
	[3, [[1, 2], [3]]],
	[
		4,
		[
			[1, 2],
			[3, 4],
		],
	],
])('of %d recipients no call names more than two, and none is left out', (count, chunks) => {
	expect(chunksOf([1, 2, 3, 4].slice(0, count), 2)).toEqual(chunks);
});

test.each([
	[3, true],
	[2, false],
	[0, false],
	[4, false],
	[undefined, false],
])('three recipients and a count of %p: the call changed everybody: %s', (changed, all) => {
	expect(changedAll({ recipients, changed })).toBe(all);
});

test.each([
	['a', true, true],
	['b', true, false],
	['a', false, true],
	['b', false, undefined],
])('whether %s is in the group of a (shown whole: %s): %s', (id, complete, is) => {
	expect(isAmong({ ids: new Set(['a']), complete, shown: '1 of 1' }, id)).toBe(is);
});

test('nobody knows who is in a group that was not read', () => {
	expect(isAmong(undefined, 'a')).toBeUndefined();
});

test('a list of 200,000 is added behind what is there', () => {
	const target = [-1];
	append(target, new Set(Array.from({ length: 200_000 }, (_, n) => n)));
	expect(target).toHaveLength(200_001);
	expect([target[0], target[1], target.at(-1)]).toEqual([-1, 0, 199_999]);
});
