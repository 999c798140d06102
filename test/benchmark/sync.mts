/**
 * Measures the cost of Sync for 10,000 people in chunks of 500. Compares the number of requests for 200 groups with the
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
const GROUPS = 200;
/** The number of people who move from one group to another. */
const MOVING = 50;
/**
 * The processor time per recipient with Sync may be at most this fraction of the time with an HTTP Request node that makes
 * one call per item. Both times include the emulator's work, because the emulator runs in the same process.
 */
const MOST_CPU = 1 / 20;
/**
 * The number of people in the comparison run, which makes one call per item. A larger number would not change the result,
 * because the cost per call is constant.
 */
const ONE_BY_ONE = 1000;

const emulator = await startEmulator({
	seed: { seed: 1, people: PEOPLE, groups: 1, campaigns: 0, surveys: 0 },
});
const people = emulator.state.people.values();
const items = people.map(({ email }) => ({ json: { email } }));
const { baseUrl, accessKey } = { baseUrl: emulator.url, accessKey: emulator.accessKey };
const [group] = emulator.state.recipientGroups.values();

try {
	report([...(await requestsOfGroups()), ...(await processorTime())]);
} finally {
	await emulator.stop();
}

/**
 * Counts the requests of a sync of all groups in Mirror mode, first without changes, then after people have moved.
 * @throws if a group has the wrong members
 */
async function requestsOfGroups(): Promise<Line[]> {
	const groups = Array.from({ length: GROUPS }, (_, index) =>
		emulator.state.addRecipientGroup(`Department ${index}`),
	);
	const departments = people.map((_, index) => groups[index % GROUPS]);
	for (const [index, { _id }] of people.entries()) departments[index]?.members.add(_id);
	const cost = async () => {
		emulator.clearRequests();
		await sync(
			people.map(({ email }, index) => ({
				json: { email, group: departments[index]?.name ?? '' },
			})),
			'mirror',
			{ __rl: true, mode: 'name', value: '={{ $json.group }}' },
		);
		for (const [index, { _id }] of people.entries()) {
			if (!departments[index]?.members.has(_id)) throw new Error(`${index} is missing`);
		}
		const members = groups.reduce((sum, { members: ids }) => sum + ids.size, 0);
		if (members !== PEOPLE) throw new Error(`The groups have ${members} members`);
		return emulator.requestCount();
	};
	const unchanged = await cost();
	const order = [...people.keys()].sort((a, b) => scatter(a) - scatter(b));
	for (const index of order.slice(0, MOVING)) departments[index] = groups[scatter(index) % GROUPS];
	const moved = (await cost()) - unchanged;
	const work = `sync of ${PEOPLE}: mirror of ${GROUPS} groups`;
	return [
		{ work: `${work}, nothing to do`, cost: unchanged, limit: 3 * GROUPS + 30 },
		{ work: `${work}, additional requests if ${MOVING} people move`, cost: moved, limit: 350 },
	].map((line) => ({ ...line, unit: 'requests' }));
}

/** Returns a pseudorandom number for an index. It is the same in every run. */
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

/** Runs a node. @throws the error of the node */
async function run(options: Omit<RunOptions, 'credential'>): Promise<void> {
	const credential = { baseUrl, authentication: 'accessKey', accessKey };
	const { error } = await runNode({ credential, ...options });
	if (error) throw error;
}
