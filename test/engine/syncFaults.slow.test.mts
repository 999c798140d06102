import { inspect } from 'node:util';

import type { FaultAction } from '../../emulator/emulator.mts';
import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { groupSync, MEMBERS, range, statuses, type SyncOptions } from '../kit/groupSync.mts';
import { watchLog } from '../kit/log.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 11, people: 60, groups: 2, campaigns: 0, surveys: 0 });
const log = watchLog();
const { emailsOf, groupFields, groupNames, idsOf, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

const continueOnError = { onError: 'continueRegularOutput' } as const;
const sequential = (chunkSize: number) => ({ chunkSize, concurrency: 1 });

const busy: FaultAction = { status: 503, headers: { 'retry-after': '0' } };
const QUOTA = 'Quota exceeded';
const refusal: FaultAction = { refuse: QUOTA };

function fault(method: string, path: string, action: FaultAction, skip = 0, times = Infinity) {
	service.emulator.faults.add({ match: { method, path }, skip, times, action });
}

const toTarget = () => `/int/v1/recipientGroup/${target()._id}`;
const additions = () => service.emulator.requestCount('POST', MEMBERS);

describe('the number of requests', () => {
	test('sends a failing call six times, then sends the other calls', async () => {
		members();
		fault('POST', MEMBERS, busy, 0, 6);
		const { error } = await sync(emailsOf(...range(0, 9)), { options: sequential(3) });
		expect(additions()).toBe(6 + 2);
		expect(memberIndexes()).toEqual(range(3, 9));
		expect(error?.message).toBe('3 recipients could not be synced');
		expect(error?.description).toMatch(/^First reason: .+ Summary: added 6, failed 3\.$/);
		expect(error?.context.summary).toMatchObject({ added: 6, failed: 3, unknown: 0 });
	});

	test.each<[string, FaultAction, count: number]>([
		['four calls in a row fail', busy, 4 * 6],
		['access is refused', { status: 403, body: { success: false, message: 'No permission' } }, 1],
		['the group does not exist', { refuse: 'Object does not exist' }, 1],
		['ten calls in a row are refused for another reason', refusal, 10],
	])('stops sending when %s', async (_what, action, count) => {
		members();
		fault('POST', MEMBERS, action);
		const { error } = await sync(emailsOf(...range(0, 40)), { options: sequential(4) });
		expect(additions()).toBe(count);
		expect(error?.description).toContain('failed 40');
	});

	test('sends few requests if the service refuses many IDs and does not say which', async () => {
		members();
		fault('POST', MEMBERS, refusal);
		const { error } = await syncIds(idsOf(...range(0, 60)), { options: { chunkSize: 6 } });
		expect(additions()).toBe(40);
		expect(error?.description).toContain(`First reason: ${QUOTA}.`);
	});

	test('sends at most 1,000 extra requests to find unknown recipients, and adds the known ones', async () => {
		members();
		// Finding 1,500 unknown people by halving chunks of 50 would take about 3,000 requests.
		const unknownPeople = range(0, 1500).map((number) => `nobody${number}@people.example`);
		const options = { chunkSize: 50 };
		const result = await sync([...unknownPeople, ...emailsOf(...range(0, 50))], {
			options,
			...continueOnError,
		});
		expect(additions()).toBe(31 + 1000);
		expect(memberIndexes()).toEqual(range(0, 50));
		expect(new Set(statuses(result).slice(0, 1500))).toEqual(new Set(['unknown', 'failed']));
		const failed = result.json.find(({ status }) => status === 'failed');
		expect(failed?.reason).toMatch(
			/too many unknown recipients to find them with 1000 extra requests/,
		);
	});
});

describe('recovery from failures', () => {
	test.each<FaultAction>(['drop', 'dropAfter', 'cutBody', { ...busy, status: 500 }])(
		'syncs everyone when a call fails and its retry succeeds: %j',
		async (action) => {
			members(0, 5);
			fault('POST', MEMBERS, action, 0, 2);
			const result = await sync(emailsOf(...range(0, 10)));
			expect(statuses(result)).toEqual(
				range(0, 10).map((index) => (index % 5 === 0 ? 'alreadyMember' : 'added')),
			);
			expect(memberIndexes()).toEqual(range(0, 10));
		},
	);

	test('fails only the calls in flight during an outage of five seconds', async () => {
		members();
		let count = 0;
		let until = 0;
		service.emulator.onRequest(({ path }) => {
			if (!path.endsWith('/recipients')) return;
			if (count++ === 4) until = Date.now() + 5_000;
			if (Date.now() >= until) return;
			// Four calls with six attempts each take 3.6 seconds, so they fail before the outage ends.
			fault('POST', path, busy, 0, 1);
			advanceClock(150);
		});
		const options = { chunkSize: 3, concurrency: 4 };
		const result = await sync(emailsOf(...range(0, 60)), { options, ...continueOnError });
		const failed = statuses(result).filter((status) => status === 'failed').length;
		expect(failed).toBeGreaterThanOrEqual(12);
		expect(failed).toBeLessThanOrEqual(15);
		expect(memberIndexes()).toHaveLength(60 - failed);
	});

	test('adds everyone when the service refuses all IDs at first and then accepts them', async () => {
		members();
		fault('POST', MEMBERS, refusal, 0, 3);
		const result = await syncIds(idsOf(...range(0, 8)));
		expect(new Set(statuses(result))).toEqual(new Set(['added']));
	});

	test('adds the other recipients when one ID is refused with an undocumented message', async () => {
		service.emulator.switches.unknownIdsMessage = 'Invalid parameters';
		members();
		const unknownPerson = '64f1c0ffee0000000000abcd';
		const result = await syncIds([...idsOf(0, 1), unknownPerson, ...idsOf(2)], continueOnError);
		expect(statuses(result)).toEqual(['added', 'added', 'failed', 'added']);
		expect(result.json[2]?.reason).toBe('Invalid parameters');
		const alone = await syncIds([unknownPerson], continueOnError);
		expect(alone.json).toMatchObject([{ status: 'failed', reason: 'Invalid parameters' }]);
	});

	test('adds everyone when the staging group cannot be created, and marks statuses as not proved', async () => {
		members(...range(0, 4));
		fault('POST', '/int/v1/recipientGroup', busy);
		const result = await sync(emailsOf(...range(8, 12), ...range(2, 6)), {
			options: sequential(4),
		});
		expect(statuses(result)).toEqual([
			...Array.from({ length: 4 }, () => 'added'),
			...Array.from({ length: 4 }, () => 'alreadyMember'),
		]);
		expect(result.json[4]?.reason).toContain('does not show whether');
		expect(result.hints[0]?.message).toContain('The outcome for 4 recipients is not proved');
	});

	test('counts recipients in the summary when a response is lost', async () => {
		members(0);
		fault('POST', MEMBERS, { ...busy, after: true }, 0, 1);
		const options = { output: 'summary' };
		const result = await sync(emailsOf(...range(0, 11)), { options });
		expect(result.json).toMatchObject([{ added: 10, alreadyMember: 1 }]);
		members(0);
		fault('POST', MEMBERS, { ...busy, after: true }, 0, 1);
		fault('GET', toTarget(), { status: 501 }, 1);
		const unread = await sync(emailsOf(...range(0, 11)), { options });
		const note = expect.stringContaining('The outcome for 11 recipients is not proved');
		expect(unread.json).toMatchObject([{ added: 0, alreadyMember: 11, note }]);
		expect(unread.hints).toHaveLength(1);
	});
});

describe('Mirror', () => {
	const mirror = { mode: 'mirror', maxRemovalPercent: 100, ...continueOnError };

	test('removes no one if the group cannot be read again', async () => {
		members(...range(0, 10));
		fault('GET', toTarget(), { status: 501 }, 1);
		const result = await syncIds(idsOf(...range(1, 12)), mirror);
		expect(statuses(result).slice(9)).toEqual(['added', 'added', 'failed']);
		expect(memberIndexes()).toEqual(range(0, 12));
		expect(result.hints[0]?.message).toContain('could not be read again');
	});

	test('removes no one if another user removes a recipient of the input at the same time', async () => {
		members(...range(0, 10));
		service.emulator.onRequest(({ method }) => {
			if (method === 'POST') target().members.delete(String(idsOf(3)[0]));
		});
		const result = await syncIds(idsOf(...range(0, 9), 12), mirror);
		expect(statuses(result)[3]).toBe('failed');
		expect(result.json[3]?.reason).toContain('somebody else has removed this recipient');
		expect(memberIndexes()).toContain(9);
	});

	test.each(['refuseCall', 'errorLog'] as const)(
		'removes no one if the service knows no recipient of the input, also in a dry run: %s',
		async (unknownIds) => {
			service.emulator.switches.unknownIds = unknownIds;
			members(...range(0, 4));
			for (const dryRun of [false, true]) {
				const result = await syncIds(['64f1c0ffee0000000000abcd'], { ...mirror, dryRun });
				expect(statuses(result)).toEqual(['unknown', undefined]);
			}
			expect(memberIndexes()).toEqual(range(0, 4));
		},
	);
});

const LOST = 'The change may have been carried out';

test.each<[string, FaultAction, isLost: boolean]>([
	['a response that is lost each time', { ...busy, after: true }, true],
	['a connection that drops each time', 'drop', true],
	['a body that is cut off each time', 'cutBody', true],
	['a refusal', refusal, false],
	['too many requests', { ...busy, status: 429 }, false],
])('after %s, says whether a change may have been carried out', async (_what, action, isLost) => {
	for (const run of [
		() => sync(emailsOf(1), continueOnError),
		() => syncIds(idsOf(1), continueOnError),
	]) {
		members();
		service.emulator.faults.clear();
		fault('POST', MEMBERS, action);
		fault('GET', toTarget(), busy, 1);
		const { json } = await run();
		expect(json).toMatchObject([{ status: 'failed' }]);
		expect(String(json[0]?.reason).includes(LOST)).toBe(isLost);
	}
});

test('marks the status alreadyMember as unverified if the response to the addition was lost', async () => {
	members();
	fault('POST', MEMBERS, { ...busy, after: true }, 0, 1);
	fault('POST', MEMBERS, { refuse: 'Not all emails founded as recipient in system' }, 0, 1);
	const { json } = await sync(emailsOf(1, 2));
	expect(memberIndexes()).toEqual([1, 2]);
	for (const { status, reason } of json) {
		expect(status).toMatch(/^(added|alreadyMember)$/);
		if (status === 'alreadyMember') expect(reason).toContain('does not show');
	}
});

test.each(['mirror', 'add'] as const)(
	'%s: if an error log does not name the failed recipient, reports every recipient of the call as possibly added',
	async (mode) => {
		members();
		const { switches } = service.emulator;
		Object.assign(switches, { unknownEmails: 'errorLog', errorLogShape: 'opaque' });
		// The first call adds one of the two recipients; the later calls get no valid response.
		fault('POST', MEMBERS, { ...busy, after: true }, 1);
		fault('GET', toTarget(), busy, 1);
		const { json } = await sync(['nobody@people.example', ...emailsOf(1)], {
			mode,
			...continueOnError,
		});
		expect(memberIndexes()).toEqual([1]);
		expect(json[1]).toMatchObject({ status: 'failed', reason: expect.stringContaining(LOST) });
	},
);

test('Remove: reports no one as notMember if the service refuses a call while Sync searches for unknown recipients', async () => {
	const { switches } = service.emulator;
	Object.assign(switches, { unknownEmails: 'errorLog', errorLogShape: 'opaque' });
	members(...range(0, 8));
	fault('DELETE', MEMBERS, { refuse: 'Not all emails founded as recipient in system' }, 1, 1);
	const unknownPeople = ['nobody1@people.example', 'nobody2@people.example'];
	const [first = '', ...others] = emailsOf(...range(0, 5));
	const result = await sync([first, ...unknownPeople, ...others], {
		mode: 'remove',
		...continueOnError,
	});
	expect(statuses(result)).not.toContain('notMember');
	expect(memberIndexes()).toEqual([5, 6, 7]);
});

describe('the output', () => {
	test('with Continue, contains failures as items with an error, paired with their input items', async () => {
		members();
		fault('POST', MEMBERS, refusal, 0, 1);
		const result = await sync(['', ...emailsOf(0, 1, 2)], {
			options: sequential(2),
			...continueOnError,
		});
		const failed = { status: 'failed', reason: QUOTA, error: QUOTA };
		const lines = [
			{ recipient: '', status: 'invalid', reason: 'The item has no email address' },
			{ recipient: emailsOf(0)[0], ...failed },
			{ recipient: emailsOf(1)[0], ...failed },
			{ recipient: emailsOf(2)[0], status: 'added', reason: '' },
		];
		expect(result.items).toEqual(
			lines.map((line, item) => ({ json: { ...line, ...groupFields() }, pairedItem: { item } })),
		);
	});

	test('has no failures if the node has an error output, which shows the ID of a person who could not be removed', async () => {
		members(0, 1);
		fault('POST', MEMBERS, refusal);
		fault('DELETE', MEMBERS, refusal);
		const onError = 'continueErrorOutput';
		const added = await sync(emailsOf(0, 2), { onError, options: sequential(1) });
		const mirrored = await syncIds(idsOf(0), { mode: 'mirror', maxRemovalPercent: 100, onError });
		expect([statuses(added), statuses(mirrored)]).toEqual([[], ['alreadyMember']]);
		expect(added.errorItems.map(({ json }) => json)).toEqual(
			emailsOf(0, 2).map((message) => ({ error: QUOTA, message })),
		);
		expect(mirrored.errorItems.map(({ json }) => json)).toEqual([
			{ error: `Not removed: ${QUOTA}`, message: idsOf(1)[0] },
		]);
	});

	test('contains an item that explains why an empty list is not mirrored', async () => {
		const { json } = await sync([''], { mode: 'mirror', ...continueOnError });
		// The group is not read, so its name is not known.
		const fields = { ...groupFields(), recipientGroupName: null };
		expect(json).toEqual([
			{ recipient: '', status: 'invalid', reason: 'The item has no email address', ...fields },
			{ error: 'There is no valid recipient to mirror', ...fields },
		]);
	});

	test('names the option that makes requests smaller if a request is too large', async () => {
		fault('POST', MEMBERS, { status: 413, body: { success: false, message: 'Too large.' } });
		const result = await sync(emailsOf(0), continueOnError);
		expect(result.json[0]?.reason).toContain('. Lower the option Recipients per Request');
	});

	test('contains no secret that the service repeats, neither in errors nor in the log', async () => {
		const { accessKey } = service.emulator;
		const body = { success: false, message: `No ${accessKey}`, key: accessKey };
		fault('POST', MEMBERS, { status: 403, body });
		const { error } = await sync(emailsOf(0));
		expect(error?.description).toContain('No ***');
		const { json } = await sync(emailsOf(0), continueOnError);
		expect(json).toMatchObject([{ status: 'failed', error: expect.stringContaining('***') }]);
		const shown = inspect([error, json, log.lines], { depth: Infinity, showHidden: true });
		expect(shown).not.toContain(accessKey);
	});

	test('logs a line for each chunk and each retry', async () => {
		members();
		const lines: string[] = [];
		fault('POST', MEMBERS, busy, 2, 1);
		await sync(emailsOf(...range(0, 10)), {
			options: sequential(4),
			onMessage: (message) => lines.push(JSON.stringify(message)),
		});
		expect(lines).toHaveLength(4);
		expect(lines[1]).toContain('Sync (add): Adding: chunk 2 of 3 done (4 recipients)');
		expect(lines[2]).toContain('retrying in 0.0 s');
	});
});

describe('a canceled sync', () => {
	const people = range(1, 20);

	/** Runs a sync and cancels it at the `count`th request that changes members. */
	async function cancelAt(count: number, options: SyncOptions, values = emailsOf(...people)) {
		let cancel = () => {};
		let seen = 0;
		service.emulator.onRequest(({ path }) => {
			if (path.endsWith('/recipients')) seen += 1;
			if (seen === count) cancel();
		});
		const onStart = (stop: () => void) => {
			cancel = stop;
		};
		return await sync(values, { ...options, onStart });
	}

	test('finishes the calls in flight and sends no other; n8n outputs the input items', async () => {
		members();
		const result = await cancelAt(3, { options: sequential(2), ...continueOnError });
		expect(additions()).toBe(3);
		expect(memberIndexes()).toEqual(range(1, 7));
		expect(service.requests.every(({ status }) => status === 200)).toBe(true);
		expect(result.json).toEqual(emailsOf(...people).map((email) => ({ email })));
	});

	test('deletes the staging group and does not change the recipient group', async () => {
		members(...range(0, 10));
		await cancelAt(2, { mode: 'mirror', options: sequential(4) });
		expect(memberIndexes()).toEqual(range(0, 10));
		expect(groupNames()).toHaveLength(2);
	});

	test('removes no one if it is canceled while people are added', async () => {
		members(...range(0, 10));
		const parameters = { identifyBy: 'id' };
		await cancelAt(1, { mode: 'mirror', parameters, options: sequential(4) }, idsOf(...people));
		expect(memberIndexes()).toEqual(range(0, 14));
	});

	test('does not retry', async () => {
		fault('POST', MEMBERS, { status: 429, headers: { 'retry-after': '5' } });
		await cancelAt(1, {});
		expect(additions()).toBe(1);
	});
});
