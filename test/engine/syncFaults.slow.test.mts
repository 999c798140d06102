import { inspect } from 'node:util';

import type { FaultAction } from '../../emulator/emulator.mts';
import { locator } from '../kit/engine.mts';
import { groupSync, MEMBERS, range, statuses } from '../kit/groupSync.mts';
import { watchLog } from '../kit/log.mts';
import { useService } from '../kit/service.mts';

const service = useService({ seed: 11, people: 60, groups: 2, campaigns: 0, surveys: 0 });
const log = watchLog();
const { emailsOf, groupFields, groupNames, idsOf, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

const busy = (status: number) => ({ status, headers: { 'retry-after': '0' } });
const requestsToMembers = () => service.emulator.requestCount('POST', MEMBERS);

describe('a call that fails for a passing reason', () => {
	test.each<[string, FaultAction]>([
		['429', busy(429)],
		['500', busy(500)],
		['503 with a message', { ...busy(503), body: { success: false, message: 'Maintenance' } }],
		['503 after it was carried out', { ...busy(503), after: true }],
		['a dropped connection', 'drop'],
		['a connection dropped after it was carried out', 'dropAfter'],
	])('%s: is sent again', async (_what, action) => {
		members(0, 5);
		service.emulator.faults.add({ match: { method: 'POST', path: MEMBERS }, times: 2, action });
		const result = await sync(emailsOf(...range(0, 10)));
		expect(result.error).toBeUndefined();
		expect(memberIndexes()).toEqual(range(0, 10));
		expect(statuses(result)).toEqual(
			range(0, 10).map((index) => (index === 0 || index === 5 ? 'alreadyMember' : 'added')),
		);
	});

	test.each<[string, FaultAction]>([
		['503 after it was carried out', { ...busy(503), after: true }],
		['a connection dropped after it was carried out', 'dropAfter'],
	])('%s: who was added by id, and removed, is still known', async (_what, action) => {
		members(0, 5);
		service.emulator.faults.add({ match: { path: MEMBERS }, times: 1, action });
		const added = await syncIds(idsOf(0, 1, 2));
		expect(statuses(added)).toEqual(['alreadyMember', 'added', 'added']);

		service.emulator.faults.add({ match: { path: MEMBERS }, times: 1, action });
		const removed = await sync(emailsOf(1, 30), { mode: 'remove' });
		expect(statuses(removed)).toEqual(['removed', 'notMember']);
	});

	test('is given up after six tries, and the rest is done', async () => {
		members();
		service.emulator.faults.add({
			match: { method: 'POST', path: MEMBERS },
			times: 6,
			action: busy(503),
		});
		const { error } = await sync(emailsOf(...range(0, 9)), {
			options: { chunkSize: 3, concurrency: 1 },
		});
		expect(requestsToMembers()).toBe(6 + 2);
		expect(memberIndexes()).toEqual(range(3, 9));
		expect(error?.message).toBe('3 recipients could not be synced');
		expect(error?.description).toMatch(/^First reason: .+ Summary: added 6, failed 3\.$/);
		expect(error?.context.summary).toMatchObject({ added: 6, failed: 3, unknown: 0 });
	});

	test('Retry-After is obeyed', async () => {
		members();
		service.emulator.faults.add({
			match: { method: 'POST', path: MEMBERS },
			action: { status: 429, headers: { 'retry-after': '1' } },
		});
		await sync(emailsOf(0));
		const [first, second] = service.requests.filter(({ method }) => method === 'POST');
		expect((second?.startedAt ?? 0) - (first?.endedAt ?? 0)).toBeGreaterThanOrEqual(990);
	});

	test('who was not in the group before, and cannot be seen in it after, is not called a member', async () => {
		members();
		service.emulator.switches.unknownIds = 'ignore';
		service.emulator.faults.add({
			match: { method: 'GET' },
			skip: 1,
			times: Infinity,
			action: busy(500),
		});
		const given = [...idsOf(0, 1), '64f1c0ffee0000000000abcd'];
		const result = await syncIds(given, { onError: 'continueRegularOutput' });
		expect(statuses(result)).toEqual(['failed', 'failed', 'failed']);
		expect(memberIndexes()).toEqual([0, 1]);
	});

	test.each([
		['add', range(0, 4), ['alreadyMember', 'added', 'added', 'added']],
		['remove', [0, 9], ['removed', 'notMember']],
		['mirror', range(0, 4), ['alreadyMember', 'added', 'added', 'added', 'removed']],
	])('%s: a read that is one change behind names nobody wrongly', async (mode, given, expected) => {
		members(0, 5);
		const path = `/int/v1/recipientGroup/${target()._id}`;
		const headers = { Authorization: `Bearer ${service.emulator.accessKey}` };
		const before = await fetch(service.emulator.url + path, { headers });
		service.emulator.faults.add({
			match: { method: 'GET', path },
			skip: 1,
			times: 1,
			action: { status: 200, body: await before.json() },
		});
		const result = await sync(emailsOf(...given), { mode, maxRemovalPercent: 100 });
		expect(result.error).toBeUndefined();
		expect(statuses(result)).toEqual(expected);
		expect(service.requests.filter(({ fault }) => fault)).toHaveLength(1);
	});

	test('reading is repeated, too', async () => {
		members(...range(0, 10));
		service.emulator.faults.add({ match: { method: 'GET' }, times: 3, action: busy(502) });
		const { error } = await syncIds(idsOf(...range(0, 11)), { mode: 'mirror' });
		expect(error).toBeUndefined();
		expect(memberIndexes()).toEqual(range(0, 11));
	});
});

describe('failures', () => {
	const refusal: FaultAction = { status: 200, body: { success: false, message: 'Quota exceeded' } };

	test('a refusal for another reason is not halved', async () => {
		members();
		service.emulator.faults.add({
			match: { method: 'POST', path: MEMBERS },
			times: Infinity,
			action: refusal,
		});
		const { error } = await sync(emailsOf(...range(0, 9)), { options: { chunkSize: 3 } });
		expect(requestsToMembers()).toBe(3);
		expect(error?.description).toContain('First reason: Quota exceeded.');
	});

	test.each<[string, FaultAction]>([
		['access is refused', { status: 403, body: { success: false, message: 'No permission' } }],
		[
			'the group is gone',
			{ status: 200, body: { success: false, message: 'Object does not exist' } },
		],
	])('when %s, no further chunk is sent', async (_what, action) => {
		members();
		service.emulator.faults.add({
			match: { method: 'POST', path: MEMBERS },
			times: Infinity,
			action,
		});
		const { error } = await sync(emailsOf(...range(0, 20)), {
			options: { chunkSize: 2, concurrency: 1 },
		});
		expect(requestsToMembers()).toBe(1);
		expect(error?.description).toContain('failed 20');
	});

	test('continue on fail: they come as items, paired, with their status', async () => {
		members();
		service.emulator.faults.add({ match: { method: 'POST', path: MEMBERS }, action: refusal });
		const result = await sync(['', ...emailsOf(0, 1, 2)], {
			options: { chunkSize: 2, concurrency: 1 },
			onError: 'continueRegularOutput',
		});
		const failed = {
			status: 'failed',
			reason: 'Quota exceeded',
			error: 'Quota exceeded',
			...groupFields(),
		};
		expect(result.items).toEqual([
			{
				json: {
					recipient: '',
					status: 'invalid',
					reason: 'The item has no email address',
					...groupFields(),
				},
				pairedItem: { item: 0 },
			},
			{ json: { recipient: emailsOf(0)[0], ...failed }, pairedItem: { item: 1 } },
			{ json: { recipient: emailsOf(1)[0], ...failed }, pairedItem: { item: 2 } },
			{
				json: { recipient: emailsOf(2)[0], status: 'added', reason: '', ...groupFields() },
				pairedItem: { item: 3 },
			},
		]);
	});

	test('error output: the failures go there, the others do not', async () => {
		members();
		service.emulator.faults.add({ match: { method: 'POST', path: MEMBERS }, action: refusal });
		const result = await sync(emailsOf(0, 1, 2), {
			options: { chunkSize: 2, concurrency: 1 },
			onError: 'continueErrorOutput',
		});
		expect(statuses(result)).toEqual(['added']);
		expect(result.errorItems.map(({ json }) => json)).toEqual(
			emailsOf(0, 1).map((message) => ({ error: 'Quota exceeded', message })),
		);
	});

	test('error output: a removal that failed goes there with the ID', async () => {
		members(0, 1);
		service.emulator.faults.add({ match: { method: 'DELETE', path: MEMBERS }, action: refusal });
		const result = await syncIds(idsOf(0), {
			mode: 'mirror',
			maxRemovalPercent: 100,
			onError: 'continueErrorOutput',
		});
		expect(statuses(result)).toEqual(['alreadyMember']);
		expect(result.errorItems.map(({ json }) => json)).toEqual([
			{ error: 'Not removed: Quota exceeded', message: idsOf(1)[0] },
		]);
	});

	test('a request that is too large says which option makes it smaller', async () => {
		members();
		const action = { status: 413, body: { success: false, message: 'Too large.' } };
		service.emulator.faults.add({ match: { path: MEMBERS }, times: Infinity, action });
		const result = await sync(emailsOf(0), { onError: 'continueRegularOutput' });
		expect(result.json[0]?.reason).toContain('. Lower the option Recipients per Request');
	});

	test('summary with continue on fail', async () => {
		members();
		service.emulator.faults.add({ match: { method: 'POST', path: MEMBERS }, action: refusal });
		const result = await sync(emailsOf(0, 1, 2), {
			options: { chunkSize: 2, concurrency: 1, output: 'summary' },
			onError: 'continueRegularOutput',
		});
		expect(result.json).toEqual([
			{
				added: 1,
				alreadyMember: 0,
				removed: 0,
				notMember: 0,
				unknown: 0,
				invalid: 0,
				duplicate: 0,
				failed: 2,
				...groupFields(),
				error: '2 recipients could not be synced',
			},
		]);
	});

	test('continue on fail when mirror refuses: every valid item says why', async () => {
		members(...range(0, 10));
		const result = await sync([...emailsOf(0), ''], {
			mode: 'mirror',
			onError: 'continueRegularOutput',
		});
		expect(statuses(result)).toEqual(['failed', 'invalid']);
		expect(result.json[0]?.error).toContain('Mirror would remove 9 of the 10 people');
	});

	test('continue on fail when mirror refuses an empty list: one item says why', async () => {
		const result = await sync([''], { mode: 'mirror', onError: 'continueRegularOutput' });
		// The group was not read, so its name is not known.
		const fields = { ...groupFields(), recipientGroupName: null };
		expect(result.json).toEqual([
			{ recipient: '', status: 'invalid', reason: 'The item has no email address', ...fields },
			{ error: 'There is no valid recipient to mirror', ...fields },
		]);
	});

	test.each<FaultAction>(['drop', 'dropAfter', 'cutBody', { status: 502 }])(
		'%j, every time: nobody knows what became of it, and the reason says so',
		async (action) => {
			service.emulator.faults.add({ match: { path: MEMBERS }, times: Infinity, action });
			const { json } = await sync(emailsOf(0), { onError: 'continueRegularOutput' });
			expect(json).toMatchObject([{ status: 'failed' }]);
			expect(JSON.stringify(json)).toContain('carried out');
		},
	);

	test('a secret that the service repeats is not shown, in no error and in no log', async () => {
		const { accessKey } = service.emulator;
		service.emulator.faults.add({
			match: { path: MEMBERS },
			times: Infinity,
			action: {
				status: 403,
				body: { success: false, message: `No ${accessKey}`, key: accessKey },
			},
		});
		const { error } = await sync(emailsOf(0));
		expect(error?.description).toContain('No ***');
		const failed = await sync(emailsOf(0), { onError: 'continueRegularOutput' });
		expect(failed.json).toMatchObject([
			{ status: 'failed', error: expect.stringContaining('***') },
		]);
		const shown = inspect([error, failed, log.lines], { depth: Infinity, showHidden: true });
		expect(shown).not.toContain(accessKey);
	});
});

describe('very many unknown recipients', () => {
	test('the search is bounded, says so, and those in other chunks get in', async () => {
		members();
		// Halving 1,500 strangers in chunks of 50 would take some 3,000 requests.
		const strangers = range(0, 1500).map((number) => `stranger${number}@people.example`);
		const input = [...strangers, ...emailsOf(...range(0, 50))];
		const result = await sync(input, {
			options: { chunkSize: 50 },
			onError: 'continueRegularOutput',
		});
		expect(requestsToMembers()).toBe(31 + 1000);
		expect(memberIndexes()).toEqual(range(0, 50));
		const failed = result.json.filter(({ status }) => status === 'failed');
		const unknown = result.json.filter(({ status }) => status === 'unknown');
		expect(failed.length + unknown.length).toBe(1500);
		expect(failed[0]?.reason).toMatch(/takes more than the 1000 extra requests/);
	}, 60_000);
});

describe('progress', () => {
	test('a line for each chunk', async () => {
		members();
		const lines: string[] = [];
		await sync(emailsOf(...range(0, 10)), {
			options: { chunkSize: 4, concurrency: 1 },
			onMessage: (message) => lines.push(JSON.stringify(message)),
		});
		expect(lines).toHaveLength(3);
		expect(lines[1]).toContain('Sync (add): Adding: chunk 2 of 3 done (4 recipients)');
	});

	test('a line when something is tried again', async () => {
		members();
		const lines: string[] = [];
		service.emulator.faults.add({ match: { path: MEMBERS }, action: busy(503) });
		await sync(emailsOf(0), { onMessage: (message) => lines.push(JSON.stringify(message)) });
		expect(lines.join()).toContain('trying again in 0.0 s');
	});
});

describe('cancelling', () => {
	/** Cancels at the `count`th request to members, and resolves when the node has sent its last one. */
	async function cancelAt(count: number, run: Parameters<typeof sync>) {
		let cancel = () => {};
		let seen = 0;
		service.emulator.onRequest(({ path }) => {
			if (path.endsWith('/recipients')) seen += 1;
			if (seen === count) cancel();
		});
		const [recipients, options] = run;
		return await sync(recipients, {
			...options,
			onStart: (stop) => {
				cancel = stop;
			},
		});
	}

	test('stops between chunks; what is under way is finished', async () => {
		members();
		await cancelAt(3, [emailsOf(...range(0, 20)), { options: { chunkSize: 2, concurrency: 1 } }]);
		expect(requestsToMembers()).toBe(3);
		expect(memberIndexes()).toEqual(range(0, 6));
		expect(service.requests.every(({ status }) => status === 200)).toBe(true);
	});

	test('deletes the staging group, and leaves the target as it is', async () => {
		members(...range(0, 10));
		await cancelAt(2, [
			emailsOf(...range(1, 20)),
			{ mode: 'mirror', options: { chunkSize: 4, concurrency: 1 } },
		]);
		expect(memberIndexes()).toEqual(range(0, 10));
		expect(groupNames()).toHaveLength(2);
	});

	test('removes nobody when it comes while people are added', async () => {
		members(...range(0, 10));
		await cancelAt(1, [
			idsOf(...range(1, 20)),
			{
				mode: 'mirror',
				parameters: { identifyBy: 'id' },
				options: { chunkSize: 4, concurrency: 1 },
			},
		]);
		expect(memberIndexes()).toEqual(range(0, 14));
	});

	test('with "continue", too, no item says what became of it', async () => {
		members();
		const result = await cancelAt(3, [
			emailsOf(...range(0, 20)),
			{ options: { chunkSize: 2, concurrency: 1 }, onError: 'continueRegularOutput' },
		]);
		expect(requestsToMembers()).toBe(3);
		// The engine passes the input on instead.
		expect(result.json).toEqual(emailsOf(...range(0, 20)).map((email) => ({ email })));
	});

	test('ends the wait before a next try', async () => {
		members();
		service.emulator.faults.add({
			match: { path: MEMBERS },
			action: { status: 429, headers: { 'retry-after': '5' } },
		});
		const start = Date.now();
		await cancelAt(1, [emailsOf(0), {}]);
		expect(Date.now() - start).toBeLessThan(4000);
		expect(requestsToMembers()).toBe(1);
	});
});

test('the group by its name in a list is the group', async () => {
	members();
	await sync(emailsOf(0), {
		parameters: { recipientGroupId: locator(target()._id, 'list') },
	});
	expect(memberIndexes()).toEqual([0]);
});
