import { inspect } from 'node:util';

import type { FaultAction } from '../../emulator/emulator.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import {
	CONTINUE,
	groupSync,
	MEMBERS,
	MIRROR,
	range,
	statuses,
	type SyncOptions,
} from '../kit/groupSync.mts';
import { watchLog } from '../kit/log.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 11, people: 60, groups: 2, campaigns: 0, surveys: 0 });
const log = watchLog();
const { emailsOf, groupFields, groupNames, idsOf, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

const sequential = (chunkSize: number) => ({ chunkSize, concurrency: 1 });

const busy: FaultAction = { status: 503, headers: { 'retry-after': '0' } };
const QUOTA = 'Quota exceeded';
const refusal: FaultAction = { refuse: QUOTA };

function fault(method: string, path: string, action: FaultAction, skip = 0, times = Infinity) {
	service.emulator.faults.add({ match: { method, path }, skip, times, action });
}

const toTarget = () => `/int/v1/recipientGroup/${target()._id}`;
const additions = () => service.emulator.requestCount('POST', `${toTarget()}/recipients`);

describe('the number of requests', () => {
	test('sends a failing call six times, then sends the other calls', async () => {
		members();
		fault('POST', MEMBERS, { ...busy, status: 504 }, 0, 6);
		const { error } = await sync(emailsOf(...range(0, 9)), { options: sequential(3) });
		expect(additions()).toBe(6 + 2);
		expect(memberIndexes()).toEqual(range(3, 9));
		expect(error?.message).toBe('3 recipients could not be synced');
		expect(error?.description).toMatch(
			/^All others were done \(added 6\)\. .+ First reason: .+ lower Recipients per Request\. Summary: added 6, failed 3\.$/,
		);
		expect(error?.context.summary).toMatchObject({ added: 6, failed: 3, unknown: 0 });
	});

	test.each<[string, FaultAction, count: number]>([
		['four calls in a row fail', busy, 4 * 6],
		['access is refused', { status: 403, body: { success: false, message: 'No permission' } }, 1],
		['ten calls are refused, and then five single recipients', refusal, 20],
	])('stops sending when %s', async (_what, action, count) => {
		members();
		fault('POST', MEMBERS, action);
		const { error } = await sync(emailsOf(...range(0, 40)), { options: sequential(4) });
		expect(additions()).toBe(count);
		expect(error?.description).toContain('failed 40');
	});

	test.each<[string, FaultAction, count: number]>([
		['a deleted group, which a read confirms', { status: 404, body: 'Not Found' }, 1],
		['recipients, if the group can be read', { delayMs: 0 }, 20],
	])('"Object does not exist" is about %s', async (_what, read, count) => {
		members();
		fault('POST', MEMBERS, { refuse: 'Object does not exist' });
		fault('GET', toTarget(), read, 1);
		const { error } = await sync(emailsOf(...range(0, 40)), { options: sequential(4) });
		expect(additions()).toBe(count);
		expect(error?.description).toContain('failed 40');
	});

	test.each([
		['succeeds', undefined],
		['is refused', refusal],
	])('goes on after three calls in a row fail and the next one %s', async (_what, action) => {
		members();
		fault('POST', MEMBERS, busy, 0, 3 * 6);
		if (action) fault('POST', MEMBERS, action, 0, 1);
		fault('POST', MEMBERS, busy, action ? 0 : 1, 3 * 6);
		const { error } = await sync(emailsOf(...range(0, 40)), { options: sequential(4) });
		expect(error?.context.summary).toMatchObject({ added: 16, failed: 24 });
	});

	test('finds by itself how many recipients a request may have', async () => {
		members();
		const action = { status: 413, body: '<html>Request Entity Too Large</html>' };
		service.emulator.faults.add({ match: { method: 'POST', path: MEMBERS }, times: 2, action });
		const result = await sync(emailsOf(...range(0, 40)), { options: sequential(40) });
		expect(new Set(statuses(result))).toEqual(new Set(['added']));
		expect(additions()).toBe(9);
	});

	test('sends few requests if the service refuses many IDs without naming them', async () => {
		members();
		fault('POST', MEMBERS, { status: 422, body: { success: false, message: QUOTA } });
		const { error } = await syncIds(idsOf(...range(0, 60)), { options: { chunkSize: 6 } });
		expect(additions()).toBe(23);
		expect(error?.description).toContain(`First reason: ${QUOTA}.`);
	});

	test('searches for unknown recipients with at most one extra request per recipient, and adds the known ones', async () => {
		members();
		// The search first splits chunks, then sends each unknown recipient alone. One extra request
		// per recipient is therefore not enough to find all.
		const unknownPeople = range(0, 1500).map((number) => `nobody${number}@people.example`);
		const options = { chunkSize: 50 };
		const result = await sync([...unknownPeople, ...emailsOf(...range(0, 50))], {
			options,
			...CONTINUE,
		});
		expect(additions()).toBe(31 + 1550);
		expect(memberIndexes()).toEqual(range(0, 50));
		expect(new Set(statuses(result).slice(0, 1500))).toEqual(new Set(['unknown', 'failed']));
		const failed = result.json.find(({ status }) => status === 'failed');
		expect(failed?.reason).toMatch(
			/refuses too many recipients to identify each one with 1550 further requests/,
		);
	});
});

test.each([1, 2, 3, 4])(
	'an address that is refused after its first group protects everybody, unless it is accepted when it is asked again (%d)',
	async (skip) => {
		const options = { removeDespiteInvalid: true };
		for (const times of [Infinity, 1]) {
			members(0, 1, 2, 3);
			service.emulator.faults.clear();
			fault('POST', MEMBERS, refusal, skip, times);
			await sync(emailsOf(0, 1), { ...MIRROR, options });
			expect(memberIndexes()).toEqual(times === 1 ? [0, 1] : [0, 1, 2, 3]);
		}
	},
);

const LOST = 'The change may have been carried out';
const lost: FaultAction = { ...busy, after: true };
const tooMany: FaultAction = { ...busy, status: 429 };

test.each<[string, FaultAction[], isLost: boolean]>([
	['a response that is lost each time', [lost], true],
	['a connection that drops each time', ['drop'], true],
	['a body that is cut off each time', ['cutBody'], true],
	['a web page each time', [{ status: 400, body: '<html>Bad request</html>' }], true],
	['a refusal', [refusal], false],
	['too many requests', [tooMany], false],
	['a response that is lost, too many requests, and a refusal', [lost, tooMany, refusal], true],
])('after %s, says whether a change may have been carried out', async (_what, actions, isLost) => {
	for (const run of [() => sync(emailsOf(1), CONTINUE), () => syncIds(idsOf(1), CONTINUE)]) {
		members();
		service.emulator.faults.clear();
		for (const [index, action] of actions.entries())
			fault('POST', MEMBERS, action, 0, index < actions.length - 1 ? 1 : Infinity);
		fault('GET', toTarget(), busy, 1);
		const { json } = await run();
		expect(json).toMatchObject([{ status: 'failed' }]);
		expect(String(json[0]?.reason).includes(LOST)).toBe(isLost);
	}
});

describe('the output', () => {
	test('if On Error is Continue, failures are items with an error, paired with their input items', async () => {
		members();
		// The chunk, its first half, and the first recipient.
		fault('POST', MEMBERS, refusal, 0, 3);
		const result = await sync(['', ...emailsOf(0, 1, 2)], {
			options: sequential(3),
			...CONTINUE,
		});
		const failed = { status: 'failed', reason: QUOTA, error: QUOTA };
		const lines = [
			{ recipient: '', status: 'invalid', reason: 'No address: the item is blank' },
			{ recipient: emailsOf(0)[0], ...failed },
			{ recipient: emailsOf(1)[0], status: 'added', reason: 'Added' },
			{ recipient: emailsOf(2)[0], status: 'added', reason: 'Added' },
		];
		expect(result.items).toEqual(
			lines.map((line, item) => ({
				json: { error: null, ...line, ...groupFields() },
				pairedItem: { item },
			})),
		);
		const fields = ['recipient', 'status', 'reason', ...Object.keys(groupFields()), 'error'];
		expect(result.json.map((json) => Object.keys(json))).toEqual(lines.map(() => fields));
	});

	test('if there is an error output, it contains the failures, with the ID of a person who could not be removed', async () => {
		members(0, 1);
		fault('POST', MEMBERS, refusal);
		fault('DELETE', MEMBERS, refusal);
		const onError = 'continueErrorOutput';
		const added = await sync(emailsOf(0, 2), { onError, options: sequential(1) });
		const mirrored = await syncIds(idsOf(0), { ...MIRROR, onError });
		expect([statuses(added), statuses(mirrored)]).toEqual([[], ['alreadyMember']]);
		expect(added.errorItems.map(({ json }) => json)).toEqual(
			emailsOf(0, 2).map((message) => ({ error: QUOTA, message })),
		);
		expect(mirrored.errorItems.map(({ json }) => json)).toEqual([
			{ error: `Not removed: ${QUOTA}`, message: idsOf(1)[0] },
		]);
	});

	test('neither errors nor the log contain a secret that the service repeats', async () => {
		const { accessKey } = service.emulator;
		const body = { success: false, message: `No ${accessKey}`, key: accessKey };
		fault('POST', MEMBERS, { status: 403, body });
		const { error } = await sync(emailsOf(0));
		expect(error?.description).toContain('No ***');
		const { json } = await sync(emailsOf(0), CONTINUE);
		expect(json).toMatchObject([{ status: 'failed', error: expect.stringContaining('***') }]);
		const shown = inspect([error, json, log.lines], { depth: Infinity, showHidden: true });
		expect(shown).not.toContain(accessKey);
	});
});

describe('a canceled sync', () => {
	/** Runs a sync and cancels it during the request with this number. The first request has the number 0. */
	async function cancelAt(number: number, values: string[], options: SyncOptions = {}) {
		let cancel = () => {};
		let seen = 0;
		const stop = service.emulator.onRequest(() => {
			if (seen++ === number) cancel();
		});
		const onStart = (canceling: () => void) => void (cancel = canceling);
		const result = await sync(values, { ...options, onStart });
		stop();
		return result;
	}

	test('finishes the calls in flight, sends no other calls, and lets n8n output the input items', async () => {
		members();
		const people = emailsOf(...range(1, 20));
		const result = await cancelAt(3, people, { options: sequential(2), ...CONTINUE });
		expect(additions()).toBe(3);
		expect(memberIndexes()).toEqual(range(1, 7));
		expect(service.requests.every(({ status }) => status === 200)).toBe(true);
		expect(result.json).toEqual(people.map((email) => ({ email })));
	});

	test('does not retry', async () => {
		fault('POST', MEMBERS, { status: 429, headers: { 'retry-after': '5' } });
		await cancelAt(1, emailsOf(1));
		expect(additions()).toBe(1);
	});

	test.each([
		['add', range(0, 12), range(0, 10)],
		['remove', range(0, 10), []],
		['mirror', range(1, 12), range(1, 10)],
	])(
		'in mode %s, changes nothing after the request during which it is canceled, and deletes its temporary groups',
		async (mode, people, stay) => {
			const given = [...emailsOf(...people), 'nobody@people.example'];
			const isHarmless = ({ method, path }: { method: string; path: string }) =>
				method === 'GET' || (method === 'DELETE' && !path.startsWith(toTarget()));
			const credential = service.newClient();
			await service.run('profile.get', {}, { credential });
			for (let number = 0; ; number++) {
				members(...range(0, 10));
				service.emulator.clearRequests();
				await cancelAt(number, given, { mode, options: sequential(4), credential });
				if (service.requests.length <= number) break;
				expect(service.requests.slice(number + 1).every(isHarmless)).toBe(true);
				expect(groupNames()).toHaveLength(2);
				expect(memberIndexes()).toEqual(expect.arrayContaining(stay));
			}
		},
	);
});
