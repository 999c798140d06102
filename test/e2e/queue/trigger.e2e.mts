import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pWaitFor from 'p-wait-for';
import { packageName } from '../../../sandbox/machine/paths.mts';
import { answering } from '../kit/answers.mts';
import { chain, credentialType, nodeOf } from '../kit/workflow.mts';
import { killsOr } from '../settings.mts';
import { queueSandbox } from './queue-sandbox.mts';

/** Asks every 20 s: n8n takes no shorter interval than a minute, but several of them. */
const workflow = chain('Survey submissions', [
	nodeOf(
		'Trigger',
		`${packageName}.messagingServiceTrigger`,
		1,
		{
			pollTimes: {
				item: [0, 20, 40].map((second) => ({
					mode: 'custom',
					cronExpression: `${second} * * * * *`,
				})),
			},
			events: ['surveySubmitted'],
			watch: 'all',
			filters: {},
		},
		{ credentials: { [credentialType]: { id: '', name: '' } } },
	),
]);

describe('the trigger in queue mode', () => {
	test('gives every response once to the workers, although main is killed between polls', async () => {
		const { emulator, rest, login, saveWorkflow, kill, restart, workerOf } = await queueSandbox();
		const { survey, expected, answer } = answering(emulator);
		const polls = () => emulator.requestCount('GET', `/int/v1/campaign/${survey._id}/surveyData`);
		const nextPoll = async () => {
			const before = polls();
			await pWaitFor(() => polls() > before, { interval: 100, timeout: 60_000 });
		};
		const id = await saveWorkflow(workflow);
		const given = async () =>
			(await rest.executions(id)).flatMap((execution) =>
				execution.items('Trigger').map(({ json: { answers } }) => whyOf(answers)),
			);
		const allGiven = async () => {
			await pWaitFor(async () => (await given()).length >= expected.length, {
				interval: 500,
				timeout: 60_000,
			});
		};

		const firstPoll = nextPoll();
		await rest.activate(id);
		await firstPoll;
		for (let kills = killsOr(5); kills > 0; kills--) {
			answer();
			// Given away, and the next poll some seconds off.
			await allGiven();
			answer();
			await kill();
			answer();
			await restart();
			await rest.logIn(login);
		}
		answer();
		await allGiven();
		// One more poll, which has nothing to give.
		await nextPoll();
		await nextPoll();
		assert.deepEqual((await given()).sort(), expected.sort());
		for (const execution of await rest.executionStatuses(id)) {
			assert.ok(await workerOf(execution.id), `no worker took ${execution.id} on`);
		}
		await rest.deactivate(id);
	});
});

function whyOf(answers: unknown): unknown {
	return typeof answers === 'object' && answers !== null && 'Why?' in answers
		? answers['Why?']
		: undefined;
}
