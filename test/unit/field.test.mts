import { fieldInfo } from '../../nodes/shared/field.ts';
import { truncate } from '../../nodes/shared/truncate.ts';
import { anyNode } from '../kit/anyNode.mts';

test('fieldInfo returns the label, the time zone of the workflow, and a function for errors with the item index', () => {
	const context = { getNode: () => anyNode, getTimezone: () => 'Asia/Tokyo' };
	const { label, timezone, fail } = fieldInfo(context, 'emailReplyTo', 3);
	expect({ label, timezone }).toEqual({ label: 'Email Reply To', timezone: 'Asia/Tokyo' });
	expect(fail(`${label} is empty`, 'Enter one.')).toMatchObject({
		message: 'Email Reply To is empty',
		description: 'Enter one.',
		context: { itemIndex: 3 },
	});
});

test('truncate adds an ellipsis and never splits a character', () => {
	expect(truncate('12345', 5)).toBe('12345');
	expect(truncate('123456', 5)).toBe('1234…');
	expect(truncate('123😀6', 5)).toBe('123…');
	expect(truncate('12😀56', 5)).toBe('12😀…');
});
