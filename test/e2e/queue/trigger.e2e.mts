import assert from 'node:assert/strict';
import { test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { z } from 'zod';
import { chain, triggerNode } from '../../../local-n8n/n8n/workflow.mts';
import { queueN8n } from '../support/queue-n8n.mts';

const whyAnswered = z.object({ answers: z.object({ 'Why?': z.string() }) });

test('the trigger emits each response once, even if n8n is killed or the package is updated between polls', async () => {
	const localN8n = await queueN8n();
	const { emulator, rest, login, saveWorkflow, workerOf } = localN8n;
	const survey = [...emulator.state.campaigns.values()].find((campaign) => campaign.survey);
	assert.ok(survey);
	const expected: string[] = [];
	const respond = () => {
		const why = `Response ${expected.length + 1}`;
		expected.push(why);
		emulator.submitResponse(survey._id, { answers: { 'How do you feel?': 3, 'Why?': why } });
	};
	const polls = () => emulator.requestCount('GET', `/int/v1/campaign/${survey._id}/surveyData`);
	const nextPoll = async () => {
		const before = polls();
		await pWaitFor(() => polls() > before, { interval: 100, timeout: 60_000 });
	};
	const id = await saveWorkflow(
		chain('Survey submissions', [
			triggerNode('Trigger', { events: ['surveySubmitted'], watch: 'all', filters: {} }),
		]),
	);
	const emitted = async () =>
		(await rest.executions(id)).flatMap((execution) =>
			execution.items('Trigger').map(({ json }) => whyAnswered.parse(json).answers['Why?']),
		);
	const allEmitted = async () =>
		await pWaitFor(async () => (await emitted()).length >= expected.length, {
			interval: 500,
			timeout: 60_000,
		});

	const firstPoll = nextPoll();
	await rest.activate(id);
	await firstPoll;
	for (const interrupt of [localN8n.kill, localN8n.reinstallPackage]) {
		respond();
		// The interruption must come between two polls. When the response has been emitted, the next poll is seconds away.
		await allEmitted();
		respond();
		await interrupt();
		respond();
		await localN8n.restart();
		await rest.logIn(login);
	}
	respond();
	await allEmitted();
	// Two more polls must emit nothing.
	await nextPoll();
	await nextPoll();
	assert.deepEqual((await emitted()).sort(), expected.sort());
	for (const execution of await rest.executionStatuses(id)) {
		assert.ok(await workerOf(execution.id), `no worker took ${execution.id} on`);
	}
	await rest.deactivate(id);
});

test('publishing a workflow names the selected survey that the service refuses', async () => {
	const { emulator, rest, saveWorkflow } = await queueN8n();
	const surveys = [...emulator.state.campaigns.values()].filter(({ survey }) => survey);
	const campaignIds = [...surveys.map(({ _id }) => _id), '000000000000000000000000'];
	const id = await saveWorkflow(chain('Refused survey', [triggerNode('Trigger', { campaignIds })]));
	const status = async () =>
		JSON.stringify(await rest.request('GET', `/rest/workflows/${id}/publication-status`));
	await assert.rejects(async () => {
		// n8n 1 refuses this request. n8n 2 publishes in the background, and tries several times.
		await rest.activate(id);
		await pWaitFor(async () => !(await status()).includes('in_progress'), { interval: 500 });
		throw new Error(await status());
	}, /"failed".*000000000000000000000000|n8n refused.*000000000000000000000000/);
});
