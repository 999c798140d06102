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
])('%p has members: %p, by name: %p', (value, withMembers, byName) => {
	expect(isRecord(value)).toBe(withMembers);
	expect(isDataObject(value)).toBe(byName);
});
