import assert from 'node:assert/strict';
import { test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { expectedMembers, sampleEmployees } from '../../../local-n8n/examples/employees.mts';
import { groupMembers } from '../../../local-n8n/examples/emulator.mts';
import { webhookNode } from '../../../local-n8n/n8n/workflow.mts';
import { exampleWorkflow } from '../../../local-n8n/local-n8n.mts';
import { activate, queueN8n } from '../support/queue-n8n.mts';

const approval = {
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { mode: 'raw', jsonOutput: '{ "data": { "approved": true } }', options: {} },
};

/** Returns the example "Groups of all departments", started by a webhook, and with several chunks per group. */
async function departmentSync(path: string) {
	const workflow = await exampleWorkflow('department-groups.json');
	const nodes = workflow.nodes.map((node) => {
		const { name, parameters } = node;
		if (name === 'When clicking Execute workflow') return { ...node, ...webhookNode(path, name) };
		// An execution that a webhook starts ignores pinned data. A Set node returns the approval
		// instead.
		if (name === 'Ask the approver') return { ...node, ...approval };
		if (parameters.operation !== 'sync') return node;
		const options: unknown = Object.assign({}, parameters.options, {
			chunkSize: 50,
			concurrency: 1,
		});
		return { ...node, parameters: { ...parameters, options } };
	});
	return { ...workflow, name: 'Sync in a worker', nodes };
}

test('if the worker of a sync is killed, n8n does not repeat it, and the next run completes the groups', async () => {
	const { emulator, rest, workers, workerOf } = await queueN8n();
	// The service knows all of them: before Sync calls an address unknown, it waits 15 s.
	const employees = (await sampleEmployees()).map((employee) => {
		if (employee.email !== '') emulator.state.people.add({ email: employee.email });
		return employee.status === 'starting' ? { ...employee, status: 'active' as const } : employee;
	});
	const wanted = new Map(
		employees.map(({ department }) => [
			department,
			expectedMembers(employees.filter((employee) => employee.department === department)),
		]),
	);
	const groups = () =>
		new Map(Array.from(wanted.keys(), (name) => [name, groupMembers(emulator, name)]));
	const { id, post, run } = await activate(await departmentSync('departments'), 'departments');

	let calls = 0;
	let isKilled = false;
	const stopListening = emulator.onRequest(async ({ method, path }) => {
		const [, groupId = ''] = /^\/int\/v1\/recipientGroup\/(\w+)\/recipients$/.exec(path) ?? [];
		const group = emulator.state.recipientGroups.get(groupId);
		if (method !== 'POST' || !group || !wanted.has(group.name) || ++calls !== 2) return;
		const [execution] = await rest.executionStatuses(id);
		const worker = await workerOf(execution?.id ?? '');
		await worker?.kill();
		isKilled = worker !== undefined;
	});
	await post();
	await pWaitFor(() => isKilled, { interval: 50, timeout: 60_000 });
	stopListening();

	// n8n detects that no worker runs the execution, and marks it as failed. n8n 2 needs 40 s for this.
	const isFailed = ({ status }: { status: string }) => ['error', 'crashed'].includes(status);
	await pWaitFor(async () => (await rest.executionStatuses(id)).every(isFailed), {
		interval: 500,
		timeout: 120_000,
	});
	const [killed, ...others] = await rest.executionStatuses(id);
	assert.deepEqual(others, []);
	const tookOn = await Promise.all(workers.map(async (one) => await one.tookOn(killed?.id ?? '')));
	assert.deepEqual(tookOn.filter(Boolean), [true]);
	assert.notDeepEqual(groups(), wanted);

	assert.equal((await run()).error, undefined);
	assert.deepEqual(groups(), wanted);
});
