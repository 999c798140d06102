import { topologicalSort } from '../../nodes/MessagingService/engine/properties.ts';

test('fails if two screens list the same fields in different orders', () => {
	const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
	expect(() => topologicalSort([[c], [a, b], [b, a]])).toThrow('in different orders: a, b');
});
