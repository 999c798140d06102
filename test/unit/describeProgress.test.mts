import { NodeOperationError } from 'n8n-workflow';

import {
	describeProgress,
	formatRanges,
} from '../../nodes/MessagingService/engine/describeProgress.ts';
import { anyNode } from '../kit/anyNode.mts';

const kinds = {
	refused: new NodeOperationError(anyNode, 'Refused'),
	lost: new NodeOperationError(anyNode, 'No response'),
};
kinds.lost.context.outcomeUnknown = true;
const AGAIN =
	" n8n's Retry button, or a restart of n8n, starts a new execution, which sends all items again.";

test.each<[done: number[], errors: Array<keyof typeof kinds>, isChange: boolean, text: string]>([
	[[1], ['refused'], false, '1 of 4 items was done: item 1.'],
	[
		[],
		['refused', 'lost'],
		true,
		`No item was completed. Perhaps done: item 1. Never sent: items 2 to 3.${AGAIN}`,
	],
])(
	'says what happened to the other items: done %j, errors %j, is a change: %s',
	(done, errors, isChange, text) => {
		const byItem = new Map(errors.map((kind, item) => [item, kinds[kind]]));
		expect(describeProgress({ count: 4, done, errors: byItem, isChange }, 0)).toBe(text);
	},
);

test('sorts a copy of the item numbers and joins neighbors', () => {
	const numbers = [10, 2, 9, 1, 5];
	expect(formatRanges(numbers)).toBe('items 1 to 2, item 5, items 9 to 10');
	expect(numbers).toEqual([10, 2, 9, 1, 5]);
});

test('lists at most 20 ranges and counts the others', () => {
	const everySecond = (count: number) => Array.from({ length: count }, (_, n) => 2 * n);
	expect(formatRanges(everySecond(20))).toMatch(/item 38$/);
	expect(formatRanges(everySecond(21))).toMatch(/item 38 and 1 more$/);
});
