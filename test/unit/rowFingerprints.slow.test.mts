import {
	KIND,
	RowFingerprints,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowFingerprints.ts';
import { bytesEach, keyOf, recordId } from './rowFingerprints.mts';

test('ids that count up are spread evenly: as many share 32 bits as chance would have it', () => {
	const count = 300_000;
	const numbers = new Float64Array(count);
	for (let number = 0; number < count; number++) {
		const { high, low } = keyOf(recordId(number));
		numbers[number] = (high >>> 16) * 2 ** 16 + (low & 0xffff);
	}
	numbers.sort();
	let shared = 0;
	for (let index = 1; index < count; index++) if (numbers[index] === numbers[index - 1]) shared++;
	const expected = count ** 2 / 2 / 2 ** 32;
	expect(shared).toBeGreaterThan(expected / 4 - 3);
	expect(shared).toBeLessThan(expected * 2 + 10);
});

test.each([
	[10_000, 1],
	[100_000, 1],
	[100_000, 2],
	[100_000, 3],
])('%i respondents with %i events take at most 9 bytes each and event', (count, events) => {
	const bytes = bytesEach(count, events);
	console.log(
		`State: ${count} respondents, ${events} events: ${bytes.toFixed(2)} bytes each and event`,
	);
	expect(bytes).toBeLessThanOrEqual(9);
});

test('equal rows take no more than others', () => {
	const seen = new RowFingerprints();
	seen.add(seen.placeOf(keyOf('a'), KIND.user), 0, 100_000);
	expect(JSON.stringify(seen.pack(7)).length / 100_000).toBeLessThan(9);
});
