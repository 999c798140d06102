import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { expectedMembers, sampleEmployees } from '../../../local-n8n/examples/employees.mts';
import { groupMembers } from '../../../local-n8n/examples/emulator.mts';
import { parametersOf, runExample } from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

test('the example "HR data from Microsoft Entra" uses the user principal name, and lists guests', async () => {
	const { output } = await runExample('hr-from-microsoft-entra.json');
	assert.equal(output('Read the users')[0]?.mail, null);
	assert.deepEqual(
		output('Guest?').map(({ displayName }) => displayName),
		['A guest'],
	);
	const recipients = output('Sync the group').map(({ recipient }) => recipient);
	assert.ok(recipients.includes('luiza.souza@example.com'));
	assert.ok(!recipients.join().includes('#'));
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
