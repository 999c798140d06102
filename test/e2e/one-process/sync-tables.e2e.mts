import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';

import { sampleEmployees } from '../../../local-n8n/examples/employees.mts';
import type { Row } from '../../../local-n8n/n8n/data-tables.mts';
import { runExample, tryExample } from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

const clear = async (table: string) => await (await sharedN8n()).dataTables.clear(table);
const rowsOf = async (table: string) => await (await sharedN8n()).dataTables.rows(table);

describe('the examples "Unknown people"', () => {
	const nightly = 'unknown-people.json';
	const weekly = 'unknown-people-mail.json';
	const table = 'Unknown people';
	before(async () => await clear(table));

	test('no mail is sent if nobody is unknown', async () => {
		const { execution } = await runExample(weekly);
		assert.ok(!execution.ran('Mail to HR'));
		assert.ok(!execution.ran('Mark them as mailed'));
	});

	test('each unknown person gets one row, with the date of the first run that found the person', async () => {
		const starting = (await sampleEmployees()).filter(({ status }) => status === 'starting');
		await runExample(nightly);
		const rows = await rowsOf(table);
		assert.deepEqual(
			rows.map(({ employeeId }) => employeeId).sort(),
			starting.map(({ employeeId }) => employeeId).sort(),
		);
		await runExample(nightly);
		const again = await rowsOf(table);
		const firstSeen = (all: Row[]) => all.map(({ email, createdAt }) => [email, createdAt]);
		assert.deepEqual(firstSeen(again), firstSeen(rows));
		for (const { reason, createdAt } of again) {
			assert.match(String(reason), /\S/);
			assert.ok(Date.now() - new Date(String(createdAt)).getTime() < 600_000);
		}
	});

	test('each new person is mailed only once', async () => {
		const { output } = await runExample(weekly);
		const rows = await rowsOf(table);
		assert.equal(output('Not yet mailed').length, rows.length);
		assert.ok(rows.every(({ mailedOn }) => mailedOn !== null));
		await runExample(nightly);
		const { execution } = await runExample(weekly);
		assert.ok(!execution.ran('Mail to HR'));
		const { dataTables } = await sharedN8n();
		await dataTables.insert(table, [{ email: 'new@example.com', employeeId: 'E1', reason: '' }]);
		const third = await runExample(weekly);
		assert.deepEqual(
			third.output('Mark them as mailed').map(({ email }) => email),
			['new@example.com'],
		);
	});

	test('if a mail fails, the next run mails the same people', async () => {
		const { dataTables } = await sharedN8n();
		await dataTables.insert(table, [{ email: 'late@example.com', employeeId: 'E2', reason: '' }]);
		// Unpinned, the mail node fails, because it has no account.
		const failed = await tryExample(weekly, { change: (workflow) => (workflow.pinData = {}) });
		assert.notEqual(failed.execution.status, 'success');
		const { output } = await runExample(weekly);
		assert.deepEqual(
			output('Not yet mailed').map(({ email }) => email),
			['late@example.com'],
		);
	});
});

describe('the examples "Nightly log"', () => {
	const log = 'nightly-log.json';
	const check = 'nightly-log-check.json';
	const table = 'Sync log';
	const group = 'All employees (log)';
	beforeEach(async () => await clear(table));

	const night = (removed: number, unknown = 0): Row => ({
		recipientGroup: group,
		...{ people: 100, added: 0, removed, unknown, invalid: 0, failed: 0, note: '' },
	});

	/**
	 * Returns what the check reports: one text per unusual group. If nothing is unusual, the list is empty and *Tell
	 * somebody* must not run.
	 */
	const checked = async (rows: Row[], pinned: Record<string, object[]> = {}) => {
		const { dataTables } = await sharedN8n();
		await dataTables.insert(table, rows);
		const { execution, output } = await runExample(check, { pinned });
		const reported = output('Unusual groups').map(({ late, removals, unknown, failures }) =>
			[late, removals, unknown, failures].filter(Boolean).join('; '),
		);
		assert.equal(execution.ran('Tell somebody'), reported.length > 0);
		return reported;
	};

	test('each run writes a row', async () => {
		const { recipientGroups } = (await sharedN8n()).emulator.state;
		const old = recipientGroups.values().find(({ name }) => name === group);
		if (old) recipientGroups.delete(old._id);
		await runExample(log);
		await runExample(log);
		const rows = await rowsOf(table);
		assert.equal(rows.length, 2);
		const [first, second] = rows;
		assert.ok(first && second);
		assert.equal(first.recipientGroup, group);
		assert.ok(Number(first.added) > 200);
		assert.equal(second.added, 0);
		const starting = (await sampleEmployees()).filter(({ status }) => status === 'starting');
		assert.equal(first.unknown, starting.length);
	});

	const createdAt = new Date(Date.now() - 37 * 3_600_000).toISOString();
	const late = { 'Last 30 days': [{ id: 1, ...night(0), createdAt }] };
	const missing = ['no run for 36 hours'];
	const cases: Array<[string, string[], Row[], Record<string, object[]>?]> = [
		['nothing is unusual', [], [night(2), night(3), night(5)]],
		[
			'far more are removed than usual',
			['7 people were removed, usually 2'],
			[2, 2, 7].map((one) => night(one)),
		],
		['many are removed, and that is usual', [], [night(8), night(8), night(20)]],
		['many are unknown', ['6.0 % of the people are unknown'], [night(0), night(0, 6)]],
		['people failed', ['1 people or groups failed'], [night(0), { ...night(0), failed: 1 }]],
		['no group has run', missing, []],
		['the latest run is too long ago', missing, [], late],
	];
	for (const [what, reported, rows, pinned] of cases) {
		test(`report exactly what is unusual if ${what}`, async () => {
			assert.deepEqual(await checked(rows, pinned), reported);
		});
	}
});
