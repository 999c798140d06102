import { locator } from '../kit/engine.mts';
import { range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';
import { severalGroups, type Row } from '../kit/severalGroups.mts';

const service = useService({ seed: 4, people: 40, groups: 4, campaigns: 0, surveys: 0 });
const { fill, group, membersOf, nameOf, names, syncRows } = severalGroups(service);

/** One row a person. */
const rows = (name: string, ...people: number[]): Row[] => people.map((person) => [name, person]);

/** What was asked of the groups of the emulator, without staging groups: adding and removing, in order. */
const changes = () =>
	service.requests
		.filter(({ path }) => range(0, 4).some((index) => path.includes(group(index)._id)))
		.filter(({ method }) => method !== 'GET')
		.map(({ method }) => method);

const refusedAt = (index: number, method = 'POST') =>
	service.emulator.faults.add({
		match: { method, path: `/int/v1/recipientGroup/${group(index)._id}/recipients` },
		times: Infinity,
		action: { refuse: 'The record is locked' },
	});

const KEPT =
	'Not removed: an item names this person for another group, and nothing proves that they are in that one';

describe.each(['email', 'id'] as const)('several groups, people by %s', (identifyBy) => {
	test('each group gets its own people; whoever moves is added before they are removed', async () => {
		fill(0, 0, 1, 2, 3);
		fill(1, 10, 11, 12);
		fill(2, 20, 21);
		const given = [
			...rows(nameOf(0), 0, 1, 2),
			...rows(nameOf(1).toUpperCase(), 3, 10, 11, 12, 13),
			...rows(nameOf(2), 20),
		];
		const result = await syncRows(given, { identifyBy });
		expect(result.error).toBeUndefined();
		expect([0, 1, 2, 3].map((index) => membersOf(index))).toEqual([
			[0, 1, 2],
			[3, 10, 11, 12, 13],
			[20],
			expect.any(Array),
		]);
		expect(statuses(result)).toEqual([
			...['alreadyMember', 'alreadyMember', 'alreadyMember', 'added'],
			...['alreadyMember', 'alreadyMember', 'alreadyMember', 'added', 'alreadyMember'],
			...['removed', 'removed'],
		]);
		expect(changes()).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(result.json[3]).toMatchObject({
			recipientGroupId: group(1)._id,
			recipientGroupName: nameOf(1),
		});
		expect(result.items.slice(-2).map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 8 },
		]);
		expect(group(3).version).toBe(0);
		expect(names()).toHaveLength(4);
		const { version } = group(1);
		const again = await syncRows(given, { identifyBy });
		expect(new Set(statuses(again))).toEqual(new Set(['alreadyMember']));
		expect(group(1).version).toBe(version);
	});

	test('whoever cannot be added stays where they are, and all others go', async () => {
		fill(0, 0, 1, 2, 3);
		fill(1, 10);
		fill(2, 20, 21);
		refusedAt(1);
		const given = [...rows(nameOf(0), 0, 1), ...rows(nameOf(1), 2, 10), ...rows(nameOf(2), 20)];
		const result = await syncRows(given, { identifyBy });
		expect(membersOf(0)).toEqual([0, 1, 2]);
		expect(membersOf(1)).toEqual([10]);
		expect(membersOf(2)).toEqual([20]);
		expect(statuses(result).slice(2)).toEqual([
			...['failed', 'alreadyMember', 'alreadyMember'],
			...['removed', 'failed', 'removed'],
		]);
		expect(result.json[6]).toMatchObject({ reason: KEPT, recipientGroupName: nameOf(0) });
	});

	test.each([
		['is not there', () => 'Nowhere', 'There is no recipient group called "Nowhere"'],
		['is not given', () => '', 'Recipient Group is missing'],
		['has a name that two have', () => nameOf(3), '2 recipient groups are called'],
	])('a group that %s fails its items alone', async (_what, name, reason) => {
		service.emulator.state.addRecipientGroup(nameOf(3));
		fill(0, 0, 1, 2);
		fill(1, 10, 11);
		const given = [...rows(name(), 1), ...rows(nameOf(0), 0), ...rows(nameOf(1), 10)];
		const result = await syncRows(given, { identifyBy });
		expect(membersOf(0)).toEqual([0, 1]);
		expect(membersOf(1)).toEqual([10]);
		expect(result.json[0]).toMatchObject({
			status: 'failed',
			reason: expect.stringContaining(reason),
			recipientGroupId: null,
			recipientGroupName: name() || null,
		});
		expect(statuses(result).slice(1)).toEqual([
			...['alreadyMember', 'alreadyMember'],
			...['removed', 'failed', 'removed'],
		]);
		const { error } = await syncRows(given, { identifyBy, onError: 'stopWorkflow' });
		expect(error?.message).toBe('2 recipients could not be synced');
		expect(error?.description).toContain(reason);
	});

	test('a group that cannot be read fails its items alone, and its people stay where they are', async () => {
		fill(0, 0, 1);
		fill(1, 10, 11);
		service.emulator.faults.add({
			match: { method: 'GET', path: `/int/v1/recipientGroup/${group(1)._id}` },
			times: Infinity,
			action: { status: 403, body: { success: false, message: 'Not yours' } },
		});
		const result = await syncRows([...rows(nameOf(0), 0), ...rows(nameOf(1), 1)], { identifyBy });
		expect(membersOf(0)).toEqual([0, 1]);
		expect(membersOf(1)).toEqual([10, 11]);
		expect(statuses(result)).toEqual(['alreadyMember', 'failed', 'failed']);
		expect(result.json[2]?.reason).toBe(KEPT);
	});

	test.each([false, true])(
		'a row that cannot be read holds back the removals of all groups (despite: %s)',
		async (removeDespiteInvalid) => {
			fill(0, 0, 1);
			fill(1, 10, 11);
			const given: Row[] = [
				...rows(nameOf(0), 0, 2),
				...rows(nameOf(1), 10),
				[nameOf(1), 'no such, thing'],
			];
			const options = { removeDespiteInvalid };
			const result = await syncRows(given, { identifyBy, options });
			expect(membersOf(0)).toEqual(removeDespiteInvalid ? [0, 2] : [0, 1, 2]);
			expect(membersOf(1)).toEqual(removeDespiteInvalid ? [10] : [10, 11]);
			const said = removeDespiteInvalid ? 'removed' : 'failed';
			expect(statuses(result).slice(4)).toEqual([said, said]);
		},
	);

	test('a repeat is one within its group only, and one group given in two ways is one', async () => {
		fill(0);
		fill(1);
		const given = [...rows(nameOf(0), 0), ...rows(nameOf(1), 0), ...rows(` ${nameOf(0)} `, 0)];
		const result = await syncRows(given, { identifyBy, parameters: { mode: 'add' } });
		expect(statuses(result)).toEqual(['added', 'added', 'duplicate']);
		expect(result.json[2]?.reason).toBe('The same as in item 0');
		expect([membersOf(0), membersOf(1)]).toEqual([[0], [0]]);
		const lookups = service.requests.filter(({ query }) => query?.skip === '0');
		expect(lookups).toHaveLength(1);
	});

	test('one item a group in the summary', async () => {
		fill(0, 0, 1);
		fill(1, 10);
		const given = [...rows(nameOf(0), 0, 2), ...rows('Nowhere', 3), ...rows(nameOf(1), 10, 10)];
		const result = await syncRows(given, { identifyBy, options: { output: 'summary' } });
		expect(result.json).toEqual([
			expect.objectContaining({
				recipientGroupName: nameOf(0),
				recipientGroupId: group(0)._id,
				added: 1,
				alreadyMember: 1,
				removed: 1,
			}),
			expect.objectContaining({ recipientGroupId: null, recipientGroupName: 'Nowhere', failed: 1 }),
			expect.objectContaining({ recipientGroupName: nameOf(1), alreadyMember: 1, duplicate: 1 }),
		]);
		expect(result.json.map(({ error }) => error !== undefined)).toEqual([false, true, false]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 1 }],
			[{ item: 2 }],
			[{ item: 3 }, { item: 4 }],
		]);
	});

	test('Add and Remove change the groups that items name', async () => {
		fill(0, 0);
		fill(1, 1, 2);
		const given = [...rows(nameOf(0), 0, 1), ...rows(nameOf(1), 1, 3)];
		const added = await syncRows(given, { identifyBy, parameters: { mode: 'add' } });
		expect(statuses(added)).toEqual(['alreadyMember', 'added', 'alreadyMember', 'added']);
		expect([membersOf(0), membersOf(1)]).toEqual([
			[0, 1],
			[1, 2, 3],
		]);
		const removed = await syncRows(given, { identifyBy, parameters: { mode: 'remove' } });
		expect(new Set(statuses(removed))).toEqual(new Set(['removed']));
		expect([membersOf(0), membersOf(1)]).toEqual([[], [2]]);
	});
});

describe('look-ups that go wrong bring nobody into the group of somebody else', () => {
	const members = { path: '/int/v1/recipientGroup/*/recipients' };

	test('where their responses are lost', async () => {
		fill(0);
		fill(1);
		const action = { status: 200, body: '<html>', after: true };
		service.emulator.faults.add({ match: members, times: 2, action });
		const options = { chunkSize: 1, concurrency: 1 };
		const result = await syncRows([...rows(nameOf(0), 0), ...rows(nameOf(1), 1)], { options });
		expect(statuses(result)).toEqual(['failed', 'failed']);
		expect([membersOf(0), membersOf(1)]).toEqual([[], []]);
	});

	test('where the search for those whom the service silently ignores breaks off', async () => {
		service.emulator.switches.unknownEmails = 'ignore';
		fill(0);
		fill(1);
		const action = { status: 503, headers: { 'retry-after': '0' }, after: true };
		service.emulator.faults.add({ match: members, skip: 1, action });
		const given: Row[] = [
			[nameOf(1), ''],
			[nameOf(0), 'stranger@people.example'],
			...rows(nameOf(0), 0),
			...rows(nameOf(1), 1),
		];
		const result = await syncRows(given);
		expect([membersOf(0), membersOf(1)]).toEqual([[0], [1]]);
		expect(statuses(result)).toEqual(['invalid', 'failed', 'failed', 'added']);
	});
});

test('the summary of a dry run counts in a group that stops only whom its own items name', async () => {
	fill(0, 0);
	fill(1, 1);
	const [one, other] = ['64f1c0ffee00000000000101', '64f1c0ffee00000000000102'];
	const result = await syncRows([[nameOf(0), one], ...rows(nameOf(1), 1), [nameOf(1), other]], {
		identifyBy: 'id',
		parameters: { dryRun: true },
		options: { output: 'summary' },
	});
	expect(result.json.map(({ unknown, alreadyMember }) => [unknown, alreadyMember])).toEqual([
		[1, 0],
		[1, 1],
	]);
});

test('a dry run of Add says nothing in the only group that is there of whom items name for another', async () => {
	fill(0);
	const given: Row[] = [...rows('Nowhere', 1), ['Nowhere', 'stranger@people.example']];
	const result = await syncRows([...given, ...rows(nameOf(0), 0)], {
		parameters: { mode: 'add', dryRun: true },
		options: { output: 'summary' },
	});
	expect(result.json[1]).toMatchObject({ added: 1, unknown: 0, failed: 0 });
});

describe('groups by ID', () => {
	test('a group that does not exist fails its items alone', async () => {
		fill(0, 0);
		const given = [...rows(group(0)._id, 0, 1), ...rows('64f1c0ffee0000000000abcd', 2)];
		const result = await syncRows(given, { groupBy: 'id' });
		expect(statuses(result)).toEqual(['alreadyMember', 'added', 'failed']);
		expect(result.json[2]).toMatchObject({ recipientGroupId: '64f1c0ffee0000000000abcd' });
		const plain = await syncRows(given, {
			parameters: { recipientGroupId: '={{ $json.department }}' },
		});
		expect(statuses(plain)).toEqual(['alreadyMember', 'alreadyMember', 'failed']);
	});
});

describe('missing groups', () => {
	const options = { createMissingGroups: true };

	test.each([true, false])('are created once each (creator in them: %s)', async (withCreator) => {
		fill(0, 0, 1);
		if (withCreator) {
			service.emulator.onRequest(({ method, path }) => {
				const newest = [...service.emulator.state.recipientGroups.values()].at(-1);
				if (method !== 'GET' || !newest?.name.startsWith('New') || newest.version > 0) return;
				if (path.includes(newest._id)) for (const id of group(0).members) newest.members.add(id);
			});
		}
		const given = [...rows(nameOf(0), 0), ...rows('New A', 1, 2), ...rows(' new a', 3)];
		const dry = await syncRows(given, { options, parameters: { dryRun: true } });
		expect(names()).toHaveLength(4);
		expect(dry.json.map(({ recipientGroupId }) => recipientGroupId === null)).toEqual([
			...[false, true, true, true],
			false,
		]);
		expect(statuses(dry)).toEqual(['alreadyMember', 'added', 'added', 'added', 'removed']);
		expect(dry.json.every(({ dryRun }) => dryRun === true)).toBe(true);
		const result = await syncRows(given, { options });
		expect(names().slice(4)).toEqual(['New A']);
		expect(membersOf(0)).toEqual([0]);
		expect(membersOf(4)).toEqual([1, 2, 3]);
		expect(result.json[1]).toMatchObject({ recipientGroupId: group(4)._id });
		expect(result.error).toBeUndefined();
	});

	test('of which there are more than allowed are not created', async () => {
		fill(0, 0, 1);
		const given = [...rows('A', 1), ...rows('B', 2), ...rows(nameOf(0), 0)];
		for (const dryRun of [true, false]) {
			const result = await syncRows(given, {
				options: { ...options, maxNewGroups: 1 },
				parameters: { dryRun },
			});
			expect(statuses(result)).toEqual(['failed', 'failed', 'alreadyMember', 'failed']);
			expect(result.json[0]?.reason).toContain('more than the 1 that Maximum New Groups allows');
		}
		expect(names()).toHaveLength(4);
		expect(membersOf(0)).toEqual([0, 1]);
	});

	test('that cannot be created keep nobody else from their work', async () => {
		fill(0, 0, 1, 2);
		service.emulator.faults.add({
			match: { method: 'POST', path: '/int/v1/recipientGroup' },
			skip: 1,
			times: 1,
			action: { status: 503, after: true },
		});
		const given = [...rows(nameOf(0), 0, 3), ...rows('New', 1)];
		const result = await syncRows(given, { options });
		expect(membersOf(0)).toEqual([0, 1, 3]);
		expect(statuses(result)).toEqual(['alreadyMember', 'added', 'failed', 'removed', 'failed']);
		// Nobody knows whether the first request was carried out: a second one might make a second group.
		expect(names().filter((name) => name === 'New')).toHaveLength(1);
	});

	test('are not created once the execution is cancelled', async () => {
		let cancel = () => {};
		let created = 0;
		service.emulator.onRequest(({ method, path }) => {
			if (method !== 'POST' || path !== '/int/v1/recipientGroup') return;
			created++;
			// The first one is the staging group.
			if (created === 2) cancel();
		});
		await syncRows([...rows('New A', 1), ...rows('New B', 2)], {
			options: { ...options, concurrency: 1 },
			onStart: (stop) => {
				cancel = stop;
			},
		});
		expect(names().slice(4)).toEqual(['New A']);
	});

	test('given by ID, or with nobody to add, are not created', async () => {
		const given = [...rows('New', 99).map(([name]): Row => [name, 'nobody@people.example'])];
		const result = await syncRows([...given, [nameOf(0), 0]], {
			options,
			parameters: { mode: 'remove' },
		});
		expect(statuses(result)[0]).toBe('failed');
		const unknown = await syncRows([...given, ...rows(nameOf(0), 0)], { options });
		expect(statuses(unknown)[0]).toBe('unknown');
		expect(names()).toHaveLength(4);
	});
});

describe('Maximum Removal of several groups', () => {
	const limited = (given: Row[], maxRemovalPercent: number, dryRun = false) =>
		syncRows(given, { parameters: { maxRemovalPercent, dryRun } });

	test('one person may leave a small group', async () => {
		fill(0, 0, 1, 2, 3);
		fill(1, ...range(10, 20));
		const given = [...rows(nameOf(0), 0, 1, 2), ...rows(nameOf(1), ...range(10, 20))];
		await limited(given, 0);
		expect(membersOf(0)).toEqual([0, 1, 2, 3]);
		await limited(given, 20);
		expect(membersOf(0)).toEqual([0, 1, 2]);
	});

	test('unless all together lose too many: then nobody is removed', async () => {
		for (const index of [0, 1, 2]) fill(index, ...range(index * 10, index * 10 + 4));
		const given = [0, 1, 2].flatMap((index) =>
			rows(nameOf(index), ...range(index * 10, index * 10 + 3)),
		);
		const dry = await limited(given, 20, true);
		expect(dry.hints[0]?.message).toContain(
			'Mirror would remove 3 of the 12 people in all groups together (25 %), more than the 20 % allowed. Without Dry Run, Mirror would not change this group.',
		);
		const result = await limited(given, 20);
		expect(new Set(statuses(result))).toEqual(new Set(['failed']));
		expect(membersOf(2)).toEqual([20, 21, 22, 23]);
	});

	test('a stopped group gets nobody, whoever it would get stays where they are, the others go on', async () => {
		fill(0, ...range(0, 4));
		fill(1, ...range(10, 30));
		fill(2, 5);
		const given = [
			...rows(nameOf(0), 0, 10),
			...rows(nameOf(1), ...range(12, 30)),
			...rows(nameOf(2), 5, 6),
		];
		const dry = await limited(given, 20, true);
		expect(dry.json.filter(({ reason }) => reason === KEPT)).toHaveLength(1);
		const result = await limited(given, 20);
		expect(membersOf(0)).toEqual([0, 1, 2, 3]);
		expect(membersOf(1)).toEqual([10, ...range(12, 30)]);
		expect(membersOf(2)).toEqual([5, 6]);
		expect(result.json[0]).toMatchObject({
			status: 'failed',
			reason:
				'Mirror would remove 3 of the 4 people in the group (75 %), more than the 20 % allowed',
		});
		expect(statuses(result).slice(-4)).toEqual(['alreadyMember', 'added', 'removed', 'failed']);
		expect(result.json.at(-1)?.reason).toBe(KEPT);
	});
});

test('a group from an expression that is the same for all items fails as one group does', async () => {
	const { error } = await syncRows(rows('Nowhere', 1, 2), { onError: 'stopWorkflow' });
	expect(error?.message).toBe('There is no recipient group called "Nowhere"');
	const list = { recipientGroupId: locator('={{ [] }}') };
	const { error: noId } = await syncRows(rows('x', 1), {
		parameters: list,
		onError: 'stopWorkflow',
	});
	expect(noId?.message).toContain('Recipient Group is missing');
	expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
});
