import type {
	Evidence,
	GroupMembers,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	beforeChanging,
	beforeLearning,
	beforeReading,
	beforeRemoving,
	dryRunWarning,
	reasonNotToPlanRemovals,
	reasonNotToRemove,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/safeguards.ts';
import { planOf } from '../../nodes/MessagingService/resources/recipientGroup/sync/plan.ts';
import fc from '../kit/property.mts';

const PEOPLE = ['a', 'b', 'c', 'd', 'e', 'f'];

const recipient = (id: string) => ({ key: id, value: id });
const recipients = (...ids: string[]) => ids.map(recipient);
const inputOf = (...ids: string[]): Evidence['input'] =>
	ids.map((id, itemIndex) => ({ itemIndex, recipient: recipient(id) }));
const group = (ids: string[], given: Partial<GroupMembers> = {}): GroupMembers => ({
	ids: new Set(ids),
	complete: true,
	shown: `${ids.length} of ${ids.length}`,
	...given,
});
/** Who the recipients are, with everybody resolved in one call unless told otherwise. */
const resolved = (
	ids: string[],
	asked = ids,
	reason?: string,
): NonNullable<Evidence['resolved']> => ({
	responses: {
		taken: [{ recipients: recipients(...asked), changed: ids.length }],
		unknown: [],
		failed: reason === undefined ? [] : [{ recipients: recipients('x'), reason }],
	},
	members: group(ids),
	owners: [],
	silentlyIgnored: new Set(),
});

const evidence = (given: Partial<Evidence>): Evidence => ({
	mode: 'mirror',
	identifyBy: 'id',
	dryRun: false,
	perRecipient: true,
	input: [],
	silentlyIgnored: new Set(),
	seenKnown: new Set(),
	warnings: [],
	...given,
});

/** A Mirror that takes out the people in `surplus` and adds those in `send`. */
const mirror = (
	members: string[],
	surplus: string[],
	send: string[] = [],
	given: Partial<Evidence> = {},
): Evidence =>
	evidence({
		before: group(members),
		after: group([...members, ...send]),
		plan: { send: recipients(...send), by: 'id', surplus },
		responses: {
			taken: send.length > 0 ? [{ recipients: recipients(...send), changed: send.length }] : [],
			unknown: [],
			failed: [],
		},
		...given,
	});

describe('planOf', () => {
	const ids = fc.subarray(PEOPLE);

	test('Mirror by ID: what is added and taken out makes the group what the input says', () => {
		fc.assert(
			fc.property(ids, ids, (wanted, members) => {
				const plan = planOf(evidence({ input: inputOf(...wanted), before: group(members) }));
				const result = new Set(members);
				for (const id of plan.surplus) result.delete(id);
				for (const { key } of plan.send) result.add(key);
				expect(result).toEqual(new Set(wanted));
				expect(plan.by).toBe('id');
				// Nobody is named for nothing.
				for (const { key } of plan.send) expect(members).not.toContain(key);
				for (const id of plan.surplus) expect(members).toContain(id);
			}),
		);
	});

	test('Mirror by email goes by the IDs that were resolved, not by the addresses', () => {
		const plan = planOf(
			evidence({
				identifyBy: 'email',
				input: inputOf('a@example.com', 'b@example.com'),
				before: group(['a', 'c']),
				resolved: resolved(['a', 'b']),
			}),
		);
		expect(plan).toEqual({ send: recipients('b'), by: 'id', surplus: ['c'] });
	});

	test('Mirror by email of people of whom nothing was resolved wants nobody', () => {
		const given = { identifyBy: 'email', input: inputOf('a@example.com') } as const;
		expect(planOf(evidence({ ...given, before: group(['a']) }))).toEqual({
			send: [],
			by: 'id',
			surplus: ['a'],
		});
	});

	test('Add by ID sends who is not in the group, and takes nobody out', () => {
		const given = { mode: 'add', input: inputOf('a', 'b') } as const;
		const plan = { send: recipients('b'), by: 'id', surplus: [] };
		expect(planOf(evidence({ ...given, before: group(['a', 'c']) }))).toEqual(plan);
		expect(planOf(evidence(given))).toEqual({ ...plan, send: recipients('a', 'b') });
	});

	test('Add by email and Remove send everybody, for the service to say whom it knows', () => {
		const before = group(['a']);
		for (const [mode, by] of [
			['add', 'email'],
			['remove', 'email'],
			['remove', 'id'],
		] as const) {
			const given = { mode, identifyBy: by, input: inputOf('a', 'b'), before };
			expect(planOf(evidence(given))).toEqual({ send: recipients('a', 'b'), by, surplus: [] });
		}
	});

	test('items without a recipient are not in the plan', () => {
		const nobody = { itemIndex: 1, given: '?', status: 'invalid', reason: 'No ID' } as const;
		const input = [...inputOf('a'), nobody];
		const { send } = planOf(evidence({ mode: 'remove', input }));
		expect(send).toEqual(recipients('a'));
	});
});

describe('what stops a sync', () => {
	test('Mirror with nobody valid is stopped before anything is read', () => {
		expect(beforeReading(evidence({}))?.message).toBe('There is no valid recipient to mirror');
		expect(beforeReading(evidence({ input: inputOf('a') }))).toBeUndefined();
		expect(beforeReading(evidence({ mode: 'add' }))).toBeUndefined();
		expect(beforeReading(evidence({ mode: 'remove' }))).toBeUndefined();
	});

	test.each([
		['mirror', false, true],
		['mirror', true, true],
		['add', true, true],
		['remove', true, true],
		['add', false, false],
		['remove', false, false],
	] as const)(
		'%s (dry run: %s) of a group not shown whole is stopped: %s',
		(mode, dryRun, stops) => {
			const part = group(['a'], { complete: false, shown: '1 of 3' });
			const said = beforeLearning(evidence({ mode, dryRun, before: part }));
			expect(said?.message).toBe(
				stops ? 'The service shows only 1 of 3 members of the group' : undefined,
			);
			if (stops) {
				expect(said?.description).toMatch(
					mode === 'mirror' ? /^Mirror has to see them all/ : /^So a dry run cannot tell/,
				);
			}
			expect(beforeLearning(evidence({ mode, dryRun, before: group(['a']) }))).toBeUndefined();
			expect(beforeLearning(evidence({ mode, dryRun }))?.message).toBe(
				stops ? 'The service shows only an unknown number of members of the group' : undefined,
			);
		},
	);

	test('Mirror stops where nobody would be left', () => {
		const all = mirror(['a', 'b'], ['a', 'b']);
		expect(beforeChanging(all, 100)?.message).toBe('The service knows none of the recipients');
		expect(beforeChanging({ ...all, dryRun: true }, 100)?.message).toBe(
			'The service knows none of the recipients',
		);
		expect(beforeChanging(mirror(['a', 'b'], ['a', 'b'], ['c']), 100)).toBeUndefined();
		expect(beforeChanging(mirror(['a', 'b'], ['a'], ['c']), 100)).toBeUndefined();
		expect(beforeChanging(mirror(['a', 'b', 'c'], ['a', 'b']), 100)).toBeUndefined();
		// Nobody is to go from a group that has nobody.
		expect(beforeChanging(mirror([], []), 100)).toBeUndefined();
	});

	test.each([
		[4, 1, 25, false],
		[4, 1, 24, true],
		[4, 1, 0, true],
		[3, 1, 33, true],
		[3, 1, 34, false],
		[1000, 100, 10, false],
		[1000, 101, 10, true],
	])('of %d members %d may go at %d %%: stopped %s', (size, removals, percent, stops) => {
		const members = Array.from({ length: size }, (_, index) => `id${index}`);
		const said = beforeChanging(mirror(members, members.slice(0, removals)), percent);
		if (!stops) {
			expect(said).toBeUndefined();
			return;
		}
		const share = Math.floor((removals * 1000) / size) / 10;
		expect(said?.message).toBe(
			`Mirror would remove ${removals} of the ${size} people in the group (${share} %), more than the ${percent} % allowed`,
		);
		expect(said?.description).toContain('raise Maximum Removal (%)');
	});

	test('what takes nobody out is not stopped for taking out too many', () => {
		const many = mirror(PEOPLE, ['a', 'b', 'c']);
		expect(beforeChanging(many, 10)).toBeDefined();
		expect(beforeChanging({ ...many, nobodyRemoved: 'It is not known who' }, 10)).toBeUndefined();
		expect(beforeChanging({ ...many, plan: undefined }, 10)).toBeUndefined();
		expect(beforeChanging({ ...many, before: undefined }, 10)).toBeUndefined();
		expect(beforeChanging(mirror(PEOPLE, []), 0)).toBeUndefined();
	});

	test('a dry run only warns of too many', () => {
		const many = mirror(PEOPLE, ['a', 'b', 'c'], [], { dryRun: true });
		expect(beforeChanging(many, 10)).toBeUndefined();
		expect(dryRunWarning(many, 10)).toBe(
			'Mirror would remove 3 of the 6 people in the group (50 %), more than the 10 % allowed. Without Dry Run, Mirror would stop here and change nothing.',
		);
		expect(dryRunWarning(many, 50)).toBeUndefined();
		expect(dryRunWarning({ ...many, dryRun: false }, 10)).toBeUndefined();
		expect(dryRunWarning({ ...many, nobodyRemoved: 'It is not known who' }, 10)).toBeUndefined();
		expect(dryRunWarning({ ...many, plan: undefined }, 10)).toBeUndefined();
		expect(dryRunWarning({ ...many, plan: undefined, before: undefined }, 10)).toBeUndefined();
	});
});

describe('whether Mirror knows who is too many', () => {
	const byEmail = (given: Partial<Evidence>) =>
		reasonNotToPlanRemovals(mirror(PEOPLE, ['a'], [], { identifyBy: 'email', ...given }));

	test('it does when an ID was resolved for each address', () => {
		expect(byEmail({ resolved: resolved(['b', 'c']) })).toBeUndefined();
	});

	test('it does not when one could not be resolved', () => {
		expect(byEmail({ resolved: resolved(['b'], ['b'], 'It broke') })).toBe(
			'the IDs of some recipients could not be learned: It broke',
		);
	});

	test('it does not when the service took more addresses than it showed people', () => {
		expect(byEmail({ resolved: resolved(['b'], ['b', 'c', 'd']) })).toBe(
			'the service passed over 2 of the recipients without a word, so their IDs are not known',
		);
	});

	test('it makes no difference where nobody is too many, by ID, or in another mode', () => {
		const unclear = resolved(['b'], ['b', 'c'], 'It broke');
		expect(
			byEmail({ resolved: unclear, plan: { send: [], by: 'id', surplus: [] } }),
		).toBeUndefined();
		expect(byEmail({ resolved: unclear, identifyBy: 'id' })).toBeUndefined();
		expect(byEmail({ resolved: unclear, mode: 'add' })).toBeUndefined();
		expect(byEmail({ resolved: undefined })).toBeUndefined();
		expect(byEmail({ resolved: unclear, plan: undefined })).toBeUndefined();
	});
});

describe('whether Mirror may take people out, having added others', () => {
	test('it may when all additions are proved and the group was seen whole', () => {
		expect(reasonNotToRemove(mirror(['a', 'b'], ['a'], ['c']))).toBeUndefined();
	});

	test('it may not when the group was not seen again, or not whole', () => {
		const part = group(['a', 'b', 'c'], { complete: false, shown: '3 of 9' });
		expect(reasonNotToRemove(mirror(['a', 'b'], ['a'], [], { after: undefined }))).toBe(
			'the group could not be read again',
		);
		expect(reasonNotToRemove(mirror(['a', 'b'], ['a'], [], { after: part }))).toBe(
			'the service then showed only 3 of 9 members of the group',
		);
	});

	test('a dry run changes nothing, so there is nothing to see again', () => {
		expect(
			reasonNotToRemove(mirror(['a', 'b'], ['a'], [], { after: undefined, dryRun: true })),
		).toBeUndefined();
	});

	test('it may not when an addition is not proved', () => {
		const responses = {
			taken: [],
			unknown: [],
			failed: [{ recipients: recipients('c'), reason: 'It broke' }],
		};
		const given = { input: inputOf('b', 'c'), responses, after: group(['a', 'b']) };
		expect(reasonNotToRemove(mirror(['a', 'b'], ['a'], ['c'], given))).toBe(
			'1 person could not be added for certain: It broke',
		);
	});

	test('somebody must be left whom the service knows', () => {
		const unknown = {
			taken: [],
			unknown: [{ recipient: recipient('c'), reason: 'Not known' }],
			failed: [],
		};
		const nobodyLeft = mirror(['a'], ['a'], ['c'], { responses: unknown, after: group(['a']) });
		expect(beforeRemoving(nobodyLeft)?.message).toBe('The service knows none of the recipients');
		expect(beforeRemoving(mirror(['a'], ['a'], ['c']))).toBeUndefined();
		const oneKnown = { ...unknown, taken: [{ recipients: recipients('d'), changed: 1 }] };
		const given = { responses: oneKnown, after: group(['a', 'd']) };
		expect(beforeRemoving(mirror(['a'], ['a'], ['c', 'd'], given))).toBeUndefined();
		expect(beforeRemoving(mirror([], []))).toBeUndefined();
		expect(beforeRemoving({ ...nobodyLeft, before: group(['a', 'b']) })).toBeUndefined();
		expect(beforeRemoving(mirror(['a'], [], [], { responses: unknown }))).toBeUndefined();
		expect(beforeRemoving({ ...nobodyLeft, plan: undefined })).toBeUndefined();
		expect(beforeRemoving({ ...nobodyLeft, before: undefined })).toBeUndefined();
	});
});
