/**
 * What Sync costs for 10,000 people in chunks of 500, in one group and in 200: requests, each beside the number promised in docs/sync.md; and
 * processor time beside the same work with n8n's HTTP Request node, one call an item. Both run in n8n's engine over real
 * HTTP against the emulator in this process.
 */
import '../kit/setup.cjs';

import type { INodeExecutionData } from 'n8n-workflow';

import { startEmulator } from '../../emulator/emulator.mts';
import { locator, runNode, type RunOptions } from '../kit/engine.mts';
import { httpRequestNode } from './contestants.mts';
import { inTurns, report, type Line } from './table.mts';

const PEOPLE = 10_000;
/** People who are in a group without being among the 10,000. */
const OTHERS = 50;
const STRANGERS = 20;
const GROUPS = 200;
/** People who move from one of the groups to another. */
const MOVING = 50;
/** Times the processor time of one call an item, the service's own included in both. */
const MOST_CPU = 1 / 20;
/** One call an item costs the same for each: a part of the 10,000 tells. */
const ONE_BY_ONE = 1000;

const emulator = await startEmulator({
	seed: { seed: 1, people: PEOPLE + OTHERS, groups: 1, campaigns: 0, surveys: 0 },
});
const people = [...emulator.state.people.values()];
const emails = people.slice(0, PEOPLE).map(({ email }) => email);
const items = toItems(emails);
const credential = {
	baseUrl: emulator.url,
	authentication: 'accessKey',
	accessKey: emulator.accessKey,
};

try {
	const lines: Line[] = [];
	for (const work of works()) lines.push(await requests(work));
	lines.push(...(await requestsOfGroups()));
	lines.push(...(await processorTime()));
	report(lines);
} finally {
	await emulator.stop();
}

/** @throws when the group is not what was asked for */
async function requests({ what, most, before, given, mode }: Work): Promise<Line> {
	fill(before);
	emulator.clearRequests();
	await sync(given, mode);
	const { size } = group().members;
	if (size !== PEOPLE) throw new Error(`${what}: the group has ${size} members`);
	return {
		work: `sync of ${PEOPLE}: ${what}`,
		cost: emulator.requestCount(),
		unit: 'requests',
		limit: most,
	};
}

/**
 * Mirror of all groups at once, which the items give by name: nothing to do, and some people moved.
 *
 * @throws when the groups are not what was asked for
 */
async function requestsOfGroups(): Promise<Line[]> {
	const given = Array.from({ length: GROUPS }, (_, index) =>
		emulator.state.addRecipientGroup(`Department ${index}`),
	);
	const place = (index: number) => index % GROUPS;
	const inGroup = people.slice(0, PEOPLE).map((_, index) => place(index));
	const departments = inGroup.map((department) => given[department]);
	for (const [index, department] of departments.entries()) {
		department?.members.add(people[index]?._id ?? '');
	}
	const cost = async () => {
		emulator.clearRequests();
		await sync(
			emails.map((email, index) => ({ json: { email, group: departments[index]?.name ?? '' } })),
			'mirror',
			{ __rl: true, mode: 'name', value: '={{ $json.group }}' },
		);
		for (const [index, department] of departments.entries()) {
			if (!department?.members.has(people[index]?._id ?? ''))
				throw new Error(`${index} is missing`);
		}
		const members = given.reduce((sum, { members: ids }) => sum + ids.size, 0);
		if (members !== PEOPLE) throw new Error(`The groups have ${members} members`);
		return emulator.requestCount();
	};
	const nothing = await cost();
	const moving = emails.map((_, index) => index).sort((a, b) => scatter(a) - scatter(b));
	for (const index of moving.slice(0, MOVING)) {
		departments[index] = given[scatter(index) % GROUPS];
	}
	const moved = (await cost()) - nothing;
	const what = `mirror of ${GROUPS} groups`;
	return [
		{ work: `sync of ${PEOPLE}: ${what}, nothing to do`, cost: nothing, limit: 3 * GROUPS + 30 },
		{ work: `sync of ${PEOPLE}: ${what}, ${MOVING} move, more`, cost: moved, limit: 350 },
	].map((line) => ({ ...line, unit: 'requests' }));
}

async function processorTime(): Promise<Line[]> {
	const otherNode = httpRequestNode();
	if (!otherNode) return [];
	const [cost = NaN, one = NaN] = await inTurns(3, [
		async () => {
			fill([]);
			await sync(items, 'add');
		},
		async () => {
			fill([]);
			await oneByOne(otherNode, items.slice(0, ONE_BY_ONE));
		},
	]);
	return [
		{
			work: `sync, a recipient (${PEOPLE} known emails)`,
			cost: cost / PEOPLE,
			unit: 'ms CPU',
			yardstick: { name: 'HTTP Request', cost: one / ONE_BY_ONE },
			limit: MOST_CPU,
		},
	];
}

type Work = {
	what: string;
	most: number;
	/** Whom the group holds before, by their places among all people. */
	before: number[];
	given: INodeExecutionData[];
	mode: string;
};

/** The work whose cost is promised in docs/sync.md. */
function works(): Work[] {
	const all = emails.map((_, index) => index);
	const mixed = [...all].sort((a, b) => scatter(a) - scatter(b));
	const without = (count: number) => {
		const out = new Set(mixed.slice(0, count));
		return all.filter((index) => !out.has(index));
	};
	const strangers = new Set(mixed.slice(-STRANGERS));
	const withStrangers = emails.map((email, index) =>
		strangers.has(index) ? `stranger${index}@people.example` : email,
	);
	const others = Array.from({ length: OTHERS }, (_, index) => PEOPLE + index);
	return [
		{ what: 'add, 100 new', most: 125, before: without(100), given: items, mode: 'add' },
		{
			what: 'add, 100 new and 20 unknown',
			most: 350,
			before: without(100),
			given: toItems(withStrangers),
			mode: 'add',
		},
		{ what: 'add into an empty group', most: 21, before: [], given: items, mode: 'add' },
		{
			what: 'mirror, 50 new and 50 gone',
			most: 120,
			before: [...without(50), ...others],
			given: items,
			mode: 'mirror',
		},
		{ what: 'mirror, nothing to do', most: 28, before: all, given: items, mode: 'mirror' },
	];
}

/** A number for each place, the same in every run, without a pattern. */
function scatter(index: number): number {
	return ((index + 1) * 2_654_435_761) % 4_294_967_296;
}

/** Makes some people, by their places among all, the members of the group. */
function fill(before: number[]): void {
	group().members.clear();
	for (const index of before) group().members.add(people[index]?._id ?? '');
}

async function sync(
	given: INodeExecutionData[],
	mode: string,
	recipientGroupId = locator(group()._id),
): Promise<void> {
	await run({
		items: given,
		parameters: {
			resource: 'recipientGroup',
			operation: 'sync',
			recipientGroupId,
			identifyBy: 'email',
			recipient: '={{ $json.email }}',
			mode,
			dryRun: false,
			options: {},
		},
	});
}

async function oneByOne(
	otherNode: NonNullable<RunOptions['otherNode']>,
	given: INodeExecutionData[],
): Promise<void> {
	await run({
		items: given,
		otherNode,
		parameters: {
			method: 'POST',
			url: `${emulator.url}/int/v1/recipientGroup/${group()._id}/recipients`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingServiceApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ recipientEmails: [$json.email] }) }}',
			options: {},
		},
	});
	const { size } = group().members;
	if (size !== given.length) throw new Error(`The group has ${size} members`);
}

/** @throws what the node throws */
async function run(options: Omit<RunOptions, 'credential'>): Promise<void> {
	const { error } = await runNode({ credential, ...options });
	if (error) throw error;
}

function group() {
	const [first] = emulator.state.recipientGroups.values();
	if (!first) throw new Error('The seed has no group');
	return first;
}

function toItems(values: string[]): INodeExecutionData[] {
	return values.map((email) => ({ json: { email } }));
}
