import assert from 'node:assert/strict';
import pWaitFor from 'p-wait-for';
import type { Execution } from '../../../sandbox/n8n/n8n-rest.mts';
import { startQueueSandbox } from '../../../sandbox/queue-mode.mts';
import { line } from '../settings.mts';
import { sharedByAllTests } from '../support/shared.mts';

/** The main process, the two workers and the emulator that all tests of this folder share. */
export const queueSandbox = sharedByAllTests(
	async () => await startQueueSandbox({ line, name: `queue-${line}`, fresh: true }),
);

/** An active workflow that a webhook starts. */
export interface WebhookWorkflow {
	id: string;
	/** Calls the webhook. */
	post: (body?: unknown) => Promise<void>;
	/** Calls the webhook and waits for the end of the execution that it starts, which a worker must have taken on. */
	run: (body?: unknown, timeoutMs?: number) => Promise<Execution>;
}

/** Switches a saved workflow on. `path` is the one of its webhook. */
export async function switchOn(id: string, path: string): Promise<WebhookWorkflow> {
	const { rest, editorUrl, workerOf } = await queueSandbox();
	const url = `${editorUrl}/webhook/${path}`;
	await rest.activate(id);
	// n8n 2 switches a workflow on in the background; until then nobody knows the address.
	const isThere = async () => (await (await fetch(url)).text()).includes('make a POST request');
	await pWaitFor(isThere, { interval: 100, timeout: 60_000 });
	const post = async (body: unknown = {}) => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		assert.equal(response.status, 200, await response.text());
	};
	return {
		id,
		post,
		run: async (body, timeoutMs) => {
			const known = new Set((await rest.executionStatuses(id)).map((execution) => execution.id));
			await post(body);
			const execution = await rest.nextExecution(id, known, timeoutMs);
			assert.ok(await workerOf(execution.id), 'no worker took it on');
			return execution;
		},
	};
}
