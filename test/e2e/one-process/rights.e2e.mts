import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runExample } from './run-example.mts';
import { sharedN8n } from './shared-n8n.mts';

const example = async () =>
	(await runExample('what-my-key-can-do.json')).output('What my key can do');

describe('the example "What my key can do"', () => {
	test('has a row for each area that the key may read, and changes nothing', async () => {
		const { emulator } = await sharedN8n();
		const before = emulator.requests.length;
		const rows = await example();
		const areas = [
			'Profile',
			'Campaigns',
			'Broadcasts',
			'Recipient groups',
			'Channels',
			'Templates',
		];
		assert.deepEqual(
			rows.map(({ area, allowed, message }) => [area, allowed, message]),
			areas.map((area) => [area, true, '']),
		);
		assert.equal(rows[0]?.records, 1);
		const sent = emulator.requests.slice(before).map(({ method }) => method);
		assert.deepEqual(new Set(sent), new Set(['GET']));
	});

	test('says which area is refused, in the words of the service', async () => {
		const { emulator } = await sharedN8n();
		const path = '/int/v1/recipientGroup';
		emulator.faults.add({ match: { path }, action: { refuse: 'No rights for groups' } });
		const groups = (await example()).find(({ area }) => area === 'Recipient groups');
		assert.deepEqual([groups?.allowed, groups?.records], [false, null]);
		assert.match(String(groups?.message), /No rights for groups/);
	});
});
