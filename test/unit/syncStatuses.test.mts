import type {
	GroupMembers,
	Owners,
	ResolvedRecipients,
	Responses,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	inWords,
	unprovedAddition,
	classify,
	type Line,
	type Summary,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';
import { inputOf, nothing, part, recipients, syncOf, whole, type Given } from './syncEvidence.mts';

const said = (given: Given) => {
	const { request, evidence } = syncOf(given);
	return classify(request, evidence);
};

const taken = (keys: string[], changed: number | undefined): Responses => ({
	...nothing,
	taken: [{ recipients: recipients(...keys), changed }],
});
const unknown = (...keys: string[]): Responses => ({
	...nothing,
	unknown: recipients(...keys).map((one) => ({ recipient: one, reason: 'Not in system' })),
	failed: [],
});
const failed = (keys: string[], lost?: true): Responses => ({
	...nothing,
	failed: [{ recipients: recipients(...keys), reason: 'It broke.', lost }],
});

/** A line as "status: reason", with a question mark where it is not proved. */
const inShort = ({ status, reason, unverified }: Line): string =>
	`${status}${unverified ? '?' : ''}${reason === '' ? '' : `: ${reason}`}`;

const linesOf = (given: Given): string[] => said(given).lines.map(inShort);

const extrasOf = (given: Given): string[] => said(given).extras.map(inShort);

/** The statuses of the summary that somebody has. */
const countsOf = (given: Given): Partial<Summary> =>
	Object.fromEntries(
		Object.entries(said({ perRecipient: false, ...given }).summary).filter(
			([, count]) => count > 0,
		),
	);

const twice = (line: unknown) => [line, line];

const MAY_HAVE = 'The change may have been carried out';
const PASSED_OVER = 'failed: The service accepted the call but silently ignored';
const UNSEEN = 'The service accepted the call, but neither its counts nor the group show';
const IN_NOW = 'alreadyMember?: In the group now; the service does not tell';
const OUT_NOW = 'notMember?: Not in the group now; the service does not tell';
const NEVER_SETTLED = 'failed: What became of this recipient is not known';

const groups = {
	'in it': whole('a', 'z'),
	'not in it': whole('z'),
	'not shown': part('z'),
	unread: undefined,
} as const;
type Seen = keyof typeof groups;

const replies = {
	'counted as changed': taken(['a'], 1),
	'taken, not counted': taken(['a'], 0),
	'taken without a count': taken(['a'], undefined),
	unknown: unknown('a'),
	failed: failed(['a']),
	'without an answer': failed(['a'], true),
	'never sent': nothing,
} as const;
type Reply = keyof typeof replies;

const byId = (mode: 'add' | 'remove', before: Seen, reply: Reply, after: Seen): Given => ({
	...{ mode, before: groups[before], responses: replies[reply], after: groups[after] },
});

/** The outcome is the whole line, or its status and how its reason begins. */
function expectOutcome(
	...[mode, before, reply, after, outcome]: [...Parameters<typeof byId>, string]
) {
	const [line = '', ...others] = linesOf(byId(mode, before, reply, after));
	expect(others).toEqual([]);
	expect(outcome.includes(':') ? line.slice(0, outcome.length) : line).toBe(outcome);
	expect(line).not.toContain(MAY_HAVE);
}

describe('by ID', () => {
	test.each<[Seen, Reply, Seen, string]>([
		['in it', 'never sent', 'in it', 'alreadyMember'],
		['in it', 'never sent', 'unread', 'alreadyMember'],
		['in it', 'never sent', 'not shown', 'alreadyMember'],
		['in it', 'never sent', 'not in it', 'failed: Was in the group when this sync began'],
		['not in it', 'counted as changed', 'in it', 'added'],
		['not in it', 'counted as changed', 'unread', 'added'],
		['not in it', 'counted as changed', 'not shown', 'added'],
		['not in it', 'counted as changed', 'not in it', 'failed: The service counted this'],
		['not in it', 'taken, not counted', 'in it', 'added'],
		['not in it', 'taken, not counted', 'unread', `failed: ${UNSEEN}`],
		['not in it', 'taken, not counted', 'not in it', PASSED_OVER],
		['not in it', 'failed', 'in it', 'added'],
		['not in it', 'unknown', 'in it', 'added'],
		['not in it', 'unknown', 'not in it', 'unknown: Not in system'],
		['not in it', 'unknown', 'unread', 'unknown: Not in system'],
		['not in it', 'never sent', 'not in it', NEVER_SETTLED],
		['not shown', 'counted as changed', 'in it', 'added'],
		['not shown', 'counted as changed', 'not shown', 'added'],
		['not shown', 'taken, not counted', 'in it', IN_NOW],
		['not shown', 'taken without a count', 'in it', IN_NOW],
		['not shown', 'taken without a count', 'unread', `alreadyMember?: ${UNSEEN}`],
		['not shown', 'failed', 'in it', IN_NOW],
		['not shown', 'unknown', 'not shown', 'unknown: Not in system'],
	])('Add: %s, %s, then %s', (before, reply, after, outcome) => {
		expectOutcome('add', before, reply, after, outcome);
	});

	test.each<[Seen, Reply, Seen, string]>([
		['not in it', 'taken, not counted', 'not in it', 'notMember'],
		['not in it', 'never sent', 'unread', 'notMember'],
		['not in it', 'never sent', 'in it', 'failed: Was not in the group when this sync began'],
		['not in it', 'unknown', 'not in it', 'unknown: Not in system'],
		['not in it', 'unknown', 'unread', 'unknown: Not in system'],
		['in it', 'counted as changed', 'not in it', 'removed'],
		['in it', 'counted as changed', 'unread', 'removed'],
		['in it', 'counted as changed', 'in it', 'failed: The service accepted the call, but this'],
		['in it', 'taken, not counted', 'in it', 'failed: The service accepted the call, but this'],
		['in it', 'taken, not counted', 'not in it', 'removed'],
		['in it', 'taken, not counted', 'unread', `failed: ${UNSEEN}`],
		['in it', 'failed', 'not in it', 'removed'],
		['in it', 'failed', 'in it', 'failed: It broke.'],
		['in it', 'without an answer', 'in it', 'failed: It broke.'],
		['in it', 'failed', 'unread', 'failed: It broke.'],
		['in it', 'unknown', 'in it', 'failed: Not in system'],
		['in it', 'unknown', 'unread', 'failed: Not in system'],
		['not shown', 'counted as changed', 'not in it', 'removed'],
		['not shown', 'counted as changed', 'not shown', 'removed'],
		['not shown', 'taken, not counted', 'not in it', OUT_NOW],
		['not shown', 'failed', 'not in it', OUT_NOW],
		['not shown', 'taken without a count', 'unread', `notMember?: ${UNSEEN}`],
		['not shown', 'unknown', 'unread', 'unknown: Not in system'],
		['not shown', 'never sent', 'unread', NEVER_SETTLED],
	])('Remove: %s, %s, then %s', (before, reply, after, outcome) => {
		expectOutcome('remove', before, reply, after, outcome);
	});

	test('a call without an answer may have been carried out, as long as the group does not show it', () => {
		const lost = (mode: 'add' | 'remove', before: Seen, after: Seen) =>
			linesOf(byId(mode, before, 'without an answer', after));
		const said = [expect.stringMatching(new RegExp(`^failed: It broke\\. ${MAY_HAVE}`))];
		expect(lost('add', 'not in it', 'unread')).toEqual(said);
		expect(lost('add', 'not shown', 'not shown')).toEqual(said);
		expect(lost('add', 'not in it', 'not in it')).toEqual(['failed: It broke.']);
		expect(lost('remove', 'in it', 'unread')).toEqual(said);
		expect(lost('remove', 'in it', 'in it')).toEqual(['failed: It broke.']);
	});

	test.each([
		['Error 5.2: it broke.', 'Error 5.2: it broke. '],
		['Error 5.2: it broke', 'Error 5.2: it broke. '],
	])('the reason %j ends with one full stop before more is said', (reason, beginning) => {
		const lost = { recipients: recipients('a'), reason, lost: true } as const;
		const [line] = linesOf({ before: whole(), responses: { ...nothing, failed: [lost] } });
		expect(line).toContain(`failed: ${beginning}${MAY_HAVE}`);
	});

	test('of a call that changed only some, the count is nobody’s proof', () => {
		const given = { input: inputOf('a', 'b'), before: whole(), responses: taken(['a', 'b'], 1) };
		expect(linesOf(given)).toEqual(twice(expect.stringContaining(UNSEEN)));
		expect(linesOf({ ...given, after: whole('b') })).toEqual([
			expect.stringContaining(PASSED_OVER),
			'added',
		]);
	});

	test('a sync that stopped before it sent anything says so of everybody, members included', () => {
		const given = { before: whole('a'), input: inputOf('a', 'b'), stopped: 'Access denied' };
		expect(linesOf(given)).toEqual(twice('failed: Access denied'));
		expect(countsOf(given)).toEqual({ failed: 2 });
	});

	test('the last look at the group counts, where it shows all of it', () => {
		const given: Given = {
			mode: 'mirror',
			before: whole('a', 'z'),
			plan: { send: [], by: 'id', surplus: ['z'] },
			responses: nothing,
			after: whole('a', 'z'),
			removal: nothing,
		};
		expect(linesOf({ ...given, afterRemoval: whole() })).toEqual([
			expect.stringContaining('somebody else has removed this recipient'),
		]);
		expect(linesOf({ ...given, afterRemoval: part() })).toEqual(['alreadyMember']);
		expect(linesOf({ ...given, afterRemoval: undefined })).toEqual(['alreadyMember']);
	});
});

describe('a dry run by ID', () => {
	/** What a group of our own shows after the recipients who may be new went into it. */
	const resolved = (responses: Responses, members: GroupMembers): ResolvedRecipients => ({
		responses,
		members,
		owners: [],
	});
	const dry = (given: Given) => linesOf({ dryRun: true, before: whole('z'), ...given });

	test.each<[Reply, GroupMembers, string]>([
		['counted as changed', whole(), 'added: Would be added'],
		['taken, not counted', whole('a'), 'added: Would be added'],
		['taken, not counted', part('a'), 'added: Would be added'],
		['taken, not counted', whole(), PASSED_OVER],
		['taken, not counted', part(), `failed: ${UNSEEN}`],
		['unknown', whole(), 'unknown: Not in system'],
		['failed', whole('a'), 'failed: It broke.'],
		['without an answer', whole(), 'failed: It broke.'],
	])('Add: %s', (reply, members, outcome) => {
		const [line = ''] = dry({ resolved: resolved(replies[reply], members) });
		expect(line.startsWith(outcome)).toBe(true);
		expect(line).not.toContain(MAY_HAVE);
	});

	test('Add: who is a member is not asked for', () => {
		expect(dry({ before: whole('a') })).toEqual(['alreadyMember']);
	});

	test('Add: nobody would be added of whom nothing was resolved in a group not shown whole', () => {
		expect(dry({ before: part() })).toEqual([NEVER_SETTLED]);
	});

	test('Add: stopped, it says of nobody that they would be added, and of those found unknown that', () => {
		const given = { stopped: 'Access denied', input: inputOf('a', 'b') };
		const responses = { ...taken(['a'], 1), unknown: unknown('b').unknown };
		expect(dry({ ...given, resolved: resolved(responses, whole('a')) })).toEqual([
			'failed: Access denied',
			'unknown: Not in system',
		]);
	});

	test('Remove: who is in the group would be taken out, the others are no members', () => {
		const given: Given = {
			mode: 'remove',
			input: inputOf('z', 'a', 'x'),
			resolved: resolved(
				{ ...taken(['a', 'z'], 2), unknown: unknown('x').unknown },
				whole('a', 'z'),
			),
		};
		expect(dry(given)).toEqual([
			'removed: Would be removed',
			'notMember',
			'unknown: Not in system',
		]);
		expect(dry({ ...given, stopped: 'Access denied' })).toEqual([
			...twice('failed: Access denied'),
			'unknown: Not in system',
		]);
	});

	test('Remove: nobody would be taken out who is not seen in the group', () => {
		expect(dry({ mode: 'remove', before: part() })).toEqual([NEVER_SETTLED]);
	});
});

describe('by email, from the counts', () => {
	const byEmail = { identifyBy: 'email', input: inputOf('a', 'b') } as const;
	const both = (count: number | undefined): Given => ({
		...byEmail,
		responses: taken(['a', 'b'], count),
	});

	test.each<['add' | 'remove', number | undefined, string]>([
		['add', 2, 'added'],
		['add', 0, 'alreadyMember'],
		['add', undefined, IN_NOW],
		['remove', 2, 'removed'],
		['remove', 0, 'notMember'],
		['remove', undefined, OUT_NOW],
	])('%s: a call of two that changed %p', (mode, count, outcome) => {
		for (const line of linesOf({ ...both(count), mode })) {
			if (outcome.includes(':')) expect(line.startsWith(outcome)).toBe(true);
			else expect(line).toBe(outcome);
		}
		expect(Object.values(countsOf({ ...both(count), mode }))).toEqual([2]);
	});

	test.each([
		['add', IN_NOW, { added: 1, alreadyMember: 1 }],
		['remove', OUT_NOW, { removed: 1, notMember: 1 }],
	] as const)(
		'%s: of a call that changed one of two nobody is said to be that one',
		(mode, outcome, counts) => {
			const given = { ...both(1), mode };
			expect(linesOf(given)).toEqual(twice(expect.stringMatching(`^${escaped(outcome)}`)));
			expect(countsOf(given)).toEqual(counts);
			expect(countsOf({ ...given, perRecipient: true })).toEqual({
				[mode === 'add' ? 'alreadyMember' : 'notMember']: 2,
			});
		},
	);

	test('calls stand for themselves', () => {
		const responses = {
			...nothing,
			taken: [
				{ recipients: recipients('a'), changed: 1 },
				{ recipients: recipients('b'), changed: 0 },
			],
			unknown: unknown('c').unknown,
			failed: [...failed(['d'], true).failed, ...failed(['e']).failed],
		};
		const given = { ...byEmail, input: inputOf('e', 'd', 'c', 'b', 'a'), responses };
		expect(linesOf(given)).toEqual([
			'failed: It broke.',
			expect.stringMatching(`^failed: It broke\\. ${MAY_HAVE}`),
			'unknown: Not in system',
			'alreadyMember',
			'added',
		]);
		expect(countsOf(given)).toEqual({ added: 1, alreadyMember: 1, unknown: 1, failed: 2 });
	});

	test.each([
		['add', /^failed: The service accepted the call but silently ignored/, 'failed'],
		['remove', /^notMember$/, 'notMember'],
	] as const)('%s: whom the service silently ignored is not in the group', (mode, line, status) => {
		const given: Given = {
			...byEmail,
			mode,
			responses: { ...nothing, ignored: recipients('a', 'b') },
		};
		expect(linesOf(given)).toEqual(twice(expect.stringMatching(line)));
		expect(countsOf(given)).toEqual({ [status]: 2 });
		expect(said(given).notes).toEqual([]);
	});

	test.each([0, 1])(
		'whom a call of %d changed left as before is unverified where it may be unknown',
		(changed) => {
			const taken = [{ recipients: recipients('a', 'b'), changed, unverified: true }];
			const given: Given = { ...byEmail, responses: { ...nothing, taken } };
			expect(linesOf(given)).toEqual(twice(expect.stringContaining(`alreadyMember?: ${UNSEEN}`)));
			expect(countsOf(given)).toEqual({
				alreadyMember: 2 - changed,
				...(changed ? { added: 1 } : {}),
			});
		},
	);

	test('without a response of the group nobody has a status', () => {
		expect(linesOf({ ...byEmail, stopped: 'Access denied' })).toEqual(
			twice('failed: Access denied'),
		);
		expect(linesOf(byEmail)).toEqual(twice(NEVER_SETTLED));
		expect(countsOf(byEmail)).toEqual({ failed: 2 });
	});
});

describe('by email, from the IDs that were resolved', () => {
	const resolved = (
		owners: Owners[],
		given: Partial<ResolvedRecipients> = {},
	): ResolvedRecipients => ({ responses: nothing, members: whole(), owners, ...given });
	const owners = (emails: string[], ...ids: string[]): Owners => ({
		emails: recipients(...emails),
		ids: new Set(ids),
	});
	/** Mirror adds 2 to a group of 1, and both are seen in it. */
	const mirror: Given = {
		identifyBy: 'email',
		mode: 'mirror',
		input: inputOf('a', 'b'),
		before: whole('1'),
		plan: { send: recipients('2'), by: 'id', surplus: [] },
		responses: taken(['2'], 1),
		after: whole('1', '2'),
		resolved: resolved([owners(['a', 'b'], '1', '2')]),
	};

	test('an address whose ID is known has the status of the ID', () => {
		const known = resolved([owners(['a'], '1'), owners(['b'], '2')]);
		expect(linesOf({ ...mirror, resolved: known })).toEqual(['alreadyMember', 'added']);
	});

	test('addresses of one kind need no telling apart', () => {
		const all = { ...mirror, before: whole(), responses: taken(['1', '2'], 2) };
		expect(linesOf(all)).toEqual(['added', 'added']);
		expect(countsOf(all)).toEqual({ added: 2 });
	});

	test('addresses that were not told apart are called members in unverified, and are counted right', () => {
		expect(linesOf(mirror)).toEqual(twice(expect.stringMatching(`^${escaped(IN_NOW)}`)));
		expect(countsOf(mirror)).toEqual({ added: 1, alreadyMember: 1 });
	});

	test('a failure among addresses that were not told apart is everybody’s', () => {
		const given = { ...mirror, responses: failed(['2']), after: whole('1') };
		const reason = '1 of 2 recipients, it is not known which: It broke.';
		expect(linesOf(given)).toEqual(twice(`failed: ${reason}`));
		expect(countsOf(given)).toEqual({ alreadyMember: 1, failed: 1 });
		expect(said(given).firstFailure).toBe(reason);
		expect(said({ ...given, perRecipient: false }).firstFailure).toBe('It broke.');
	});

	test('an unverified one among addresses that were not told apart makes all unverified', () => {
		const given = { ...mirror, before: part('1'), responses: taken(['2'], 0), after: undefined };
		expect(linesOf(given)).toEqual(twice(expect.stringMatching(`^alreadyMember\\?: ${UNSEEN}`)));
	});

	test('more addresses than IDs: the service ignored some', () => {
		const short = resolved([owners(['a', 'b'], '1')]);
		const given = { ...mirror, resolved: short, responses: nothing };
		expect(linesOf(given)).toEqual(
			twice(expect.stringContaining('1 of 2 recipients, it is not known which: The service')),
		);
		expect(countsOf(given)).toEqual({ alreadyMember: 1, failed: 1 });
		const ignored = { responses: { ...nothing, ignored: recipients('b') } };
		expect(linesOf({ ...given, resolved: resolved([owners(['a'], '1')], ignored) })).toEqual([
			'alreadyMember',
			expect.stringMatching(`^${PASSED_OVER}`),
		]);
	});

	test('a dry run says what would be, and in unverified that it could not be found out', () => {
		const dry = { ...mirror, dryRun: true, responses: undefined, after: undefined };
		const told = resolved([owners(['a'], '1'), owners(['b'], '2')]);
		expect(linesOf({ ...dry, resolved: told })).toEqual(['alreadyMember', 'added: Would be added']);
		expect(linesOf(dry)).toEqual(twice(expect.stringMatching('^alreadyMember\\?: Would be')));
		expect(countsOf(dry)).toEqual({ added: 1, alreadyMember: 1 });
		const out = { ...dry, mode: 'remove' } as const;
		expect(linesOf({ ...out, resolved: told })).toEqual(['removed: Would be removed', 'notMember']);
		expect(linesOf(out)).toEqual(twice(expect.stringMatching('^notMember\\?: Would not be')));
		expect(countsOf(out)).toEqual({ removed: 1, notMember: 1 });
	});

	test('a dry run of Remove: an address that the service ignores is no member', () => {
		const dry = { ...mirror, mode: 'remove', dryRun: true, responses: undefined } as const;
		const ignored = { responses: { ...nothing, ignored: recipients('b') } };
		expect(linesOf({ ...dry, resolved: resolved([owners(['a'], '1')], ignored) })).toEqual([
			'removed: Would be removed',
			'notMember',
		]);
		expect(countsOf({ ...dry, resolved: resolved([owners(['a', 'b'], '1')]) })).toEqual({
			removed: 1,
			notMember: 1,
		});
	});

	test('who was not resolved is unknown or failed', () => {
		const asked = { ...failed(['a']), unknown: unknown('b').unknown };
		const given = { ...mirror, resolved: resolved([], { responses: asked }) };
		expect(linesOf(given)).toEqual(['failed: It broke.', 'unknown: Not in system']);
	});

	test('a look-up without an answer may have reached the group only where somebody was sent to it', () => {
		const lost = { ...mirror, resolved: resolved([], { responses: failed(['a', 'b'], true) }) };
		const mayHave = twice(expect.stringContaining(MAY_HAVE));
		const cannot = ['failed: It broke.', 'failed: It broke.'];
		expect(linesOf(lost)).toEqual(mayHave);
		expect(linesOf({ ...lost, plan: { send: [], by: 'id', surplus: [] } })).toEqual(cannot);
		expect(linesOf({ ...lost, responses: undefined, dryRun: true })).toEqual(cannot);
	});

	test('stopped before the first change, nothing was done for anybody', () => {
		const given = {
			...mirror,
			input: inputOf('a', 'b', 'c'),
			responses: undefined,
			resolved: resolved([owners(['a', 'b'], '1', '2')], { responses: unknown('c') }),
			stopped: 'Access denied',
		};
		const nobody = twice('failed: Access denied');
		expect(linesOf(given)).toEqual([...nobody, 'unknown: Not in system']);
		expect(linesOf({ ...given, dryRun: true })).toEqual([...nobody, 'unknown: Not in system']);
	});
});

describe('the people whom Mirror takes out', () => {
	/** Mirror takes out y and z, and a stays. */
	const mirror: Given = {
		mode: 'mirror',
		before: whole('a', 'y', 'z'),
		plan: { send: [], by: 'id', surplus: ['y', 'z'] },
		responses: nothing,
		after: whole('a', 'y', 'z'),
		removal: taken(['y', 'z'], 2),
	};
	const OUT = 'removed: Not among the recipients of the input';

	test('each has a line of their own, and is counted', () => {
		const { extras } = said(mirror);
		expect(extras.map(({ recipient: id }) => id)).toEqual(['y', 'z']);
		expect(extras.map(inShort)).toEqual([OUT, OUT]);
		expect(countsOf(mirror)).toEqual({ alreadyMember: 1, removed: 2 });
	});

	test('what did not work is told of each', () => {
		const given = { ...mirror, removal: { ...failed(['y']), taken: taken(['z'], 1).taken } };
		expect(extrasOf(given)).toEqual(['failed: Not removed: It broke.', OUT]);
		expect(extrasOf({ ...given, afterRemoval: whole('a', 'z') })).toEqual([
			OUT,
			expect.stringContaining('this recipient is still in the group'),
		]);
	});

	test('in a dry run they would be taken out', () => {
		const dry = { ...mirror, dryRun: true, removal: undefined, responses: undefined };
		expect(extrasOf(dry)).toEqual(
			twice('removed: Would be removed: not among the recipients of the input'),
		);
		expect(extrasOf({ ...dry, stopped: 'Access denied' })).toEqual([]);
	});

	test('whoever stays has a line that says why, unless the sync stopped', () => {
		expect(extrasOf({ ...mirror, removal: undefined })).toEqual([]);
		expect(extrasOf({ ...mirror, stopped: 'Access denied' })).toEqual([]);
		expect(extrasOf({ ...mirror, plan: { send: [], by: 'id', surplus: [] } })).toEqual([]);
		expect(extrasOf({ ...mirror, heldBack: 'the group could not be read again' })).toEqual(
			twice('failed: Not removed: the group could not be read again'),
		);
	});
});

describe('what is said of the whole run', () => {
	const notesOf = (given: Given) => said(given).notes;

	test('items that name nobody have a line and are counted, in the order of the items', () => {
		const given: Given = {
			input: [
				{ itemIndex: 0, given: '?', status: 'invalid', reason: 'Not a recipient ID' },
				{ itemIndex: 1, recipient: { key: 'a', value: 'A' } },
				{ itemIndex: 2, given: 'a', status: 'duplicate', reason: 'The same as in item 1' },
			],
			before: whole('a'),
			responses: nothing,
		};
		expect(said(given).lines).toEqual([
			{ recipient: '?', status: 'invalid', reason: 'Not a recipient ID' },
			{ recipient: 'A', status: 'alreadyMember', reason: '' },
			{ recipient: 'a', status: 'duplicate', reason: 'The same as in item 1' },
		]);
		expect(countsOf(given)).toEqual({ alreadyMember: 1, invalid: 1, duplicate: 1 });
		expect(said(given).firstFailure).toBeUndefined();
	});

	test('the first reason of a failure is told', () => {
		const responses = { ...failed(['b']), unknown: unknown('a').unknown };
		const given = { input: inputOf('a', 'b', 'c'), before: whole(), responses };
		expect(said(given).firstFailure).toBe('It broke.');
	});

	test('nobody failed where the service took and counted everybody', () => {
		const all: Given = { identifyBy: 'email', responses: taken(['a'], 1) };
		expect(said(all).firstFailure).toBeUndefined();
	});

	test('each unverified is a note, with how many it is about', () => {
		const responses = taken(['a', 'b'], undefined);
		expect(
			notesOf({ identifyBy: 'email', input: inputOf('a', 'b'), responses: responses }),
		).toEqual([
			expect.stringMatching(
				/^Not proved for 2 recipients, counted as alreadyMember: In the group now.*before\.$/,
			),
		]);
		const one = taken(['a'], undefined);
		expect(notesOf({ identifyBy: 'email', mode: 'remove', responses: one })).toEqual([
			expect.stringMatching(/^Not proved for 1 recipient, counted as notMember: Not in the group/),
		]);
		expect(notesOf({ identifyBy: 'email', responses: taken(['a'], 1) })).toEqual([]);
	});

	test('warnings come first, then why Mirror took nobody out', () => {
		const given: Given = {
			mode: 'mirror',
			before: whole('a'),
			responses: nothing,
			warnings: ['Mind the gap'],
			heldBack: 'the group could not be read again',
		};
		const why = 'removed from the group, because the group could not be read again.';
		expect(notesOf(given)).toEqual(['Mind the gap', `Nobody was ${why}`]);
		expect(notesOf({ ...given, dryRun: true })).toEqual(['Mind the gap', `Nobody would be ${why}`]);
		expect(given.warnings).toEqual(['Mind the gap']);
	});

	test('counts in words', () => {
		const none = said({ input: [] }).summary;
		expect(inWords(none)).toBe('nobody');
		expect(inWords({ ...none, failed: 1, added: 3 })).toBe('added 3, failed 1');
	});
});

describe('whether all additions of a Mirror are proved', () => {
	const adding = (keys: string[], given: Given) => {
		const all: Given = {
			mode: 'mirror',
			input: inputOf(...keys),
			before: whole(),
			plan: { send: recipients(...keys), by: 'id', surplus: [] },
			...given,
		};
		const { request, findings } = syncOf(all);
		return unprovedAddition(request, findings);
	};

	test('they are where everybody was counted or seen', () => {
		expect(adding(['a', 'b'], { responses: taken(['a', 'b'], 2) })).toBeUndefined();
		expect(
			adding(['a', 'b'], { responses: taken(['a', 'b'], 1), after: whole('a', 'b') }),
		).toBeUndefined();
	});

	test('recipients proved unknown do not count', () => {
		expect(adding(['a'], { responses: unknown('a') })).toBeUndefined();
	});

	test.each([
		[['a'], '1 person could not be added for certain: It broke.'],
		[['a', 'b'], '2 people could not be added for certain: It broke.'],
	])('%j failed', (keys, reason) => {
		expect(adding(keys, { responses: failed(keys) })).toBe(reason);
	});

	test('they are not while one is in unverified', () => {
		expect(adding(['a'], { responses: taken(['a'], undefined) })).toContain(
			`1 person could not be added for certain: ${UNSEEN}`,
		);
	});
});

function escaped(text: string): string {
	return text.replace(/[?.*+()]/g, '\\$&');
}
