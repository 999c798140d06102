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
const UNKNOWN = 50;
const MOST_CALLS = 20;
const MOST_CALLS_WITH_UNKNOWN = 1000;
const LEAST_RATIO = 20;
const HTTP_REQUEST_VERSION = 4.2;

type Measured = { calls: number; seconds: number; members: number };

const emulator = await startEmulator({
	seed: { seed: 1, people: PEOPLE, groups: 1, campaigns: 0, surveys: 0 },
});
const emails = [...emulator.state.people.values()].map(({ email }) => email);
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
	expect(synced.calls === MOST_CALLS, `Sync takes ${synced.calls} calls, not ${MOST_CALLS}`);
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

	const withUnknown = await measure(sync, toItems(withStrangers(emails)));
	print(`Sync with ${UNKNOWN} unknown among them`, withUnknown);
	expect(
		withUnknown.calls <= MOST_CALLS_WITH_UNKNOWN,
		`Sync takes ${withUnknown.calls} calls, more than ${MOST_CALLS_WITH_UNKNOWN}`,
	);
	expect(withUnknown.members === PEOPLE - UNKNOWN, `The group has ${withUnknown.members} members`);
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

/** Empties the group, runs the node and counts. */
async function measure(
	run: (given: INodeExecutionData[]) => Promise<RunResult>,
	given: INodeExecutionData[],
): Promise<Measured> {
	const group = groupOf(emulator);
	group.members.clear();
	emulator.clearRequests();
	const start = performance.now();
	const { error } = await run(given);
	const seconds = (performance.now() - start) / 1000;
	if (error) throw error;
	return { calls: emulator.requestCount(), seconds, members: group.members.size };
}

async function sync(given: INodeExecutionData[]): Promise<RunResult> {
	return await ours(given, { operation: 'sync', mode: 'add', options: {} });
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

/** Puts strangers at even distances in the place of known people. */
function withStrangers(known: string[]): string[] {
	const distance = known.length / UNKNOWN;
	return known.map((email, index) =>
		index % distance === 0 ? `stranger${index}@people.example` : email,
	);
}

function toItems(values: string[]): INodeExecutionData[] {
	return values.map((email) => ({ json: { email } }));
}
