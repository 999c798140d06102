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

/** The example, started by a webhook instead of a click, with chunks so small that adding takes several calls. */
async function syncByWebhook(path: string): Promise<WorkflowJson> {
	const workflow = await exampleWorkflow(nightlySync.file);
	const nodes = workflow.nodes.map((node) => {
		if (node.name === nightlySync.trigger) return { ...node, ...webhookNode(path, node.name) };
		if (node.parameters.operation !== 'sync') return node;
		const options = { maxRemovalPercent: 20, chunkSize: 50, concurrency: 1 };
		return { ...node, parameters: { ...node.parameters, options } };
	});
	return { ...workflow, name: `Sync by ${path}`, nodes };
}

const expected = expectedMembers(await sampleEmployees());

async function forgetGroups(): Promise<void> {
	const { emulator } = await queueSandbox();
	for (const { _id } of [...emulator.state.recipientGroups.values()])
		emulator.state.recipientGroups.delete(_id);
}

describe('the nightly sync in workers', () => {
	test('a webhook starts it in a worker, and the group is right', async () => {
		const { emulator, saveWorkflow } = await queueSandbox();
		await forgetGroups();
		const { run } = await switchOn(await saveWorkflow(await syncByWebhook('nightly')), 'nightly');
		const execution = await run();
		assert.equal(nightlyReport(execution).counts.added, expected.length);
		assert.deepEqual(groupMembers(emulator, nightlySync.group), expected);
	});

	const moments = [
		{ when: 'adds people', group: nightlySync.group, skip: false },
		// The staging group, which shows the IDs of people.
		{ when: 'looks people up', group: /^n8n sync/, skip: !isNightly },
	];
	for (const [index, { when, group, skip }] of moments.entries()) {
		const name = `a worker killed while it ${when} is not repeated, and the next run makes the group right`;
		test(name, { skip }, async () => {
			const { emulator, rest, saveWorkflow, workerOf } = await queueSandbox();
			await forgetGroups();
			const path = `killed-${index}`;
			const { id, post, run } = await switchOn(await saveWorkflow(await syncByWebhook(path)), path);

			let additions = 0;
			let killed: (() => Promise<void>) | undefined;
			const stopListening = emulator.onRequest(async (request) => {
				const [, groupId = ''] =
					/^\/int\/v1\/recipientGroup\/(\w+)\/recipients$/.exec(request.path) ?? [];
				const name = emulator.state.recipientGroups.get(groupId)?.name;
				if (request.method !== 'POST' || name === undefined) return;
				if (typeof group === 'string' ? name !== group : !group.test(name)) return;
				additions++;
				if (additions !== 2) return;
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
			assert.notDeepEqual(groupMembers(emulator, nightlySync.group), expected);

			assert.equal((await run()).error, undefined);
			assert.deepEqual(groupMembers(emulator, nightlySync.group), expected);
			await killed?.();
		});
	}
});

function isFailure(status: string): boolean {
	return status === 'error' || status === 'crashed';
}
