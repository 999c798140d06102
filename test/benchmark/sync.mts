/**
 * 10,000 known emails into a group: Sync beside the same work with n8n's HTTP Request node, one call an item. Both run in
 * n8n's engine, in one run, over real HTTP against the emulator in this process; without a network's latency, which
 * favours the many calls. Run it after `npm run build`, with an installed n8n for the HTTP Request node:
 *
 *     node --import tsx test/benchmark/sync.mts
 *
 * N8N_FOLDER names the folder in whose node_modules n8n is installed; without it the sandbox's is taken.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import '../kit/setup.cjs';

import type { INodeExecutionData, INodeType } from 'n8n-workflow';

import { startEmulator, type Emulator } from '../../emulator/emulator.mts';
import { locator, runNode, type RunOptions, type RunResult } from '../kit/engine.mts';

const PEOPLE = 10_000;
/** People who are in a group without being among the 10,000. */
const OTHERS = 50;
const LEAST_RATIO = 20;
const HTTP_REQUEST_VERSION = 4.2;

type Measured = { calls: number; seconds: number; members: number };

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

const failures: string[] = [];
try {
	// Loads and compiles what both need, so that neither pays for it.
	await measure(sync, toItems(emails.slice(0, 600)));

	const synced = await measure(sync, items);
	print('Sync', synced);
	expect(synced.members === PEOPLE, `The group has ${synced.members} members`);

	const baseline = httpRequestNode();
	const name = baseline ? 'HTTP Request node' : 'Add Recipients (no n8n with an HTTP Request node)';
	const oneByOne = await measure(
		baseline ? (given) => httpRequest(baseline, given) : addOne,
		items,
	);
	print(`${name}, one call an item`, oneByOne);
	expect(oneByOne.calls === PEOPLE, `${name} takes ${oneByOne.calls} calls, not ${PEOPLE}`);
	expect(oneByOne.members === PEOPLE, `The group has ${oneByOne.members} members`);

	const ratio = oneByOne.seconds / synced.seconds;
	console.log(`Sync is ${ratio.toFixed(1)} times as fast`);
	expect(ratio >= LEAST_RATIO, `It must be at least ${LEAST_RATIO} times`);

	for (const { what, most, before, given, mode = 'add' } of works()) {
		const measured = await measure(
			async (all) => await ours(all, syncParameters(mode)),
			given,
			before,
		);
		print(`${what}, at most ${most}`, measured);
		expect(measured.calls <= most, `${what}: ${measured.calls} calls, more than ${most}`);
	}
} finally {
	await emulator.stop();
}
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);

function expect(holds: boolean, failure: string): void {
	if (!holds) failures.push(failure);
}

function print(what: string, { calls, seconds, members }: Measured): void {
	console.log(
		`${what.padEnd(48)} ${String(calls).padStart(6)} calls ${seconds.toFixed(2).padStart(8)} s ${String(members).padStart(7)} members`,
	);
}

type Work = {
	what: string;
	most: number;
	/** Whom the group holds before, by their places among all people. */
	before: number[];
	given: INodeExecutionData[];
	mode?: string;
};

/** The work whose cost is promised in docs/sync.md. */
function works(): Work[] {
	const all = emails.map((_, index) => index);
	const mixed = [...all].sort((a, b) => scatter(a) - scatter(b));
	const without = (count: number) => {
		const out = new Set(mixed.slice(0, count));
		return all.filter((index) => !out.has(index));
	};
	const strangers = new Set(mixed.slice(-20));
	const withStrangers = emails.map((email, index) =>
		strangers.has(index) ? `stranger${index}@people.example` : email,
	);
	const others = Array.from({ length: OTHERS }, (_, index) => PEOPLE + index);
	return [
		{ what: 'Add, 100 new', most: 125, before: without(100), given: items },
		{
			what: 'Add, 100 new and 20 unknown',
			most: 350,
			before: without(100),
			given: toItems(withStrangers),
		},
		{ what: 'Add into an empty group', most: 21, before: [], given: items },
		{
			what: 'Mirror, 50 new and 50 gone',
			most: 120,
			before: [...without(50), ...others],
			given: items,
			mode: 'mirror',
		},
		{ what: 'Mirror, nothing to do', most: 26, before: all, given: items, mode: 'mirror' },
	];
}

/** A number for each place, the same in every run, without a pattern. */
function scatter(index: number): number {
	return ((index + 1) * 2_654_435_761) % 4_294_967_296;
}

/** Fills the group, runs the node and counts. */
async function measure(
	run: (given: INodeExecutionData[]) => Promise<RunResult>,
	given: INodeExecutionData[],
	before: number[] = [],
): Promise<Measured> {
	const group = groupOf(emulator);
	group.members.clear();
	for (const index of before) group.members.add(people[index]?._id ?? '');
	emulator.clearRequests();
	const start = performance.now();
	const { error } = await run(given);
	const seconds = (performance.now() - start) / 1000;
	if (error) throw error;
	return { calls: emulator.requestCount(), seconds, members: group.members.size };
}

async function sync(given: INodeExecutionData[]): Promise<RunResult> {
	return await ours(given, syncParameters('add'));
}

function syncParameters(mode: string): RunOptions['parameters'] {
	return { operation: 'sync', recipient: '={{ $json.email }}', mode, dryRun: false, options: {} };
}

async function addOne(given: INodeExecutionData[]): Promise<RunResult> {
	return await ours(given, {
		operation: 'addRecipients',
		recipientEmails: '={{ $json.email }}',
		options: {},
	});
}

async function ours(
	given: INodeExecutionData[],
	parameters: RunOptions['parameters'],
): Promise<RunResult> {
	return await runNode({
		credential,
		items: given,
		parameters: {
			resource: 'recipientGroup',
			recipientGroupId: locator(groupOf(emulator)._id),
			identifyBy: 'email',
			...parameters,
		},
	});
}

async function httpRequest(nodeType: INodeType, given: INodeExecutionData[]): Promise<RunResult> {
	return await runNode({
		credential,
		items: given,
		otherNode: {
			nodeType,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: HTTP_REQUEST_VERSION,
		},
		parameters: {
			method: 'POST',
			url: `${emulator.url}/int/v1/recipientGroup/${groupOf(emulator)._id}/recipients`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'messagingServiceApi',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ recipientEmails: [$json.email] }) }}',
			options: {},
		},
	});
}

/** n8n's own HTTP Request node, when a whole n8n is installed. */
function httpRequestNode(): INodeType | undefined {
	const folder = process.env.N8N_FOLDER ?? join(process.cwd(), 'sandbox', 'n8n-2');
	if (!existsSync(join(folder, 'node_modules', 'n8n-nodes-base'))) {
		console.log(`No n8n in ${folder}: the node's own Add Recipients stands in, one call an item`);
		return undefined;
	}
	type Module = { HttpRequest: new () => { nodeVersions: Record<number, INodeType> } };
	const load: (name: string) => Module = createRequire(join(folder, 'package.json'));
	const { HttpRequest } = load('n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js');
	return new HttpRequest().nodeVersions[HTTP_REQUEST_VERSION];
}

function groupOf({ state }: Emulator) {
	const [group] = state.recipientGroups.values();
	if (!group) throw new Error('The seed has no group');
	return group;
}

function toItems(values: string[]): INodeExecutionData[] {
	return values.map((email) => ({ json: { email } }));
}
