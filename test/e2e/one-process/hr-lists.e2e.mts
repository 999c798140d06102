import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';

import { z } from 'zod';

import { expectedMembers, sampleEmployees } from '../../../sandbox/examples/employees.mts';
import { channelMembers, companyNews, groupMembers } from '../../../sandbox/examples/emulator.mts';
import { filesFolder } from '../../../sandbox/n8n/n8n-process.mts';
import type { WorkflowJson } from '../../../sandbox/n8n/n8n-rest.mts';
import { parametersOf, pin, runExample, setValues, tryExample } from './run-example.mts';
import { sharedSandbox } from './shared-sandbox.mts';

const header = 'employeeId,firstName,lastName,email,department,location,startDate,status';

/** Makes an example read an HR list with these people. */
async function hrListOf(...emails: string[]): Promise<(workflow: WorkflowJson) => void> {
	const { userFolder } = await sharedSandbox();
	const rows = emails.map((email, index) => `E${index},A,B,${email},Sales,Oslo,2020-01-01,active`);
	const file = `list-${emails.length}.csv`;
	await writeFile(join(filesFolder(userFolder), file), [header, ...rows, ''].join('\n'));
	return (workflow) => (parametersOf(workflow, 'Read HR export').fileSelector = file);
}

describe('an HR list without records', () => {
	for (const file of [
		'nightly-group-sync.json',
		'department-groups.json',
		'keep-list.json',
		'channel-follows-hr.json',
		'unknown-people.json',
		'nightly-log.json',
	]) {
		test(`fails the run of ${file} and changes nothing`, async () => {
			const { emulator } = await sharedSandbox();
			emulator.clearRequests();
			const { execution } = await tryExample(file, { change: await hrListOf() });
			assert.match(String(execution.error), /The HR list has no records/);
			const changes = emulator.requests.filter(({ method }) => method !== 'GET');
			assert.deepEqual(changes, []);
		});
	}

	for (const [file, source] of [
		['hr-from-google-sheets.json', 'Read the sheet'],
		['hr-from-microsoft-entra.json', 'Read the users'],
		['hr-from-bamboohr.json', 'Read the directory'],
		['hr-from-http-api.json', 'One item per employee'],
		['hr-from-csv-file.json', 'Download the CSV file'],
		['hr-from-sftp.json', 'Text of the file'],
	] as const) {
		test(`fails the run of ${file}`, async () => {
			// With Always Output Data, n8n returns one empty item for a node without output.
			const { execution } = await tryExample(file, {
				change: (workflow) => pin(workflow, { [source]: [{}] }),
			});
			assert.match(String(execution.error), /The HR list has no records/);
			assert.ok(!execution.ran('Sync the group'));
		});
	}
});

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
	const { emulator } = await sharedSandbox();
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
		const { emulator, dataTables } = await sharedSandbox();
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
		const { emulator, dataTables } = await sharedSandbox();
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
		const { emulator } = await sharedSandbox();
		const { execution } = await runExample(file);
		const members = groupMembers(emulator, group);
		assert.ok(members.includes('ada@example.com') && members.includes('grace@example.com'));
		assert.ok(!execution.ran('Sync: mirror'));
		assert.ok(execution.ran('Nobody was removed'));
	});

	test('if the list cannot be read, removes nobody and tells somebody', async () => {
		const { emulator, dataTables } = await sharedSandbox();
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

	const forReal =
		(more: (workflow: WorkflowJson) => void = () => undefined) =>
		(workflow: WorkflowJson) => {
			setValues(workflow, 'Settings', { dryRun: false });
			more(workflow);
		};

	const membersNow = async () => channelMembers((await sharedSandbox()).emulator, companyNews);

	const recipientsOf = async () => {
		const { channels } = (await sharedSandbox()).emulator.state;
		const channel = channels.find(({ name }) => name === companyNews);
		assert.ok(channel);
		return channel.recipients;
	};

	let members: string[];
	let recipients: Awaited<ReturnType<typeof recipientsOf>>;
	before(async () => {
		members = await membersNow();
		recipients = new Map(await recipientsOf());
	});
	after(async () => {
		const changed = await recipientsOf();
		changed.clear();
		for (const [id, entry] of recipients) changed.set(id, entry);
	});

	test('changes nothing in its dry run', async () => {
		const { output } = await runExample(file);
		assert.equal(output('To remove')[0]?.count, 1);
		assert.ok(Number(output('To add')[0]?.count) > 100);
		assert.deepEqual(await membersNow(), members);
	});

	test('removes nobody if the HR list has no addresses', async () => {
		const { execution } = await tryExample(file, { change: forReal(await hrListOf('', '-')) });
		assert.match(String(execution.error), /the HR list has no addresses/);
		assert.deepEqual(await membersNow(), members);
	});

	test('removes nobody if the service does not list everybody in the channel', async () => {
		const { emulator } = await sharedSandbox();
		const path = `/channel/${emulator.state.channels.find(({ name }) => name === companyNews)?._id}/recipient`;
		const headers = { authorization: `Bearer ${emulator.accessKey}` };
		const listed = await fetch(`${emulator.url}/int/v1${path}?limit=100`, { headers });
		const page = { ...z.record(z.unknown()).parse(await listed.json()), total: 43 };
		// The example reads the size of the channel once and the list twice. Each read takes a full
		// page and an empty page.
		for (const body of [page, page, { ...page, data: [] }, page, { ...page, data: [] }])
			emulator.faults.on(`GET ${path}`, { status: 200, body });
		const { execution } = await tryExample(file, { change: forReal() });
		emulator.faults.clear();
		assert.match(String(execution.error), /the service listed 41 of 43 people/);
		assert.ok((await membersNow()).includes(former));
	});

	test('removes nobody if more people would be removed than allowed', async () => {
		const change = forReal(await hrListOf('ada@example.com'));
		const { execution } = await tryExample(file, { change });
		assert.match(String(execution.error), /people would be removed, and \d+ are allowed/);
		assert.ok((await membersNow()).includes(former));
	});

	test('adds and removes people in a few requests, and lists the people whom the service refuses', async () => {
		const { emulator } = await sharedSandbox();
		emulator.clearRequests();
		const { output } = await runExample(file, { change: forReal() });
		const expected = expectedMembers(await sampleEmployees());
		assert.deepEqual(
			(await membersNow()).filter((email) => email !== 'ada@example.com'),
			expected,
		);
		assert.ok(!(await membersNow()).includes(former));
		const removals = emulator.requests.filter(({ path }) => path.endsWith('/recipient/remove'));
		assert.equal(removals.length, 1);
		assert.ok(output('Not added').length > 0);
		for (const { email, reason } of output('Not added')) {
			assert.match(String(email), /@/);
			assert.match(String(reason), /\S/);
		}
		assert.equal(output('Rows without an address')[0]?.count, 3);
	});

	test('fills an empty channel', async () => {
		(await recipientsOf()).clear();
		const serviceUrl = `${(await sharedSandbox()).emulator.url}/`;
		const change = forReal((workflow) => setValues(workflow, 'Settings', { serviceUrl }));
		await runExample(file, { change });
		assert.deepEqual(await membersNow(), expectedMembers(await sampleEmployees()));
	});

	test('removes one person although the limit is 0 %', async () => {
		const { emulator } = await sharedSandbox();
		const person = emulator.state.people.findByReference(former);
		assert.ok(person);
		(await recipientsOf()).set(person._id, {
			linkId: emulator.state.ids.next(),
			personId: person._id,
		});
		await runExample(file, {
			change: forReal((workflow) => setValues(workflow, 'Settings', { maximumRemovalPercent: 0 })),
		});
		assert.ok(!(await membersNow()).includes(former));
	});
});
