import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../../../sandbox/editor/chromium.mts';
import type { Execution, WorkflowNode } from '../../../sandbox/n8n/n8n-rest.mts';
import type { Sandbox } from '../../../sandbox/sandbox.mts';
import { chain, nodeOf, serviceNode, webhookNode } from '../support/workflow.mts';
import { line } from '../settings.mts';
import { sharedSandbox } from './shared-sandbox.mts';

let browser: Browser;
let page: Page;
before(async () => {
	browser = await startChromium();
	page = await browser.newPage({ viewport: { width: 390, height: 780 } });
});
after(async () => await browser.close());

const afterwards = nodeOf('Afterwards', 'n8n-nodes-base.noOp', 1, {});

function asking({ emulator }: Sandbox, parameters: Record<string, unknown>): WorkflowNode {
	const [approver] = emulator.state.people.values();
	return serviceNode('Ask', 'broadcast', 'sendAndWait', {
		title: 'Send the newsletter?',
		message: '12,000 people get it tomorrow.\n<b>Send it?</b>',
		recipientsFrom: 'emails',
		recipientEmails: approver?.email ?? '',
		...parameters,
	});
}

/** A started workflow that waits for a response. */
interface Waiting {
	sandbox: Sandbox;
	workflowId: string;
	/** The link in the broadcast. */
	link: string;
	broadcastId: string;
	/** Waits until the next execution has ended. */
	ended: () => Promise<Execution>;
}

let workflows = 0;

/** Starts a workflow that asks, and waits until its broadcast is out and its execution waits. */
async function ask(
	parameters: Record<string, unknown> = {},
	between: WorkflowNode[] = [],
): Promise<Waiting> {
	const sandbox = await sharedSandbox();
	const path = `ask-${++workflows}`;
	const workflowId = await sandbox.saveWorkflow(
		chain(path, [webhookNode(path), ...between, asking(sandbox, parameters), afterwards]),
	);
	await sandbox.rest.activate(workflowId);
	const { link, broadcastId } = await nextBroadcast(sandbox, async () => {
		const response = await pWaitFor(
			async () => {
				const started = await fetch(`${sandbox.editorUrl}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ campaign: 'newsletter' }),
				});
				return started.ok ? pWaitFor.resolveWith(started) : false;
			},
			{ interval: 200, timeout: 15_000 },
		);
		await response.text();
	});
	await waits(sandbox, workflowId);
	return {
		sandbox,
		workflowId,
		link,
		broadcastId,
		ended: async () => await sandbox.rest.nextExecution(workflowId, new Set()),
	};
}

/** The broadcast that comes next, once it can be seen. */
async function nextBroadcast({ emulator }: Sandbox, start: () => Promise<void>) {
	const known = new Set([...emulator.state.broadcasts.values()].map(({ _id }) => _id));
	await start();
	const broadcast = await pWaitFor(
		() => {
			const found = [...emulator.state.broadcasts.values()].find(({ _id }) => !known.has(_id));
			return found === undefined ? false : pWaitFor.resolveWith(found);
		},
		{ interval: 50, timeout: 20_000 },
	);
	return { link: String(broadcast.actionLink), broadcastId: broadcast._id };
}

async function statusOf({ rest }: Sandbox, workflowId: string): Promise<string | undefined> {
	return (await rest.executionStatuses(workflowId)).at(-1)?.status;
}

async function waits(sandbox: Sandbox, workflowId: string): Promise<void> {
	await pWaitFor(async () => (await statusOf(sandbox, workflowId)) === 'waiting', {
		interval: 100,
		timeout: 20_000,
	});
}

async function post(link: string, form: Record<string, string>): Promise<Response> {
	return await fetch(link, { method: 'POST', body: new URLSearchParams(form) });
}

/** What came out, without the time of the response. */
function replyOf(execution: Execution): Record<string, unknown> {
	assert.equal(execution.status, 'success', execution.error);
	const [item, ...others] = execution.items('Afterwards');
	assert.deepEqual(others, []);
	const { data, broadcastId, body } = item?.json ?? {};
	assert.ok(typeof data === 'object' && data !== null && 'respondedAt' in data);
	assert.ok(!Number.isNaN(Date.parse(String(data.respondedAt))));
	return { ...data, respondedAt: undefined, broadcastId, body };
}

const twoButtons = {
	approvalOptions: { values: { approvalType: 'double', disapproveLabel: 'Not yet' } },
};

describe('send and wait for response', () => {
	test('an opened link resumes nothing; a click approves, goes on and closes the broadcast', async () => {
		const { sandbox, workflowId, link, broadcastId, ended } = await ask();
		for (let opened = 0; opened < 100; opened++) assert.equal((await fetch(link)).status, 200);
		for (const method of ['HEAD', 'PUT', 'DELETE']) await fetch(link, { method });
		assert.equal((await post(link, {})).status, 200);
		assert.equal((await post(link, { decision: 'decline' })).status, 200);
		assert.equal(await statusOf(sandbox, workflowId), 'waiting');

		await page.goto(link);
		assert.equal(await page.title(), 'Send the newsletter?');
		assert.match(await page.locator('p.message').innerText(), /<b>Send it\?<\/b>/);
		assert.equal(await page.getByRole('button').count(), 1);
		await page.getByRole('button', { name: 'Approve' }).click();
		await page.getByText('Your response was recorded').waitFor();
		assert.deepEqual(replyOf(await ended()), {
			approved: true,
			respondedAt: undefined,
			broadcastId,
			body: { campaign: 'newsletter' },
		});
		assert.equal(sandbox.emulator.state.broadcasts.get(broadcastId)?.status, '3');
		assert.doesNotMatch(await (await fetch(link)).text(), /<form/);
	});

	test('a click on the other button declines', async () => {
		const { link, ended } = await ask(twoButtons);
		await page.goto(link);
		await page.getByRole('button', { name: 'Not yet' }).click();
		await page.getByText('Your response was recorded').waitFor();
		assert.equal(replyOf(await ended()).approved, false);
	});

	test('a text, also with signs that HTML knows', async () => {
		const { link, ended } = await ask({ responseType: 'freeText' });
		await page.goto(link);
		await page.getByLabel('Your response').fill('Not before <Monday> & "after" 9');
		await page.getByRole('button', { name: 'Send' }).click();
		await page.getByText('Your response was recorded').waitFor();
		assert.equal(replyOf(await ended()).text, 'Not before <Monday> & "after" 9');
	});

	test('three at once count as one, and what comes later changes nothing', async () => {
		const { sandbox, workflowId, link, ended } = await ask(twoButtons);
		await Promise.all(
			['approve', 'approve', 'decline'].map(async (decision) => await post(link, { decision })),
		);
		const before = replyOf(await ended());
		await post(link, { decision: 'decline' });
		assert.deepEqual(replyOf(await ended()), before);
		assert.equal((await sandbox.rest.executionStatuses(workflowId)).length, 1);
	});

	test('a forged link, or one without its signature, is refused', async () => {
		const { sandbox, workflowId, link } = await ask();
		const forged = new URL(link);
		forged.searchParams.set('signature', 'a'.repeat(64));
		const unsigned = new URL(link);
		unsigned.searchParams.delete('signature');
		for (const url of [forged.href, unsigned.href]) {
			assert.equal((await fetch(url)).status, 401);
			assert.equal((await post(url, { decision: 'approve' })).status, 401);
		}
		assert.equal(await statusOf(sandbox, workflowId), 'waiting');
	});

	test('n8n is restarted in between', async () => {
		const { sandbox, link, ended } = await ask();
		await sandbox.restart();
		await page.goto(link);
		await page.getByRole('button', { name: 'Approve' }).click();
		await page.getByText('Your response was recorded').waitFor();
		assert.equal(replyOf(await ended()).approved, true);
	});

	test('a cancelled execution takes no response', async () => {
		const { sandbox, workflowId, link } = await ask();
		const [execution] = await sandbox.rest.executionStatuses(workflowId);
		await sandbox.rest.request('POST', `/rest/executions/${execution?.id}/stop`);
		assert.notEqual((await post(link, { decision: 'approve' })).status, 200);
		assert.equal(await statusOf(sandbox, workflowId), 'canceled');
	});

	test('a broadcast that cannot be sent, or would go to nobody, lets nothing wait', async () => {
		const sandbox = await sharedSandbox();
		for (const [name, parameters] of Object.entries({
			nobody: { recipientEmails: '' },
			unknown: { recipientEmails: 'nobody.knows@example.com' },
		})) {
			const manual = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {});
			const execution = await sandbox.runWorkflow(
				chain(`fails ${name}`, [manual, asking(sandbox, parameters), afterwards]),
				'Start',
			);
			assert.equal(execution.status, 'error');
			assert.equal(execution.ran('Afterwards'), false);
		}
	});

	test('without a response the workflow goes on after the time that was set', async () => {
		const limit = { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' };
		const { link, ended, broadcastId } = await ask({
			options: { limitWaitTime: { values: limit } },
		});
		const execution = await ended();
		assert.equal(execution.status, 'success', execution.error);
		assert.deepEqual(
			execution.items('Afterwards').map(({ json }) => [json.body, json.data]),
			[[{ campaign: 'newsletter' }, undefined]],
		);
		assert.notEqual(broadcastId, '');
		assert.doesNotMatch(await (await post(link, { decision: 'approve' })).text(), /recorded/);
	});

	test('in a loop an earlier link does not answer a later question', async () => {
		const sandbox = await sharedSandbox();
		const twoItems = nodeOf('Two items', 'n8n-nodes-base.code', 2, {
			jsCode: 'return [{ json: { n: 1 } }, { json: { n: 2 } }];',
		});
		const loop = nodeOf('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
		const workflow = chain('loop', [webhookNode('ask-loop'), twoItems, loop]);
		workflow.nodes.push(asking(sandbox, {}), afterwards);
		workflow.connections.Loop = {
			main: [
				[{ node: 'Afterwards', type: 'main', index: 0 }],
				[{ node: 'Ask', type: 'main', index: 0 }],
			],
		};
		workflow.connections.Ask = { main: [[{ node: 'Loop', type: 'main', index: 0 }]] };
		const id = await sandbox.saveWorkflow(workflow);
		await sandbox.rest.activate(id);
		const first = await nextBroadcast(sandbox, async () => {
			await pWaitFor(
				async () => (await fetch(`${sandbox.editorUrl}/webhook/ask-loop`, { method: 'POST' })).ok,
				{ interval: 200, timeout: 15_000 },
			);
		});
		await waits(sandbox, id);
		const second = await nextBroadcast(sandbox, async () => {
			await post(first.link, { decision: 'approve' });
		});
		await waits(sandbox, id);
		assert.match(await (await post(first.link, { decision: 'approve' })).text(), /Nothing to do/);
		assert.equal(await statusOf(sandbox, id), 'waiting');
		await post(second.link, { decision: 'approve' });
		const execution = await sandbox.rest.nextExecution(id, new Set());
		assert.deepEqual(
			execution.items('Afterwards').map(({ json }) => json.n),
			[1, 2],
		);
	});

	test(`is signed on n8n ${line}.x with n8n's own address`, async () => {
		const { sandbox, link } = await ask();
		assert.match(link, new RegExp('/webhook-waiting/\\d+/Ask\\?question=.+&signature='));
		assert.equal(new URL(link).port, new URL(sandbox.editorUrl).port);
	});
});
