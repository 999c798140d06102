import { keyOfUser } from '../../nodes/MessagingServiceTrigger/dedupe/rowKey.ts';
import {
	DamagedRowsError,
	RowFingerprints,
	type PackedRows,
	type FingerprintKind,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowFingerprints.ts';
import fc from '../kit/property.mts';
import { parseAs } from '../kit/typed.mts';

const KINDS = ['user', 'dated', 'undated', 'alias'] as const;
const ALL = 7;

const saved = (seen: RowFingerprints, events = ALL): RowFingerprints =>
	RowFingerprints.unpack(parseAs(JSON.stringify(seen.pack(events)))).seen;

/** Adds a row with these events. */
function see(seen: RowFingerprints, kind: FingerprintKind, id: string, events: number[]): void {
	for (const event of events) seen.add(kind, event, keyOfUser(id));
}

describe('row fingerprints', () => {
	test('keep the count of each fingerprint when they are packed and saved as JSON', () => {
		const entry = fc.record({
			id: fc.constantFrom('a', 'b', 'c'),
			kind: fc.constantFrom(...KINDS),
			event: fc.nat(2),
			isRemoved: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(entry, { maxLength: 50 }), (entries) => {
				const seen = new RowFingerprints();
				const expected = new Map<string, number>();
				for (const { id, kind, event, isRemoved } of entries) {
					const name = `${kind} ${event} ${id}`;
					const count = expected.get(name) ?? 0;
					if (isRemoved) seen.remove(kind, event, keyOfUser(id));
					else seen.add(kind, event, keyOfUser(id));
					expected.set(name, Math.max(0, count + (isRemoved ? -1 : 1)));
				}
				const again = saved(seen);
				for (const [name, count] of expected) {
					const [, kind = 'user', event, id = ''] =
						/^(user|dated|undated|alias) (.) (.)$/.exec(name) ?? [];
					const found = KINDS.find((known) => known === kind) ?? 'user';
					expect([name, again.count(found, Number(event), keyOfUser(id))]).toEqual([name, count]);
				}
			}),
		);
	});

	test('forget events that are no longer selected', () => {
		const seen = new RowFingerprints();
		see(seen, 'user', 'a', [0, 1, 2]);
		expect(saved(seen, 0b010).eventsOf('user', keyOfUser('a'))).toBe(0b010);
	});

	test.each<[string, (text: string) => PackedRows]>([
		['a short text', () => ({ user1: 'AAAA' })],
		['an empty text', () => ({ user1: '' })],
		['a truncated text', (text) => ({ user1: text.slice(0, -2) })],
		['one fewer row', (text) => ({ user1: text.slice(32) })],
		['a longer text', (text) => ({ user1: `${text}AA` })],
		['another character', (text) => ({ user1: `${text.slice(0, 20)}#${text.slice(21)}` })],
		['no events', (text) => ({ user: text })],
		['other events', (text) => ({ user2: text })],
		['an unknown kind', (text) => ({ nobody1: text })],
	])('refuse damaged data: %s', (_case, damage) => {
		const seen = new RowFingerprints();
		for (const id of ['a', 'b', 'c']) see(seen, 'user', id, [0]);
		const { user1: text = '' } = seen.pack(ALL);
		expect(() => RowFingerprints.unpack({ user1: text })).not.toThrow();
		expect(() => RowFingerprints.unpack(damage(text))).toThrow(DamagedRowsError);
	});

	test('refuse an event that does not exist', () => {
		const seen = new RowFingerprints();
		see(seen, 'user', 'a', [3]);
		expect(() => RowFingerprints.unpack(seen.pack(0b1111))).toThrow(DamagedRowsError);
	});

	test.each([
		[1_000, [0]],
		[1_000, [0, 1, 2]],
		[20_000, [0]],
	])('take at most 12 bytes for each of %i respondents with the events %j', (count, events) => {
		const seen = new RowFingerprints();
		for (let number = 0; number < count; number++) see(seen, 'user', `user ${number}`, events);
		expect(JSON.stringify(seen.pack(ALL)).length / count).toBeLessThanOrEqual(12);
	});
});
