import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { openEditor, openNode } from '../../../local-n8n/editor/editor.mts';
import { packageName } from '../../../local-n8n/machine/paths.mts';
import { chain, manualStart, nodeOf, serviceNode } from '../../../local-n8n/n8n/workflow.mts';
import { sharedByAllTests } from '../support/shared.mts';
import { sharedN8n } from './shared-n8n.mts';

describe('the panel of the node', () => {
	const sharedEditor = sharedByAllTests(async () => await openEditor(await sharedN8n()));

	/** Opens a node that creates a survey with one question. */
	const openQuestion = async (question: Record<string, unknown>) => {
		const options = { option: [{ value: 'Yes' }, { value: 'No' }] };
		const node = serviceNode('Create survey', 'survey', 'create', {
			name: 'How are you?',
			campaignDescription: 'Three questions',
			questionsInput: 'builder',
			questions: { question: [{ title: 'Why?', options, ...question }] },
		});
		return await openNode(await sharedEditor(), await sharedN8n(), node);
	};

	const assertInOrder = async (panel: Locator, expected: string[]): Promise<void> => {
		await panel
			.getByText(expected.at(-1) ?? '', { exact: true })
			.last()
			.waitFor();
		const lines = (await panel.innerText()).split(/\n+/).map((text) => text.trim());
		const found = lines.filter((text) => expected.includes(text));
		assert.deepEqual(found, expected, lines.join(' | '));
	};

	test('shows Branch Questions only in a fork, and rows and columns only in a matrix', async () => {
		const plain = await openQuestion({ templateCode: 'radio' });
		await assertInOrder(plain, ['Question Type', 'Title', 'Required', 'Options', 'Add Option']);
		assert.equal(await plain.getByText('Branch Questions').count(), 0);
		await plain.getByText('This operation creates a draft that nobody receives yet.').waitFor();

		const fork = await openQuestion({ templateCode: 'radio', fork: true });
		const leadsTo = fork.getByText('Branch Questions', { exact: true });
		await leadsTo.first().waitFor();
		assert.equal(await leadsTo.count(), 2);

		const matrix = await openQuestion({ templateCode: 'matrix', matrixQuestions: 'My team' });
		await assertInOrder(matrix, ['Question Type', 'Title', 'Rows', 'Columns', 'Add Column']);
		assert.equal(await matrix.getByText('Options', { exact: true }).count(), 0);
	});

	test('sets Recipient of Sync to exactly the field that is dragged onto it', async () => {
		const { page, open } = await sharedEditor();
		const { saveWorkflow } = await sharedN8n();
		const assignments = [{ id: 'a', name: 'email', value: 'ada@example.com', type: 'string' }];
		const person = nodeOf('Person', 'n8n-nodes-base.set', 3.4, {
			assignments: { assignments },
			options: {},
		});
		const sync = serviceNode('Sync people', 'recipientGroup', 'sync');
		const id = await saveWorkflow(chain('Drag a field', [manualStart, person, sync]));
		await open(`/workflow/${id}`);
		await page.getByTestId('canvas-node').filter({ hasText: sync.name }).dblclick();
		await page.getByText('Execute previous nodes').click();
		const recipient = page.getByTestId('parameter-input-recipient').first();
		await page.locator('[data-name="email"]').hover();
		await page.mouse.down();
		await recipient.hover();
		await page.mouse.up();
		await recipient.getByText('{{ $json.email }}', { exact: true }).waitFor();
		assert.equal((await recipient.locator('.cm-content').innerText()).trim(), '{{ $json.email }}');
	});
});

test('n8n serves the output schemas of both nodes', async () => {
	const { rest } = await sharedN8n();
	const withProperties = z.object({ properties: z.record(z.unknown()) });
	for (const [path, field] of [
		['messagingService/1.0.0/campaign/getReport', 'recipientsAmount'],
		['messagingServiceTrigger/1.0.0', 'answers'],
	] as const) {
		const url = `/schemas/${packageName}.${path}.json`;
		const { properties } = await rest.ask(withProperties, 'GET', url);
		assert.ok(field in properties, path);
	}
});
