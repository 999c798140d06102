import { buildPath, checkedId } from '../../nodes/shared/transport/address.ts';
import { fail } from '../kit/field.mts';
import fc, { anyCharacter } from '../kit/property.mts';

const CLOSE = '/int/v1/campaign/:campaignId/close';

test('builds a path to the same endpoint for any valid ID', () => {
	fc.assert(
		fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (id) => {
			let path: string;
			try {
				path = buildPath(CLOSE, { campaignId: id }, fail);
			} catch (error) {
				expect(String(error)).toMatch(/^Error: Campaign /);
				return;
			}
			const segments = new URL(path, 'http://127.0.0.1').pathname.split('/');
			expect(segments).toHaveLength(6);
			expect(segments.at(-1)).toBe('close');
			expect(decodeURIComponent(segments[4] ?? '')).toBe(id.trim());
		}),
	);
});

test.each(['.', '..', ' .. '])('refuses the ID %j, which would lead to another path', (id) => {
	expect(() => buildPath(CLOSE, { campaignId: id }, fail)).toThrow(
		`Campaign "${id.trim()}" is not an ID`,
	);
});

test.each([
	[' ... ', '...'],
	[0, '0'],
])('reads the ID %j as %j', (value, expected) => {
	expect(checkedId('campaignId', value, fail)).toBe(expected);
});

test.each([undefined, null, '', ' ', true, {}, ['abc']])('refuses %j as an ID', (value) => {
	expect(() => checkedId('recipientGroupId', value, fail)).toThrow(
		'Recipient Group is missing: choose it from the list or enter its ID',
	);
});
