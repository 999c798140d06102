import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { expectedMembers, sampleEmployees } from '../../../sandbox/examples/employees.mts';
import { groupMembers } from '../../../sandbox/examples/emulator.mts';
import { nightlyReport, nightlySync } from '../../../sandbox/examples/nightly-sync.mts';
import type { WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { exampleWorkflow } from '../../../sandbox/sandbox.mts';
import { webhookNode } from '../support/workflow.mts';
import { isNightly } from '../settings.mts';
import { queueSandbox, switchOn } from './queue-sandbox.mts';

/** An example, started by a webhook instead of a click, with chunks so small that adding to one group takes several calls. */
async function syncByWebhook(file: string, path: string): Promise<WorkflowJson> {
	const workflow = await exampleWorkflow(file);
	const nodes = workflow.nodes.map((node) => {
		const { name, parameters } = node;
		if (name === nightlySync.trigger) return { ...node, ...webhookNode(path, name) };
		// Production runs ignore data pinned in the editor.
		if (name === 'Ask the approver') return { ...node, ...approval };
		if (parameters.operation !== 'sync') return node;
		const options: unknown = Object.assign({}, parameters.options, {
			chunkSize: 50,
			concurrency: 1,
		});
		return { ...node, parameters: { ...parameters, options } };
	});
	return { ...workflow, name: `Sync by ${path}`, nodes };
}

const approval = {
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { mode: 'raw', jsonOutput: '{ "data": { "approved": true } }', options: {} },
};

const employees = await sampleEmployees();

/** Groups by name, with the addresses of their members. */
type Groups = Map<string, string[]>;

const noGroups: Groups = new Map();

/** The groups that each example makes. */
const nightlyGroup: Groups = new Map([[nightlySync.group, expectedMembers(employees)]]);
const departmentGroups: Groups = new Map(
	employees.map(({ department }) => [
		department,
		expectedMembers(employees.filter((employee) => employee.department === department)),
	]),
);

/** The same groups, of each of which two people are in the next one instead. */
const departmentsBeforeMoves: Groups = new Map(
	[...departmentGroups].map(([name, members], index, all) => [
		name,
		[...members.slice(2), ...(all.at(index - 1)?.[1].slice(0, 2) ?? [])],
	]),
);

/** Replaces all groups of the service. */
async function setGroups(groups: Groups): Promise<void> {
	const { state } = (await queueSandbox()).emulator;
	for (const { _id } of [...state.recipientGroups.values()]) state.recipientGroups.delete(_id);
	for (const [name, members] of groups) {
		const ids = members.map((email) => state.people.add({ email })._id);
		state.addRecipientGroup(name, ids);
	}
}

describe('the nightly sync in workers', () => {
	test('a webhook starts it in a worker, and the group is right', async () => {
		const { emulator, saveWorkflow } = await queueSandbox();
		await setGroups(noGroups);
		const workflow = await syncByWebhook(nightlySync.file, 'nightly');
		const { run } = await switchOn(await saveWorkflow(workflow), 'nightly');
		const execution = await run();
		const expected = expectedMembers(employees);
		assert.equal(nightlyReport(execution).counts.added, expected.length);
		assert.deepEqual(groupMembers(emulator, nightlySync.group), expected);
	});
});

const nightly = { file: nightlySync.file, wanted: nightlyGroup };
const departments = { file: 'department-groups.json', wanted: departmentGroups };

/** When a worker is killed: at the second of these calls to a group. */
interface Moment {
	when: string;
	file: string;
	wanted: Groups;
	/** The groups before the run; none if not given. */
	before?: Groups;
	/** POST adds, DELETE removes. */
	method?: 'POST' | 'DELETE';
	/** The group's name; one of those wanted if not given. */
	group?: RegExp;
	skip?: boolean;
}

const moments: Moment[] = [
	{ when: 'adds people to several groups', ...departments },
	{ when: 'adds people to a group', ...nightly, skip: !isNightly },
	// The staging group, which shows the IDs of people.
	{ when: 'looks people up', ...nightly, group: /^n8n sync/, skip: !isNightly },
	{
		when: 'removes people who moved',
		...departments,
		before: departmentsBeforeMoves,
		method: 'DELETE',
		skip: !isNightly,
	},
];

describe('a sync in a worker', () => {
	for (const moment of moments) {
		const { when, file, wanted, before = noGroups, method = 'POST', group, skip = false } = moment;
		const name = `that is killed while it ${when} is not repeated, and the next run makes the groups right`;
		test(name, { skip }, async () => {
			const { emulator, rest, saveWorkflow, workerOf } = await queueSandbox();
			await setGroups(before);
			const path = `killed-while-it-${when.replaceAll(' ', '-')}`;
			const workflow = await syncByWebhook(file, path);
			const { id, post, run } = await switchOn(await saveWorkflow(workflow), path);
			const groups = (): Groups =>
				new Map(Array.from(wanted.keys(), (named) => [named, groupMembers(emulator, named)]));

			let calls = 0;
			let killed: (() => Promise<void>) | undefined;
			const stopListening = emulator.onRequest(async (request) => {
				const [, groupId = ''] =
					/^\/int\/v1\/recipientGroup\/(\w+)\/recipients$/.exec(request.path) ?? [];
				const called = emulator.state.recipientGroups.get(groupId)?.name;
				if (request.method !== method || called === undefined) return;
				if (group ? !group.test(called) : !wanted.has(called)) return;
				calls++;
				if (calls !== 2) return;
				const [execution] = await rest.executionStatuses(id);
				const worker = await workerOf(execution?.id ?? '');
				await worker?.kill();
				killed = worker?.start;
			});
			await post();
			await pWaitFor(() => killed !== undefined, { interval: 50, timeout: 60_000 });
			stopListening();

			// n8n notices that nobody holds the execution any more, and gives it up.
			await pWaitFor(
				async () => (await rest.executionStatuses(id)).every(({ status }) => isFailure(status)),
				{ interval: 500, timeout: 120_000 },
			);
			assert.equal((await rest.executionStatuses(id)).length, 1);
			assert.notDeepEqual(groups(), wanted);
			const members = new Set([...groups().values()].flat());
			const lost = [...before.values()].flat().filter((email) => !members.has(email));
			assert.deepEqual(lost, [], 'in no group');

			assert.equal((await run()).error, undefined);
			assert.deepEqual(groups(), wanted);
			await killed?.();
		});
	}
});

function isFailure(status: string): boolean {
	return status === 'error' || status === 'crashed';
}
