import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openEditor } from '../../../local-n8n/editor/editor.mts';
import { buildFirstSurvey, firstSurvey } from '../../../local-n8n/editor/first-survey.mts';
import { groupMembers } from '../../../local-n8n/examples/emulator.mts';
import { line } from '../settings.mts';
import { sharedByAllTests } from '../support/shared.mts';
import { sharedN8n } from './shared-n8n.mts';

describe('docs/first-survey.md', () => {
	const sharedEditor = sharedByAllTests(async () => await openEditor(await sharedN8n()));

	test('sends the survey to the new joiners when followed click by click', async () => {
		const editor = await sharedEditor();
		const localN8n = await sharedN8n();
		const { state } = localN8n.emulator;
		const before = new Set(state.campaigns.values().map(({ _id }) => _id));
		await buildFirstSurvey(editor, localN8n, async (step) => {
			await editor.screenshot(`first-survey-${step}-n8n-${line}`);
		});
		const [sent, ...others] = state.campaigns.values().filter(({ _id }) => !before.has(_id));
		assert.deepEqual(others, []);
		assert.equal(sent?.name, firstSurvey.name);
		assert.equal(sent.status, '1');
		assert.equal(sent.survey?.questions.length, firstSurvey.questions.length);
		const recipients = [...sent.recipients].map((id) => state.people.get(id)?.email).sort();
		assert.deepEqual(recipients, groupMembers(localN8n.emulator, firstSurvey.group));
	});
});
