import type {
	Responses,
	Evidence,
	GroupMembers,
	ResolvedRecipients,
	Owners,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	inWords,
	unprovedAddition,
	classify,
	type Line,
	type Summary,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';

const recipient = (key: string) => ({ key, value: key });
const recipients = (...keys: string[]) => keys.map(recipient);
const inputOf = (...keys: string[]): Evidence['input'] =>
	recipients(...keys).map((one, itemIndex) => ({ itemIndex, recipient: one }));

const whole = (...ids: string[]): GroupMembers => ({
	ids: new Set(ids),
	complete: true,
	shown: `${ids.length} of ${ids.length}`,
});
/** A group of which the service shows only these. */
const part = (...ids: string[]): GroupMembers => ({
	ids: new Set(ids),
	complete: false,
	shown: `${ids.length} of 9`,
});

const taken = (keys: string[], changed: number | undefined): Responses => ({
	taken: [{ recipients: recipients(...keys), changed }],
	unknown: [],
	failed: [],
});
const unknown = (...keys: string[]): Responses => ({
	taken: [],
	unknown: recipients(...keys).map((one) => ({ recipient: one, reason: 'Not in system' })),
	failed: [],
});
const failed = (keys: string[], lost?: true): Responses => ({
	taken: [],
	unknown: [],
	failed: [{ recipients: recipients(...keys), reason: 'It broke.', lost }],
});
const nothing: Responses = { taken: [], unknown: [], failed: [] };

const evidence = (given: Partial<Evidence>): Evidence => ({
	mode: 'add',
	identifyBy: 'id',
	dryRun: false,
	perRecipient: true,
	input: inputOf('a'),
	silentlyIgnored: new Set(),
	seenKnown: new Set(),
	warnings: [],
	...given,
});

/** A line as "status: reason", with a question mark where it is not proved. */
const said = ({ status, reason, doubt }: Line): string =>
	`${status}${doubt ? '?' : ''}${reason === '' ? '' : `: ${reason}`}`;

const linesOf = (given: Partial<Evidence>): string[] => classify(evidence(given)).lines.map(said);

const extrasOf = (given: Partial<Evidence>): string[] => classify(evidence(given)).extras.map(said);

/** The statuses of the summary that somebody has. */
const countsOf = (given: Partial<Evidence>): Partial<Summary> =>
	Object.fromEntries(
		Object.entries(classify(evidence({ perRecipient: false, ...given })).summary).filter(
			([, count]) => count > 0,
		),
	);

const twice = (line: unknown) => [line, line];

const MAY_HAVE = 'The change may have been carried out';
const PASSED_OVER = 'failed: The service took the call and passed over';
const UNSEEN = 'The service took the call, but neither its counts nor the group show';
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
		['not in it', 'taken, not counted', 'unread', `alreadyMember?: ${UNSEEN}`],
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
		const given = { before: groups[before], responses: replies[reply], after: groups[after] };
		expect(linesOf(given)).toEqual([expect.stringMatching(new RegExp(`^${escaped(outcome)}`))]);
		expect(linesOf(given)[0]).not.toContain(MAY_HAVE);
		if (!outcome.includes(':')) expect(linesOf(given)).toEqual([outcome]);
	});

	test.each<[Seen, Reply, Seen, string]>([
		['not in it', 'taken, not counted', 'not in it', 'notMember'],
		['not in it', 'never sent', 'unread', 'notMember'],
		['not in it', 'never sent', 'in it', 'failed: Was not in the group when this sync began'],
		['not in it', 'unknown', 'not in it', 'unknown: Not in system'],
		['not in it', 'unknown', 'unread', 'unknown: Not in system'],
		['in it', 'counted as changed', 'not in it', 'removed'],
		['in it', 'counted as changed', 'unread', 'removed'],
		['in it', 'counted as changed', 'in it', 'failed: The service took the call, but this'],
		['in it', 'taken, not counted', 'in it', 'failed: The service took the call, but this'],
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
		const given: Partial<Evidence> = {
			mode: 'remove',
			before: groups[before],
			responses: replies[reply],
			after: groups[after],
		};
		expect(linesOf(given)).toEqual([expect.stringMatching(new RegExp(`^${escaped(outcome)}`))]);
		expect(linesOf(given)[0]).not.toContain(MAY_HAVE);
		if (!outcome.includes(':')) expect(linesOf(given)).toEqual([outcome]);
	});

	test('a call without an answer may have been carried out, as long as the group does not show it', () => {
		const lost = (mode: 'add' | 'remove', before: Seen, after: Seen) =>
			linesOf({
				mode,
				before: groups[before],
				responses: replies['without an answer'],
				after: groups[after],
			});
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

	test('a sync that stopped under way says why of those who were not sent', () => {
		const given = { before: whole('z'), input: inputOf('a', 'b'), stopped: 'Access denied' };
		expect(linesOf({ ...given, responses: taken(['a'], 1) })).toEqual([
			'added',
			'failed: Access denied',
		]);
		expect(
			linesOf({
				...given,
				mode: 'remove',
				before: whole('a', 'b'),
				responses: taken(['a'], 1),
			}),
		).toEqual(['removed', 'failed: Access denied']);
	});

	test('without a look at the group nothing is said of anybody', () => {
		expect(linesOf({ responses: taken(['a'], 1) })).toEqual([
			'failed: What became of this recipient is not known',
		]);
	});

	test('the last look at the group counts, where it shows all of it', () => {
		const given: Partial<Evidence> = {
			mode: 'mirror',
			before: whole('a', 'z'),
			plan: { send: [], by: 'id', surplus: ['z'] },
			responses: nothing,
			after: whole('a', 'z'),
		};
		expect(linesOf({ ...given, afterRemoval: whole() })).toEqual([
			expect.stringContaining('somebody else has taken this recipient out'),
		]);
		expect(linesOf({ ...given, afterRemoval: part() })).toEqual(['alreadyMember']);
		expect(linesOf({ ...given, afterRemoval: undefined })).toEqual(['alreadyMember']);
	});
});

describe('a dry run by ID', () => {
	/** What a group of our own shows after the recipients who may be new went into it. */
	const resolved = (responses: Responses, members: GroupMembers): ResolvedRecipients => ({
		responses: responses,
		members,
		owners: [],
		silentlyIgnored: new Set(),
	});
	const dry = (given: Partial<Evidence>) => linesOf({ dryRun: true, before: whole('z'), ...given });

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
		const given: Partial<Evidence> = {
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
			'failed: Access denied',
			'notMember',
			'unknown: Not in system',
		]);
	});

	test('Remove: nobody would be taken out who is not seen in the group', () => {
		expect(dry({ mode: 'remove', before: part() })).toEqual([NEVER_SETTLED]);
	});
});

describe('by email, from the counts', () => {
	const byEmail = { identifyBy: 'email', input: inputOf('a', 'b') } as const;
	const both = (count: number | undefined): Partial<Evidence> => ({
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

	test('whom the service passed over is not in the group, and is counted out of the call', () => {
		const silentlyIgnored = new Set(['b']);
		expect(linesOf({ ...both(1), silentlyIgnored: silentlyIgnored })).toEqual([
			'added',
			expect.stringMatching(`^${PASSED_OVER}`),
		]);
		expect(linesOf({ ...both(0), silentlyIgnored: silentlyIgnored, mode: 'remove' })).toEqual([
			'notMember',
			'notMember',
		]);
		expect(linesOf({ ...both(1), silentlyIgnored: silentlyIgnored, mode: 'remove' })).toEqual([
			'removed',
			'notMember',
		]);
		expect(linesOf({ ...both(0), silentlyIgnored: new Set(['a', 'b']) })).toEqual(
			twice(expect.stringMatching(`^${PASSED_OVER}`)),
		);
	});

	test('a call of nobody but such says nothing of others', () => {
		const all = { ...both(undefined), silentlyIgnored: new Set(['a', 'b']) };
		expect(classify(evidence(all)).notes).toEqual([]);
		expect(countsOf(all)).toEqual({ failed: 2 });
	});

	test('where unknown addresses are passed over, who was left as before is called a member only when known', () => {
		const left = (given: Partial<Evidence>) =>
			linesOf({ ...both(0), ignoresSilently: true, ...given });
		const doubt = twice(expect.stringContaining(`alreadyMember?: ${UNSEEN}`));
		const sure = ['alreadyMember', 'alreadyMember'];
		expect(left({})).toEqual(doubt);
		expect(left({ seenKnown: new Set(['a']) })).toEqual(doubt);
		expect(left({ seenKnown: new Set(['a', 'b']) })).toEqual(sure);
		expect(left({ ignoresSilently: false })).toEqual(sure);
		expect(left({ ignoresSilently: undefined })).toEqual(sure);
		// Who is unknown is no member either.
		expect(left({ mode: 'remove' })).toEqual(['notMember', 'notMember']);
	});

	test('a call that changed some, of a service that passes others over, leaves everybody in doubt', () => {
		const given = { ...both(1), ignoresSilently: true };
		expect(linesOf(given)).toEqual(twice(expect.stringContaining(UNSEEN)));
		expect(countsOf(given)).toEqual({ added: 1, alreadyMember: 1 });
	});

	test('without an answer of the group nobody has a status', () => {
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
	): ResolvedRecipients => ({
		responses: nothing,
		members: whole(),
		owners,
		silentlyIgnored: new Set(),
		...given,
	});
	const owners = (emails: string[], ...ids: string[]): Owners => ({
		emails: recipients(...emails),
		ids: new Set(ids),
	});
	/** Mirror adds 2 to a group of 1, and both are seen in it. */
	const mirror: Partial<Evidence> = {
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

	test('addresses that were not told apart are called members in doubt, and are counted right', () => {
		expect(linesOf(mirror)).toEqual(twice(expect.stringMatching(`^${escaped(IN_NOW)}`)));
		expect(countsOf(mirror)).toEqual({ added: 1, alreadyMember: 1 });
	});

	test('a failure among addresses that were not told apart is everybody’s', () => {
		const given = { ...mirror, responses: failed(['2']), after: whole('1') };
		const reason = '1 of 2 recipients, it is not known which: It broke.';
		expect(linesOf(given)).toEqual(twice(`failed: ${reason}`));
		expect(countsOf(given)).toEqual({ alreadyMember: 1, failed: 1 });
		expect(classify(evidence(given)).firstFailure).toBe(reason);
		expect(classify(evidence({ ...given, perRecipient: false })).firstFailure).toBe('It broke.');
	});

	test('a doubt among addresses that were not told apart is everybody’s', () => {
		const given = { ...mirror, responses: taken(['2'], 0), after: undefined };
		expect(linesOf(given)).toEqual(twice(expect.stringMatching(`^alreadyMember\\?: ${UNSEEN}`)));
	});

	test('more addresses than IDs: the service passed some over', () => {
		const short = resolved([owners(['a', 'b'], '1')]);
		const given = { ...mirror, resolved: short, responses: nothing };
		expect(linesOf(given)).toEqual(
			twice(expect.stringContaining('1 of 2 recipients, it is not known which: The service')),
		);
		expect(countsOf(given)).toEqual({ alreadyMember: 1, failed: 1 });
		const told = resolved([owners(['a', 'b'], '1')], { silentlyIgnored: new Set(['b']) });
		expect(linesOf({ ...given, resolved: told })).toEqual([
			'alreadyMember',
			expect.stringMatching(`^${PASSED_OVER}`),
		]);
		const nobody = resolved([owners(['a', 'b'])], { silentlyIgnored: new Set(['a', 'b']) });
		expect(countsOf({ ...given, resolved: nobody })).toEqual({ failed: 2 });
	});

	test('the summary counts addresses, not IDs that are none of theirs', () => {
		const others = resolved([owners(['a', 'b'], '1', '2')], {
			silentlyIgnored: new Set(['a', 'b']),
		});
		expect(countsOf({ ...mirror, resolved: others })).toEqual({ failed: 2 });
	});

	test('a dry run says what would be, and in doubt that it could not be found out', () => {
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

	test('a dry run of Remove: an address that the service passes over is no member', () => {
		const dry = { ...mirror, mode: 'remove', dryRun: true, responses: undefined } as const;
		const told = resolved([owners(['a', 'b'], '1')], { silentlyIgnored: new Set(['b']) });
		expect(linesOf({ ...dry, resolved: told })).toEqual(['removed: Would be removed', 'notMember']);
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
		expect(linesOf({ ...lost, responses: undefined })).toEqual(cannot);
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

	test('stopped later, what was done stays proved', () => {
		expect(countsOf({ ...mirror, stopped: 'Access denied' })).toEqual({
			added: 1,
			alreadyMember: 1,
		});
	});
});

describe('the people whom Mirror takes out', () => {
	/** Mirror takes out y and z, and a stays. */
	const mirror: Partial<Evidence> = {
		mode: 'mirror',
		before: whole('a', 'y', 'z'),
		plan: { send: [], by: 'id', surplus: ['y', 'z'] },
		responses: nothing,
		after: whole('a', 'y', 'z'),
		removal: taken(['y', 'z'], 2),
	};
	const OUT = 'removed: Not among the recipients of the input';

	test('each has a line of their own, and is counted', () => {
		const { extras } = classify(evidence(mirror));
		expect(extras.map(({ recipient: id }) => id)).toEqual(['y', 'z']);
		expect(extras.map(said)).toEqual([OUT, OUT]);
		expect(countsOf(mirror)).toEqual({ alreadyMember: 1, removed: 2 });
	});

	test('what did not work is told of each', () => {
		const given = { ...mirror, removal: { ...failed(['y']), taken: taken(['z'], 1).taken } };
		expect(extrasOf(given)).toEqual(['failed: It broke.', OUT]);
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

	test('nobody is named whom Mirror leaves in the group', () => {
		expect(extrasOf({ ...mirror, removal: undefined })).toEqual([]);
		expect(extrasOf({ ...mirror, plan: undefined })).toEqual([]);
		expect(extrasOf({ ...mirror, plan: { send: [], by: 'id', surplus: [] } })).toEqual([]);
		expect(extrasOf({ ...mirror, nobodyRemoved: 'the group could not be read again' })).toEqual([]);
	});
});

describe('what is said of the whole run', () => {
	const notesOf = (given: Partial<Evidence>) => classify(evidence(given)).notes;

	test('items that name nobody have a line and are counted, in the order of the items', () => {
		const given: Partial<Evidence> = {
			input: [
				{ itemIndex: 0, given: '?', status: 'invalid', reason: 'Not a recipient ID' },
				{ itemIndex: 1, recipient: { key: 'a', value: 'A' } },
				{ itemIndex: 2, given: 'a', status: 'duplicate', reason: 'The same as in item 1' },
			],
			before: whole('a'),
			responses: nothing,
		};
		expect(classify(evidence(given)).lines).toEqual([
			{ recipient: '?', status: 'invalid', reason: 'Not a recipient ID' },
			{ recipient: 'A', status: 'alreadyMember', reason: '' },
			{ recipient: 'a', status: 'duplicate', reason: 'The same as in item 1' },
		]);
		expect(countsOf(given)).toEqual({ alreadyMember: 1, invalid: 1, duplicate: 1 });
		expect(classify(evidence(given)).firstFailure).toBeUndefined();
	});

	test('the first reason of a failure is told', () => {
		const responses = { ...failed(['b']), unknown: unknown('a').unknown };
		const given = { input: inputOf('a', 'b', 'c'), before: whole(), responses };
		expect(classify(evidence(given)).firstFailure).toBe('It broke.');
	});

	test('nobody failed where the service took and counted everybody', () => {
		const all = evidence({ identifyBy: 'email', responses: taken(['a'], 1) });
		expect(classify(all).firstFailure).toBeUndefined();
	});

	test('each doubt is a note, with how many it is about', () => {
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
		const given: Partial<Evidence> = {
			mode: 'mirror',
			before: whole('a'),
			responses: nothing,
			warnings: ['Mind the gap'],
			nobodyRemoved: 'the group could not be read again',
		};
		const why = 'removed from the group, because the group could not be read again.';
		expect(notesOf(given)).toEqual(['Mind the gap', `Nobody was ${why}`]);
		expect(notesOf({ ...given, dryRun: true })).toEqual(['Mind the gap', `Nobody would be ${why}`]);
		expect(given.warnings).toEqual(['Mind the gap']);
	});

	test('counts in words', () => {
		const none = classify(evidence({ input: [] })).summary;
		expect(inWords(none)).toBe('nobody');
		expect(inWords({ ...none, failed: 1, added: 3 })).toBe('added 3, failed 1');
	});
});

describe('whether all additions of a Mirror are proved', () => {
	const adding = (keys: string[], given: Partial<Evidence>) =>
		unprovedAddition(
			evidence({
				mode: 'mirror',
				input: inputOf(...keys),
				before: whole(),
				plan: { send: recipients(...keys), by: 'id', surplus: [] },
				...given,
			}),
		);

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

	test('they are not while one is in doubt', () => {
		expect(adding(['a'], { responses: taken(['a'], undefined) })).toContain(
			`1 person could not be added for certain: ${UNSEEN}`,
		);
	});
});

function escaped(text: string): string {
	return text.replace(/[?.*+()]/g, '\\$&');
}
