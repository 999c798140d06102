import { useFakeSleep } from '../kit/fakeSleep.mts';
import { range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';
import { rows, severalGroups, type Row } from '../kit/severalGroups.mts';

useFakeSleep();
const service = useService({ seed: 4, people: 40, groups: 4, campaigns: 0, surveys: 0 });
const { emailsOf, fill, group, membersOf, nameOf, names, syncRows } = severalGroups(service);

test.each(['email', 'id'] as const)(
	'by %s: fills each group with its people',
	async (identifyBy) => {
		fill(0, 0, 1, 2, 3);
		fill(1, 10);
		fill(2, 20, 21);
		const given = [
			...rows(nameOf(0), 0, 1, 2),
			...rows(nameOf(1).toUpperCase(), 3, 10),
			...rows(` ${nameOf(2)} `, 20),
		];
		const result = await syncRows(given, { identifyBy });
		expect(range(0, 3).map(membersOf)).toEqual([[0, 1, 2], [3, 10], [20]]);
		expect(statuses(result).slice(-2)).toEqual(['removed', 'removed']);
		const named = { recipientGroupId: group(1)._id, recipientGroupName: nameOf(1) };
		expect(result.json[3]).toMatchObject({ ...named, status: 'added' });
		const pairs = result.items.slice(-2).map(({ pairedItem }) => pairedItem);
		expect(pairs).toEqual([{ item: 0 }, { item: 5 }]);
		const lists = service.requests.filter(({ query }) => query?.skip === '0' && !query.own);
		expect([lists.length, names().length]).toEqual([1, 4]);
	},
);

test.each([
	[
		'does not exist',
		() => 'Nowhere',
		'There is no recipient group called "Nowhere"',
		'the option Create Missing Groups creates missing groups',
	],
	[
		'has an ambiguous name',
		() => nameOf(3),
		'2 recipient groups are called',
		'Use the ID of the right one',
	],
])('fails only the items of a group that %s', async (_what, name, reason, advice) => {
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
	expect(error?.description).toContain(`First reason: ${name() || 'No group'}: ${reason}`);
	expect(error?.description).toContain(advice);
	const { errorItems } = await syncRows(given, { onError: 'continueErrorOutput' });
	const shown: unknown = expect.stringContaining(reason);
	expect(errorItems[0]?.json).toMatchObject({ error: shown, message: expect.any(String) });
	expect(error?.description).not.toContain('Nothing was sent');
});

test.each([[], ['Ops'], true, {}, '[object Object]', '=Sales', 'undefined undefined', 'NaN'])(
	'%j is the name of no group, and its person stays where they are',
	async (department) => {
		fill(0, 0, 1);
		const items = [
			{ json: { department, person: emailsOf(1)[0] ?? '' } },
			{ json: { department: nameOf(0), person: emailsOf(0)[0] ?? '' } },
		];
		const { json } = await syncRows([], { items, options: { createMissingGroups: true } });
		expect(json.map(({ status }) => status)).toEqual(['failed', 'alreadyMember', 'failed']);
		expect([membersOf(0), names().length]).toEqual([[0, 1], 4]);
	},
);

test('an item with a blank group is invalid, and its person stays where they are', async () => {
	fill(0, 0, 1);
	const given = [...rows('', 1), ...rows(nameOf(0), 0)];
	const { json, hints } = await syncRows(given);
	expect(json.map(({ status }) => status)).toEqual(['invalid', 'alreadyMember', 'failed']);
	expect(hints.map(({ message }) => message).join()).toContain(
		'Items that name no group or channel',
	);
	expect(membersOf(0)).toEqual([0, 1]);
});

test.each([
	[null, [3, 4], 4],
	[1, [3, 4], 4],
	[null, [3], 3],
])(
	'a new group with another name, of which a read shows at most %j members of %j, leaves %i groups',
	async (leadsTruncated, people, count) => {
		fill(0, 0);
		fill(1, ...people);
		const body = { success: true, data: { _id: group(1)._id, name: 'N' } };
		service.emulator.faults.on('POST /recipientGroup', { status: 200, body });
		service.emulator.switches.leadsTruncated = leadsTruncated;
		const { error } = await syncRows(rows('New', 1), {
			options: { createMissingGroups: true },
			onError: 'stopWorkflow',
			parameters: { mode: 'add' },
		});
		expect(error?.message).toContain('changed the name of the new group "New"');
		expect(error?.description).toContain(count > 3 ? 'was not deleted (ID' : 'was deleted again');
		expect(names()).toHaveLength(count);
	},
);

test('fails only the items with a group ID that does not exist', async () => {
	fill(0, 0);
	const given = [...rows(group(0)._id, 0), ...rows(` ${group(0)._id} `, 1), ...rows(nameOf(1), 2)];
	const parameters = { recipientGroupId: '={{ $json.department }}' };
	const lastByName = '={{ ({ mode: $itemIndex > 2 ? "name" : "id", value: $json.department }) }}';
	const result = await syncRows([...given, ...rows(nameOf(1), 3)], {
		parameters: { recipientGroupId: lastByName, mode: 'add' },
	});
	expect(statuses(result)).toEqual(['alreadyMember', 'added', 'failed', 'added']);
	const { error } = await syncRows(given, { parameters, onError: 'stopWorkflow' });
	expect(error?.description).toContain(
		`Recipient group "${nameOf(1)}" was not found. If this is a name, set Recipient Group to By Name.`,
	);
});

test('in the summary of a dry run, each item is counted only in the group that it names', async () => {
	fill(0, 0);
	fill(1, 1);
	const [one, other] = ['64f1c0ffee00000000000101', '64f1c0ffee00000000000102'];
	const given: Row[] = [[nameOf(0), one], ...rows(nameOf(1), 1, 5), [nameOf(1), other]];
	const all: Row[] = [...given, ['Nowhere', one]];
	const options = { output: 'summary' };
	const parameters = { dryRun: true };
	const { json, items } = await syncRows(all, { identifyBy: 'id', parameters, options });
	expect(json).toMatchObject([
		{ added: 1, alreadyMember: 0, removed: 1, failed: 0 },
		{ added: 2, alreadyMember: 1, failed: 0 },
		{ added: 0, failed: 1, error: expect.stringContaining('Nowhere') },
	]);
	expect(json[0]).not.toHaveProperty('note');
	const pairs = [[0], [1, 2, 3], [4]].map((indexes) => indexes.map((item) => ({ item })));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
});

test('adds people to two groups, although each of these people is already in the other group', async () => {
	fill(0, 1, 2);
	fill(1, 3, 0);
	const [first, second] = [nameOf(0), nameOf(1)];
	const given: Row[] = [2, 0, 3, 1].map((person) => [person > 1 ? second : first, person]);
	const result = await syncRows(given, { parameters: { mode: 'add' } });
	expect(statuses(result)).toEqual(['added', 'added', 'alreadyMember', 'alreadyMember']);
});

describe('a missing group', () => {
	const options = { createMissingGroups: true };

	test('is created once, however its name is written', async () => {
		const given = [...rows('New', 1), ...rows(' NEW ', 2)];
		const { json } = await syncRows(given, { identifyBy: 'id', options });
		expect(json.map(({ status }) => status)).toEqual(['added', 'added']);
		expect([membersOf(4), names().length]).toEqual([[1, 2], 5]);
	});

	test.each([
		[50, 50],
		[51, 0],
	])('of %i missing groups, creates %i', async (missing, created) => {
		const given = range(0, missing).flatMap((number) => rows(`New ${number}`, 1));
		const { json } = await syncRows(given, { identifyBy: 'id', options });
		expect(names()).toHaveLength(4 + created);
		expect(json[0]?.reason).toMatch(created ? 'Added' : '51 recipient groups do not exist');
	});

	test('is not created again if the response is lost', async () => {
		service.emulator.faults.on('POST /recipientGroup', { status: 503, after: true });
		const { json } = await syncRows(rows('New', 1), { identifyBy: 'id', options });
		expect(json[0]?.reason).toContain('The change may have been carried out');
		expect(names()).toHaveLength(5);
	});

	test('a missing group is created neither by Remove nor if the service knows none of its recipients', async () => {
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
