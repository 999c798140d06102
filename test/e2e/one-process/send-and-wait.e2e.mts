import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../../local-n8n/editor/chromium.mts';
import type { Execution } from '../../../local-n8n/n8n/n8n-rest.mts';
import { chain, nodeOf, noOp, to, webhookNode } from '../../../local-n8n/n8n/workflow.mts';
import {
	askNode,
	checkSecondApprover,
	nextBroadcast,
	submit,
	untilWaiting,
} from '../support/broadcasts.mts';
import { activateWebhook } from '../support/webhook.mts';
import { sharedN8n } from './shared-n8n.mts';

let browser: Browser;
let page: Page;
before(async () => {
	browser = await startChromium();
	page = await browser.newPage({ viewport: { width: 390, height: 780 } });
});
after(async () => await browser.close());

const afterwards = noOp('Afterwards');

let workflows = 0;

/** Starts a workflow with Send and Wait. Returns once its broadcast is sent and its execution waits. */
async function ask(parameters: Record<string, unknown> = {}) {
	const localN8n = await sharedN8n();
	const path = `ask-${++workflows}`;
	const workflowId = await localN8n.saveWorkflow(
		chain(path, [webhookNode(path), askNode(localN8n, parameters), afterwards]),
	);
	const post = await activateWebhook(localN8n, workflowId, path);
	const sent = await nextBroadcast(localN8n, async () => await post({ campaign: 'newsletter' }));
	await untilWaiting(localN8n, workflowId);
	const ended = async () => await localN8n.rest.nextExecution(workflowId, new Set());
	return { ...sent, localN8n, workflowId, ended };
}

/** Returns the output of the workflow, without the time of the response. */
function replyOf(execution: Execution): Record<string, unknown> {
	assert.equal(execution.status, 'success', execution.error);
	const [item, ...others] = execution.items('Afterwards');
	assert.deepEqual(others, []);
	const { data, broadcastId, body } = item?.json ?? {};
	assert.ok(typeof data === 'object' && data !== null && 'respondedAt' in data);
	assert.ok(!Number.isNaN(Date.parse(String(data.respondedAt))));
	return { ...data, respondedAt: undefined, broadcastId, body };
}

async function click(link: string, button: string): Promise<void> {
	await page.goto(link);
	await page.getByRole('button', { name: button }).click();
	await page.getByText('Your response was recorded').waitFor();
}

describe('Send and Wait', () => {
	test('keeps waiting when the link is opened, and after a click closes the broadcast and resumes the workflow', async () => {
		const { localN8n, workflowId, broadcast, link, ended } = await ask();
		for (let opened = 0; opened < 100; opened++) assert.equal((await fetch(link)).status, 200);
		for (const method of ['HEAD', 'PUT', 'DELETE']) await fetch(link, { method });
		await submit(link, {});
		await submit(link, { decision: 'decline' });
		await untilWaiting(localN8n, workflowId);

		await page.goto(link);
		assert.equal(await page.title(), 'Send the newsletter?');
		assert.match(await page.locator('p.message').innerText(), /<b>Send it\?<\/b>/);
		assert.equal(await page.getByRole('button').count(), 1);
		await click(link, 'Approve');
		assert.deepEqual(replyOf(await ended()), {
			approved: true,
			respondedAt: undefined,
			broadcastId: broadcast._id,
			body: { campaign: 'newsletter' },
		});
		assert.equal(broadcast.status, '3');
		assert.doesNotMatch(await (await fetch(link)).text(), /<form/);
	});

	test('accepts only one of three simultaneous responses, and ignores later responses', async () => {
		const { localN8n, workflowId, link, ended } = await ask({
			approvalOptions: { values: { approvalType: 'double' } },
		});
		await Promise.all(
			['approve', 'approve', 'decline'].map(async (decision) => await submit(link, { decision })),
		);
		const before = replyOf(await ended());
		await submit(link, { decision: 'decline' });
		assert.deepEqual(replyOf(await ended()), before);
		assert.equal((await localN8n.rest.executionStatuses(workflowId)).length, 1);
	});

	test('refuses a link with a forged signature or without a signature', async () => {
		const { localN8n, workflowId, link } = await ask();
		for (const query of ['&signature=forged', '']) {
			const url = link.replace(/&signature=\w+/, query);
			assert.equal((await fetch(url)).status, 401);
			await submit(url, { decision: 'approve' });
		}
		await untilWaiting(localN8n, workflowId);
	});

	test('accepts a response after an update of the package and a restart of n8n', async () => {
		const { localN8n, link, ended } = await ask();
		await localN8n.reinstallPackage();
		await localN8n.restart();
		await click(link, 'Approve');
		assert.equal(replyOf(await ended()).approved, true);
	});

	for (const onError of ['stopWorkflow', 'continueErrorOutput'])
		test(`with On Error ${onError}, a director who does not respond in time has not approved`, async () => {
			await checkSecondApprover(await sharedN8n(), `two-approvers-${onError}`, onError);
		});

	test('asks again in a loop, and then refuses the link of the earlier question', async () => {
		const localN8n = await sharedN8n();
		const twoItems = nodeOf('Two items', 'n8n-nodes-base.code', 2, {
			jsCode: 'return [{ json: { n: 1 } }, { json: { n: 2 } }];',
		});
		const loop = nodeOf('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
		const workflow = chain('loop', [webhookNode('ask-loop'), twoItems, loop]);
		workflow.nodes.push(askNode(localN8n), afterwards);
		workflow.connections.Loop = { main: [to('Afterwards'), to('Ask')] };
		workflow.connections.Ask = { main: [to('Loop')] };
		const id = await localN8n.saveWorkflow(workflow);
		const first = await nextBroadcast(localN8n, await activateWebhook(localN8n, id, 'ask-loop'));
		await untilWaiting(localN8n, id);
		const approve = async (link: string) => await submit(link, { decision: 'approve' });
		const second = await nextBroadcast(localN8n, async () => await approve(first.link));
		await untilWaiting(localN8n, id);
		assert.match(await approve(first.link), /Nothing to do/);
		await untilWaiting(localN8n, id);
		await approve(second.link);
		const execution = await localN8n.rest.nextExecution(id, new Set());
		assert.deepEqual(
			execution.items('Afterwards').map(({ json }) => json.n),
			[1, 2],
		);
	});
});
