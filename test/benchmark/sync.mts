/**
 * Compares the number of Sync's requests for many groups and many people with the limits in docs/sync.md. The emulator runs in
 * this process. The requests for one group of 10,000 are counted in `test/engine/syncCalls.slow.test.mts`.
 */
import '../kit/setup.cjs';

import { startEmulator } from '../../emulator/emulator.mts';
import { runNode } from '../kit/engine.mts';
import { report, type Guard } from './guards.mts';

const MOST_PEOPLE = 100_000;

const emulator = await startEmulator({
	seed: { seed: 1, people: MOST_PEOPLE + 500, groups: 1, campaigns: 0, surveys: 0 },
});
const people = emulator.state.people.values();
const guards: Guard[] = [];

/** Splits people into groups of equal size. @returns the groups, and the IDs of the people in each group */
function departments(count: number, some: typeof people) {
	const groups = Array.from({ length: count }, (_, index) =>
		emulator.state.addRecipientGroup(`Department ${index} of ${count} with ${some.length}`),
	);
	const wanted = groups.map(() => new Set<string>());
	for (const [index, { _id }] of some.entries()) {
		groups[index % count]?.members.add(_id);
		wanted[index % count]?.add(_id);
	}
	return { groups, wanted };
}

type Departments = ReturnType<typeof departments>;

/** Returns a pseudorandom number for an index. The number for an index is the same in every run. */
const scatter = (index: number): number => ((index + 1) * 2_654_435_761) % 4_294_967_296;

/** Moves people to other groups. */
function move({ wanted }: Departments, count: number): void {
	const everybody = wanted.flatMap((ids, index) => Array.from(ids, (id) => ({ id, index })));
	const order = [...everybody.keys()].sort((a, b) => scatter(a) - scatter(b));
	for (const place of order.slice(0, count)) {
		const { id = '', index = 0 } = everybody[place] ?? {};
		wanted[index]?.delete(id);
		wanted[scatter(place) % wanted.length]?.add(id);
	}
}

/** Counts the requests of a sync of all groups. @throws if a group has the wrong members afterwards */
async function count(
	work: string,
	limit: number,
	{ groups, wanted }: Departments,
	mode = 'mirror',
): Promise<void> {
	const items = groups.flatMap(({ name }, index) =>
		Array.from(wanted[index] ?? [], (id) => ({
			json: { email: emulator.state.people.get(id)?.email ?? '', group: name },
		})),
	);
	emulator.clearRequests();
	const { error } = await runNode({
		credential: {
			...{ baseUrl: emulator.url, authentication: 'accessKey', accessKey: emulator.accessKey },
		},
		parameters: {
			...{ resource: 'recipientGroup', operation: 'sync', mode, dryRun: false, options: {} },
			recipientGroupId: { __rl: true, mode: 'name', value: '={{ $json.group }}' },
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
	guards.push({ work: `sync: ${work}`, cost: emulator.requestCount(), unit: 'requests', limit });
}

try {
	const small = departments(200, people.slice(0, 10_000));
	await count('200 groups of 50, no change', 330, small);
	move(small, 50);
	await count('200 groups of 50, 50 people move', 640, small);
	for (const [index, { _id }] of people.slice(10_000, 10_200).entries()) {
		small.wanted[index]?.add(_id);
	}
	await count('200 groups of 50, add one person to each', 790, small, 'add');
	const few = departments(40, people.slice(0, 2_000));
	move(few, 5);
	await count('40 groups of 50, 5 people move', 170, few);
	const team = departments(1, people.slice(0, 300));
	team.wanted[0]?.delete(people[0]?._id ?? '');
	team.wanted[0]?.add(people[300]?._id ?? '');
	await count('300 people, one in and one out', 65, team);
	const many = departments(500, people.slice(0, MOST_PEOPLE));
	move(many, 1_000);
	await count('100,000 people in 500 groups, 1,000 move', 4_400, many);
	const one = departments(1, people.slice(0, MOST_PEOPLE));
	for (const { _id } of people.slice(0, 500)) one.wanted[0]?.delete(_id);
	for (const { _id } of people.slice(MOST_PEOPLE)) one.wanted[0]?.add(_id);
	await count('100,000 people in one group, 500 in and 500 out', 1_200, one);
	report(guards);
} finally {
	await emulator.stop();
}
