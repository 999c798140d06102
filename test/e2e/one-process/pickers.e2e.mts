import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startEmulator, type Emulator } from '../../../emulator/emulator.mts';
import { openEditor, type Editor } from '../../../sandbox/editor/editor.mts';
import { loneNode, openLoneNode } from '../../../sandbox/editor/node-panel.mts';
import type { Credential } from '../../../sandbox/n8n/n8n-rest.mts';
import { credentialType } from '../support/workflow.mts';
import { sharedSandbox } from './shared-sandbox.mts';

/** What a large account has of each. */
const many = 5000;

/** How long a builder waits for a list that was opened before. */
const patienceMs = 1000;

/** How often each list is opened again, in an editor that was loaded anew: the middle one counts. */
const openings = 3;

const pickers = [
	{ resource: 'campaign', parameter: 'campaignId', field: 'campaigns', path: '/int/v1/campaign' },
	{ resource: 'channel', parameter: 'channelId', field: 'channels', path: '/int/v1/channel' },
	{
		resource: 'recipientGroup',
		parameter: 'recipientGroupId',
		field: 'recipientGroups',
		path: '/int/v1/recipientGroup',
	},
] as const;

describe(`lists of ${many} to choose from, in the editor`, () => {
	let editor: Editor;
	let emulator: Emulator;
	let account: Credential;

	before(async () => {
		const { rest, credentialData } = await sharedSandbox();
		emulator = await startEmulator({
			seed: { people: 10, campaigns: many, channels: many, groups: many, surveys: 0 },
		});
		account = await rest.saveCredential('Large account', credentialType, {
			...credentialData,
			baseUrl: emulator.url,
			accessKey: emulator.accessKey,
		});
		editor = await openEditor(await sharedSandbox());
	});
	after(async () => {
		await editor?.close();
		await emulator?.stop();
	});

	/** Opens a node with the credential of the large account. */
	const openNode = async (parameters: Record<string, unknown>) => {
		const { rest } = await sharedSandbox();
		const { id, name } = account;
		const node = loneNode('Large account', parameters, {
			credentials: { [credentialType]: { id, name } },
		});
		const saveWorkflow = rest.saveWorkflow.bind(rest);
		await openLoneNode(editor, { saveWorkflow }, node);
	};

	/** Clicks, and gives how long it takes in the browser until an entry of the list is on the screen. */
	const opening = async (clicked: string, entry: string): Promise<number> => {
		const { page } = editor;
		const target = page.locator(clicked);
		await target.waitFor();
		await page.evaluate(() => {
			const remember = { capture: true, once: true };
			document.addEventListener(
				'click',
				({ timeStamp }) => (document.body.dataset.clickedAt = String(timeStamp)),
				remember,
			);
		});
		await target.click();
		const shown = await page.waitForFunction((selector) => {
			const entries = Array.from(document.querySelectorAll(selector));
			if (!entries.some((one) => one.getBoundingClientRect().height > 0)) return undefined;
			return performance.now() - Number(document.body.dataset.clickedAt);
		}, entry);
		return (await shown.jsonValue()) ?? Infinity;
	};

	for (const { resource, parameter, field, path } of pickers) {
		test(`${resource}: opens within a second once it was read, and typing asks nothing again`, async (t) => {
			const { page } = editor;
			const input = `[data-test-id="resource-locator-${parameter}"] [data-test-id="rlc-input"]`;
			const entry = '[data-test-id="rlc-item"]';

			await openNode({ resource, operation: 'get' });
			const first = await opening(input, entry);
			const asked = emulator.requestCount('GET', path);
			assert.ok(asked > 0);

			const times: number[] = [];
			while (times.length < openings) {
				await openNode({ resource, operation: 'get' });
				times.push(await opening(input, entry));
			}
			times.sort((a, b) => a - b);
			const usual = times[Math.floor(openings / 2)] ?? Infinity;

			// The name of one is the beginning of the names of ten others.
			const names = [...emulator.state[field].values()].map(({ name }) => name);
			const wanted = names[431] ?? '';
			assert.ok(names.filter((name) => name.startsWith(wanted)).length > 1, wanted);
			await page.getByTestId('rlc-search').pressSequentially(wanted, { delay: 30 });
			const found = page.locator(entry);
			await found.filter({ hasText: wanted }).first().waitFor();
			await page.waitForFunction(
				([selector = '', text = '']) =>
					Array.from(document.querySelectorAll(selector)).every((one) =>
						one.textContent?.includes(text),
					),
				[entry, wanted] as const,
			);
			assert.equal((await found.first().innerText()).replace(/ \(\w+\)$/, '').trim(), wanted);

			t.diagnostic(
				`first ${Math.round(first)} ms with ${asked} requests, then ${times.map(Math.round).join(', ')} ms with none`,
			);
			assert.equal(emulator.requestCount('GET', path), asked);
			assert.ok(usual <= patienceMs, `${Math.round(usual)} ms`);
		});
	}

	test('several recipient groups: all are there, and opening asks nothing again', async (t) => {
		const { page } = editor;
		const path = '/int/v1/recipientGroup';
		const options = '.el-select-dropdown__item';
		await openNode({ resource: 'survey', operation: 'launch', recipientsFrom: 'groups' });
		await page.waitForFunction(
			([selector, least]) => document.querySelectorAll(selector).length >= least,
			[options, many] as const,
		);
		const asked = emulator.requestCount('GET', path);
		const select = '[data-test-id="parameter-input-recipientGroups"] .select-trigger';
		// No limit: n8n renders every option of such a list, which takes seconds in any browser and does not depend on the
		// node.
		const first = await opening(select, options);
		await page.keyboard.press('Escape');
		await page.locator(options).first().waitFor({ state: 'hidden' });
		const again = await opening(select, options);
		t.diagnostic(`first ${Math.round(first)} ms, then ${Math.round(again)} ms`);
		assert.equal(emulator.requestCount('GET', path), asked);
	});
});
