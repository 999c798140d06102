import type { RunResult } from '../kit/engine.mts';
import { channelSync } from '../kit/channelSync.mts';
import { useFakeSleep } from '../kit/fakeSleep.mts';
import { range, statuses } from '../kit/groupSync.mts';
import { useService } from '../kit/service.mts';

useFakeSleep();
const service = useService({ seed: 6, people: 60, groups: 0, campaigns: 0, channels: 2 });
const { channel, emails, fill, ids, members, person, rename, sent, showList, ...kit } =
	channelSync(service);

/** Syncs with the channels, without a limit of removals. */
const sync: typeof kit.sync = async (mode, given, { parameters, ...options } = {}, onError) =>
	await kit.sync(
		mode,
		given,
		{ parameters: { maxRemovalPercent: 100, ...parameters }, ...options },
		onError,
	);

const MAY_BE_MEMBER =
	'Unverified: the channel does not show whether the person is a member under another address';
const ASKED = 'Unverified: the service was asked to remove it; the list does not show this address';
const NOBODY = 'nobody@people.example';

const reasons = ({ json }: RunResult) => json.map(({ reason }) => String(reason));
const rowsOf = (number: number, values: string[]) =>
	values.map((one) => [channel(number).name, one]);
const hrIds = (...indexes: number[]) => indexes.map((index) => person(index).hrId);

/** Lets the service refuse to add a person. */
function lock(index: number, says: string, times = Infinity): void {
	person(index).refusal = { says, times };
}

describe('Remove', () => {
	test('removes whom the list shows first, and then asks the service for all other addresses', async () => {
		fill(0, 0, 1, 2);
		const result = await sync('remove', [rename(2), ...emails(0, 5)]);
		expect(members()).toEqual([1]);
		expect(statuses(result)).toEqual(['notMember', 'removed', 'notMember']);
		expect(reasons(result)).toEqual([ASKED, 'Removed', ASKED]);
		expect(service.requests.flatMap(({ body }) => body ?? [])).toHaveLength(2);
	});

	test('an address that is refused twice, while others are accepted, is unknown', async () => {
		fill(0, 0, 1, 2);
		const result = await sync('remove', [NOBODY, rename(2), ...emails(0)]);
		expect([statuses(result), members()]).toEqual([['unknown', 'notMember', 'removed'], [1]]);
	});

	test('a search ends after 20 requests, and what it did not find is "Not removed for certain"', async () => {
		fill(0, ...range(0, 5));
		const unknown = range(0, 40).map((number) => `nobody${number}@people.example`);
		const result = await sync('remove', [rename(3), ...unknown, ...emails(0)]);
		expect(members()).not.toContain(0);
		expect(
			reasons(result).filter((one) => one.startsWith('Not removed for certain: ')).length,
		).toBeGreaterThan(20);
		expect(result.json.some(({ status }) => status === 'removed')).toBe(true);
		// Two requests for the list and the rest, and 20 more.
		expect(sent().length).toBeLessThanOrEqual(2 + 20);
	});

	test('a refusal in other words is "Not removed for certain"', async () => {
		fill(0, 0, 1, 2);
		const refuse = 'Recipient is locked';
		service.emulator.faults.on('POST /channel/*/remove', { refuse }, { skip: 1, times: Infinity });
		const result = await sync('remove', [rename(2), ...emails(0)]);
		expect(result.json[0]).toMatchObject({
			status: 'failed',
			reason: 'Not removed for certain: Recipient is locked',
		});
		expect(members()).toEqual([1, 2]);
	});

	test('a dry run says that it did not ask', async () => {
		fill(0, 0, 1);
		const { json } = await sync('remove', [rename(1), ...emails(0)], {
			parameters: { dryRun: true },
		});
		expect(json[0]).toMatchObject({
			status: 'notMember',
			reason: expect.stringMatching(/^Unverified: the list does not show this address/),
		});
	});
});

describe('Add', () => {
	test('a former address of a member is alreadyMember, unverified, in each run', async () => {
		fill(0, 0, 1);
		const alias = rename(1);
		for (const _night of [1, 2]) {
			const result = await sync('add', [alias, ...emails(0)], {}, 'stopWorkflow');
			expect(result.error).toBeUndefined();
			expect(reasons(result)).toEqual([MAY_BE_MEMBER, 'Already a member']);
		}
		expect(members()).toEqual([0, 1]);
	});

	test('as many new people as such addresses are added', async () => {
		// A member without an address was there before.
		service.emulator.switches.channelListsWithoutEmail = true;
		Object.assign(person(7), { email: '' });
		fill(0, 0, 7);
		const aliases = [rename(1), rename(2)];
		expect(statuses(await sync('add', [...aliases, ...emails(3)]))).toEqual([
			'added',
			'added',
			'added',
		]);
		expect(members()).toEqual([0, 1, 2, 3, 7]);
		// One of three is new: nobody knows which.
		const result = await sync('add', [...aliases, rename(4)]);
		expect(new Set(reasons(result))).toEqual(new Set([MAY_BE_MEMBER]));
	});

	test('an incomplete list does not prove that such an address is added', async () => {
		fill(0, 0);
		service.emulator.onRequest(({ method }) => {
			if (method === 'POST') showList({ data: [0, 2].map(person), total: 4 });
		});
		expect(reasons(await sync('add', [rename(2)]))).toEqual([MAY_BE_MEMBER]);
	});

	test.each([
		['an incomplete list before', 1, [0, 2]],
		['more new people than addresses, one of them hidden', 9, [0, 2, 5, 6]],
	])('%s does not prove it either', async (_what, channelRecipient, later) => {
		const { emulator } = service;
		emulator.switches.channelListsWithoutEmail = true;
		emulator.switches.listedAtMost = { channelRecipient };
		fill(0, 0, 2);
		Object.assign(person(6), { email: '' });
		emulator.onRequest(({ method }) => {
			if (method !== 'POST') return;
			emulator.switches.listedAtMost = {};
			fill(0, ...later);
		});
		expect(reasons(await sync('add', [rename(2)]))).toEqual([MAY_BE_MEMBER]);
	});
});

describe('Mirror', () => {
	test('a former address keeps the people of its channel, and the other channel is done', async () => {
		fill(0, 0, 1, 2);
		fill(1, 10, 11, 12);
		const given = [...rowsOf(0, [rename(2), ...emails(1)]), ...rowsOf(1, emails(11, 12))];
		const { error } = await sync('mirror', given, {}, 'stopWorkflow');
		expect([members(0), members(1)]).toEqual([
			[0, 1, 2],
			[11, 12],
		]);
		expect(error?.description).toMatch(
			/Correct these items\. Otherwise, only Remove Despite Invalid/,
		);
		expect(error?.description).toContain(`Removed: ${emails(10)[0]}.`);
		const result = await sync('mirror', given);
		const kept = result.json.filter(({ reason }) => /^Not removed/.test(String(reason)));
		expect(kept.map(({ recipient }) => recipient).sort()).toEqual(emails(0, 2).sort());
		expect(result.json[0]).toMatchObject({ status: 'alreadyMember', reason: MAY_BE_MEMBER });
	});

	test('with Remove Despite Invalid, a former address comes back, and only the others are removed', async () => {
		fill(0, 0, 1, 2, 3);
		const options = { removeDespiteInvalid: true };
		const result = await sync('mirror', [rename(3), ...emails(1, 2)], { options }, 'stopWorkflow');
		expect(result.error).toBeUndefined();
		expect(result.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching('^Remove Despite Invalid allows removals although .* no person .1: '),
			'Items whose outcome is not proved ("Unverified: …"): 1.',
		]);
		expect(members()).toEqual([1, 2, 3]);
		expect(result.json.slice(3)).toMatchObject([{ recipient: emails(0)[0], status: 'removed' }]);
		expect(sent()).toEqual(['recipient', 'remove', 'recipient']);
	});

	test('with Remove Despite Invalid, an address that cannot come back is failed', async () => {
		fill(0, 0, 1, 2, 3);
		const alias = rename(3);
		const options = { removeDespiteInvalid: true };
		const add = 'POST /channel/*/recipient';
		service.emulator.faults.on(add, { status: 503 }, { skip: 1, times: Infinity });
		const result = await sync('mirror', [alias, ...emails(1, 2)], { options });
		expect([statuses(result)[0], members()]).toEqual(['failed', [1, 2]]);
		expect(statuses(result).slice(3)).toEqual(['removed', 'removed']);
	});

	test('Remove Despite Invalid lifts nothing if the service refuses even a member', async () => {
		fill(0, 0, 1, 2);
		const add = 'POST /channel/*/recipient';
		service.emulator.faults.on(add, { refuse: 'Recipient is locked' }, { times: Infinity });
		const options = { removeDespiteInvalid: true };
		const result = await sync('mirror', emails(5, 1), { options });
		expect([statuses(result)[0], members()]).toEqual(['failed', [0, 1, 2]]);
	});

	test('a dry run says for whom a new address may be', async () => {
		fill(0, 0, 1, 2);
		const parameters = { dryRun: true };
		const result = await sync('mirror', [rename(2), ...emails(1)], { parameters });
		expect(reasons(result)).toEqual([
			'Would be added. A dry run does not ask the service whether it knows this recipient',
			'Already a member',
			...range(0, 2).map(
				() =>
					'Would be removed (unless the input has a new address of this person): not among the recipients of the input',
			),
		]);
	});
});

test.each([
	['email', 'Recipient is locked'],
	['email', 'License not found'],
	['email', 'Object does not exist'],
	['id', 'Recipient is locked'],
	['id', 'Consent of the person not found'],
	// Accepted, and not shown.
	['id', ''],
])(
	'by %s, a member under another name who is refused with "%s" keeps the people of the channel only',
	async (by, refuse) => {
		fill(0, 0, 1, 2);
		fill(1, 10, 11, 12);
		if (refuse) lock(2, refuse);
		const [first, second] =
			by === 'email'
				? [[rename(2), ...emails(1)], emails(11, 12)]
				: [[...hrIds(2), ...ids(1)], ids(11, 12)];
		const result = await sync('mirror', [...rowsOf(0, first), ...rowsOf(1, second)], { by });
		const refused = { status: 'failed', reason: refuse };
		const accepted = { status: 'alreadyMember', reason: MAY_BE_MEMBER };
		expect(result.json[0]).toMatchObject(refuse ? refused : accepted);
		expect([members(0), members(1)]).toEqual([
			[0, 1, 2],
			[11, 12],
		]);
	},
);

describe('by ID', () => {
	const by = 'id';

	test.each([
		['Recipient is locked', 'failed'],
		['Object does not exist', 'failed'],
		['Invalid parameters', 'unknown'],
		['Recipient not found', 'unknown'],
	])(
		'a record ID that is refused twice with "%s" is %s, and removals go on',
		async (refuse, status) => {
			fill(0, 0, 1, 2);
			lock(5, refuse);
			const result = await sync('mirror', ids(5, 1, 2), { by });
			expect([statuses(result)[0], members()]).toEqual([status, [1, 2]]);
			expect(statuses(result).at(-1)).toBe('removed');
		},
	);

	test('if no member is named, only a text that says unknown gives unknown, in an empty channel', async () => {
		for (const [refuse, status, ...others] of [
			['Recipient not found', 'unknown'],
			['Recipient not found', 'failed', 0],
			['Invalid parameters', 'failed'],
			['Recipient is locked', 'failed'],
		] as const) {
			fill(0, ...others);
			lock(5, refuse);
			expect(statuses(await sync('mirror', ids(5), { by }))[0]).toBe(status);
		}
	});

	test('if nobody else is sent, a named member of another channel is sent again there', async () => {
		fill(0, 0);
		fill(1, 10, 11);
		lock(5, 'Recipient is locked');
		const given = [...rowsOf(0, ids(5)), ...rowsOf(1, ids(10))];
		const result = await sync('mirror', given, { by });
		expect(statuses(result).slice(0, 2)).toEqual(['failed', 'alreadyMember']);
		expect([members(0), members(1)]).toEqual([[0], [10]]);
	});

	test('Remove asks for an HR number, and not for a record ID that is certainly no member', async () => {
		fill(0, 0, 1, 2);
		const result = await sync('remove', [...hrIds(2), ...ids(0, 5)], { by });
		expect(reasons(result)).toEqual([ASKED, 'Removed', 'Not a member']);
		expect(members()).toEqual([1]);
		expect(sent()).toHaveLength(2);
	});
});
