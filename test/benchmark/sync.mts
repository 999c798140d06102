/**
 * Measures the cost of Sync in chunks of 500. Compares the number of requests for many groups and many people with the
 * limits in docs/sync.md. Compares the processor time with that of n8n's HTTP Request node, which makes one call per item.
 * Both nodes run in n8n's engine over real HTTP, with the emulator in this process. The number of requests for one group is
 * checked in `test/engine/syncCalls.slow.test.mts`.
 */
import '../kit/setup.cjs';

import type { INodeExecutionData } from 'n8n-workflow';

import { startEmulator } from '../../emulator/emulator.mts';
import { locator, runNode, type RunOptions } from '../kit/engine.mts';
import { httpRequestNode, postJson } from './contestants.mts';
import { compareCpu, report, type Line } from './table.mts';

const PEOPLE = 10_000;
const MOST_PEOPLE = 100_000;
/** The response time of the service in the measurements of time. */
const RESPONSE_MS = 30;
/**
 * The limit for Sync's processor time per recipient, as a fraction of the time that one call per item needs. Both times
 * include the emulator.
 */
const MOST_CPU = 1 / 20;
/** The number of people in the run with one call per item. A call always costs the same, so a small run is enough. */
const ONE_BY_ONE = 1000;

const emulator = await startEmulator({
	seed: { seed: 1, people: MOST_PEOPLE + 500, groups: 1, campaigns: 0, surveys: 0 },
});
const people = emulator.state.people.values();
const items = people.slice(0, PEOPLE).map(({ email }) => ({ json: { email } }));
const { url: baseUrl, accessKey } = emulator;
const [group] = emulator.state.recipientGroups.values();

try {
	report([...(await requestsOfGroups()), ...(await processorTime())]);
} finally {
	await emulator.stop();
}

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

/** Counts the requests of a sync of all groups. @throws if a group has the wrong members afterwards */
async function countRequests({ groups, wanted }: ReturnType<typeof departments>, mode: string) {
	emulator.clearRequests();
	const given = groups.flatMap(({ name }, index) =>
		Array.from(wanted[index] ?? [], (id) => ({
			json: { email: emulator.state.people.get(id)?.email ?? '', group: name },
		})),
	);
	const began = performance.now();
	await sync(given, mode, { __rl: true, mode: 'name', value: '={{ $json.group }}' });
	const seconds = (performance.now() - began) / 1000;
	for (const [index, { members, name }] of groups.entries()) {
		const { size } = wanted[index] ?? new Set();
		const isRight = members.size === size && [...members].every((id) => wanted[index]?.has(id));
		if (!isRight) throw new Error(`${name} has the wrong members`);
	}
	return { requests: emulator.requestCount(), seconds };
}

function move({ wanted }: ReturnType<typeof departments>, count: number): void {
	const everybody = wanted.flatMap((ids, index) => Array.from(ids, (id) => ({ id, index })));
	const order = [...everybody.keys()].sort((a, b) => scatter(a) - scatter(b));
	for (const place of order.slice(0, count)) {
		const { id = '', index = 0 } = everybody[place] ?? {};
		wanted[index]?.delete(id);
		wanted[scatter(place) % wanted.length]?.add(id);
	}
}

/** Counts the requests for many groups and for many people (the table in docs/sync.md). */
async function requestsOfGroups(): Promise<Line[]> {
	const lines: Line[] = [];
	const add = (work: string, limit: number, { requests }: { requests: number }) =>
		lines.push({ work: `sync: ${work}`, cost: requests, limit, unit: 'requests' });
	const small = departments(200, people.slice(0, 10_000));
	add('200 groups of 50, no change', 330, await countRequests(small, 'mirror'));
	move(small, 50);
	add('200 groups of 50, 50 people move', 640, await countRequests(small, 'mirror'));
	for (const [index, { _id }] of people.slice(10_000, 10_200).entries()) {
		small.wanted[index]?.add(_id);
	}
	add('200 groups of 50, add one person to each', 790, await countRequests(small, 'add'));
	const few = departments(40, people.slice(0, 2_000));
	move(few, 5);
	add('40 groups of 50, 5 people move', 170, await countRequests(few, 'mirror'));
	const team = departments(1, people.slice(0, 300));
	const [leaver, joiner] = [people[0], people[300]];
	if (leaver && joiner) team.wanted[0]?.delete(leaver._id);
	if (joiner) team.wanted[0]?.add(joiner._id);
	add('300 people, one in and one out', 65, await countRequests(team, 'mirror'));
	const many = departments(500, people.slice(0, MOST_PEOPLE));
	move(many, 1_000);
	add('100,000 people in 500 groups, 1,000 move', 4_400, await countRequests(many, 'mirror'));
	const one = departments(1, people.slice(0, MOST_PEOPLE));
	for (const { _id } of people.slice(0, 500)) one.wanted[0]?.delete(_id);
	for (const { _id } of people.slice(MOST_PEOPLE)) one.wanted[0]?.add(_id);
	emulator.faults.add({ match: {}, times: Infinity, action: { delayMs: RESPONSE_MS } });
	const all = await countRequests(one, 'mirror');
	emulator.faults.clear();
	const work = '100,000 people in one group, 500 in and 500 out';
	add(work, 1_200, all);
	const timed = `sync: ${work}, ${RESPONSE_MS} ms a response`;
	return [...lines, { work: timed, cost: all.seconds, limit: 14, unit: 's' }];
}

/** Returns a pseudorandom number for an index. The number for an index is the same in every run. */
function scatter(index: number): number {
	return ((index + 1) * 2_654_435_761) % 4_294_967_296;
}

async function processorTime(): Promise<Line[]> {
	const otherNode = httpRequestNode();
	if (!group || !otherNode) return [];
	const line = await compareCpu(
		`sync, per recipient (${PEOPLE} known emails)`,
		MOST_CPU,
		3,
		{
			units: PEOPLE,
			run: async () => {
				group.members.clear();
				await sync(items, 'add', locator(group._id));
			},
		},
		{
			name: 'HTTP Request',
			units: ONE_BY_ONE,
			run: async () => {
				group.members.clear();
				await run({
					items: items.slice(0, ONE_BY_ONE),
					otherNode,
					parameters: postJson(
						`${baseUrl}/int/v1/recipientGroup/${group._id}/recipients`,
						'={{ JSON.stringify({ recipientEmails: [$json.email] }) }}',
					),
				});
				const { size } = group.members;
				if (size !== ONE_BY_ONE) throw new Error(`The group has ${size} members`);
			},
		},
	);
	return [line];
}

async function sync(
	given: INodeExecutionData[],
	mode: string,
	recipientGroupId: ReturnType<typeof locator>,
): Promise<void> {
	await run({
		items: given,
		parameters: {
			...{ resource: 'recipientGroup', operation: 'sync', recipientGroupId, mode },
			...{ identifyBy: 'email', recipient: '={{ $json.email }}', dryRun: false, options: {} },
		},
	});
}

async function run(options: Omit<RunOptions, 'credential'>): Promise<void> {
	const credential = { baseUrl, authentication: 'accessKey', accessKey };
	const { error } = await runNode({ credential, ...options });
	if (error) throw error;
}
