import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { groupMembers, newJoiners } from '../../../local-n8n/examples/emulator.mts';
import { checkReadable, runExample } from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

test('the example "Survey with branching to a group" sends the survey to the group', async () => {
	const { emulator, state, output } = await runExample('survey-with-branching-to-a-group.json');
	const survey = state.campaigns.get(String(output('What was sent')[0]?._id));
	assert.equal(survey?.status, '1');
	assert.ok((survey.survey?.questions ?? []).length > 1);
	const recipients = [...survey.recipients].map((id) => state.people.get(id)?.email).sort();
	assert.ok(recipients.length > 0);
	assert.deepEqual(recipients, groupMembers(emulator, newJoiners));
});

test('the example "Results of a pulse survey" returns a table of the questions and a table of the people, each also as a file', async () => {
	const { output, execution } = await runExample('pulse-survey-results.json');
	const questions = output('One row per question');
	assert.equal(questions.length, 4);
	assert.equal(questions[1]?.answers, 'Yes: 12, No: 6');
	const people = output('Answers by person');
	assert.equal(people.length, 18);
	assert.ok('Do you have what you need?' in (people[0] ?? {}));
	for (const table of ['Summary as CSV', 'Answers as CSV'])
		assert.equal(execution.items(table).length, 1);
});

test('the page of the example "Survey results by team" is readable, and names the teams that are too small', async () => {
	const { output } = await runExample('survey-results-by-team.json', { trigger: 'Survey closed' });
	const [page = ''] = output('Page').map(({ html }) => String(html));
	const text = page
		.replace(/<[^>]+>/g, ' ')
		.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
		.replace(/\s+/g, ' ');
	assert.match(text, /18 of 20 people answered \(90 %\).*Sales 7 answers, average 8\.1/);
	assert.match(text, /Sales 7 answers Yes: 4 \(57 %\) No: 3 \(43 %\)/);
	assert.match(text, /Support too few answers HR too few answers/);
	await checkReadable(page, 'results-by-team');
});

test('the example "Weekly campaign report" returns one row per campaign, and the table as a file', async () => {
	const { output, execution } = await runExample('weekly-campaign-report.json');
	const rows = output('One row per campaign');
	assert.ok(rows.length > 0);
	assert.equal(rows.length, output('Campaigns of the week').length);
	for (const { State, Link } of rows) {
		assert.match(String(State), /^(Live|Closed|Scheduled)$/);
		assert.match(String(Link), /^https?:/);
	}
	assert.equal(execution.items('Report as CSV').length, 1);
});

test('the example "Onboarding channel" attaches a letter for each hire and creates a channel with managers', async () => {
	const { channels } = (await sharedN8n()).emulator.state;
	const before = channels.size;
	const { state, output } = await runExample('onboarding-channel.json');
	assert.equal(channels.size, before + 1);
	const letters = output('Attach letter');
	assert.ok(letters.length > 0);
	assert.equal(letters.length, output('One item per hire').length);
	for (const { _id } of letters) assert.ok(state.files.has(String(_id)));
	assert.ok(output('Set manager').length > 0);
});

describe('the example "Alert when the nightly sync fails or stops"', () => {
	const file = 'sync-watchdog.json';

	for (const [what, trigger, node, text] of [
		['a failure', 'Nightly sync failed', 'Failure text', /Example Error Message/],
		['that the last success is over 36 hours old', undefined, 'Overdue text', /2026-01-01/],
	] as const) {
		test(`reports ${what}`, async () => {
			const { execution, output } = await runExample(file, { trigger });
			assert.match(String(output(node)[0]?.text), text);
			assert.ok(execution.ran('Send alert'));
		});
	}

	// With Always Output Data, n8n returns one empty item for a node without output.
	for (const [what, run, alerts] of [
		['reports that there is no successful run', {}, true],
		[
			'sends no alert after a run an hour ago',
			{ stoppedAt: new Date(Date.now() - 3_600_000) },
			false,
		],
	] as const) {
		test(what, async () => {
			const pinned = { 'Last successful run': [run] };
			const { execution } = await runExample(file, { pinned });
			assert.equal(execution.ran('Send alert'), alerts);
		});
	}
});

test('no example sends a request that violates the contract of the service', async () => {
	const { emulator } = await sharedN8n();
	assert.deepEqual(emulator.violations, []);
});
