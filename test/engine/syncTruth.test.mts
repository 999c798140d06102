import { advanceClock, useFakeSleep } from '../kit/fakeSleep.mts';
import { groupSync, MEMBERS, range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 17, people: 60, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, groupNames, idsOf, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

/** A refusal in words of the service that are not documented and say nothing about anybody. */
const FROZEN = 'The recipients of this group cannot be changed at the moment';
const frozen = { status: 200, body: { success: false, message: FROZEN } };
const unknownEmails = {
	success: false,
	message: 'Not all emails founded as recipient in system',
};
const dead = { status: 503, headers: { 'retry-after': '0' } };
const goOn = { onError: 'continueRegularOutput' } as const;
const onTarget = () => `/int/v1/recipientGroup/${target()._id}/recipients`;
const summary = { output: 'summary' };

function fault(method: string, path: string, action: object, skip = 0, times = Infinity): void {
	const { faults } = service.emulator;
	faults.add({ match: { method, path }, skip, times, action: { status: 200, ...action } });
}

describe('a service that dies', () => {
	test('while Mirror adds: nobody is said to be in the group who is not', async () => {
		members(...range(0, 20));
		// The first chunk of ids gets in, then every request fails.
		let count = 0;
		service.emulator.onRequest(({ path }) => {
			if (path === onTarget()) count += 1;
			if (count === 1) fault('POST', '/int/v1/**', dead, 1);
			if (count === 1) fault('GET', '/int/v1/**', dead);
		});
		const result = await sync(emailsOf(...range(0, 40)), {
			mode: 'mirror',
			options: { chunkSize: 5, concurrency: 1 },
			...goOn,
		});
		const now = new Set(memberIndexes());
		for (const [index, status] of statuses(result).entries()) {
			if (!now.has(index)) expect(status).toBe('failed');
			if (status === 'added') expect(index).toBeGreaterThanOrEqual(20);
		}
		expect(statuses(result)).toContain('failed');
	});

	test('a look-up that fails afterwards takes nothing back', async () => {
		members(...range(0, 4));
		// A chunk that is new as a whole, one of which some are, and no group of our own to look in.
		fault('POST', '/int/v1/recipientGroup', dead);
		const result = await sync(emailsOf(...range(8, 12), ...range(2, 6)), {
			options: { chunkSize: 4, concurrency: 1 },
		});
		expect(statuses(result)).toEqual([
			...Array.from({ length: 4 }, () => 'added'),
			...Array.from({ length: 4 }, () => 'alreadyMember'),
		]);
		expect(result.json[4]?.reason).toContain('does not tell');
		expect(result.hints[0]?.message).toContain('Not proved for 4 recipients');
	});

	test('for 5 s by the clock fails the few chunks of that time, not all that follow', async () => {
		members();
		let count = 0;
		let until = 0;
		service.emulator.onRequest(({ path }) => {
			if (path !== onTarget()) return;
			if (count++ === 4) until = Date.now() + 5_000;
			if (Date.now() >= until) return;
			// Four at the same time, each tried six times, do not get over it.
			fault('POST', path, dead, 0, 1);
			advanceClock(150);
		});
		const options = { chunkSize: 3, concurrency: 4 };
		const result = await sync(emailsOf(...range(0, 60)), { options, ...goOn });
		const failed = statuses(result).filter((status) => status === 'failed').length;
		expect(failed).toBeGreaterThanOrEqual(12);
		expect(failed).toBeLessThanOrEqual(15);
		expect(memberIndexes()).toHaveLength(60 - failed);
	});

	test('after four chunks in a row nothing more is sent', async () => {
		members();
		fault('POST', MEMBERS, dead);
		const { error } = await sync(emailsOf(...range(0, 40)), {
			options: { chunkSize: 4, concurrency: 1 },
		});
		expect(service.emulator.requestCount('POST', MEMBERS)).toBe(4 * 6);
		expect(error?.description).toContain('failed 40');
	});
});

describe('a refusal in words that say nothing about anybody', () => {
	test.each([
		['emails', sync, emailsOf],
		['ids', syncIds, idsOf],
	] as const)('%s: nobody is unknown, and Mirror removes nobody', async (_kind, run, values) => {
		for (const mode of ['add', 'mirror']) {
			members(...range(0, 10));
			service.emulator.faults.clear();
			fault('POST', onTarget(), frozen);
			const result = await run(values(...range(1, 14)), { mode, ...goOn });
			expect(statuses(result).slice(9, 13)).toEqual(['failed', 'failed', 'failed', 'failed']);
			const stays = { status: 'failed', reason: expect.stringMatching(/^Not removed: /) };
			expect(result.json.slice(13)).toEqual(mode === 'add' ? [] : [expect.objectContaining(stays)]);
			expect(result.json[10]?.reason).toBe(FROZEN);
			expect(memberIndexes()).toEqual(range(0, 10));
		}
	});

	test('an answer that is cut off in its body is no refusal', async () => {
		members();
		service.emulator.faults.add({
			match: { method: 'POST', path: onTarget() },
			action: 'cutBody',
		});
		const result = await syncIds(idsOf(...range(0, 3)), goOn);
		expect(statuses(result)).toEqual(['added', 'added', 'added']);
		expect(memberIndexes()).toEqual(range(0, 3));
	});

	test('it costs few requests, however many ids', async () => {
		members();
		fault('POST', MEMBERS, frozen);
		await syncIds(idsOf(...range(0, 60)), { options: { chunkSize: 6 }, ...goOn });
		expect(service.emulator.requestCount('POST', MEMBERS)).toBeLessThan(10 + 40);
	});

	test('for a while: everybody gets in', async () => {
		members();
		fault('POST', MEMBERS, frozen, 0, 3);
		const result = await syncIds(idsOf(...range(0, 8)));
		expect(new Set(statuses(result))).toEqual(new Set(['added']));
		expect(memberIndexes()).toEqual(range(0, 8));
	});

	test('an id that is refused alone in other words failed with them, while others get in', async () => {
		service.emulator.switches.unknownIdsMessage = 'Invalid parameters';
		members();
		const stranger = '64f1c0ffee0000000000abcd';
		const result = await syncIds([...idsOf(0, 1), stranger, ...idsOf(2)], goOn);
		expect(statuses(result)).toEqual(['added', 'added', 'failed', 'added']);
		expect(result.json[2]?.reason).toBe('Invalid parameters');
		const alone = await syncIds([stranger], goOn);
		expect(alone.json).toEqual([
			expect.objectContaining({ status: 'failed', reason: 'Invalid parameters' }),
		]);
	});

	test('an id that the service showed itself is never unknown', async () => {
		members(...range(0, 10));
		// The service does not take one of the ids that it showed, in the documented words.
		const [refusedId] = idsOf(11);
		service.emulator.onRequest(({ method, path, body }) => {
			if (method !== 'POST' || path !== onTarget()) return;
			if (!JSON.stringify(body).includes(String(refusedId))) return;
			fault('POST', onTarget(), frozen, 0, 1);
		});
		const result = await sync(emailsOf(...range(1, 14)), { mode: 'mirror', ...goOn });
		expect(statuses(result)).not.toContain('unknown');
		expect(statuses(result)).not.toContain('removed');
		expect(memberIndexes()).toContain(0);
	});
});

describe('Mirror removes nobody', () => {
	test('by ids that the service passes over, from a group that cannot be read again', async () => {
		service.emulator.switches.unknownIds = 'ignore';
		members(...range(0, 3));
		fault('GET', `/int/v1/recipientGroup/${target()._id}`, { status: 501 }, 1);
		const strangers = range(0, 3).map((number) => `64f1c0ffee000000000000${10 + number}`);
		const result = await syncIds(strangers, { mode: 'mirror', maxRemovalPercent: 100, ...goOn });
		expect(memberIndexes()).toEqual(range(0, 3));
		expect(result.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('Nobody was removed from the group, because 3 people could not be'),
		]);
	});

	test.each([1, 2])('from a group that cannot be read again (%d)', async () => {
		members(...range(0, 10));
		fault('GET', `/int/v1/recipientGroup/${target()._id}`, { status: 501 }, 1);
		const result = await syncIds(idsOf(...range(1, 12)), { mode: 'mirror', ...goOn });
		expect(statuses(result).slice(9)).toEqual(['added', 'added', 'failed']);
		expect(memberIndexes()).toEqual(range(0, 12));
		expect(result.hints[0]?.message).toContain('could not be read again');
	});

	test('somebody who was removed although the answer was lost is not called "not removed"', async () => {
		members(...range(0, 10));
		fault('DELETE', onTarget(), { ...dead, after: true });
		const result = await syncIds(idsOf(...range(1, 10)), { mode: 'mirror', ...goOn });
		expect(memberIndexes()).toEqual(range(1, 10));
		expect(result.json.at(-1)).toMatchObject({ recipient: idsOf(0)[0], status: 'removed' });
	});
});

describe('the summary', () => {
	test('a lost answer hides nobody who is new', async () => {
		members(0);
		fault('POST', onTarget(), { ...dead, after: true }, 0, 1);
		const result = await sync(emailsOf(...range(0, 11)), { options: summary });
		expect(result.json).toEqual([expect.objectContaining({ added: 10, alreadyMember: 1 })]);
	});

	test('says how many are in doubt, beside the items', async () => {
		members(0);
		fault('POST', onTarget(), { ...dead, after: true }, 0, 1);
		fault('GET', `/int/v1/recipientGroup/${target()._id}`, { status: 501 }, 1);
		const result = await sync(emailsOf(...range(0, 11)), { options: summary });
		expect(result.json).toEqual([
			expect.objectContaining({
				added: 0,
				alreadyMember: 11,
				note: expect.stringContaining('Not proved for 11 recipients'),
			}),
		]);
		expect(result.hints).toHaveLength(1);
	});

	test('every error names a reason', async () => {
		members(...range(0, 10));
		fault('POST', onTarget(), frozen);
		const { error } = await sync(emailsOf(...range(0, 12)), { mode: 'mirror', options: summary });
		expect(error?.description).toContain(`First reason: ${FROZEN}.`);
	});
});

test('ids that another call brought in are not taken for those of a chunk that could not be looked up', async () => {
	members(4, 21);
	service.emulator.switches.unknownEmails = 'refuseCall';
	// The chunk comes apart into a call that takes one out and one of which only some were members.
	const input = [...emailsOf(3, 0, 2, 1, 4), 'stranger@people.example', ...emailsOf(21, 5)];
	fault('POST', MEMBERS, { status: 418 });
	const result = await sync(input, { mode: 'remove', options: { chunkSize: 8 } });
	expect(statuses(result)).not.toContain('added');
	expect(result.json[7]?.status).toBe('notMember');
	expect(memberIndexes()).toEqual([]);
	expect(groupNames()).toHaveLength(2);
});

describe('an answer that is lost', () => {
	const LOST = 'The change may have been carried out';

	test.each([
		['by email', sync, emailsOf],
		['by id', syncIds, idsOf],
	] as const)('%s: the reason says so', async (_kind, run, values) => {
		members();
		fault('POST', onTarget(), { ...dead, after: true });
		fault('GET', `/int/v1/recipientGroup/${target()._id}`, dead, 1);
		const { json } = await run(values(1, 2), goOn);
		expect(memberIndexes()).toEqual([1, 2]);
		for (const { status, reason } of json) {
			expect(status).toBe('failed');
			expect(reason).toContain(LOST);
		}
	});

	test('in an earlier try of a call that was refused then: the reason says so', async () => {
		members();
		fault('POST', onTarget(), { ...dead, after: true }, 0, 1);
		fault('POST', onTarget(), { status: 418 });
		const { json } = await sync(emailsOf(1), goOn);
		expect(json).toEqual([expect.objectContaining({ status: 'failed' })]);
		expect(json[0]?.reason).toContain(LOST);
	});

	test.each([
		['refused', frozen],
		['too many requests', { status: 429, headers: { 'retry-after': '0' } }],
	])('%s: nothing of the kind is said', async (_what, action) => {
		members();
		fault('POST', onTarget(), action);
		const { json } = await sync(emailsOf(1, 2), goOn);
		expect(json.map(({ status }) => status)).toEqual(['failed', 'failed']);
		for (const { reason } of json) expect(reason).not.toContain(LOST);
	});

	test('of a look-up that led to nothing: nothing of the kind is said', async () => {
		members(0);
		fault('POST', MEMBERS, dead);
		const { json } = await sync(emailsOf(1), { mode: 'mirror', ...goOn });
		expect(json[0]).toMatchObject({ status: 'failed' });
		expect(json[0]?.reason).not.toContain(LOST);
	});

	test.each(['mirror', 'add'] as const)(
		'%s: somebody of a call that was taken with an error for nobody by name, when the search breaks off: the reason says so',
		async (mode) => {
			members();
			Object.assign(service.emulator.switches, {
				unknownEmails: 'errorLog',
				errorLogShape: 'opaque',
			});
			// The first call takes one of the two, whoever that is; no later one is answered.
			fault('POST', MEMBERS, { ...dead, after: true }, 1);
			fault('GET', `/int/v1/recipientGroup/${target()._id}`, dead, 1);
			const { json } = await sync(['stranger@people.example', ...emailsOf(1)], { mode, ...goOn });
			expect(memberIndexes()).toEqual([1]);
			expect(json[1]).toMatchObject({ status: 'failed' });
			expect(json[1]?.reason).toContain(LOST);
		},
	);

	test('and what it added is not called "already a member" by the call that follows', async () => {
		members();
		// The first call gets in, its answer is lost; sent again it is refused, and then searched.
		fault('POST', onTarget(), { ...dead, after: true }, 0, 1);
		fault('POST', onTarget(), { body: unknownEmails }, 0, 1);
		const { json } = await sync(emailsOf(1, 2));
		for (const { status, reason } of json) {
			if (status === 'alreadyMember') expect(reason).not.toBe('');
		}
		expect(memberIndexes()).toEqual([1, 2]);
	});
});

describe('others change the group meanwhile', () => {
	/** Lets others do something before the request with this number. */
	function before(number: number, change: () => void): void {
		let count = 0;
		service.emulator.onRequest(() => {
			if (count++ === number) change();
		});
	}
	const join = (index: number) => target().members.add(String(idsOf(index)[0]));
	const leave = (index: number) => target().members.delete(String(idsOf(index)[0]));

	test('as many leave as come: nobody is called removed who was not there', async () => {
		members(1, 14);
		before(1, () => leave(1));
		before(2, () => join(14));
		const result = await sync(emailsOf(14, 0), { mode: 'remove' });
		expect(statuses(result)[1]).toBe('notMember');
	});

	test('somebody joins: nobody who was there is called new', async () => {
		members(...range(0, 10));
		before(1, () => join(30));
		const result = await sync(emailsOf(...range(0, 11)));
		expect(statuses(result)).toEqual([...range(0, 10).map(() => 'alreadyMember'), 'added']);
	});

	test('whom they take out is not called a member, and Mirror removes nobody then', async () => {
		members(...range(0, 10));
		before(1, () => leave(3));
		const result = await syncIds(idsOf(...range(0, 9), 12), { mode: 'mirror', ...goOn });
		expect(statuses(result)[3]).toBe('failed');
		expect(result.json[3]?.reason).toContain('somebody else has removed this recipient');
		expect(memberIndexes()).toContain(9);
	});

	test('whom they bring in is not called absent', async () => {
		members(...range(0, 3));
		before(2, () => join(7));
		// Some of a chunk are removed, so the group is read again.
		const result = await syncIds(idsOf(0, 7), { mode: 'remove', ...goOn });
		expect(statuses(result)).toEqual(['removed', 'failed']);
		expect(result.json[1]?.reason).toContain('somebody else has added this recipient');
	});
});

test.each([
	['refused', 'refuseCall'],
	['listed', 'errorLog'],
] as const)('a dry run says of unknown ones what the run says (%s)', async (_how, unknownIds) => {
	service.emulator.switches.unknownIds = unknownIds;
	members(...range(0, 4));
	const stranger = ['64f1c0ffee0000000000abcd'];
	const real = await syncIds(stranger, { mode: 'mirror', maxRemovalPercent: 100, ...goOn });
	const dry = await syncIds(stranger, {
		mode: 'mirror',
		maxRemovalPercent: 100,
		dryRun: true,
		...goOn,
	});
	expect(statuses(real)).toEqual(['unknown', undefined]);
	expect(statuses(dry)).toEqual(statuses(real));
});

test('a dry run of Mirror that would stop lists nobody as failed to be removed', async () => {
	members(...range(0, 4));
	const dry = await sync(['stranger@people.example'], { mode: 'mirror', dryRun: true, ...goOn });
	expect(statuses(dry)).toEqual(['unknown', undefined]);
});

test('whom a counted call removed is not called absent when the search for its errors is refused', async () => {
	Object.assign(service.emulator.switches, { unknownEmails: 'errorLog', errorLogShape: 'opaque' });
	members(...range(0, 8));
	fault('DELETE', onTarget(), { body: unknownEmails }, 1, 1);
	const strangers = ['stranger1@people.example', 'stranger2@people.example'];
	const [first = '', ...others] = emailsOf(...range(0, 5));
	const result = await sync([first, ...strangers, ...others], { mode: 'remove', ...goOn });
	expect(statuses(result)).not.toContain('notMember');
	expect(memberIndexes()).toEqual([5, 6, 7]);
});
