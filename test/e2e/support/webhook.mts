import assert from 'node:assert/strict';
import pWaitFor from 'p-wait-for';
import type { LocalN8n } from '../../../local-n8n/local-n8n.mts';

/** Activates a saved workflow. Returns a function that calls its webhook. */
export async function activateWebhook(
	{ rest, editorUrl }: LocalN8n,
	workflowId: string,
	path: string,
): Promise<(body?: unknown) => Promise<void>> {
	const url = `${editorUrl}/webhook/${path}`;
	await rest.activate(workflowId);
	// n8n 2 activates a workflow in the background. Until the workflow is active, n8n responds with 404.
	const isActive = async () => (await (await fetch(url)).text()).includes('make a POST request');
	await pWaitFor(isActive, { interval: 100, timeout: 60_000 });
	return async (body = {}) => {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
		assert.equal(response.status, 200, await response.text());
	};
}
