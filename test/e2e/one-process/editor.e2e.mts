import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../../../sandbox/editor/editor.mts';
import type { Credential } from '../../../sandbox/n8n/n8n-rest.mts';
import { line } from '../settings.mts';
import { sharedSandbox } from './shared-sandbox.mts';

describe('the credential dialog in the editor', () => {
	let editor: Editor;
	let credential: Credential;

	before(async () => {
		const sandbox = await sharedSandbox();
		// One of its own, so that the other tests keep a good one.
		credential = await sandbox.rest.saveCredential(
			'Messaging Service (dialog)',
			sandbox.credential.type,
			sandbox.credentialData,
		);
		editor = await openEditor(sandbox);
	});
	after(async () => await editor?.close());

	test('shows green with the right key', async () => {
		await editor.open(`/home/credentials/${credential.id}`);
		await editor.page.getByTestId('credentials-config-container-test-success').waitFor();
		await editor.screenshot(`credential-green-n8n-${line}`);
	});

	test("shows red with the service's message with a wrong key", async () => {
		const { page } = editor;
		await page.getByTestId('parameter-input-accessKey').locator('input').fill('wrong');
		await page.getByTestId('credential-save-button').click();
		const dialog = page.getByTestId('credential-edit-dialog');
		await dialog.getByText('Couldn’t connect with these settings').first().waitFor();
		const more = dialog.getByText('More details');
		if (await more.isVisible()) await more.click();
		await dialog.getByText('Invalid access token').first().waitFor();
		await editor.screenshot(`credential-red-n8n-${line}`);
		assert.equal(
			await page.getByTestId('credentials-config-container-test-success').isVisible(),
			false,
		);
	});
});
