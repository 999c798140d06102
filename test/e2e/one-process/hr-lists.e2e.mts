import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';

import { expectedMembers, sampleEmployees } from '../../../local-n8n/examples/employees.mts';
import {
	channelMembers,
	companyNews,
	groupMembers,
} from '../../../local-n8n/examples/emulator.mts';
import { filesFolder } from '../../../local-n8n/n8n/n8n-process.mts';
import type { WorkflowJson } from '../../../local-n8n/n8n/n8n-rest.mts';
import { parametersOf, runExample, tryExample } from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

const header = 'employeeId,firstName,lastName,email,department,location,startDate,status';

/** Makes an example read an HR list with these people. */
async function hrListOf(...emails: string[]): Promise<(workflow: WorkflowJson) => void> {
	const { userFolder } = await sharedN8n();
	const rows = emails.map((email, index) => `E${index},A,B,${email},Sales,Oslo,2020-01-01,active`);
	const file = `list-${emails.length}.csv`;
	await writeFile(join(filesFolder(userFolder), file), [header, ...rows, ''].join('\n'));
	return (workflow) => (parametersOf(workflow, 'Read HR export').fileSelector = file);
}

test('the example "HR data from Microsoft Entra" uses the user principal name, and lists guests', async () => {
	const { output } = await runExample('hr-from-microsoft-entra.json');
	assert.equal(output('Read the users')[0]?.mail, null);
	assert.deepEqual(
		output('Guests to decide on').map(({ name }) => name),
		['A guest'],
	);
	const recipients = output('Sync the group').map(({ recipient }) => recipient);
	assert.ok(recipients.includes('luiza.souza@example.com'));
	assert.ok(!recipients.join().includes('#'));
});

test('if a survey cannot be read, the example "Reminder to those who have not answered" fails after the other reminders', async () => {
	const { emulator } = await sharedN8n();
	const { state, faults } = emulator;
	const readable = state.campaigns.find(({ name }) => name === 'How was your first week?');
	assert.ok(readable);
	const unreadable = state.addSurvey({
		...{ name: 'Unreadable', description: 'Its data is refused', status: '1' },
		recipients: readable.recipients,
		liveAt: readable.liveAt,
		questions: [{ templateCode: 'rating', title: 'How was it?' }],
	});
	faults.on(`GET /campaign/${unreadable._id}/surveyData`, { refuse: 'No permission' });
	const { execution, output } = await tryExample('survey-reminder.json');
	faults.clear();
	state.campaigns.delete(unreadable._id);
	assert.match(String(execution.error), /Unreadable could not be read/);
	assert.match(String(execution.error), /No permission/);
	assert.equal(output('Remind them').length, 1);
});

describe('the example "Keep list"', () => {
	const file = 'keep-list.json';
	const group = 'All employees (keep list)';
	const table = 'Keep list';
	const kept = { recipientGroup: group, email: 'ada@example.com' };

	beforeEach(async () => {
		const { emulator, dataTables } = await sharedN8n();
		await dataTables.clear(table);
		const { state } = emulator;
		const old = state.recipientGroups.values().find(({ name }) => name === group);
		if (old) state.recipientGroups.delete(old._id);
		const everybody = expectedMembers(await sampleEmployees());
		const ids = [...everybody, 'ada@example.com', 'grace@example.com'].map(
			(email) => state.people.findByReference(email)?._id ?? '',
		);
		state.addRecipientGroup(group, ids);
	});

	test('keeps everybody on the list, and removes everybody else', async () => {
		const { emulator, dataTables } = await sharedN8n();
		await dataTables.insert(table, [
			kept,
			{ recipientGroup: 'Another group', email: 'grace@example.com' },
		]);
		const { execution } = await runExample(file);
		const members = groupMembers(emulator, group);
		assert.ok(members.includes('ada@example.com'));
		assert.ok(!members.includes('grace@example.com'));
		assert.ok(!execution.ran('Nobody was removed'));
	});

	test('if the list is empty, removes nobody and tells somebody', async () => {
		const { emulator } = await sharedN8n();
		const { execution } = await runExample(file);
		const members = groupMembers(emulator, group);
		assert.ok(members.includes('ada@example.com') && members.includes('grace@example.com'));
		assert.ok(!execution.ran('Sync: mirror'));
		assert.ok(execution.ran('Nobody was removed'));
	});

	test('if the list cannot be read, removes nobody and tells somebody', async () => {
		const { emulator, dataTables } = await sharedN8n();
		await dataTables.insert(table, [kept]);
		const { execution, output } = await runExample(file, {
			change: (workflow) =>
				(parametersOf(workflow, 'Keep list').dataTableId = {
					...{ __rl: true, mode: 'id', value: 'deleted' },
				}),
		});
		assert.ok(output('Keep list')[0]?.error);
		assert.ok(groupMembers(emulator, group).includes('grace@example.com'));
		assert.ok(!execution.ran('Sync: mirror'));
		assert.ok(execution.ran('Nobody was removed'));
	});
});

describe('the example "Channel follows HR data"', () => {
	const file = 'channel-follows-hr.json';
	const former = 'former@example.com';
	const membersNow = async () => channelMembers((await sharedN8n()).emulator, companyNews);
	const forReal = (workflow: WorkflowJson) =>
		(parametersOf(workflow, 'Sync the channel').dryRun = false);

	test('changes nothing in its dry run, then adds and removes people', async () => {
		const members = await membersNow();
		await runExample(file);
		assert.deepEqual(await membersNow(), members);
		assert.ok(members.includes(former));
		const { output } = await runExample(file, { change: forReal });
		assert.deepEqual(await membersNow(), expectedMembers(await sampleEmployees()));
		const counts = new Map(output('Totals').map((json) => [json.status, json.count_status]));
		assert.equal(counts.get('removed'), 1);
		assert.equal(counts.get('invalid'), 3);
	});

	test('removes nobody if more people would be removed than allowed', async () => {
		const list = await hrListOf('ada@example.com');
		const change = (workflow: WorkflowJson) => {
			forReal(workflow);
			list(workflow);
		};
		const before = await membersNow();
		const { execution } = await tryExample(file, { change });
		assert.match(String(execution.error), /Not everything was done: Mirror would remove/);
		for (const email of before) assert.ok((await membersNow()).includes(email));
	});
});
