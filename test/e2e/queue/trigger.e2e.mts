import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { surveyWithResponses, whyOf } from '../support/responses.mts';
import { surveySubmissions } from '../support/workflow.mts';
import { kills } from '../settings.mts';
import { queueSandbox } from './queue-sandbox.mts';

describe('the trigger in queue mode', () => {
	test('emits each response once to the workers, although main is killed between polls', async () => {
		const sandbox = await queueSandbox();
		const { emulator, rest, login, saveWorkflow, workerOf } = sandbox;
		const { survey, expected, respond } = surveyWithResponses(emulator);
		const polls = () => emulator.requestCount('GET', `/int/v1/campaign/${survey._id}/surveyData`);
		const nextPoll = async () => {
			const before = polls();
			await pWaitFor(() => polls() > before, { interval: 100, timeout: 60_000 });
		};
		const id = await saveWorkflow(surveySubmissions);
		const emitted = async () =>
			(await rest.executions(id)).flatMap((execution) => execution.items('Trigger').map(whyOf));
		const allEmitted = async () => {
			await pWaitFor(async () => (await emitted()).length >= expected.length, {
				interval: 500,
				timeout: 60_000,
			});
		};

		const firstPoll = nextPoll();
		await rest.activate(id);
		await firstPoll;
		for (let kill = 0; kill < kills; kill++) {
			respond();
			// Emitted, and the next poll is some seconds off.
			await allEmitted();
			respond();
			await sandbox.kill();
			respond();
			await sandbox.restart();
			await rest.logIn(login);
		}
		respond();
		await allEmitted();
		// One more poll, which has nothing to emit.
		await nextPoll();
		await nextPoll();
		assert.deepEqual((await emitted()).sort(), expected.sort());
		for (const execution of await rest.executionStatuses(id)) {
			assert.ok(await workerOf(execution.id), `no worker took ${execution.id} on`);
		}
		await rest.deactivate(id);
	});
});
