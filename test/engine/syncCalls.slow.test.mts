import { useFakeSleep } from '../kit/fakeSleep.mts';
import { groupSync, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 1, people: 10_100, groups: 1, campaigns: 0, surveys: 0 });
const { memberIndexes, sync, target } = groupSync(service);
const people = () => service.emulator.state.people.values();
const emailsOf = (count: number) =>
	people()
		.slice(0, count)
		.map(({ email }) => email);

const COUNT = 10_000;

/** Returns the numbers in a pseudo-random order that is the same in every run. */
function shuffled(numbers: number[]): number[] {
	const order = (number: number) => (number * 2_654_435_761) % 4_294_967_296;
	return [...numbers].sort((a, b) => order(a + 1) - order(b + 1));
}

const ANYWHERE = shuffled(range(0, COUNT));
const HUNDRED = ANYWHERE.slice(0, 100);
const FIFTY = ANYWHERE.slice(0, 50);
const OTHERS = ANYWHERE.slice(5000, 5020);

type Work = { mode?: string; joining: number[]; unknown?: number[]; leaving?: number };

/** `mostRequests` must not exceed the number of requests in docs/sync.md. */
test.each<[string, Work, mostRequests: number]>([
	['add to an empty group', { joining: range(0, COUNT) }, 22],
	['add no one new', { joining: [] }, 35],
	['add 100 anywhere', { joining: HUNDRED }, 200],
	['add 9,950, with 50 unknown', { joining: range(0, COUNT), unknown: FIFTY }, 900],
	['mirror without changes', { mode: 'mirror', joining: [] }, 35],
	['mirror, 50 added and 50 removed', { mode: 'mirror', joining: FIFTY, leaving: 50 }, 215],
	[
		'mirror, 50 added and 50 removed, with 20 unknown',
		{ mode: 'mirror', joining: FIFTY, unknown: OTHERS, leaving: 50 },
		450,
	],
])(
	'returns the right status for each of 10,000 people: %s',
	async (_what, { mode = 'add', joining, unknown = [], leaving = 0 }, mostRequests) => {
		const isJoining = new Set(joining);
		const isUnknown = new Set(unknown);
		const { members } = target();
		members.clear();
		for (const [index, { _id }] of people()
			.slice(0, COUNT + leaving)
			.entries())
			if (!isJoining.has(index) && !isUnknown.has(index)) members.add(_id);
		const emails = emailsOf(COUNT);
		for (const index of unknown) emails[index] = `nobody${index}@people.example`;
		const result = await sync(emails, { mode });
		expect(statuses(result)).toEqual([
			...range(0, COUNT).map((index) => {
				if (isUnknown.has(index)) return 'unknown';
				return isJoining.has(index) ? 'added' : 'alreadyMember';
			}),
			...range(0, leaving).map(() => 'removed'),
		]);
		if (unknown.length === 0) expect(memberIndexes()).toEqual(range(0, COUNT));

		expect(service.emulator.requestCount()).toBeLessThanOrEqual(mostRequests);
		expect(service.emulator.maxInFlight).toBeLessThanOrEqual(4);
	},
);
