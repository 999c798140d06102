/**
 * Compares the number of Sync's requests for many groups and many people with the limits in docs/sync.md. The emulator runs in
 * this process. The requests for one group of 10,000 are counted in `test/engine/syncCalls.slow.test.mts`.
 */
import '../kit/setup.cjs';

import { startEmulator } from '../../emulator/emulator.mts';
import { anyAccessKey } from '../kit/credentials.mts';
import { locator, runNode } from '../kit/engine.mts';
import { report, type Guard } from './guards.mts';

/** Some groups of equal size before the sync, and who moves to another group, joins or leaves. */
type Case = { groups: number; people: number; move?: number; join?: number; leave?: number };

const MOST_PEOPLE = 100_000;
const small: Case = { groups: 200, people: 10_000 };

const CASES: [work: string, limit: number, Case, mode?: string][] = [
	['200 groups of 50, no change', 330, small],
	['200 groups of 50, 50 people move', 640, { ...small, move: 50 }],
	['200 groups of 50, add one person to each', 790, { ...small, join: 200 }, 'add'],
	['40 groups of 50, 5 people move', 170, { groups: 40, people: 2_000, move: 5 }],
	['300 people, one in and one out', 65, { groups: 1, people: 300, join: 1, leave: 1 }],
	[
		'100,000 people in 500 groups, 1,000 move',
		4_400,
		{ groups: 500, people: MOST_PEOPLE, move: 1_000 },
	],
	[
		'100,000 people in one group, 500 in and 500 out',
		1_200,
		{ groups: 1, people: MOST_PEOPLE, join: 500, leave: 500 },
	],
];

const emulator = await startEmulator({
	seed: { seed: 1, people: MOST_PEOPLE + 500, groups: 1, campaigns: 0, surveys: 0 },
});
const everybody = emulator.state.people.values();

/** Returns a pseudorandom number for an index. The number for an index is the same in every run. */
const scatter = (index: number): number => ((index + 1) * 2_654_435_761) % 4_294_967_296;

/** Counts the requests of a sync of all groups. @throws if a group has the wrong members afterwards */
async function count(
	...[
		work,
		limit,
		{ groups: size, people, move = 0, join = 0, leave = 0 },
		mode = 'mirror',
	]: (typeof CASES)[number]
): Promise<Guard> {
	const groups = Array.from({ length: size }, (_, index) =>
		emulator.state.addRecipientGroup(`Department ${index}: ${work}`),
	);
	for (const [index, { _id }] of everybody.slice(0, people).entries()) {
		groups[index % size]?.members.add(_id);
	}
	const order = [...Array(people).keys()].sort((a, b) => scatter(a) - scatter(b));
	const moving = new Set(order.slice(0, move));
	const wanted = groups.map(() => new Set<string>());
	const items = everybody.slice(leave, people + join).map(({ _id, email }, place) => {
		const index = (moving.has(place) ? scatter(place) : place + leave) % size;
		wanted[index]?.add(_id);
		return { json: { email, group: groups[index]?.name ?? '' } };
	});
	emulator.clearRequests();
	const { error } = await runNode({
		credential: { ...anyAccessKey(emulator.url), accessKey: emulator.accessKey },
		parameters: {
			...{ resource: 'recipientGroup', operation: 'sync', mode, dryRun: false, options: {} },
			recipientGroupId: locator('={{ $json.group }}', 'name'),
			...{ identifyBy: 'email', recipient: '={{ $json.email }}' },
		},
		items,
	});
	if (error) throw error;
	for (const [index, { members, name }] of groups.entries()) {
		const ids = wanted[index] ?? new Set();
		const isRight = members.size === ids.size && [...members].every((id) => ids.has(id));
		if (!isRight) throw new Error(`${name} has the wrong members`);
	}
	return { work: `sync: ${work}`, cost: emulator.requestCount(), unit: 'requests', limit };
}

try {
	const guards: Guard[] = [];
	for (const one of CASES) guards.push(await count(...one));
	report(guards);
} finally {
	await emulator.stop();
}
