import { locator } from '../kit/engine.mts';
import { range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';
import { severalGroups, type Row } from '../kit/severalGroups.mts';

const service = useService({ seed: 4, people: 40, groups: 4, campaigns: 0, surveys: 0 });
const { fill, group, membersOf, nameOf, names, syncRows } = severalGroups(service);

/** Returns one row per person. */
const rows = (name: string, ...people: number[]): Row[] => people.map((person) => [name, person]);

test.each(['email', 'id'] as const)(
	'by %s: fills each group with its people, and adds a person to the new group before removing them from the old one',
	async (identifyBy) => {
		fill(0, 0, 1, 2, 3);
		fill(1, 10, 11, 12);
		fill(2, 20, 21);
		const given = [
			...rows(nameOf(0), 0, 1, 2),
			...rows(nameOf(1).toUpperCase(), 3, 10, 11, 12, 13),
			...rows(` ${nameOf(2)} `, 20),
		];
		const result = await syncRows(given, { identifyBy });
		expect(range(0, 3).map(membersOf)).toEqual([[0, 1, 2], [3, 10, 11, 12, 13], [20]]);
		expect(statuses(result)).toEqual([
			...['alreadyMember', 'alreadyMember', 'alreadyMember', 'added'],
			...['alreadyMember', 'alreadyMember', 'alreadyMember', 'added', 'alreadyMember'],
			...['removed', 'removed'],
		]);
		const named = { recipientGroupId: group(1)._id, recipientGroupName: nameOf(1) };
		expect(result.json[3]).toMatchObject(named);
		expect(result.items.slice(-2).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 8 },
		]);
		const changes = service.requests.filter(
			({ method, path }) =>
				method !== 'GET' && range(0, 4).some((index) => path.includes(group(index)._id)),
		);
		expect(changes.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'DELETE']);
		const lookUps = service.requests.filter(({ query }) => query?.skip === '0' && !query.own);
		expect(lookUps).toHaveLength(1);
		expect(group(3).version).toBe(0);
		expect(names()).toHaveLength(4);
	},
);

test.each([
	['does not exist', () => 'Nowhere', 'There is no recipient group called "Nowhere"'],
	['has a blank name', () => '', 'Recipient Group is missing'],
	['has an ambiguous name', () => nameOf(3), '2 recipient groups are called'],
])('fails only the items of a group that %s', async (_what, name, reason) => {
	service.emulator.state.addRecipientGroup(nameOf(3));
	fill(0, 0, 1, 2);
	fill(1, 10, 11);
	const given = [...rows(name(), 1), ...rows(nameOf(0), 0), ...rows(nameOf(1), 10)];
	const result = await syncRows(given);
	expect([membersOf(0), membersOf(1)]).toEqual([[0, 1], [10]]);
	expect(result.json[0]).toMatchObject({
		status: 'failed',
		reason: expect.stringContaining(reason),
		recipientGroupId: null,
		recipientGroupName: name() || null,
	});
	expect(statuses(result).slice(1, 3)).toEqual(['alreadyMember', 'alreadyMember']);
	expect(statuses(result).slice(3).sort()).toEqual(['failed', 'removed', 'removed']);
	const { error } = await syncRows(given, { onError: 'stopWorkflow' });
	expect(error?.message).toBe('2 recipients could not be synced');
	expect(error?.description).toContain(reason);
});

test('fails only the items with a group ID that does not exist', async () => {
	fill(0, 0);
	const given = [...rows(group(0)._id, 0, 1), ...rows('64f1c0ffee0000000000abcd', 2)];
	const result = await syncRows(given, { groupBy: 'id' });
	expect(statuses(result)).toEqual(['alreadyMember', 'added', 'failed']);
	const parameters = { recipientGroupId: '={{ $json.department }}' };
	const plain = await syncRows(given, { parameters });
	expect(statuses(plain)).toEqual(['alreadyMember', 'alreadyMember', 'failed']);
});

test('fails the sync when an expression returns the same missing group for all items', async () => {
	const onError = 'stopWorkflow';
	const { error } = await syncRows(rows('Nowhere', 1, 2), { onError });
	expect(error?.message).toBe('There is no recipient group called "Nowhere"');
	const parameters = { recipientGroupId: locator('={{ [] }}') };
	const { error: noId } = await syncRows(rows('x', 1), { parameters, onError });
	expect(noId?.message).toContain('Recipient Group is missing');
	expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});

test('adds people only to their own group when the search for ignored email addresses is interrupted', async () => {
	service.emulator.switches.unknownEmails = 'ignore';
	fill(0);
	fill(1);
	const match = { path: '/int/v1/recipientGroup/*/recipients' };
	const action = { status: 503, headers: { 'retry-after': '0' }, after: true };
	service.emulator.faults.add({ match, skip: 1, action });
	const given: Row[] = [
		[nameOf(1), ''],
		[nameOf(0), 'nobody@people.example'],
		...rows(nameOf(0), 0),
		...rows(nameOf(1), 1),
	];
	const result = await syncRows(given);
	expect([membersOf(0), membersOf(1)]).toEqual([[0], [1]]);
	expect(statuses(result)).toEqual(['invalid', 'failed', 'added', 'added']);
});

describe('the summary of a dry run', () => {
	const options = { output: 'summary' };

	test('counts for each group only its own items when the sync of another group stops', async () => {
		fill(0, 0);
		fill(1, 1);
		const [one, other] = ['64f1c0ffee00000000000101', '64f1c0ffee00000000000102'];
		const given: Row[] = [[nameOf(0), one], ...rows(nameOf(1), 1), [nameOf(1), other]];
		const parameters = { dryRun: true };
		const { json } = await syncRows(given, { identifyBy: 'id', parameters, options });
		expect(json).toMatchObject([
			{ unknown: 1, alreadyMember: 0 },
			{ unknown: 1, alreadyMember: 1 },
		]);
	});

	test('counts for each group only its own items when another group does not exist', async () => {
		fill(0);
		const given: Row[] = [...rows('Nowhere', 1), ['Nowhere', 'nobody@people.example']];
		const parameters = { mode: 'add', dryRun: true };
		const result = await syncRows([...given, ...rows(nameOf(0), 0)], { parameters, options });
		expect(result.json[1]).toMatchObject({ added: 1, unknown: 0, failed: 0 });
	});
});

describe('a missing group', () => {
	const options = { createMissingGroups: true };

	test('is not created again if the outcome of the first request is unknown, and the other groups are synced', async () => {
		fill(0, 0, 1, 2);
		service.emulator.faults.add({
			match: { method: 'POST', path: '/int/v1/recipientGroup' },
			// Before it, three staging groups are created.
			skip: 3,
			times: 1,
			action: { status: 503, after: true },
		});
		const result = await syncRows([...rows(nameOf(0), 0, 3), ...rows('New', 1)], { options });
		expect(membersOf(0)).toEqual([0, 1, 3]);
		expect(statuses(result).slice(0, 3)).toEqual(['alreadyMember', 'added', 'failed']);
		expect(result.json.slice(3).map(({ reason }) => reason)).toEqual([
			'Not removed: an item lists this person for another group, but nothing proves that they are in that other group',
			'Removed: not among the recipients of the input',
		]);
		expect(names().filter((name) => name === 'New')).toHaveLength(1);
	});

	test('is not created once the execution is canceled', async () => {
		let cancel = () => {};
		let created = 0;
		service.emulator.onRequest(({ method, path }) => {
			if (method !== 'POST' || path !== '/int/v1/recipientGroup') return;
			created++;
			// The first three groups created are staging groups.
			if (created === 4) cancel();
		});
		await syncRows([...rows('New A', 1), ...rows('New B', 2)], {
			options: { ...options, concurrency: 1 },
			onStart: (stop) => {
				cancel = stop;
			},
		});
		expect(names().slice(4)).toEqual(['New A']);
	});

	test('is not created by Remove, and not created if the service knows none of its recipients', async () => {
		const given: Row[] = [
			['New', 'nobody@people.example'],
			[nameOf(0), 0],
		];
		const removed = await syncRows(given, { options, parameters: { mode: 'remove' } });
		expect(statuses(removed)[0]).toBe('failed');
		const mirrored = await syncRows(given, { options });
		expect(statuses(mirrored)[0]).toBe('unknown');
		expect(names()).toHaveLength(4);
	});
});
