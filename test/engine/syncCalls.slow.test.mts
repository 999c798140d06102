import { groupSync, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

const service = useService({ seed: 1, people: 10_100, groups: 1, campaigns: 0, surveys: 0 });
const { emailsOf, memberIndexes, members, sync, target } = groupSync(service);

/** Numbers in an order that is the same in every run and has no pattern. */
function shuffled(numbers: number[]): number[] {
	const order = (number: number) => (number * 2_654_435_761) % 4_294_967_296;
	return [...numbers].sort((a, b) => order(a + 1) - order(b + 1));
}

const strangers = (count: number) =>
	range(0, count).map((number) => `stranger${number}@people.example`);

function count(values: unknown[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
	return counts;
}

/** Puts each of `some` at an unforeseeable place among `others`. */
function mixed<Value>(others: Value[], some: Value[]): Value[] {
	const all = [...others, ...some];
	return shuffled(range(0, all.length)).flatMap((index) => all.slice(index, index + 1));
}

describe('10,000 recipients in chunks of 500', () => {
	test('known emails into an empty group: one read and 20 calls', async () => {
		members();
		const result = await sync(emailsOf(...range(0, 10_000)));
		expect(service.emulator.requestCount()).toBe(21);
		expect(service.emulator.maxInFlight).toBeLessThanOrEqual(4);
		expect(count(statuses(result))).toEqual({ added: 10_000 });
		expect(target().members.size).toBe(10_000);
	});

	test('all in the group already: as many', async () => {
		members(...range(0, 10_000));
		const result = await sync(emailsOf(...range(0, 10_000)));
		expect(service.emulator.requestCount()).toBe(21);
		expect(count(statuses(result))).toEqual({ alreadyMember: 10_000 });
	});

	test.each(['refuseCall', 'errorLog'] as const)(
		'50 unknown among them (%s): at most 650 calls',
		async (unknownEmails) => {
			service.emulator.switches.unknownEmails = unknownEmails;
			members();
			const input = mixed(emailsOf(...range(0, 9950)), strangers(50));
			const result = await sync(input);
			// Named in errorLog, they cost nothing.
			const most = unknownEmails === 'errorLog' ? 21 : 650;
			expect(service.emulator.requestCount()).toBeLessThanOrEqual(most);
			expect(count(statuses(result))).toEqual({ added: 9950, unknown: 50 });
			const unknown = result.json.filter(({ status }) => status === 'unknown');
			expect(unknown.map(({ recipient }) => recipient).sort()).toEqual(strangers(50).sort());
		},
		60_000,
	);

	test('30 new ones at the end of the list: told apart from those who were there', async () => {
		members(...range(0, 9970));
		const result = await sync(emailsOf(...range(0, 10_000)));
		expect(statuses(result)).toEqual([
			...range(0, 9970).map(() => 'alreadyMember'),
			...range(0, 30).map(() => 'added'),
		]);
		expect(service.emulator.requestCount()).toBeLessThan(100);
	}, 60_000);

	test('30 new ones anywhere, with the group read first: told apart', async () => {
		const newcomers = new Set(shuffled(range(0, 9000)).slice(0, 30));
		members(...range(0, 9000).filter((index) => !newcomers.has(index)));
		const result = await sync(emailsOf(...range(0, 9000)));
		expect(statuses(result)).toEqual(
			range(0, 9000).map((index) => (newcomers.has(index) ? 'added' : 'alreadyMember')),
		);
		// One read, 18 chunks, and the search for the 30: bounded by log2(n) * (n / (2 * chunk) + 3).
		expect(service.emulator.requestCount()).toBeLessThan(200);
	}, 60_000);

	test('100 new ones anywhere: each told apart, at most 125 calls', async () => {
		const newcomers = new Set(shuffled(range(0, 10_000)).slice(0, 100));
		members(...range(0, 10_000).filter((index) => !newcomers.has(index)));
		const result = await sync(emailsOf(...range(0, 10_000)));
		expect(statuses(result)).toEqual(
			range(0, 10_000).map((index) => (newcomers.has(index) ? 'added' : 'alreadyMember')),
		);
		expect(service.emulator.requestCount()).toBeLessThanOrEqual(125);
	}, 60_000);

	test('100 new and 20 unknown ones anywhere: each told apart, at most 350 calls', async () => {
		const order = shuffled(range(0, 10_000));
		const newcomers = new Set(order.slice(0, 100));
		const unknown = new Set(order.slice(5000, 5020));
		members(...range(0, 10_000).filter((index) => !newcomers.has(index)));
		const input = emailsOf(...range(0, 10_000));
		for (const index of unknown) input[index] = `stranger${index}@people.example`;
		const result = await sync(input);
		expect(statuses(result)).toEqual(
			range(0, 10_000).map((index) => {
				if (unknown.has(index)) return 'unknown';
				return newcomers.has(index) ? 'added' : 'alreadyMember';
			}),
		);
		expect(service.emulator.requestCount()).toBeLessThanOrEqual(350);
	}, 60_000);

	test('mirror with 30 in and 20 out, each told by name', async () => {
		const newcomers = new Set(shuffled(range(0, 10_000)).slice(0, 30));
		members(...range(0, 10_020).filter((index) => !newcomers.has(index)));
		const result = await sync(emailsOf(...range(0, 10_000)), { mode: 'mirror' });
		expect(statuses(result)).toEqual([
			...range(0, 10_000).map((index) => (newcomers.has(index) ? 'added' : 'alreadyMember')),
			...range(0, 20).map(() => 'removed'),
		]);
		expect(memberIndexes()).toEqual(range(0, 10_000));
		expect(service.emulator.requestCount()).toBeLessThanOrEqual(120);
	}, 60_000);

	test('mirror that changes nothing: the reads and the staging group only', async () => {
		members(...range(0, 10_000));
		const result = await sync(emailsOf(...range(0, 10_000)), { mode: 'mirror' });
		expect(count(statuses(result))).toEqual({ alreadyMember: 10_000 });
		// The group, the list of groups for left-overs to its end, and create, two reads, 20 chunks and delete of the staging group.
		expect(service.emulator.requestCount()).toBeLessThanOrEqual(4 + 23);
	});
});
