import type { RecordedRequest } from '../../emulator/emulator.mts';
import { groupSync, MEMBERS, range, statuses, unknownModes } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

const service = useService({ seed: 5, people: 60, groups: 2, campaigns: 0, surveys: 0 });
const { emailsOf, groupFields, groupNames, idsOf, memberIndexes, members, sync, syncIds, target } =
	groupSync(service);

const HOUR_MS = 60 * 60 * 1000;

/** What was asked of the group that is synced, in order. */
const onTarget = () =>
	service.requests
		.filter(({ path }) => path.includes(target()._id))
		.map(({ method, path }) => `${method}${path.endsWith('/recipients') ? ' members' : ''}`);

/** Deletes staging groups behind the back of the sync that made them. */
function deleteStaging(): void {
	const groups = service.emulator.state.recipientGroups;
	for (const { _id, name } of [...groups.values()]) {
		if (name.startsWith('n8n sync')) groups.delete(_id);
	}
}

const stagingName = (madeAt: number, execution = 'execution 42 ') =>
	`n8n sync staging ${new Date(madeAt).toISOString()} ${execution}01234567-89ab-cdef-0123-456789abcdef`;

describe.each([
	['emails', sync, emailsOf],
	['ids', syncIds, idsOf],
] as const)('mirror by %s', (kind, run, values) => {
	const unknown = (number: number) =>
		kind === 'emails' ? `stranger${number}@people.example` : `64f1c0ffee00000000000${100 + number}`;

	test('adds who is missing, removes who is too many, and says who is who', async () => {
		members(...range(0, 10));
		const result = await run(values(...range(2, 14)), { mode: 'mirror' });
		expect(memberIndexes()).toEqual(range(2, 14));
		expect(statuses(result)).toEqual([
			...Array.from({ length: 8 }, () => 'alreadyMember'),
			...Array.from({ length: 4 }, () => 'added'),
			'removed',
			'removed',
		]);
		const [removed] = result.items.slice(-1);
		expect(removed).toEqual({
			json: {
				recipient: idsOf(1)[0],
				status: 'removed',
				reason: 'Not among the recipients of the input',
				...groupFields(),
			},
			pairedItem: { item: 0 },
		});
		expect(result.items.slice(0, 12).map(({ pairedItem }) => pairedItem)).toEqual(
			range(0, 12).map((item) => ({ item })),
		);
	});

	test('reads, adds and then removes, by id, without reset', async () => {
		members(...range(0, 10));
		await run(values(...range(1, 21)), {
			mode: 'mirror',
			options: { chunkSize: 4, output: 'summary' },
		});
		expect(onTarget()).toEqual([
			'GET',
			'POST members',
			'POST members',
			'POST members',
			'GET',
			'DELETE members',
		]);
		const bodies = service.requests
			.filter(({ path }) => path === `/int/v1/recipientGroup/${target()._id}/recipients`)
			.map(({ body }) => body);
		expect(bodies.every((body) => Object.keys(body ?? {}).join() === 'recipientIds')).toBe(true);
		expect(bodies.at(-1)).toEqual({ recipientIds: idsOf(0) });
	});

	test('the second run changes nothing', async () => {
		members(...range(0, 10));
		await run(values(...range(1, 14)), { mode: 'mirror' });
		const { version } = target();
		const result = await run(values(...range(1, 14)), { mode: 'mirror' });
		expect(new Set(statuses(result))).toEqual(new Set(['alreadyMember']));
		expect(target().version).toBe(version);
	});

	test.each(unknownModes)('with unknown recipients: a service that %s', async (_what, switches) => {
		Object.assign(service.emulator.switches, switches);
		members(...range(0, 20));
		const input = [unknown(1), ...values(...range(2, 25)), unknown(2)];
		const result = await run(input, {
			mode: 'mirror',
			options: { chunkSize: 7 },
			onError: 'continueRegularOutput',
		});
		// That somebody is unknown is proved only when the service says so, and nobody goes before all is proved.
		const silent = switches.unknownIds === 'ignore';
		expect(memberIndexes()).toEqual(range(silent ? 0 : 2, 25));
		expect(statuses(result)).toEqual([
			silent ? 'failed' : 'unknown',
			...Array.from({ length: 18 }, () => 'alreadyMember'),
			...Array.from({ length: 5 }, () => 'added'),
			silent ? 'failed' : 'unknown',
			...(silent ? ['failed', 'failed'] : ['removed', 'removed']),
		]);
		expect(groupNames()).toHaveLength(2);
	});

	test('summary', async () => {
		members(...range(0, 20));
		const input = [...values(...range(2, 25)), unknown(1), '', values(3)[0]];
		const result = await run(input, { mode: 'mirror', options: { output: 'summary' } });
		expect(result.json).toEqual([
			{
				added: 5,
				alreadyMember: 18,
				removed: 2,
				notMember: 0,
				unknown: 1,
				invalid: 1,
				duplicate: 1,
				failed: 0,
				...groupFields(),
			},
		]);
		expect(result.items[0]?.pairedItem).toHaveLength(input.length);
	});

	test('dry run leaves the group as it is', async () => {
		members(...range(0, 10));
		const { version } = target();
		const result = await run([...values(...range(1, 12)), unknown(1)], {
			mode: 'mirror',
			dryRun: true,
		});
		expect(statuses(result)).toEqual([
			...Array.from({ length: 9 }, () => 'alreadyMember'),
			'added',
			'added',
			'unknown',
			'removed',
		]);
		expect(memberIndexes()).toEqual(range(0, 10));
		expect(target().version).toBe(version);
		expect(groupNames()).toHaveLength(2);
	});

	test('more than 20 % removals: refused', async () => {
		members(...range(0, 10));
		const { version } = target();
		const { error } = await run(values(...range(3, 20)), { mode: 'mirror' });
		expect(error?.message).toBe(
			'Mirror would remove 3 of the 10 people in the group (30 %), more than the 20 % allowed',
		);
		expect(error?.description).toContain('Nothing was changed.');
		expect(memberIndexes()).toEqual(range(0, 10));
		expect(target().version).toBe(version);
		expect(groupNames()).toHaveLength(2);
	});

	test('a dry run does not stop at the limit: it lists what would happen and warns', async () => {
		members(...range(0, 10));
		const { version } = target();
		const given = { mode: 'mirror', dryRun: true };
		const result = await run(values(...range(3, 12)), given);
		expect(statuses(result)).toEqual([
			...Array.from({ length: 7 }, () => 'alreadyMember'),
			...Array.from({ length: 2 }, () => 'added'),
			...Array.from({ length: 3 }, () => 'removed'),
		]);
		expect(result.json[7]?.reason).toBe('Would be added');
		expect(result.json.at(-1)?.reason).toBe(
			'Would be removed: not among the recipients of the input',
		);
		const warning =
			'Mirror would remove 3 of the 10 people in the group (30 %), more than the 20 % allowed. Without Dry Run, Mirror would stop here and change nothing.';
		expect(result.hints.map(({ message }) => message)).toEqual([warning]);
		const summary = await run(values(...range(3, 12)), {
			...given,
			options: { output: 'summary' },
		});
		expect(summary.json).toEqual([
			expect.objectContaining({ added: 2, alreadyMember: 7, removed: 3, note: warning }),
		]);
		expect(target().version).toBe(version);
	});

	test('20 % is still allowed, and the limit can be set', async () => {
		members(...range(0, 10));
		await run(values(...range(2, 10)), { mode: 'mirror' });
		expect(memberIndexes()).toEqual(range(2, 10));
		await run(values(2), { mode: 'mirror', maxRemovalPercent: 90 });
		expect(memberIndexes()).toEqual([2]);
		await run(values(2), { mode: 'mirror', maxRemovalPercent: 0 });
		expect(memberIndexes()).toEqual([2]);
	});

	test.each([[['', 'no address at all', null]], [[{}]]])(
		'no valid recipient: refused, whatever the limit',
		async (input) => {
			members(...range(0, 3));
			const { error } = await run(input, {
				mode: 'mirror',
				maxRemovalPercent: 100,
			});
			expect(error?.message).toBe('There is no valid recipient to mirror');
			expect(service.requests).toEqual([]);
		},
	);

	test('nobody known: refused, whatever the limit', async () => {
		members(...range(0, 3));
		const { error } = await run([unknown(1), unknown(2)], {
			mode: 'mirror',
			maxRemovalPercent: 100,
		});
		expect(error?.message).toBe('The service knows none of the recipients');
		expect(memberIndexes()).toEqual(range(0, 3));
		expect(groupNames()).toHaveLength(2);
	});

	test('fewer leads shown than there are: refused, changing nothing', async () => {
		members(...range(0, 10));
		service.emulator.switches.leadsTruncated = 9;
		const { version } = target();
		const { error } = await run(values(...range(0, 12)), { mode: 'mirror' });
		expect(error?.message).toBe('The service shows only 9 of 10 members of the group');
		expect(error?.description).toContain('Nothing was changed.');
		expect(target().version).toBe(version);
		expect(groupNames()).toHaveLength(2);
	});

	test('an addition that fails keeps everybody in the group', async () => {
		members(...range(0, 10));
		service.emulator.faults.add({
			match: { method: 'POST', path: `/int/v1/recipientGroup/${target()._id}/recipients` },
			times: Infinity,
			action: { status: 503, headers: { 'retry-after': '0' } },
		});
		const { error } = await run(values(...range(1, 12)), { mode: 'mirror' });
		expect(error?.message).toBe('3 recipients could not be synced');
		expect(error?.description).toContain('Nobody was removed from the group');
		expect(error?.description).toContain('Summary: alreadyMember 9, failed 3.');
		expect(memberIndexes()).toEqual(range(0, 10));
	});

	test('a removal that fails is reported', async () => {
		members(...range(0, 10));
		service.emulator.faults.add({
			match: { method: 'DELETE', path: MEMBERS },
			times: Infinity,
			action: { status: 400, body: { success: false, message: 'No' } },
		});
		const result = await run(values(...range(1, 10)), {
			mode: 'mirror',
			onError: 'continueRegularOutput',
		});
		expect(result.json.at(-1)).toMatchObject({ recipient: idsOf(0)[0], status: 'failed' });
		expect(memberIndexes()).toEqual(range(0, 10));
	});

	test('an empty group is filled', async () => {
		members();
		const result = await run([...values(...range(0, 5)), unknown(1)], { mode: 'mirror' });
		expect(memberIndexes()).toEqual(range(0, 5));
		expect(statuses(result)).toEqual([...Array.from({ length: 5 }, () => 'added'), 'unknown']);
	});
});

describe('the staging group', () => {
	test('holds the emails, is ours to recognise, and is gone afterwards', async () => {
		members(...range(0, 10));
		await sync(emailsOf(...range(0, 11)), { mode: 'mirror', options: { output: 'summary' } });
		const [created] = service.requests.filter(
			({ method, path }) => method === 'POST' && path === '/int/v1/recipientGroup',
		);
		expect(created?.body).toEqual({
			name: expect.stringMatching(
				/^n8n sync staging \d{4}-.*Z execution test-execution [0-9a-f-]{36}$/,
			),
		});
		expect(groupNames()).toHaveLength(2);
		const staged = service.requests.find(({ path }) => path.endsWith('/recipients'));
		expect(staged?.body).toEqual({ recipientEmails: emailsOf(...range(0, 11)) });
		expect(staged?.path).not.toContain(target()._id);
	});

	test.each(['drop', 'dropAfter', 'html', 'brokenJson'] as const)(
		'is gone whatever happens: %s at every request',
		async (action) => {
			for (let skip = 0; skip < 9; skip += 1) {
				members(...range(0, 10));
				service.emulator.faults.add({
					match: { path: /recipientGroup/ },
					skip,
					times: 1,
					action,
				});
				await sync(emailsOf(...range(0, 11)), { mode: 'mirror' });
				service.emulator.faults.clear();
				expect(groupNames().filter((name) => name.startsWith('n8n sync'))).toEqual([]);
			}
		},
		60_000,
	);

	test('shown only in part: refused, changing nothing', async () => {
		members(...range(0, 3));
		service.emulator.switches.leadsTruncated = 4;
		const { error } = await sync(emailsOf(...range(0, 8)), { mode: 'mirror' });
		expect(error?.message).toBe('The service shows only 4 of 8 members of a group');
		expect(memberIndexes()).toEqual(range(0, 3));
		expect(groupNames()).toHaveLength(2);
	});

	test('what a killed run left behind is deleted after an hour, and nothing else; it says so', async () => {
		const { state } = service.emulator;
		const owner = target().ownerId;
		const add = (name: string, ownerId = owner) =>
			state.addRecipientGroup(name, new Set(), { ownerId });
		// As many groups as take more than one page to list.
		for (let number = 0; number < 130; number += 1) add(`Team ${number}`);
		const me = [...service.emulator.state.recipientGroups.values()].at(-1)?.ownerId ?? '';
		const old = stagingName(Date.now() - 1.1 * HOUR_MS);
		add(old, me);
		add(stagingName(Date.now() - 2 * HOUR_MS, ''), me);
		const fresh = stagingName(Date.now() - 0.9 * HOUR_MS);
		add(fresh, me);
		const lookalike = `n8n sync staging of ${new Date(0).toISOString()}`;
		add(lookalike, me);
		members(...range(0, 10));
		const result = await sync(emailsOf(...range(0, 11)), { mode: 'mirror' });
		expect(result.error).toBeUndefined();
		expect(groupNames().filter((name) => name.startsWith('n8n sync'))).toEqual([fresh, lookalike]);
		expect(groupNames()).toHaveLength(134);
		const told = result.hints.map(({ message }) => message);
		expect(told).toEqual([
			expect.stringContaining(`Deleted the group "${old}"`),
			expect.stringContaining('execution not told'),
		]);
		expect(told[0]).toContain('execution 42');
	});

	test('that vanishes while people are looked up: nobody is added or removed', async () => {
		members(...range(0, 10));
		service.emulator.onRequest(({ method, path }) => {
			if (method !== 'GET' || path.includes(target()._id)) return;
			deleteStaging();
		});
		const { error } = await sync(emailsOf(...range(1, 12)), { mode: 'mirror' });
		expect(error?.message).toBe('The group in which this sync looks people up is gone');
		expect(memberIndexes()).toEqual(range(0, 10));
		expect(target().version).toBe(0);
	});

	test('that vanishes later leaves doubt, no failure', async () => {
		members(...range(0, 10));
		let made = 0;
		service.emulator.onRequest(({ method, path }) => {
			if (method === 'POST' && path === '/int/v1/recipientGroup') made += 1;
			if (method !== 'DELETE' || !path.endsWith('/recipients')) return;
			deleteStaging();
		});
		const result = await sync(emailsOf(...range(5, 15)));
		expect(made).toBe(1);
		expect(result.error).toBeUndefined();
		expect(new Set(statuses(result))).toEqual(new Set(['alreadyMember']));
		expect(result.json[0]?.reason).toContain('does not tell');
		expect(result.hints[0]?.message).toContain('Not proved for 10 recipients');
		expect(memberIndexes()).toEqual(range(0, 15));
	});

	test('left-overs that cannot be listed do not keep the sync from its work', async () => {
		members(...range(0, 10));
		service.emulator.faults.add({
			match: { method: 'GET', path: '/int/v1/recipientGroup' },
			times: Infinity,
			action: { status: 403, body: { success: false, message: 'No' } },
		});
		await sync(emailsOf(...range(0, 11)), { mode: 'mirror' });
		expect(memberIndexes()).toEqual(range(0, 11));
	});
});

describe('emails whose ids cannot all be learned', () => {
	test('nobody is removed, the known ones are added', async () => {
		members(...range(0, 10));
		// The first chunk cannot be put into the staging group.
		service.emulator.faults.add({
			match: { method: 'POST', path: MEMBERS },
			times: 6,
			action: { status: 503, headers: { 'retry-after': '0' } },
		});
		const { error } = await sync(emailsOf(...range(0, 12)), {
			mode: 'mirror',
			options: { chunkSize: 6, concurrency: 1 },
		});
		expect(error?.description).toContain('Nobody was removed from the group');
		expect(error?.description).toContain('failed 12');
		expect(memberIndexes()).toEqual(range(0, 12));
		const removals = service.requests.filter(
			({ method, path }: RecordedRequest) =>
				method === 'DELETE' && path.endsWith(`${target()._id}/recipients`),
		);
		expect(removals).toEqual([]);
	});
});

describe('a row whose person cannot be read', () => {
	const goOn = { mode: 'mirror', onError: 'continueRegularOutput' } as const;

	test('keeps everybody in the group, and whoever stays for that has an item', async () => {
		members(...range(0, 10));
		const result = await sync([...emailsOf(...range(1, 11)), 'somebody at home'], goOn);
		expect(memberIndexes()).toEqual(range(0, 11));
		expect(result.json.slice(9)).toEqual([
			expect.objectContaining({ status: 'added' }),
			expect.objectContaining({ status: 'invalid' }),
			expect.objectContaining({
				recipient: idsOf(0)[0],
				status: 'failed',
				reason: 'Not removed: 1 item names somebody in a form that cannot be read',
			}),
		]);
	});

	test('does not, when the builder says so, nor does one that names nobody', async () => {
		members(...range(0, 10));
		const options = { removeDespiteInvalid: true };
		await sync([...emailsOf(...range(1, 10)), 'somebody at home'], { ...goOn, options });
		expect(memberIndexes()).toEqual(range(1, 10));
		const result = await sync([...emailsOf(...range(2, 10)), '-', 'n/a', 'None', ''], goOn);
		expect(memberIndexes()).toEqual(range(2, 10));
		expect(statuses(result).at(-1)).toBe('removed');
	});

	test('written around, an address is read, sent and shown', async () => {
		members(...range(0, 6));
		const [a = '', b = '', c = '', d = ''] = emailsOf(...range(0, 4));
		const written = [`${a};`, `Anna <${b}>`, `mailto:${c}.`, `\u200b${d}`, ...emailsOf(4)];
		const result = await sync(written, { ...goOn, maxRemovalPercent: 100 });
		expect(result.json.slice(0, 4).map(({ recipient }) => recipient)).toEqual([a, b, c, d]);
		expect(memberIndexes()).toEqual(range(0, 5));
	});
});

test.each(['Timeout, please try again', 'Record is locked', 'Recipient has withdrawn consent'])(
	'an errorLog that says "%s" does not say unknown, and nobody is removed',
	async (message) => {
		members(...range(0, 10));
		const [email = ''] = emailsOf(0);
		const data = { successCount: 0, errorCount: 1, errorLog: [{ email, message }] };
		service.emulator.faults.add({
			match: { method: 'POST', path: MEMBERS },
			times: 1,
			action: { status: 200, body: { success: true, data } },
		});
		const result = await sync([email], {
			mode: 'mirror',
			maxRemovalPercent: 100,
			onError: 'continueRegularOutput',
		});
		expect(result.json[0]).toMatchObject({ status: 'failed', reason: message });
		expect(memberIndexes()).toEqual(range(0, 10));
	},
);

test('whom the service puts into each new group is not taken for a recipient', async () => {
	members(...range(0, 10));
	service.emulator.onRequest(({ method, path }) => {
		if (method !== 'GET' || path.includes(target()._id)) return;
		const staging = [...service.emulator.state.recipientGroups.values()].at(-1);
		if (service.requests.filter((one) => one.path === path && one.method === 'GET').length <= 1) {
			for (const id of idsOf(40)) staging?.members.add(id);
		}
	});
	const result = await sync(emailsOf(...range(1, 11)), { mode: 'mirror' });
	expect(result.error).toBeUndefined();
	expect(memberIndexes()).toEqual(range(1, 11));
});
