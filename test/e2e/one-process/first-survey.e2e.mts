import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openEditor } from '../../../sandbox/editor/editor.mts';
import { buildFirstSurvey, firstSurvey } from '../../../sandbox/editor/first-survey.mts';
import { groupMembers } from '../../../sandbox/examples/emulator.mts';
import { line } from '../settings.mts';
import { sharedByAllTests } from '../support/shared.mts';
import { sharedSandbox } from './shared-sandbox.mts';

describe('docs/first-survey.md', () => {
	const sharedEditor = sharedByAllTests(async () => await openEditor(await sharedSandbox()));

	test('sends the survey to the new joiners when followed click by click', async () => {
		const editor = await sharedEditor();
		const sandbox = await sharedSandbox();
		const { state } = sandbox.emulator;
		const before = new Set(state.campaigns.values().map(({ _id }) => _id));
		await buildFirstSurvey(editor, sandbox, async (step) => {
			await editor.screenshot(`first-survey-${step}-n8n-${line}`);
		});
		const [sent, ...others] = state.campaigns.values().filter(({ _id }) => !before.has(_id));
		assert.deepEqual(others, []);
		assert.equal(sent?.name, firstSurvey.name);
		assert.equal(sent.status, '1');
		assert.equal(sent.survey?.questions.length, firstSurvey.questions.length);
		const recipients = [...sent.recipients].map((id) => state.people.get(id)?.email).sort();
		assert.deepEqual(recipients, groupMembers(sandbox.emulator, firstSurvey.group));
	});
});
