import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { json } from 'node:stream/consumers';

import { z } from 'zod';

import type { WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { startServer } from '../../kit/testServer.mts';
import { pin, runExample } from './run-example.mts';
import { sharedSandbox } from './shared-sandbox.mts';

const file = 'what-people-wrote.json';
const request = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

describe('the example "What people wrote, summed up"', () => {
	/** What the model received, as text. */
	const received: string[] = [];
	let server: Awaited<ReturnType<typeof startServer>>;

	before(async () => {
		server = await startServer((incoming, response) => {
			void json(incoming).then((body) => {
				received.push(JSON.stringify(request.parse(body).messages));
				response.setHeader('content-type', 'application/json');
				const message = { role: 'assistant', content: 'Meetings: 7' };
				response.end(
					JSON.stringify({
						...{ id: '1', object: 'chat.completion', created: 0, model: 'simulated' },
						choices: [{ index: 0, finish_reason: 'stop', message }],
						usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
					}),
				);
			});
		});
	});
	after(async () => await server?.stop());

	/** Adds a closed survey with these texts. Returns the event of its closing. */
	const closedSurvey = async (name: string, texts: string[]) => {
		const { emulator } = await sharedSandbox();
		const people = [...emulator.state.people.values()].slice(0, 40);
		const survey = emulator.state.addSurvey({
			name,
			description: 'One question',
			recipients: new Set(people.map(({ _id }) => _id)),
			status: '1',
			questions: [
				{ templateCode: 'textarea', title: 'What should we change?' },
				{ templateCode: 'textarea', title: 'Anything else?', required: false },
			],
		});
		for (const [index, text] of texts.entries())
			emulator.submitResponse(survey._id, {
				userId: people[index]?._id,
				answers: [text, 'A secret'],
			});
		survey.status = '3';
		return { campaignId: survey._id, campaignName: name };
	};

	/** Runs the example for closed surveys, with the simulated model. */
	const sumUp = async (...closings: object[]) => {
		const { rest } = await sharedSandbox();
		const { id, name } = await rest.saveCredential('Simulated model', 'openAiApi', {
			apiKey: 'unused',
			url: `${server.url}/v1`,
		});
		received.length = 0;
		return await runExample(file, {
			trigger: 'Survey closed',
			change: (workflow: WorkflowJson) => {
				workflow.pinData = {};
				pin(workflow, { 'Survey closed': closings });
				const model = workflow.nodes.find((node) => node.name === 'Chat model');
				assert.ok(model);
				model.credentials = { openAiApi: { id, name } };
			},
		});
	};

	test('sends the texts of the chosen question, with personal data masked', async () => {
		const texts = [
			...Array<string>(10).fill('Fewer meetings'),
			'Write to jane.doe@example.com or call +49 170 1234567',
			'My account is DE89370400440532013000, or 12345678901',
			'DE89 3704 0044 0532 0130 00, (0170) 765-4321, 0151.2345678',
			'anna example never listens. Annalena does',
		];
		const { output } = await sumUp(await closedSurvey('Comments', texts));
		const [sent = '', ...others] = received;
		assert.deepEqual(others, []);
		assert.equal(sent.split('Fewer meetings').length - 1, 10);
		for (const secret of [
			...['jane.doe', '1234567', 'DE893', '12345678901', '3704', '765-4321', '2345678'],
			...['anna example', 'A secret'],
		])
			assert.ok(!sent.includes(secret), secret);
		assert.match(sent, /themes of the answers, each with the number/);
		assert.match(sent, /Do not quote an answer/);
		assert.ok(sent.includes('Annalena'));
		assert.deepEqual(output('Themes')[0], {
			...{ survey: 'Comments', question: 'What should we change?', themes: 'Meetings: 7' },
		});
	});

	test('sums up each survey separately', async () => {
		const texts = (text: string) => Array<string>(10).fill(text);
		const { output } = await sumUp(
			await closedSurvey('Canteen', texts('More soup')),
			await closedSurvey('Office', texts('More light')),
		);
		assert.deepEqual(
			output('Themes').map(({ survey }) => survey),
			['Canteen', 'Office'],
		);
		assert.deepEqual(
			received.map((sent) => [sent.includes('More soup'), sent.includes('More light')]).sort(),
			[
				[false, true],
				[true, false],
			],
		);
	});

	test('sends nothing if too few people wrote something', async () => {
		const few = Array<string>(9).fill('Fewer meetings');
		const { execution } = await sumUp(await closedSurvey('Comments', few));
		assert.deepEqual(received, []);
		assert.ok(!execution.ran('Sum up'));
	});
});
