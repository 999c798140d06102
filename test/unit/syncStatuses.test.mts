import type {
	GroupMembers,
	Owners,
	ResolvedRecipients,
	Responses,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/evidence.ts';
import {
	classify,
	inWords,
	unprovedAddition,
	type Line,
	type Summary,
} from '../../nodes/MessagingService/resources/recipientGroup/sync/classify.ts';
import { inputOf, nothing, part, recipients, syncOf, whole, type Given } from './syncEvidence.mts';

const classified = (given: Given) => {
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
});
const failed = (keys: string[], lost?: true): Responses => ({
	...nothing,
	failed: [{ recipients: recipients(...keys), reason: 'It broke.', lost }],
});
const ignored = (...keys: string[]): Responses => ({ ...nothing, ignored: recipients(...keys) });

/** Returns a line as "status: reason", with a question mark after an unverified status. */
const formatLine = ({ status, reason, unverified }: Line): string =>
	`${status}${unverified ? '?' : ''}${reason === '' ? '' : `: ${reason}`}`;

/** Compares the lines. An expected line may be complete, or a status and the start of its reason. */
function expectLines(lines: Line[], ...expected: string[]): void {
	const shown = lines.map(formatLine).map((line, index) => {
		const start = expected[index] ?? '';
		return start.includes(':') ? line.slice(0, start.length) : line;
	});
	expect(shown).toEqual(expected);
}

/** Returns the counts of the summary, without zeros. */
const countsOf = (given: Given): Partial<Summary> => {
	const { summary } = classified({ perRecipient: false, ...given });
	return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
};

const twoLines = (line: string): [string, string] => [line, line];

const BROKE = 'failed: It broke.';
const MAY_HAVE = `${BROKE} The change may have been carried out`;
const IGNORED = 'failed: The service accepted the call but silently ignored';
const UNSEEN = 'The service accepted the call, but neither its counts nor the group show';
const IN_NOW = 'alreadyMember?: In the group now; the service does not show';
const OUT_NOW = 'notMember?: Not in the group now; the service does not show';
const NEVER_SETTLED = 'failed: The outcome for this recipient is unknown';
const NOT_IN_SYSTEM = 'unknown: Not in system';
const DENIED = 'failed: Access denied';
const STILL_THERE =
	'failed: The service accepted the call, but this recipient is still in the group';
const REMOVED_BY_OTHERS =
	'failed: Was in the group when this sync started; somebody else has removed thi';

const groups = {
	'in it': whole('a', 'z'),
	'not in it': whole('z'),
	'not shown': part('z'),
	unread: undefined,
} as const;
type Group = keyof typeof groups;

const replies = {
	'counted as changed': taken(['a'], 1),
	'accepted, not counted': taken(['a'], 0),
	'accepted without a count': taken(['a'], undefined),
	unknown: unknown('a'),
	failed: failed(['a']),
	lost: failed(['a'], true),
	'never sent': nothing,
} as const;
type Reply = keyof typeof replies;

type ById = [mode: 'add' | 'remove', before: Group, reply: Reply, after: Group, outcome: string];

test.each<ById>([
	['add', 'in it', 'never sent', 'in it', 'alreadyMember'],
	['add', 'in it', 'never sent', 'unread', 'alreadyMember'],
	['add', 'in it', 'never sent', 'not shown', 'alreadyMember'],
	['add', 'in it', 'never sent', 'not in it', REMOVED_BY_OTHERS],
	['add', 'not in it', 'counted as changed', 'in it', 'added'],
	['add', 'not in it', 'counted as changed', 'unread', 'added'],
	['add', 'not in it', 'counted as changed', 'not shown', 'added'],
	['add', 'not in it', 'counted as changed', 'not in it', 'failed: The service counted this'],
	['add', 'not in it', 'accepted, not counted', 'in it', 'added'],
	['add', 'not in it', 'accepted, not counted', 'unread', `failed: ${UNSEEN}`],
	['add', 'not in it', 'accepted, not counted', 'not in it', IGNORED],
	['add', 'not in it', 'failed', 'in it', 'added'],
	['add', 'not in it', 'lost', 'unread', MAY_HAVE],
	['add', 'not in it', 'lost', 'not in it', MAY_HAVE],
	['add', 'not in it', 'unknown', 'in it', 'added'],
	['add', 'not in it', 'unknown', 'not in it', NOT_IN_SYSTEM],
	['add', 'not in it', 'unknown', 'unread', NOT_IN_SYSTEM],
	['add', 'not in it', 'never sent', 'not in it', NEVER_SETTLED],
	['add', 'not shown', 'counted as changed', 'in it', 'added'],
	['add', 'not shown', 'counted as changed', 'not shown', 'added'],
	['add', 'not shown', 'accepted, not counted', 'in it', IN_NOW],
	['add', 'not shown', 'accepted without a count', 'in it', IN_NOW],
	['add', 'not shown', 'accepted without a count', 'unread', `alreadyMember?: ${UNSEEN}`],
	['add', 'not shown', 'failed', 'in it', IN_NOW],
	['add', 'not shown', 'lost', 'not shown', MAY_HAVE],
	['add', 'not shown', 'unknown', 'not shown', NOT_IN_SYSTEM],
	['remove', 'not in it', 'accepted, not counted', 'not in it', 'notMember'],
	['remove', 'not in it', 'counted as changed', 'not in it', 'removed'],
	['remove', 'not in it', 'never sent', 'unread', 'notMember'],
	[
		'remove',
		'not in it',
		'never sent',
		'in it',
		'failed: Was not in the group when this sync started',
	],
	['remove', 'not in it', 'unknown', 'not in it', NOT_IN_SYSTEM],
	['remove', 'not in it', 'unknown', 'unread', NOT_IN_SYSTEM],
	['remove', 'in it', 'counted as changed', 'not in it', 'removed'],
	['remove', 'in it', 'counted as changed', 'unread', 'removed'],
	['remove', 'in it', 'counted as changed', 'in it', STILL_THERE],
	['remove', 'in it', 'accepted, not counted', 'in it', STILL_THERE],
	['remove', 'in it', 'accepted, not counted', 'not in it', 'removed'],
	['remove', 'in it', 'accepted, not counted', 'unread', `failed: ${UNSEEN}`],
	['remove', 'in it', 'failed', 'not in it', 'removed'],
	['remove', 'in it', 'failed', 'in it', BROKE],
	['remove', 'in it', 'failed', 'unread', BROKE],
	['remove', 'in it', 'lost', 'in it', MAY_HAVE],
	['remove', 'in it', 'lost', 'unread', MAY_HAVE],
	['remove', 'in it', 'unknown', 'in it', 'failed: Not in system'],
	['remove', 'in it', 'unknown', 'unread', 'failed: Not in system'],
	['remove', 'not shown', 'counted as changed', 'not in it', 'removed'],
	['remove', 'not shown', 'counted as changed', 'not shown', 'removed'],
	['remove', 'not shown', 'accepted, not counted', 'not in it', OUT_NOW],
	['remove', 'not shown', 'failed', 'not in it', OUT_NOW],
	['remove', 'not shown', 'accepted without a count', 'unread', `notMember?: ${UNSEEN}`],
	['remove', 'not shown', 'unknown', 'unread', NOT_IN_SYSTEM],
	['remove', 'not shown', 'never sent', 'unread', NEVER_SETTLED],
])(
	'%s by ID (in the group before: %s; response: %s; in the group after: %s) reports %s',
	(mode, before, reply, after, outcome) => {
		const responses = replies[reply];
		const { lines } = classified({ mode, before: groups[before], responses, after: groups[after] });
		expectLines(lines, outcome);
		if (outcome === BROKE) expect(lines[0]?.reason).toBe('It broke.');
	},
);

test.each(['Error 5.2: it broke.', 'Error 5.2: it broke'])(
	'ends the reason %j with one full stop before the next sentence',
	(reason) => {
		const lost = { recipients: recipients('a'), reason, lost: true } as const;
		const { lines } = classified({ before: whole(), responses: { ...nothing, failed: [lost] } });
		expectLines(lines, 'failed: Error 5.2: it broke. The change may have been carried out');
	},
);

const resolved = (
	owners: Owners[],
	responses = nothing,
	members: GroupMembers = whole(),
): ResolvedRecipients => ({ responses, members, owners });
const owners = (emails: string[], ...ids: string[]): Owners => ({
	emails: recipients(...emails),
	ids: new Set(ids),
});

const two = inputOf('a', 'b');
const denied = 'Access denied';
const nothingPlanned: Given['plan'] = { send: [], by: 'id', surplus: [] };

/** An Add by ID of the recipients `a` and `b`, who were not in the group. */
const addTwo: Given = { input: two, before: whole(), responses: taken(['a', 'b'], 1) };

/** A dry run of Add by ID. */
const dryAdd: Given = { dryRun: true, before: whole('z') };
const dryAddWith = (responses: Responses, members: GroupMembers) => ({
	...dryAdd,
	resolved: resolved([], responses, members),
});

/** A dry run of Remove by ID. */
const dryRemove: Given = {
	...dryAddWith({ ...taken(['a', 'z'], 2), unknown: unknown('x').unknown }, whole('a', 'z')),
	mode: 'remove',
	input: inputOf('z', 'a', 'x'),
};

/** An Add by email of two addresses in one call. */
const byEmail = (changed?: number): Given => ({
	identifyBy: 'email',
	input: two,
	responses: taken(['a', 'b'], changed),
});
const ignoredByEmail: Given = { ...byEmail(), responses: ignored('a', 'b') };
const mayBeUnknown = (changed: number): Given => ({
	...byEmail(),
	responses: {
		...nothing,
		taken: [{ recipients: recipients('a', 'b'), changed, unverified: true }],
	},
});
const remove = { mode: 'remove' } as const;

/** A Mirror by email: person 1 is in the group, person 2 is added, and the group then shows both. */
const mirror: Given = {
	identifyBy: 'email',
	mode: 'mirror',
	input: two,
	before: whole('1'),
	plan: { ...nothingPlanned, send: recipients('2') },
	responses: taken(['2'], 1),
	after: whole('1', '2'),
	resolved: resolved([owners(['a', 'b'], '1', '2')]),
};
const resolvedSeparately = resolved([owners(['a'], '1'), owners(['b'], '2')]);
const dryMirror: Given = { ...mirror, dryRun: true, responses: undefined, after: undefined };
const fewerIds: Given = {
	...mirror,
	resolved: resolved([owners(['a', 'b'], '1')]),
	responses: nothing,
};
const oneIgnored = resolved([owners(['a'], '1')], ignored('b'));
const notFound = { ...failed(['a']), unknown: unknown('b').unknown };
const lostLookUp: Given = { ...mirror, resolved: resolved([], failed(['a', 'b'], true)) };
const stopped: Given = {
	...mirror,
	input: inputOf('a', 'b', 'c'),
	responses: undefined,
	resolved: resolved([owners(['a', 'b'], '1', '2')], unknown('c')),
	stopped: denied,
};
const SOME = 'failed: 1 of 2 recipients (unknown which): ';

test.each(
	Object.entries<[given: Given, lines: string[], counts?: Partial<Summary>]>({
		'Add by ID: fewer changes than recipients': [addTwo, twoLines(`failed: ${UNSEEN}`)],
		'Add by ID: fewer changes than recipients, but the group is read again': [
			{ ...addTwo, after: whole('b') },
			[IGNORED, 'added'],
		],
		'Add by ID: stopped before sending, with a member among the recipients': [
			{ before: whole('a'), input: two, stopped: denied },
			twoLines(DENIED),
			{ failed: 2 },
		],
		'dry Add by ID: counted': [dryAddWith(taken(['a'], 1), whole()), ['added: Would be added']],
		'dry Add by ID: shown in the group': [
			dryAddWith(taken(['a'], 0), whole('a')),
			['added: Would be added'],
		],
		'dry Add by ID: shown in an incomplete group': [
			dryAddWith(taken(['a'], 0), part('a')),
			['added: Would be added'],
		],
		'dry Add by ID: ignored': [dryAddWith(taken(['a'], 0), whole()), [IGNORED]],
		'dry Add by ID: not shown in an incomplete group': [
			dryAddWith(taken(['a'], 0), part()),
			[`failed: ${UNSEEN}`],
		],
		'dry Add by ID: unknown': [dryAddWith(unknown('a'), whole()), [NOT_IN_SYSTEM]],
		'dry Add by ID: failed': [dryAddWith(failed(['a']), whole('a')), [BROKE]],
		'dry Add by ID: response lost': [dryAddWith(failed(['a'], true), whole()), [BROKE]],
		'dry Add by ID: a member': [{ ...dryAdd, before: whole('a') }, ['alreadyMember']],
		'dry Add by ID: not resolved': [{ ...dryAdd, before: part() }, [NEVER_SETTLED]],
		'dry Add by ID: stopped': [
			{
				...dryAddWith({ ...taken(['a'], 1), unknown: unknown('b').unknown }, whole('a')),
				input: two,
				stopped: denied,
			},
			[DENIED, NOT_IN_SYSTEM],
		],
		'dry Remove by ID': [dryRemove, ['removed: Would be removed', 'notMember', NOT_IN_SYSTEM]],
		'dry Remove by ID: stopped': [
			{ ...dryRemove, stopped: denied },
			[...twoLines(DENIED), NOT_IN_SYSTEM],
		],
		'dry Remove by ID: not shown in an incomplete group': [
			{ ...dryAdd, ...remove, before: part() },
			[NEVER_SETTLED],
		],
		'Add by email: all changed': [byEmail(2), twoLines('added'), { added: 2 }],
		'Add by email: none changed': [byEmail(0), twoLines('alreadyMember'), { alreadyMember: 2 }],
		'Add by email: no count': [byEmail(), twoLines(IN_NOW), { alreadyMember: 2 }],
		'Add by email: one changed': [byEmail(1), twoLines(IN_NOW), { added: 1, alreadyMember: 1 }],
		'Add by email with one line per recipient: one changed': [
			{ ...byEmail(1), perRecipient: true },
			twoLines(IN_NOW),
			{ alreadyMember: 2 },
		],
		'Remove by email: all changed': [
			{ ...byEmail(2), ...remove },
			twoLines('removed'),
			{ removed: 2 },
		],
		'Remove by email: none changed': [
			{ ...byEmail(0), ...remove },
			twoLines('notMember'),
			{ notMember: 2 },
		],
		'Remove by email: no count': [{ ...byEmail(), ...remove }, twoLines(OUT_NOW), { notMember: 2 }],
		'Remove by email: one changed': [
			{ ...byEmail(1), ...remove },
			twoLines(OUT_NOW),
			{ removed: 1, notMember: 1 },
		],
		'Add by email: ignored': [ignoredByEmail, twoLines(IGNORED), { failed: 2 }],
		'Remove by email: ignored': [
			{ ...ignoredByEmail, ...remove },
			twoLines('notMember'),
			{ notMember: 2 },
		],
		'Add by email: none changed, and both may be unknown': [
			mayBeUnknown(0),
			twoLines(`alreadyMember?: ${UNSEEN}`),
			{ alreadyMember: 2 },
		],
		'Add by email: one changed, the other may be unknown': [
			mayBeUnknown(1),
			twoLines(`alreadyMember?: ${UNSEEN}`),
			{ alreadyMember: 1, added: 1 },
		],
		'Add by email: stopped': [
			{ ...byEmail(), responses: undefined, stopped: denied },
			twoLines(DENIED),
		],
		'Add by email: never sent': [
			{ ...byEmail(), responses: undefined },
			twoLines(NEVER_SETTLED),
			{ failed: 2 },
		],
		'Mirror by email: addresses resolved separately': [
			{ ...mirror, resolved: resolvedSeparately },
			['alreadyMember', 'added'],
		],
		'Mirror by email: all added': [
			{ ...mirror, before: whole(), responses: taken(['1', '2'], 2) },
			twoLines('added'),
			{ added: 2 },
		],
		'Mirror by email: addresses resolved together': [
			mirror,
			twoLines(IN_NOW),
			{ added: 1, alreadyMember: 1 },
		],
		'Mirror by email: addresses resolved together, one ID fails': [
			{ ...mirror, responses: failed(['2']), after: whole('1') },
			twoLines(`${SOME}It broke.`),
			{ alreadyMember: 1, failed: 1 },
		],
		'Mirror by email: addresses resolved together, one ID unverified': [
			{ ...mirror, before: part('1'), responses: taken(['2'], 0), after: undefined },
			twoLines(`alreadyMember?: ${UNSEEN}`),
		],
		'Mirror by email: more addresses than IDs': [
			fewerIds,
			twoLines(`${SOME}The service`),
			{ alreadyMember: 1, failed: 1 },
		],
		'Mirror by email: ignored': [{ ...fewerIds, resolved: oneIgnored }, ['alreadyMember', IGNORED]],
		'Mirror by email: not found': [
			{ ...mirror, resolved: resolved([], notFound) },
			[BROKE, NOT_IN_SYSTEM],
		],
		'Mirror by email: look-up response lost': [lostLookUp, twoLines(MAY_HAVE)],
		'Mirror by email: look-up response lost, no recipients to add': [
			{ ...lostLookUp, plan: nothingPlanned },
			twoLines(BROKE),
		],
		'dry Mirror by email: look-up response lost': [
			{ ...lostLookUp, responses: undefined, dryRun: true },
			twoLines(BROKE),
		],
		'Mirror by email: stopped': [stopped, [...twoLines(DENIED), NOT_IN_SYSTEM]],
		'dry Mirror by email: stopped': [
			{ ...stopped, dryRun: true },
			[...twoLines(DENIED), NOT_IN_SYSTEM],
		],
		'dry Mirror by email': [
			{ ...dryMirror, resolved: resolvedSeparately },
			['alreadyMember', 'added: Would be added'],
		],
		'dry Mirror by email: addresses resolved together': [
			dryMirror,
			twoLines('alreadyMember?: Would be'),
			{ added: 1, alreadyMember: 1 },
		],
		'dry Remove by email': [
			{ ...dryMirror, ...remove, resolved: resolvedSeparately },
			['removed: Would be removed', 'notMember'],
		],
		'dry Remove by email: addresses resolved together': [
			{ ...dryMirror, ...remove },
			twoLines('notMember?: Would not be'),
			{ removed: 1, notMember: 1 },
		],
		'dry Remove by email: ignored': [
			{ ...dryMirror, ...remove, resolved: oneIgnored },
			['removed: Would be removed', 'notMember'],
			{ removed: 1, notMember: 1 },
		],
	}),
)('classifies recipients: %s', (_what, [given, expected, counts]) => {
	const { lines } = classified(given);
	expectLines(lines, ...expected);
	for (const [index, line] of expected.entries()) {
		if (line === BROKE) expect(lines[index]?.reason).toBe('It broke.');
	}
	if (counts) expect(countsOf(given)).toEqual(counts);
});

test('classifies the recipients of each call independently', () => {
	const responses = {
		...nothing,
		taken: [...taken(['a'], 1).taken, ...taken(['b'], 0).taken],
		unknown: unknown('c').unknown,
		failed: [...failed(['d'], true).failed, ...failed(['e']).failed],
	};
	const given = { ...byEmail(), input: inputOf('e', 'd', 'c', 'b', 'a'), responses };
	expectLines(classified(given).lines, BROKE, MAY_HAVE, NOT_IN_SYSTEM, 'alreadyMember', 'added');
	expect(countsOf(given)).toEqual({ added: 1, alreadyMember: 1, unknown: 1, failed: 2 });
});

describe('people whom Mirror should remove', () => {
	/** A Mirror that removes the members `y` and `z` and keeps the member `a`. */
	const removal: Given = {
		mode: 'mirror',
		before: whole('a', 'y', 'z'),
		plan: { ...nothingPlanned, surplus: ['y', 'z'] },
		responses: nothing,
		after: whole('a', 'y', 'z'),
		removal: taken(['y', 'z'], 2),
	};
	const half = { ...removal, removal: { ...failed(['y']), taken: taken(['z'], 1).taken } };
	const dry = { ...removal, dryRun: true, removal: undefined, responses: undefined };
	const kept = { ...nothingPlanned, surplus: ['y'], kept: ['z'] };
	const REMOVED = 'removed: Not among the recipients of the input';
	const NOT_REMOVED = 'failed: Not removed: ';

	test.each<[string, Given, string[]]>([
		['get one line each', removal, twoLines(REMOVED)],
		['get the reason if their removal failed', half, [`${NOT_REMOVED}It broke.`, REMOVED]],
		[
			'get a failed line if they are still in the group',
			{ ...half, afterRemoval: whole('a', 'z') },
			[REMOVED, `${NOT_REMOVED}The service accepted the call, but this recipient is still in`],
		],
		[
			'get a line in a dry run',
			dry,
			twoLines('removed: Would be removed: not among the recipients of the input'),
		],
		['get no lines in a dry run that stopped', { ...dry, stopped: denied }, []],
		['get no lines before the removal', { ...removal, removal: undefined }, []],
		['get no lines in a sync that stopped', { ...removal, stopped: denied }, []],
		['get no lines if there are none', { ...removal, plan: nothingPlanned }, []],
		[
			'get the reason why nobody was removed',
			{ ...removal, heldBack: 'the group could not be read again' },
			twoLines(`${NOT_REMOVED}the group could not be read again`),
		],
		[
			'get a failed line if they are kept because an item names them for another group',
			{ ...removal, plan: kept },
			[REMOVED, `${NOT_REMOVED}an item lists this person for another group`],
		],
	])('%s', (_what, given, expected) => {
		expectLines(classified(given).extras, ...expected);
	});

	test('are counted, and named by ID', () => {
		expect(classified(removal).extras.map(({ recipient }) => recipient)).toEqual(['y', 'z']);
		expect(countsOf(removal)).toEqual({ alreadyMember: 1, removed: 2 });
	});

	test.each([
		[whole(), REMOVED_BY_OTHERS],
		[part(), 'alreadyMember'],
		[undefined, 'alreadyMember'],
	])(
		'a read of the group after their removal counts only if it is complete: %#',
		(afterRemoval, outcome) => {
			expectLines(classified({ ...removal, removal: nothing, afterRemoval }).lines, outcome);
		},
	);
});

describe('the report', () => {
	test('lists and counts invalid and duplicate items, in the order of the input', () => {
		const given: Given = {
			input: [
				{ itemIndex: 0, given: '?', status: 'invalid', reason: 'Not a recipient ID' },
				{ itemIndex: 1, recipient: { key: 'a', value: 'A' } },
				{
					itemIndex: 2,
					given: 'a',
					status: 'duplicate',
					reason: 'The same recipient as in item 1',
				},
			],
			before: whole('a'),
			responses: nothing,
		};
		expect(classified(given).lines).toEqual([
			{ recipient: '?', status: 'invalid', reason: 'Not a recipient ID' },
			{ recipient: 'A', status: 'alreadyMember', reason: '' },
			{ recipient: 'a', status: 'duplicate', reason: 'The same recipient as in item 1' },
		]);
		expect(countsOf(given)).toEqual({ alreadyMember: 1, invalid: 1, duplicate: 1 });
	});

	const failure = { ...mirror, responses: failed(['2']), after: whole('1') };

	test.each<[string, Given, string | undefined]>([
		['no failure', byEmail(2), undefined],
		[
			'one of several recipients',
			{
				input: inputOf('a', 'b', 'c'),
				before: whole(),
				responses: { ...failed(['b']), unknown: unknown('a').unknown },
			},
			'It broke.',
		],
		[
			'one of two addresses resolved together',
			failure,
			'1 of 2 recipients (unknown which): It broke.',
		],
		[
			'one of two addresses resolved together, in a summary',
			{ ...failure, perRecipient: false },
			'It broke.',
		],
	])('returns the reason of the first failure: %s', (_who, given, reason) => {
		expect(classified(given).firstFailure).toBe(reason);
	});

	const heldBack: Given = {
		mode: 'mirror',
		before: whole('a'),
		responses: nothing,
		warnings: ['Mind the gap'],
		heldBack: 'the group could not be read again',
	};
	const because = 'removed from the group, because the group could not be read again.';

	test.each<[Given, string[]]>([
		[byEmail(2), []],
		[ignoredByEmail, []],
		[
			byEmail(),
			[
				'The outcome for 2 recipients is not proved, but counted as alreadyMember: In the group now; the',
			],
		],
		[
			{ identifyBy: 'email', ...remove, responses: taken(['a'], undefined) },
			[
				'The outcome for 1 recipient is not proved, but counted as notMember: Not in the group now; the',
			],
		],
		[heldBack, ['Mind the gap', `Nobody was ${because}`]],
		[{ ...heldBack, dryRun: true }, ['Mind the gap', `Nobody would be ${because}`]],
	])('adds the expected notes: %#', (given, expected) => {
		const { notes } = classified(given);
		expect(notes.map((note, index) => note.slice(0, expected[index]?.length))).toEqual(expected);
	});

	test('formats the counts as text', () => {
		const none = classified({ input: [] }).summary;
		expect(inWords(none)).toBe('nobody');
		expect(inWords({ ...none, failed: 1, added: 3 })).toBe('added 3, failed 1');
	});
});

test.each<[string[], Given, string | undefined]>([
	[['a', 'b'], { responses: taken(['a', 'b'], 2) }, undefined],
	[['a', 'b'], { responses: taken(['a', 'b'], 1), after: whole('a', 'b') }, undefined],
	[['a'], { responses: unknown('a') }, undefined],
	[['a'], { responses: failed(['a']) }, 'the addition of 1 person could not be proved: It broke.'],
	[
		['a', 'b'],
		{ responses: failed(['a', 'b']) },
		'the addition of 2 people could not be proved: It broke.',
	],
	[
		['a'],
		{ responses: taken(['a'], undefined) },
		`the addition of 1 person could not be proved: ${UNSEEN}`,
	],
])('returns why an addition by Mirror is not proved: %#', (keys, given, reason) => {
	const { request, findings } = syncOf({
		mode: 'mirror',
		input: inputOf(...keys),
		before: whole(),
		plan: { ...nothingPlanned, send: recipients(...keys) },
		...given,
	});
	expect(unprovedAddition(request, findings)?.slice(0, reason?.length)).toBe(reason);
});
