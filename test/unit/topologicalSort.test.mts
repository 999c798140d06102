import { topologicalSort } from '../../nodes/MessagingService/engine/properties.ts';
import fc from '../kit/property.mts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const fields = names.map((name) => ({ name }));

test('keeps the field order of every screen and lists each field once', () => {
	const screens = fc
		.shuffledSubarray(fields, { minLength: fields.length })
		.chain((order) => fc.array(fc.subarray(order), { maxLength: 8 }));
	fc.assert(
		fc.property(screens, (given) => {
			const ordered = topologicalSort(given);
			expect(new Set(ordered)).toEqual(new Set(given.flat()));
			expect(new Set(ordered).size).toBe(ordered.length);
			for (const screen of given) {
				expect(ordered.filter((field) => screen.includes(field))).toEqual(screen);
			}
		}),
	);
});

test('fails if two screens list the same fields in different orders', () => {
	const [a, b, c] = fields;
	if (!a || !b || !c) throw new Error('Too few fields');
	expect(() => topologicalSort([[c], [a, b], [b, a]])).toThrow('in different orders: a, b');
});
