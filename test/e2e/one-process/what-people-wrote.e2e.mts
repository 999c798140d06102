import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { WorkflowJson } from '../../../local-n8n/n8n/n8n-rest.mts';
import { startChatModel } from '../support/chat-model.mts';
import { sharedByAllTests } from '../support/shared.mts';
import { closedSurvey, runExample } from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

const file = 'what-people-wrote.json';
describe('the example "What people wrote, summed up"', () => {
	const sharedModel = sharedByAllTests(startChatModel);

	/** Adds a closed survey with these texts. Returns the trigger's event for the closed survey. */
	const surveyWith = async (name: string, texts: string[]) =>
		await closedSurvey(
			name,
			[
				{ templateCode: 'textarea', title: 'What should we change?' },
				{ templateCode: 'textarea', title: 'Anything else?', required: false },
			],
			texts.map((text) => [text, 'A secret']),
		);

	/** Runs the example for a closed survey, with the simulated model. */
	const sumUp = async (closing: object) => {
		const { rest } = await sharedN8n();
		const { url, received } = await sharedModel();
		const { id, name } = await rest.saveCredential('Simulated model', 'openAiApi', {
			apiKey: 'unused',
			url,
		});
		received.length = 0;
		const run = await runExample(file, {
			trigger: 'Survey closed',
			pinned: { 'Survey closed': [closing] },
			change: (workflow: WorkflowJson) => {
				workflow.pinData = {};
				const model = workflow.nodes.find((node) => node.name === 'Chat model');
				assert.ok(model);
				model.credentials = { openAiApi: { id, name } };
			},
		});
		return { ...run, received };
	};

	test('sends the texts of the chosen question, with personal data masked', async () => {
		const texts = [
			...Array<string>(10).fill('Fewer meetings'),
			'Write to jane.doe@example.com or call +49 170 1234567',
			'My account is DE89370400440532013000, or 12345678901',
			'DE89 3704 0044 0532 0130 00, (0170) 765-4321, 0151.2345678',
			'anna example never listens. Annalena does',
		];
		const { output, received } = await sumUp(await surveyWith('Comments', texts));
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
			...{ survey: 'Comments', question: 'What should we change?', themes: 'Done.' },
		});
	});

	test('sends nothing if too few people wrote something', async () => {
		const few = Array<string>(9).fill('Fewer meetings');
		const { execution, received } = await sumUp(await surveyWith('Comments', few));
		assert.deepEqual(received, []);
		assert.ok(!execution.ran('Sum up'));
	});
});
