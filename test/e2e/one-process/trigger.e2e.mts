import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import type { OutputItem, WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { answering } from '../kit/answers.mts';
import { killsOr } from '../settings.mts';
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

/** `--kills 10` is the whole test and takes about ten minutes. */
const kills = killsOr(2);

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

function whyOf({ json: { answers } }: OutputItem): unknown {
	return typeof answers === 'object' && answers !== null && 'Why?' in answers
		? answers['Why?']
		: undefined;
}

describe('the trigger', () => {
	test('gives every response once, although n8n is killed again and again', async () => {
		const sandbox = await sharedSandbox();
		const { rest, emulator } = sandbox;
		const { survey, expected, answer } = answering(emulator);
		const id = await sandbox.saveWorkflow(workflow);
		const given = async () =>
			(await rest.executions(id)).flatMap((execution) => execution.items('Trigger').map(whyOf));
		const allGiven = async () => {
			await pWaitFor(async () => (await given()).length >= expected.length, {
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
		answer();
		await allGiven();
		for (let kill = 0; kill < kills; kill++) {
			answer();
			// Anywhere between two polls, or in the middle of one.
			await pause(Math.random() * 60_000);
			await sandbox.kill();
			answer();
			await sandbox.restart();
			await rest.logIn(sandbox.login);
		}
		answer();
		await allGiven();
		// One more poll, which has nothing to give.
		await pause(61_000);
		assert.deepEqual((await given()).sort(), expected.sort());
		await rest.deactivate(id);
	});
});
