import { isDataObject, isRecord } from '../../nodes/shared/typeGuards.ts';

test.each<[unknown, boolean, boolean]>([
	[{}, true, true],
	[{ a: 1 }, true, true],
	[new Error('An error has members'), true, true],
	[[], true, false],
	[null, false, false],
	[undefined, false, false],
	['text', false, false],
	[7, false, false],
	[() => ({}), false, false],
])('%p: isRecord %p, isDataObject %p', (value, isAnyRecord, isData) => {
	expect(isRecord(value)).toBe(isAnyRecord);
	expect(isDataObject(value)).toBe(isData);
});
