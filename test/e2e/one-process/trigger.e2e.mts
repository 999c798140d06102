import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import type { WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { surveyWithResponses, whyOf } from '../support/responses.mts';
import { kills } from '../settings.mts';
import { sharedSandbox } from './shared-sandbox.mts';

/** Asks every minute, n8n's shortest interval, for what is submitted in all surveys. */
const workflow: WorkflowJson = {
	name: 'Survey submissions',
	nodes: [
		{
			id: '00000000-0000-4000-8000-000000000001',
			name: 'Trigger',
			type: 'n8n-nodes-messaging-service.messagingServiceTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				events: ['surveySubmitted'],
				watch: 'all',
				filters: {},
			},
			credentials: { messagingServiceApi: { id: '', name: '' } },
		},
	],
	connections: {},
	settings: { executionOrder: 'v1' },
};

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('the trigger', () => {
	test('emits each response once, although n8n is killed again and again', async () => {
		const sandbox = await sharedSandbox();
		const { rest, emulator } = sandbox;
		const { survey, expected, respond } = surveyWithResponses(emulator);
		const id = await sandbox.saveWorkflow(workflow);
		const emitted = async () =>
			(await rest.executions(id)).flatMap((execution) => execution.items('Trigger').map(whyOf));
		const allEmitted = async () => {
			await pWaitFor(async () => (await emitted()).length >= expected.length, {
				interval: 1000,
				timeout: 150_000,
			});
		};

		// n8n 2 switches a workflow on in the background: what comes before its first poll is not news.
		const path = `/int/v1/campaign/${survey._id}/surveyData`;
		emulator.clearRequests();
		await rest.activate(id);
		await pWaitFor(
			() => emulator.requests.some((request) => request.path === path && request.status === 200),
			{ interval: 100, timeout: 60_000 },
		);
		respond();
		await allEmitted();
		for (let kill = 0; kill < kills; kill++) {
			respond();
			// Anywhere between two polls, or in the middle of one.
			await pause(Math.random() * 60_000);
			await sandbox.kill();
			respond();
			await sandbox.restart();
			await rest.logIn(sandbox.login);
		}
		respond();
		await allEmitted();
		// One more poll, which has nothing to emit.
		await pause(61_000);
		assert.deepEqual((await emitted()).sort(), expected.sort());
		await rest.deactivate(id);
	});
});
