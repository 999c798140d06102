import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openEditor, type Editor } from '../../../sandbox/editor/editor.mts';
import { loneNode, openLoneNode } from '../../../sandbox/editor/node-panel.mts';
import { packageName } from '../../../sandbox/machine/paths.mts';
import { z } from 'zod';
import { byId, chain, credentialType, nodeOf, serviceNode } from '../support/workflow.mts';
import { line } from '../settings.mts';
import { sharedSandbox } from './shared-sandbox.mts';

let editor: Editor;

before(async () => {
	editor = await openEditor(await sharedSandbox());
});
after(async () => await editor?.close());

/** Opens a node of ours on its own. */
async function opened(parameters: Record<string, unknown>): Promise<Locator> {
	return await openLoneNode(editor, await sharedSandbox(), loneNode('A node', parameters));
}

/** The texts of a panel, a line each. */
async function linesOf(panel: Locator): Promise<string[]> {
	return (await panel.innerText()).split(/\n+/).map((text) => text.trim());
}

/** Checks that the texts stand on the panel, one below the other. */
async function assertInOrder(panel: Locator, expected: string[]): Promise<void> {
	await panel
		.getByText(expected.at(-1) ?? '', { exact: true })
		.last()
		.waitFor();
	const lines = await linesOf(panel);
	const found = lines.filter((text) => expected.includes(text));
	assert.deepEqual(found, expected, lines.join(' | '));
}

describe('what a screen shows', () => {
	test('the channel comes first, then what everybody needs', async () => {
		const message = await opened({ resource: 'channel', operation: 'createBroadcast' });
		await assertInOrder(message, ['Channel', 'Title', 'Message', 'Additional Fields']);
		const people = await opened({ resource: 'channelRecipient', operation: 'add' });
		await assertInOrder(people, ['Channel', 'Recipients', 'Additional Fields']);
		const channel = await opened({ resource: 'channel', operation: 'create' });
		await assertInOrder(channel, ['Name', 'Additional Fields']);
	});

	test('what goes out says so, and a scheduled time is marked as needed', async () => {
		const message = {
			resource: 'campaign',
			operation: 'create',
			name: 'A',
			campaignDescription: 'B',
		};
		const live = await opened({ ...message, status: 'live', recipientsFrom: 'groups' });
		await live.getByText('Live: it goes out to the recipients below as soon as').waitFor();
		const later = await opened({ ...message, status: 'scheduled', recipientsFrom: 'groups' });
		await later.getByText('Scheduled: it goes out to the recipients below').waitFor();
		const time = later.getByTestId('parameter-item').filter({ hasText: 'Scheduled Time' });
		await time.getByTestId('parameter-issues').waitFor();
		const draft = await opened({ ...message, status: 'draft' });
		await draft.getByText('Recipients From').waitFor();
		assert.equal(await draft.getByText('it goes out').count(), 0);
	});

	test('the form of a survey: an option a line, where it leads only in a fork, a matrix with rows and columns', async () => {
		const survey = {
			resource: 'survey',
			operation: 'create',
			name: 'How are you?',
			campaignDescription: 'Three questions',
			questionsInput: 'builder',
		};
		const options = { option: [{ value: 'Yes' }, { value: 'No' }] };
		const withQuestion = async (question: Record<string, unknown>) =>
			await opened({ ...survey, questions: { question: [{ title: 'Why?', ...question }] } });

		const plain = await withQuestion({ templateCode: 'radio', options });
		await assertInOrder(plain, ['Question Type', 'Title', 'Required', 'Options', 'Add Option']);
		assert.equal(await plain.getByText('Branch Questions').count(), 0);
		await plain.getByText('This creates a draft; nobody receives it yet.').waitFor();

		const fork = await withQuestion({ templateCode: 'radio', options, fork: true });
		const leadsTo = fork.getByText('Branch Questions', { exact: true });
		await leadsTo.first().waitFor();
		assert.equal(await leadsTo.count(), 2);

		const matrix = await withQuestion({
			templateCode: 'matrix',
			options,
			matrixQuestions: 'My team\nMy tools',
		});
		await assertInOrder(matrix, ['Question Type', 'Title', 'Rows', 'Columns', 'Add Column']);
		assert.equal(await matrix.getByText('Options', { exact: true }).count(), 0);
	});
});

describe('the form of a survey where n8n folds questions', { skip: line === '1' }, () => {
	// n8n 2.41.1 hides that form behind a feature switch.
	const override = ['N8N_EXPERIMENT_OVERRIDES', '{"048_collection_overhaul":"variant"}'] as const;

	before(async () => {
		await editor.page.evaluate(([key, value]) => localStorage.setItem(key, value), override);
	});
	after(async () => {
		await editor.page.evaluate(([key]) => localStorage.removeItem(key), override);
	});

	test('questions are numbered', async () => {
		const form = await opened({
			resource: 'survey',
			operation: 'create',
			questionsInput: 'builder',
			questions: { question: [{ title: 'Who are you?' }, { title: 'Why?' }] },
		});
		await assertInOrder(form, ['1. Who are you?', '2. Why?', 'Add Question']);
	});
});

describe('what the canvas and the node panel say', () => {
	test('a node says in words what it does', async () => {
		const { saveWorkflow } = await sharedSandbox();
		const nodes = [
			serviceNode('First', 'recipientGroup', 'sync', {}),
			serviceNode('Second', 'channel', 'createBroadcast', {}, { position: [220, 0] }),
		];
		await editor.open(`/workflow/${await saveWorkflow(chain('Subtitles', nodes))}`);
		const canvas = editor.page.getByTestId('canvas-node');
		await canvas.filter({ hasText: 'First' }).getByText('Sync: Recipient Group').waitFor();
		await canvas.filter({ hasText: 'Second' }).getByText('Send Broadcast: Channel').waitFor();
	});

	test('the words of an employee survey find the node', async () => {
		const { page, open } = editor;
		await open('/workflow/new');
		await page
			.getByTestId('canvas-add-button')
			.or(page.getByText('Add first step'))
			.first()
			.click();
		const search = page.getByTestId('node-creator').locator('input').first();
		for (const words of ['campaign', 'pulse', 'engagement', 'internal comms', 'employee survey']) {
			await search.fill('');
			await page
				.getByText('Messaging Service', { exact: true })
				.first()
				.waitFor({ state: 'hidden' });
			await search.fill(words);
			await page.getByText('Messaging Service', { exact: true }).first().waitFor();
		}
	});

	test('an operation shows its fields before it ran', async () => {
		const { saveWorkflow } = await sharedSandbox();
		const nodes = [
			serviceNode('Numbers', 'campaign', 'getReport', {}),
			nodeOf('Row', 'n8n-nodes-base.set', 3.4, {}, { position: [220, 0] }),
		];
		await editor.open(`/workflow/${await saveWorkflow(chain('Preview', nodes))}`);
		await editor.page.getByTestId('canvas-node').filter({ hasText: 'Row' }).dblclick();
		await editor.page.getByTestId('ndv-input-panel').getByText('recipientsAmount').waitFor();
	});

	test('n8n gets the fields of the trigger, which its editor shows of no trigger', async () => {
		const { rest } = await sharedSandbox();
		const schema = await rest.ask(
			z.object({ properties: z.record(z.unknown()) }),
			'GET',
			`/schemas/${packageName}.messagingServiceTrigger/1.0.0.json`,
		);
		assert.ok('answers' in schema.properties);
	});
});

describe('what an error says in the panel', () => {
	/** Runs a node by its button, and gives the error that its panel shows. */
	const errorOf = async (parameters: Record<string, unknown>): Promise<string> => {
		await opened(parameters);
		await editor.page.getByTestId('node-execute-button').first().click();
		const error = editor.page.locator('.node-error-view').first();
		await error.waitFor({ timeout: 60_000 });
		return await error.innerText();
	};

	test('an unknown address is named, and Sync is the way out', async () => {
		const { emulator } = await sharedSandbox();
		const group = emulator.state.recipientGroups.values()[0];
		const error = await errorOf({
			resource: 'recipientGroup',
			operation: 'addRecipients',
			recipientGroupId: byId(group?._id ?? ''),
			recipientEmails: 'nobody@nowhere.example',
		});
		assert.match(error, /does not know nobody@nowhere\.example/);
		assert.match(error, /The operation Sync of Recipient Group finds unknown addresses/);
	});

	test('a live campaign made live says what can be done', async () => {
		const { emulator } = await sharedSandbox();
		const live = emulator.state.campaigns.find(({ status }) => status === '1');
		const campaignId = byId(live?._id ?? '');
		const error = await errorOf({ resource: 'campaign', operation: 'send', campaignId });
		assert.match(error, /if it is live already, its recipients have it/);
	});

	test('a service that is down: what to check, and that nothing was sent', async () => {
		const { emulator } = await sharedSandbox();
		emulator.goDown();
		try {
			const error = await errorOf({ resource: 'recipientGroup', operation: 'create', name: 'X' });
			assert.match(error, new RegExp(`The service at ${emulator.url} refused the connection`));
			assert.match(error, /Nothing was sent\. Check the Base URL in the credential/);
		} finally {
			await emulator.comeUp();
		}
	});

	test('a Base URL without https:// is completed', async () => {
		const { rest, credentialData, emulator } = await sharedSandbox();
		const bare = new URL(emulator.url).host;
		const { id } = await rest.saveCredential('Bare host', credentialType, {
			...credentialData,
			baseUrl: bare,
		});
		await editor.open(`/home/credentials/${id}`);
		const dialog = editor.page.getByTestId('credential-edit-dialog');
		await dialog.getByText('Couldn’t connect with these settings').first().waitFor();
		const more = dialog.getByText('More details');
		if (await more.isVisible()) await more.click();
		await dialog.getByText(`https://${bare}`).first().waitFor();
		await editor.screenshot(`bare-host-n8n-${line}`);
	});
});
