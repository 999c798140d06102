import type { FaultAction } from '../../emulator/emulator.mts';
import { locator } from '../kit/engine.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { CONTINUE, groupSync, MIRROR, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';
import { rows, severalGroups } from '../kit/severalGroups.mts';

useFakeSleep();
const service = useService({ seed: 4, people: 40, groups: 4, campaigns: 0, surveys: 0 });
const { sync, syncIds, members, memberIndexes, idsOf, person } = groupSync(service);
const { emailsOf, fill, group, membersOf, nameOf, names, syncRows } = severalGroups(service);
const stop = { onError: 'stopWorkflow' } as const;

describe('exclusive groups', () => {
	const both = () => [...rows(nameOf(0), 0, 1), ...rows(nameOf(1), 10)];
	function makeExclusive(index: number): void {
		group(index).exclusive = true;
		service.emulator.switches.exclusiveMeans = 'inNoOtherGroup';
	}

	test.each([true, false])(
		'one that no item names ends Mirror before anything is sent (in list: %p)',
		async (isListed) => {
			service.emulator.switches.exclusiveInLists = isListed;
			fill(0, 0, 1, 2);
			fill(3, 0, 10, 30);
			makeExclusive(3);
			const { error } = await syncRows(both(), stop);
			expect(error?.message).toBe(
				`Sync cannot find out who is who, because the group "${nameOf(3)}" is exclusive`,
			);
			expect(error?.description).toMatch(
				/Identify By "ID".*npm run check-service.*Exclusive Groups Are Safe/,
			);
			expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
			expect([membersOf(0), membersOf(3)]).toEqual([
				[0, 1, 2],
				[0, 10, 30],
			]);
			const dry = await syncRows(both(), { ...stop, parameters: { dryRun: true } });
			expect(dry.error?.message).toContain('is exclusive');
		},
	);

	test('one that cannot be read, and that the list does not describe, ends Mirror, too', async () => {
		fill(0, 0, 1, 2);
		makeExclusive(3);
		service.emulator.switches.exclusiveInLists = false;
		service.emulator.faults.on(`GET /recipientGroup/${group(3)._id}`, { status: 403 });
		const { error } = await syncRows(both(), stop);
		expect(error?.message).toContain('cannot be read, and may be exclusive');
		service.emulator.switches.listedAtMost = { recipientGroup: 3 };
		const parameters = { recipientGroupId: '={{ $json.department }}' };
		const capped = await syncRows(rows(group(0)._id, 0, 1), { ...stop, parameters });
		expect(capped.error?.message).toContain('it is not known which groups are exclusive');
		expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
	});

	test('Exclusive Groups Are Safe lets Mirror go on', async () => {
		fill(0, 0, 1, 2);
		fill(1, 10);
		group(3).exclusive = true;
		const { error } = await syncRows(both(), {
			...stop,
			options: { exclusiveGroupsAreSafe: true },
		});
		expect([error, membersOf(0)]).toEqual([undefined, [0, 1]]);
	});

	test('a group that cannot be read, and is not exclusive in the list, stops only itself', async () => {
		fill(0, 0, 1, 2);
		fill(1, 10, 2);
		service.emulator.faults.on(
			`GET /recipientGroup/${group(0)._id}`,
			{ status: 403, body: { success: false, message: 'No' } },
			{ times: Infinity },
		);
		const given = [...both(), ...rows(nameOf(1), 11)];
		const dry = await syncRows(given, { ...stop, parameters: { dryRun: true } });
		expect(dry.error?.description).toMatch(/All others would be done.*Would be removed: /);
		const { json } = await syncRows(given);
		expect(json.slice(0, 4).map(({ status }) => status)).toEqual([
			'failed',
			'failed',
			'alreadyMember',
			'added',
		]);
		expect([membersOf(0), membersOf(1)]).toEqual([
			[0, 1, 2],
			[10, 11],
		]);
	});
});

test('temporary groups that are shown in part, or exclusive, end Mirror', async () => {
	members(0);
	service.emulator.switches.leadsTruncated = 1;
	const part = await sync(emailsOf(0, 1), MIRROR);
	expect(part.error?.message).toContain('shows only 1 of 2 members of a temporary group');
	const body = { success: true, data: { _id: group(3)._id, exclusive: true } };
	service.emulator.faults.on('POST /recipientGroup', { status: 200, body });
	const { error } = await sync(emailsOf(0, 1), MIRROR);
	expect(error?.message).toContain('new groups are exclusive');
});

test('groups that are over the limit of removals only together do not stop the additions to another one', async () => {
	fill(0, 0, 1, 2);
	fill(1, 10, 11, 12);
	fill(2, 20);
	const given = [...rows(nameOf(0), 0, 1), ...rows(nameOf(1), 10, 11), ...rows(nameOf(2), 20, 21)];
	await syncRows(given, { identifyBy: 'id', maxRemovalPercent: 20 });
	expect(range(0, 3).map(membersOf).map(String)).toEqual(['0,1,2', '10,11,12', '20,21']);
});

test('whom the service itself has shown, and then refuses, is failed, and never unknown', async () => {
	fill(0, 0, 1, 2);
	service.emulator.faults.on(
		`POST /recipientGroup/${group(0)._id}/recipients`,
		{ refuse: 'Not all emails founded as recipient in system' },
		{ times: Infinity },
	);
	const result = await syncRows(rows(nameOf(0), 0, 1, 2, 5));
	expect(statuses(result)).toEqual([...emailsOf(0, 1, 2).map(() => 'alreadyMember'), 'failed']);
});

test.each([false, true])(
	'who moves to a group over the limit stays in the old group (dry run: %p)',
	async (dryRun) => {
		fill(0, ...range(0, 10));
		fill(1, ...range(10, 20));
		// The service may show an ID in another case than an item.
		const written = String(idsOf(19)[0]).toUpperCase();
		const given = [...rows(nameOf(0), 0, 1, 2, 3, written), ...rows(nameOf(1), ...range(10, 19))];
		const parameters = { dryRun, maxRemovalPercent: 50 };
		const { json } = await syncRows(given, { identifyBy: 'id', parameters });
		const old = json.find(
			(item) => item.recipientGroupName === nameOf(1) && item.recipient === idsOf(19)[0],
		);
		const not = dryRun ? 'Would not be' : 'Not';
		expect(old?.reason).toMatch(
			RegExp(`^${not} removed: .* but nothing proves that they are in it`),
		);
		expect(membersOf(1)).toContain(19);
	},
);

test('a group without members that only blank rows name is green; with members, it is red alone', async () => {
	fill(0, 0, 1, 2);
	fill(1);
	const blank = [...rows(nameOf(1), ''), ...rows('Nowhere', '-', 'tbd'), ...rows('', 5)];
	const given = [...rows(nameOf(0), 0, 1), ...blank];
	const green = await syncRows(given, stop);
	expect([green.error, membersOf(0), names().length]).toEqual([undefined, [0, 1], 4]);
	fill(1, 10);
	fill(0, 0, 1, 2);
	const red = await syncRows(given, stop);
	expect(red.error?.message).toBe('1 of 4 groups could not be synced');
	expect([membersOf(0), membersOf(1)]).toEqual([[0, 1], [10]]);
	const { json } = await syncRows(given);
	expect(json).toHaveLength(6);
	expect(json[2]).toMatchObject({
		status: 'invalid',
		error: 'No item has a valid recipient',
	});
});

describe('every item has a status', () => {
	test.each([
		['the list cannot be read', () => nameOf(0), 'failed'],
		['the group is blank', () => '', 'invalid'],
		['the group is "-"', () => '-', 'failed'],
	])('if %s', async (what, name, status) => {
		if (what.startsWith('the list'))
			service.emulator.faults.on('GET /recipientGroup', { status: 500 }, { times: Infinity });
		const { json } = await syncRows(rows(name(), 0, 1), { parameters: { dryRun: true } });
		expect(json).toMatchObject(
			emailsOf(0, 1).map((recipient) => ({ recipient, status, dryRun: true })),
		);
		expect((await syncRows(rows(name(), 0), stop)).error).toBeDefined();
	});

	test('if the settings are invalid', async () => {
		const { json } = await sync(emailsOf(0, 1), { options: { chunkSize: 0 }, ...CONTINUE });
		expect(json.map(({ recipient, status }) => [recipient, status])).toEqual(
			emailsOf(0, 1).map((one) => [one, 'failed']),
		);
	});
});

test('a failed look-up keeps its own error', async () => {
	members(0, 1, 2);
	const action = { status: 401, body: { success: false, message: 'Key' } };
	service.emulator.faults.on('POST /recipientGroup/*/recipients', action, { times: Infinity });
	const { error } = await sync(emailsOf(0, 1), MIRROR);
	expect(error?.description).toContain('Check the access key');
	expect(memberIndexes()).toEqual([0, 1, 2]);
});

test('Mirror fails if each read of the temporary groups shows other people', async () => {
	members(0, 1, 2);
	let last = 3;
	service.emulator.onRequest(({ method, path }) => {
		const groups = service.emulator.state.recipientGroups.values();
		const isRead = ({ _id, name }: (typeof groups)[number]) =>
			method === 'GET' && path.endsWith(_id) && name.startsWith('n8n sync');
		groups.find(isRead)?.members.add(service.emulator.state.people.values()[++last]?._id ?? '');
	});
	const { error } = await sync(emailsOf(0, 1), MIRROR);
	expect(error?.message).toContain('The service shows different people at each read');
	expect(memberIndexes()).toEqual([0, 1, 2]);
});

test('Remove Despite Invalid lifts nothing for a refusal that came once', async () => {
	members(0, 1, 2);
	// The service refuses the request, and then the person alone, once.
	for (const [times, left] of [
		[2, [0, 1]],
		[Infinity, [1]],
	] as const) {
		members(0, 1, 2);
		person(0).refusal = { says: 'Consent of the person not found', times };
		const options = { removeDespiteInvalid: true };
		await sync(emailsOf(0, 1), { ...MIRROR, options, ...CONTINUE });
		expect(memberIndexes()).toEqual(left);
	}
});

test('Mirror removes nobody if an address is unknown in one group and was accepted in another one', async () => {
	members(0, 1, 2);
	const [email = ''] = emailsOf(0);
	const says = 'Not all emails founded as recipient in system';
	let requests = 0;
	service.emulator.onRequest(({ body }) => {
		if (!JSON.stringify(body ?? '').includes(email) || ++requests === 1) return;
		person(0).refusal = { says, times: Infinity };
	});
	const { json } = await sync(emailsOf(0, 1), { ...MIRROR, ...CONTINUE });
	expect([json[0]?.status, memberIndexes()]).toEqual(['failed', [0, 1, 2]]);
});

test.each([
	['Recipient is locked', 'failed'],
	['User does not exist', 'unknown'],
	['Object does not exist', 'failed'],
])('by ID, who is refused twice with "%s" is %s, and removals go on', async (says, status) => {
	members(0, 1, 2);
	person(5).refusal = { says, times: Infinity };
	const start = Date.now();
	const result = await syncIds(idsOf(5, 1, 2), { ...MIRROR, ...CONTINUE });
	expect([statuses(result)[0], memberIndexes()]).toEqual([status, [1, 2]]);
	expect(Date.now() - start).toBeGreaterThanOrEqual(15_000);
});

test.each<[string, unknown[], string]>([
	['a text', ['Recipient not found'], 'unknown'],
	['an object with a text', [{ index: 0, message: 'Unknown recipient' }], 'unknown'],
	['a code word', [{ code: 'NOT_FOUND' }], 'unknown'],
	['a number', [{ code: 404 }], 'failed'],
	['another reason', [{ code: 'NO_LICENSE', message: 'Recipient not found' }], 'failed'],
])('one address alone with %s in errorLog', async (_what, errorLog, status) => {
	members();
	const body = { success: true, data: { successCount: 0, errorCount: 1, errorLog } };
	service.emulator.faults.on(
		'POST /recipientGroup/*/recipients',
		{ status: 200, body },
		{ times: Infinity },
	);
	const { json } = await sync(emailsOf(1), CONTINUE);
	expect(json[0]?.status).toBe(status);
	expect(json[0]?.reason).not.toContain('may have been');
});

test('an entry of errorLog is a refusal without errorCount, too', async () => {
	members();
	const body = { success: true, data: { successCount: 0, errorLog: ['Recipient is locked'] } };
	const everyChange = ['POST /recipientGroup/*/recipients', { status: 200, body }] as const;
	service.emulator.faults.on(...everyChange, { times: Infinity });
	const { json } = await sync(emailsOf(1, 2), CONTINUE);
	expect(json.map(({ reason }) => reason)).toEqual(['Recipient is locked', 'Recipient is locked']);
});

test('whom the service refuses alone, in errorLog, it has certainly not added', async () => {
	members();
	Object.assign(service.emulator.switches, { unknownEmails: 'errorLog', errorLogShape: 'opaque' });
	person(5).refusal = { says: 'Recipient is locked', times: Infinity };
	const { json } = await sync(emailsOf(5, 1), CONTINUE);
	expect(json[0]).toMatchObject({ status: 'failed', reason: 'Recipient is locked' });
	expect(memberIndexes()).toEqual([1]);
});

const creation = 'POST /recipientGroup';
const noId = { status: 200, body: { success: true, data: {} } };
test.each<[skip: number, string, FaultAction, RegExp]>([
	[0, creation, { refuse: 'No' }, /a group: No The .* right to create/],
	[1, creation, { refuse: 'No' }, /needs 2 .* only 1: .*: No Sync fewer/],
	[0, creation, noId, /no ID\. The change may have/],
	[1, 'GET /recipientGroup/*', { status: 404, body: 'Not Found' }, /no longer exists Another/],
])('after %i of its requests, %s with %j ends Mirror', async (skip, call, action, text) => {
	members(0, 1, 2);
	service.emulator.faults.on(call, action, { skip, times: Infinity });
	const { error } = await sync(emailsOf(0, 1), MIRROR);
	expect([error?.message, error?.description].join(' ')).toMatch(text);
});

describe('several runs in one execution', () => {
	/** Runs the node once for each list of people, as two incoming branches do. */
	async function run(mode: string, first: number[], second: number[], settings = {}) {
		const toItems = (people: number[]) => emailsOf(...people).map((email) => ({ json: { email } }));
		const given = { items: toItems(first), moreRuns: [toItems(second)], settings };
		return await sync([], { mode, maxRemovalPercent: 100, ...given });
	}

	test('a second Mirror with other people fails before it changes anything', async () => {
		members(0, 1, 2, 3);
		const { error, execution } = await run('mirror', [0, 1, 2], [3, 4]);
		expect(JSON.stringify(execution.executionData?.contextData)).not.toContain('@');
		expect(error?.message).toMatch(/with other people in this execution\. Merge first$/);
		expect(error?.description).toMatch(/may already have removed people.*second node/);
		expect(memberIndexes()).toEqual([0, 1, 2]);
	});

	test('so does one for a group that the first run created', async () => {
		const [first, second] = [0, 1].map((index) => [{ json: { email: emailsOf(index)[0] } }]);
		const { error } = await sync([], {
			mode: 'mirror',
			parameters: { recipientGroupId: locator('Created', 'name') },
			options: { createMissingGroups: true },
			...{ items: first, moreRuns: [second ?? []] },
		});
		expect(error?.message).toMatch(/with other people in this execution/);
	});

	test('the same people, and Add, are free', async () => {
		members(0, 1, 2, 3);
		expect((await run('mirror', [0, 1], [1, 0])).error).toBeUndefined();
		expect((await run('add', [5], [6])).error).toBeUndefined();
		expect(memberIndexes()).toEqual([0, 1, 5, 6]);
	});

	test('so is another group', async () => {
		const second = { json: { department: nameOf(1), person: emailsOf(1)[0] ?? '' } };
		await syncRows(rows(nameOf(0), 0), { ...stop, moreRuns: [[second]] });
		expect([membersOf(0), membersOf(1)]).toEqual([[0], [1]]);
	});

	test('Retry On Fail is one run', async () => {
		members(0, 1, 2);
		service.emulator.faults.on('POST /recipientGroup', { status: 401 });
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const { error } = await run('mirror', [0, 1], [1, 0], settings);
		expect([error, memberIndexes()]).toEqual([undefined, [0, 1]]);
	});
});
