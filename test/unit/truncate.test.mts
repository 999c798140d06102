import { truncate } from '../../nodes/shared/truncate.ts';

test('truncate adds an ellipsis and never splits a character', () => {
	expect(truncate('12345', 5)).toBe('12345');
	expect(truncate('123456', 5)).toBe('1234…');
	expect(truncate('123😀6', 5)).toBe('123…');
	expect(truncate('12😀56', 5)).toBe('12😀…');
});
