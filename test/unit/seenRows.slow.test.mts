import { KIND, SeenRows } from '../../nodes/MessagingServiceTrigger/seen/seenRows.ts';
import { keyOf } from '../kit/rowKeys.mts';

/** Ids as the service makes them: 24 hexadecimal digits that count up. */
const recordId = (number: number) => `64f1c0ffee${number.toString(16).padStart(14, '0')}`;

describe('hash', () => {
	test('spreads ids that count up evenly: as many share 32 bits as chance would have it', () => {
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
});

describe('seen rows', () => {
	test.each([
		[200, 1],
		[1_000, 1],
		[10_000, 1],
		[100_000, 1],
		[100_000, 2],
		[100_000, 3],
	])('%i respondents with %i events take at most 9 bytes each and event', (count, events) => {
		const seen = new SeenRows();
		for (let number = 0; number < count; number++) {
			const place = seen.placeOf(keyOf(recordId(number)), KIND.user);
			for (let event = 0; event < events; event++) seen.add(place, event, 1);
		}
		const bytes = Buffer.byteLength(JSON.stringify(seen.pack(7))) / count / events;
		console.log(
			`State: ${count} respondents, ${events} events: ${bytes.toFixed(2)} bytes each and event`,
		);
		expect(bytes).toBeLessThanOrEqual(9);
	});
});
