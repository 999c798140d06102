import { NodeOperationError } from 'n8n-workflow';

import {
	describeProgress,
	formatRanges,
} from '../../nodes/MessagingService/engine/describeProgress.ts';
import { anyNode } from '../kit/anyNode.mts';

test('says what happened to the other items', () => {
	const refused = new NodeOperationError(anyNode, 'Refused');
	const lost = new NodeOperationError(anyNode, 'No response');
	lost.context.outcomeUnknown = true;
	const read = { count: 4, done: [1], errors: new Map([[0, refused]]), isChange: false };
	expect(describeProgress(read, 0)).toBe('1 of 4 items was done: item 1.');
	const change = { ...read, done: [], errors: new Map([refused, lost].entries()), isChange: true };
	expect(describeProgress(change, 0)).toBe(
		"No item was completed. Perhaps done: item 1. Never sent: items 2 to 3. n8n's Retry button, or a restart of n8n, starts a new execution, which sends all items again.",
	);
});

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
