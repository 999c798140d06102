import type { ResolvedRecipients } from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	beforeChanging,
	beforeReading,
	beforeRemoving,
	beforeResolving,
	dryRunWarning,
	planOf,
	reasonNotToRemove,
	unresolvedRecipients,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/plan.ts';
import fc from '../kit/property.mts';
import { first } from '../kit/required.mts';
import { inputOf, nothing, part, recipients, syncOf, whole, type Given } from './syncEvidence.mts';

const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Returns the recipients in `asked`, resolved to `ids` by one call. A `reason` adds a failed recipient. */
const resolved = (ids: string[], asked = ids, reason?: string): ResolvedRecipients => ({
	responses: {
		...nothing,
		taken: [{ recipients: recipients(...asked), changed: ids.length }],
		failed: reason === undefined ? [] : [{ recipients: recipients('x'), reason }],
	},
	members: whole(...ids),
	owners: [],
});

/** Returns the decisions about one sync, a Mirror by ID by default. */
const decisionsFor = (given: Given) => {
	const all: Given = { mode: 'mirror', input: [], ...given };
	const { request, findings } = syncOf(all);
	return {
		plan: () => planOf(request, findings.before, findings.resolved),
		beforeReading: () => beforeReading(request, ['name', 'mail']),
		beforeResolving: () => beforeResolving(request, findings.before),
		beforeChanging: (percent: number) => beforeChanging(request, findings, percent),
		unresolved: () => unresolvedRecipients(request, findings.resolved),
		warning: (percent: number) => dryRunWarning(findings, percent),
		reasonNotToRemove: () => reasonNotToRemove(request, findings),
		beforeRemoving: () => beforeRemoving(request, findings)?.message,
	};
};

/** Returns the decisions about a Mirror that removes the people in `surplus` and adds those in `send`. */
const mirror = (members: string[], surplus: string[], send: string[] = [], given: Given = {}) =>
	decisionsFor({
		before: whole(...members),
		after: whole(...members, ...send),
		plan: { send: recipients(...send), by: 'id', surplus },
		responses: {
			...nothing,
			taken: send.length > 0 ? [{ recipients: recipients(...send), changed: send.length }] : [],
		},
		...given,
	});

describe('planOf', () => {
	const ids = fc.subarray(PEOPLE);

	test('Mirror by ID adds and removes people until the group matches the input', () => {
		fc.assert(
			fc.property(ids, ids, (wanted, members) => {
				const plan = decisionsFor({ input: inputOf(...wanted), before: whole(...members) }).plan();
				const result = new Set(members);
				for (const id of plan.surplus) result.delete(id);
				for (const { key } of plan.send) result.add(key);
				expect(result).toEqual(new Set(wanted));
				expect(plan.by).toBe('id');
				// The plan adds no one who is already a member, and removes only members.
				for (const { key } of plan.send) expect(members).not.toContain(key);
				for (const id of plan.surplus) expect(members).toContain(id);
			}),
		);
	});

	test('Mirror by email uses the resolved IDs instead of the addresses', () => {
		const plan = decisionsFor({
			identifyBy: 'email',
			input: inputOf('a@example.com', 'b@example.com'),
			before: whole('a', 'c'),
			resolved: resolved(['a', 'b']),
		}).plan();
		expect(plan).toEqual({ send: recipients('b'), by: 'id', surplus: ['c'] });
	});

	test('Mirror by email adds nobody if no address was resolved', () => {
		const given = { identifyBy: 'email', input: inputOf('a@example.com') } as const;
		expect(decisionsFor({ ...given, before: whole('a') }).plan()).toEqual({
			send: [],
			by: 'id',
			surplus: ['a'],
		});
	});

	test('Add by ID sends those who are not in the group and removes nobody', () => {
		const given = { mode: 'add', input: inputOf('a', 'b') } as const;
		const plan = { send: recipients('b'), by: 'id', surplus: [] };
		expect(decisionsFor({ ...given, before: whole('a', 'c') }).plan()).toEqual(plan);
		expect(decisionsFor(given).plan()).toEqual({ ...plan, send: recipients('a', 'b') });
	});

	test('Add by email and Remove send all recipients, so that the service reports unknown ones', () => {
		const before = whole('a');
		for (const [mode, by] of [
			['add', 'email'],
			['remove', 'email'],
			['remove', 'id'],
		] as const) {
			const given = { mode, identifyBy: by, input: inputOf('a', 'b'), before };
			expect(decisionsFor(given).plan()).toEqual({ send: recipients('a', 'b'), by, surplus: [] });
		}
	});

	test('ignores items without a recipient', () => {
		const nobody = { itemIndex: 1, given: '?', status: 'invalid', reason: 'No ID' } as const;
		const given: Given = { mode: 'remove', input: [...inputOf('a'), nobody] };
		expect(decisionsFor(given).plan().send).toEqual(recipients('a'));
	});
});

const NOBODY_KNOWN = 'The service knows none of the recipients';

describe('the safeguards of a sync', () => {
	const nobody: Given['input'] = [{ itemIndex: 0, given: '', status: 'invalid', reason: 'Blank' }];
	const emails = inputOf('a@example.com', 'b@example.com');
	const NO_RECIPIENT = 'No input item has a valid recipient';

	test.each<[Given, message: string | undefined]>([
		[{ mode: 'mirror', input: nobody }, 'There is no valid recipient to mirror'],
		[{ mode: 'add', input: nobody }, NO_RECIPIENT],
		[{ mode: 'remove', input: nobody }, NO_RECIPIENT],
		[{ input: emails }, 'The recipients are email addresses, but Identify By is ID'],
		[{ input: emails, identifyBy: 'email' }, undefined],
		[{ input: inputOf('a', 'b@example.com') }, undefined],
		[{ input: inputOf('a') }, undefined],
		[{ mode: 'add' }, undefined],
	])('check the recipients before the group is read: %#', (given, message) => {
		const refusal = decisionsFor(given).beforeReading();
		expect(refusal?.message).toBe(message);
		if (given.input !== nobody) return;
		expect(refusal?.description).toMatch(/Recipient parameter.*the fields name, mail\.$/);
	});

	test.each([
		['mirror', false, /^Mirror must see all members/],
		['mirror', true, /^Mirror must see all members/],
		['add', true, /^A dry run therefore cannot predict/],
		['remove', true, /^A dry run therefore cannot predict/],
		['add', false, undefined],
		['remove', false, undefined],
	] as const)(
		'check whether all members are shown: mode %s, dry run %s, stopped by %s',
		(mode, dryRun, description) => {
			expect(decisionsFor({ mode, dryRun, before: part('a') }).beforeResolving()).toEqual(
				description && {
					message: 'The service shows only 1 of 9 members of the group',
					description: expect.stringMatching(description),
				},
			);
			expect(decisionsFor({ mode, dryRun, before: whole('a') }).beforeResolving()).toBeUndefined();
		},
	);

	test.each<[members: string[], surplus: string[], send: string[], stops: boolean]>([
		[['a', 'b'], ['a', 'b'], [], true],
		[['a', 'b'], ['a', 'b'], ['c'], false],
		[['a', 'b'], ['a'], ['c'], false],
		[['a', 'b', 'c'], ['a', 'b'], [], false],
		[[], [], [], false],
	])(
		'keep a group from becoming empty: members %j, removed %j, added %j, stopped: %s',
		(members, surplus, send, stops) => {
			for (const dryRun of [false, true]) {
				const message = mirror(members, surplus, send, { dryRun }).beforeChanging(100)?.message;
				expect(message).toBe(stops ? NOBODY_KNOWN : undefined);
			}
		},
	);

	test.each([
		[4, 1, 25, undefined],
		[4, 1, 24, '25 %'],
		[4, 1, 0, '25 %'],
		[3, 1, 33, '33.4 %'],
		[1004, 201, 20, '20.1 %'],
		[3, 1, 34, undefined],
		[1000, 100, 10, undefined],
		[1000, 101, 10, '10.1 %'],
		[6, 0, 0, undefined],
	])(
		'limit the removals: %d members, %d removed, limit %d %%, share in the error: %s',
		(size, removals, percent, share) => {
			const members = Array.from({ length: size }, (_, index) => `id${index}`);
			const surplus = members.slice(0, removals);
			const message = `Mirror would remove ${removals} of the ${size} people in the group (${share}), more than the ${percent} % allowed`;
			const stopped = mirror(members, surplus).beforeChanging(percent);
			expect(stopped?.message).toBe(share && message);
			if (share) expect(stopped?.description).toContain('raise Maximum Removal (%)');
			const dry = mirror(members, surplus, [], { dryRun: true });
			expect(dry.beforeChanging(percent)).toBeUndefined();
			const warning = `${message}. Without Dry Run, Mirror would stop here and change nothing.`;
			expect(dry.warning(percent)).toBe(share && warning);
		},
	);

	test.each<[sizes: number[], removals: number[], percent: number, message: string | undefined]>([
		[[4, 20], [1, 0], 20, undefined],
		[[4, 20], [1, 0], 0, '1 of the 4 people in the group (25 %), more than the 0 % allowed'],
		[[4, 20], [2, 0], 20, '2 of the 4 people in the group (50 %), more than the 20 % allowed'],
		[[4, 4], [1, 1], 20, '2 of the 8 people in all groups together (25 %), more than the 20 %'],
	])(
		'limit the removals in each group and in all together: members %j, removed %j, limit %d %%, stopped by %s',
		(sizes, removals, percent, message) => {
			const all = sizes.map((size, index) => {
				const members = Array.from({ length: size }, (_, number) => `id${number}`);
				const surplus = members.slice(0, removals[index]);
				const plan: Given['plan'] = { send: [], by: 'id', surplus };
				return syncOf({ mode: 'mirror', before: whole(...members), plan }).findings;
			});
			const group = first(all, 'group');
			const refusal = beforeChanging({ dryRun: false }, group, percent, all);
			const warning = dryRunWarning(group, percent, all);
			if (message === undefined) expect([refusal, warning]).toEqual([undefined, undefined]);
			else {
				expect(refusal?.message).toContain(`Mirror would remove ${message}`);
				expect(warning).toContain('Without Dry Run, Mirror would not change this group.');
			}
		},
	);

	test('do not count removals that Mirror is not going to carry out', () => {
		const many = mirror(PEOPLE, ['a', 'b', 'c'], [], { heldBack: 'It is not known who' });
		expect(many.beforeChanging(10)).toBeUndefined();
		expect(many.warning(10)).toBeUndefined();
	});
});

describe('Mirror with unresolved recipients', () => {
	const item = { itemIndex: 0, given: 'me', reason: 'Not an email address' };
	const unreadable = { ...item, status: 'invalid', unreadable: true } as const;
	const NOT_VALID = 'a recipient that is not valid';

	test.each<[string, Given, string | undefined]>([
		['removes if every address has an ID', { resolved: resolved(['b', 'c']) }, undefined],
		[
			'removes nobody if an address could not be resolved',
			{ resolved: resolved(['b'], ['b'], 'It broke') },
			'the IDs of some recipients could not be determined: It broke',
		],
		[
			'removes nobody if the call accepted more addresses than the staging group has members',
			{ resolved: resolved(['b'], ['b', 'c', 'd']) },
			'the service silently ignored 2 of the recipients, so their IDs are not known',
		],
		[
			'removes nobody if an item is unreadable',
			{ input: [unreadable] },
			`1 item names ${NOT_VALID}`,
		],
		[
			'removes nobody if several items are unreadable',
			{ input: [unreadable, unreadable] },
			`2 items name ${NOT_VALID}`,
		],
		[
			'removes despite unreadable items if allowed',
			{ input: [unreadable], removeDespiteInvalid: true },
			undefined,
		],
		[
			'removes if an invalid item names nobody',
			{ input: [{ ...unreadable, unreadable: false }] },
			undefined,
		],
		['removes if nothing had to be resolved', {}, undefined],
		[
			'removes by ID without resolving',
			{ identifyBy: 'id', resolved: resolved(['b'], ['b'], 'It broke') },
			undefined,
		],
		[
			'checks nothing in mode Add',
			{ mode: 'add', resolved: resolved(['b'], ['b'], 'It broke') },
			undefined,
		],
	])('%s', (_what, given, reason) => {
		expect(decisionsFor({ identifyBy: 'email', ...given }).unresolved()).toBe(reason);
	});
});

describe('Mirror between adding and removing', () => {
	const failed = { ...nothing, failed: [{ recipients: recipients('c'), reason: 'It broke' }] };

	test.each<[string, Given, string | undefined]>([
		['removes if all additions are proved and the group is shown completely', {}, undefined],
		[
			'removes nobody if the group was not read again',
			{ after: undefined },
			'the group could not be read again',
		],
		[
			'removes nobody if the group is shown incompletely',
			{ after: part('a', 'b', 'c') },
			'after the additions, the service showed only 3 of 9 members of the group',
		],
		[
			'finds no reason against removing in a dry run',
			{ after: undefined, dryRun: true },
			undefined,
		],
		[
			'removes nobody if an addition is not proved',
			{ input: inputOf('b', 'c'), responses: failed, after: whole('a', 'b') },
			'the addition of 1 person could not be proved: It broke',
		],
	])('%s', (_what, given, reason) => {
		expect(mirror(['a', 'b'], ['a'], ['c'], given).reasonNotToRemove()).toBe(reason);
	});

	test('stops if the removals would empty the group', () => {
		const [one] = recipients('c');
		const responses = { ...nothing, unknown: one ? [{ recipient: one, reason: '' }] : [] };
		const after = whole('a');
		expect(mirror(['a'], ['a'], ['c'], { responses, after }).beforeRemoving()).toBe(NOBODY_KNOWN);
		expect(mirror(['a'], ['a'], ['c']).beforeRemoving()).toBeUndefined();
		const known = { ...responses, taken: [{ recipients: recipients('d'), changed: 1 }] };
		const given = { responses: known, after: whole('a', 'd') };
		expect(mirror(['a'], ['a'], ['c', 'd'], given).beforeRemoving()).toBeUndefined();
		expect(mirror([], []).beforeRemoving()).toBeUndefined();
		expect(mirror(['a', 'b'], ['a'], ['c'], { responses, after }).beforeRemoving()).toBeUndefined();
	});
});
