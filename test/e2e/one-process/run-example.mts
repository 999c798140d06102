import assert from 'node:assert/strict';
import { join } from 'node:path';

import type { Emulator } from '../../../emulator/emulator.mts';
import { startChromium } from '../../../local-n8n/editor/chromium.mts';
import { approving } from '../../../local-n8n/examples/approving.mts';
import type { WorkflowJson } from '../../../local-n8n/n8n/n8n-rest.mts';
import { exampleWorkflow } from '../../../local-n8n/local-n8n.mts';
import { stateFolder } from '../../../local-n8n/machine/paths.mts';
import { line } from '../settings.mts';
import { sharedN8n } from './shared-n8n.mts';

const manual = 'When clicking Execute workflow';

export interface RunExampleOptions {
	trigger?: string;
	/** The pinned output of nodes. */
	pinned?: Record<string, object[]>;
	change?: (workflow: WorkflowJson) => void;
}

/**
 * Runs an example, optionally after a change to its workflow, and gives every approval that the example asks for. The run
 * may fail.
 */
export async function tryExample(
	file: string,
	{ trigger = manual, pinned = {}, change = () => undefined }: RunExampleOptions = {},
) {
	const localN8n = await sharedN8n();
	const { emulator, runWorkflow } = localN8n;
	const workflow = await exampleWorkflow(file);
	change(workflow);
	pin(workflow, pinned);
	const execution = await approving(emulator, runWorkflow(workflow, trigger));
	const output = (node: string) => execution.items(node).map(({ json }) => json);
	return { ...localN8n, state: emulator.state, execution, output };
}

/** Like `tryExample`, but fails if the run fails. */
export async function runExample(file: string, options: RunExampleOptions = {}) {
	const run = await tryExample(file, options);
	assert.equal(run.execution.error, undefined);
	return run;
}

/**
 * Adds a closed survey of 60 people. The first of these people gave the answers in `responses`. Returns the trigger's
 * event for the closed survey.
 */
export async function closedSurvey(
	name: string,
	questions: Parameters<Emulator['state']['addSurvey']>[0]['questions'],
	responses: Array<Array<string | number>>,
) {
	const { emulator } = await sharedN8n();
	const people = [...emulator.state.people.values()].slice(0, 60).map(({ _id }) => _id);
	const survey = emulator.state.addSurvey({
		...{ name, description: 'A round', questions, recipients: new Set(people), status: '1' },
	});
	for (const [index, answers] of responses.entries())
		emulator.submitResponse(survey._id, { userId: people[index], answers });
	survey.status = '3';
	return { event: 'surveyClosed', campaignId: survey._id, campaignName: name };
}

/** Sets the pinned output of nodes. */
function pin(workflow: WorkflowJson, pinned: Record<string, object[]>): void {
	const items = Object.entries(pinned).map(([node, records]) => [
		node,
		records.map((json) => ({ json })),
	]);
	workflow.pinData = { ...Object(workflow.pinData), ...Object.fromEntries(items) };
}

/** Returns the parameters of a node. The caller may change them. */
export function parametersOf(workflow: WorkflowJson, name: string): Record<string, unknown> {
	const node = workflow.nodes.find((one) => one.name === name);
	assert.ok(node, name);
	return node.parameters;
}

/**
 * Checks in Chromium, on a phone too and in light and dark mode, that the page is not wider than the window and that texts of
 * its drawings do not overlap. Saves pictures of the page.
 */
export async function checkReadable(html: string, picture: string): Promise<void> {
	const browser = await startChromium();
	try {
		for (const [colorScheme, width] of [
			['light', 900],
			['dark', 900],
			['light', 390],
			['dark', 390],
		] as const) {
			const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
			await page.setContent(html);
			const name = `${picture}-${colorScheme}-${width}-n8n-${line}.png`;
			const path = join(stateFolder, 'screenshots', name);
			await page.screenshot({ path, fullPage: true });
			const covered = await page.evaluate(() => {
				const boxes = Array.from(document.querySelectorAll('svg text'), (text) => ({
					words: text.textContent,
					box: text.getBoundingClientRect(),
				}));
				return boxes.flatMap((one, index) =>
					boxes
						.slice(index + 1)
						.filter(
							({ box }) =>
								box.left < one.box.right &&
								one.box.left < box.right &&
								box.top < one.box.bottom &&
								one.box.top < box.bottom,
						)
						.map((other) => `${one.words} and ${other.words}`),
				);
			});
			const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert.deepEqual([covered, wider], [[], 0], name);
		}
	} finally {
		await browser.close();
	}
}
