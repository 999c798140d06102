import fc from './property.mts';

export const MISSING_GROUPS = ['Nowhere', 'Elsewhere'];
/** Texts that name no group. */
export const NO_GROUPS = ['', '-', 'N/A', 'null', '#REF!'];
/** Texts that name nobody and hold nothing back. */
export const BLANKS = ['', ' ', '-', 'n/a', 'None'];
/** Texts that are no address and hold removals back. */
const UNREADABLE = [
	'no address',
	'anna@',
	"'o@people.example'",
	'ann a@people.example',
	'jörg@x.example',
];

/** How an item may write an address. */
export const SPELLINGS = {
	plain: (address: string) => address,
	upper: (address: string) => address.toUpperCase(),
	blanks: (address: string) => ` ${address}\u00a0`,
	named: (address: string) => `Anna <${address}>`,
	mailto: (address: string) => `mailto:${address};`,
	stop: (address: string) => `\u200b${address}.`,
};

/** How an item may write the name of a group. */
export const GROUP_SPELLINGS = {
	plain: (name: string) => name,
	upper: (name: string) => name.toUpperCase(),
	blanks: (name: string) => ` ${name.replace(' ', '  ')}`,
	noBreak: (name: string) => `${name.replace(' ', '\u00a0')}\u200b`,
};

const DOCUMENTED = 'Not all emails founded as recipient in system';
/** Messages that mean an unknown recipient; `*` stands for the recipient. */
export const MEANS_UNKNOWN = [
	...[DOCUMENTED, 'Recipient not found', 'Unknown email address', 'User does not exist'],
	'Person * does not exist',
];
/** Messages that mean something else, although some sound like it. */
export const MEANS_OTHER = [
	...['Group of the recipient not found', 'Tenant not found', 'Invalid parameters'],
	...['Recipient has withdrawn consent', 'Record is locked'],
];
/** Messages of the errorLog that mean an unknown recipient only if the line names one. */
export const BARE = ['unknown', 'Not found'];

/** Chooses the first value `weight` times as often as one of the others. */
const mostly = <Value,>(weight: number, usual: Value, ...others: Value[]) =>
	mostlyOr(weight, usual, fc.constantFrom(...others));
const mostlyOr = <Value,>(weight: number, usual: Value, other: fc.Arbitrary<Value>) =>
	fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
const oneOf = <const Value,>(...values: Value[]) => fc.constantFrom(...values);
const some = <Value,>(value: fc.Arbitrary<Value>, maxLength: number) =>
	fc.array(value, { minLength: 1, maxLength, size: 'max' });
type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const groupNumber = fc.nat(2);
/** The number of a group, or a text that names no existing group. */
const group = mostlyOr<number | string>(
	8,
	0,
	oneOf<number | string>(1, 1, 2, 2, ...MISSING_GROUPS, ...NO_GROUPS),
);

/** A person: where they are at the start, and what the items say. */
const person = fc.record({
	/** The groups at the start. */
	was: oneOf<number[]>([0], [0], [1], [1], [2], [], [0, 1], [0, 1, 2]),
	/** The groups of the person's items; null: the same. */
	named: mostlyOr<Array<number | string> | null>(
		3,
		null,
		fc.oneof(oneOf<number[]>([0], [1], [2], [0, 1], [1, 2], []), fc.tuple(group)),
	),
	/** Whether the person has a second address, and the items name only that or both. */
	secondAddress: mostly<'none' | 'named' | 'bothNamed'>(14, 'none', 'named', 'bothNamed'),
	/** Whether a second account has the same address; `member`: that one is where the person is. */
	secondAccount: mostly<'none' | 'outside' | 'member'>(24, 'none', 'outside', 'member'),
	/** Whether the service accepts the account but never shows it. */
	isHidden: mostly(24, false, true),
	/** How many requests call the person unknown before the service knows them. */
	unknownTimes: mostly(30, 0, 1, 2, 3),
	/** Why the service does not add or remove the person. */
	locked: mostly<string | null>(40, null, ...MEANS_OTHER),
	spelling: mostly<keyof typeof SPELLINGS>(
		4,
		'plain',
		'upper',
		'blanks',
		'named',
		'mailto',
		'stop',
	),
	groupSpelling: mostly<keyof typeof GROUP_SPELLINGS>(12, 'plain', 'upper', 'blanks', 'noBreak'),
});

/** An item with an unknown recipient, with a text that is none, or with one that an earlier item has. */
const oddRow = fc.oneof(
	fc.record({ group, nobody: fc.nat(6) }),
	fc.record({ group, nobody: fc.nat(6) }),
	fc.record({ group, text: mostlyOr(2, '', oneOf(...BLANKS, ...UNREADABLE)) }),
	fc.record({ group, again: fc.nat(9) }),
);

const LOG_SHAPES = [
	...(['field', 'recipientField', 'valueError', 'nested'] as const),
	...(['text', 'index', 'opaque', 'lowerCase'] as const),
] as const;

/** How the service says that it does not know recipients. */
export type Unknown = Of<typeof unknown>;
const unknown = fc.record({
	how: oneOf('refuse', 'refuse', 'refuse', 'log', 'log', 'ignore'),
	says: mostlyOr(1, DOCUMENTED, oneOf(...MEANS_UNKNOWN, ...MEANS_OTHER, ...BARE, '')),
	shape: oneOf(...LOG_SHAPES),
	http: oneOf(200, 400),
});

const quirks = fc.record({
	unknown,
	/** Who comes into the groups that the key creates: the person of a number, or (null) somebody else. */
	creator: mostlyOr(
		2,
		null,
		fc.record({
			comes: oneOf('created', 'firstWrite', 'everyWrite', 'late'),
			person: fc.option(fc.nat(9)),
			/** Whether `everyWrite` also means the groups that exist. */
			isEverywhere: fc.boolean(),
		}),
	),
	/** Which groups are exclusive: entering one takes a person out of all other groups. */
	exclusive: mostly<'none' | 'new' | 'first'>(12, 'none', 'new', 'first'),
	/** How many groups the key may create, and how many recipients a request may have. */
	mostGroups: mostly(8, Infinity, 0, 1, 2, 3, 4, 6, 8),
	mostRecipients: mostly(15, Infinity, 1, 2, 4, 6),
	leadsTotal: mostly<'right' | 'missing' | 'tooMany' | 'tooFew'>(
		9,
		'right',
		'missing',
		'tooMany',
		'tooFew',
	),
	listTotal: fc.boolean(),
	leadsInLists: fc.boolean(),
	/** Whether another group has a name that looks like that of the first. */
	hasAlikeGroup: mostly(9, false, true),
});

/** The number of a request; most syncs end after some twenty. */
const request = fc.oneof(fc.nat(6), fc.nat(15), fc.nat(50));

export type Fault = Of<typeof fault>;
const fault = fc.record({
	on: oneOf(
		...(['any', 'read', 'create', 'delete', 'write'] as const),
		...(['realWrite', 'stagingWrite', 'stagingRead'] as const),
	),
	skip: request,
	times: oneOf(1, 1, 2, 7, Infinity),
	what: oneOf(
		...(['busy', 'unavailable', 'lost', 'dropped', 'droppedAfter', 'page', 'pageAfter'] as const),
		...(['forbidden', 'refusedGroup', 'refusedUnknown', 'refused'] as const),
	),
});

/** A change that somebody else makes before the request of a number. */
export type Change = Of<typeof change>;
const change = fc.record({
	before: request,
	do: mostly<'join' | 'leave' | 'deleteStaging'>(
		4,
		'join',
		'leave',
		'leave',
		'leave',
		'deleteStaging',
	),
	person: fc.nat(9),
	group: groupNumber,
});

/** Which reads of groups are affected. */
const reads = {
	from: fc.oneof(fc.nat(4), fc.nat(20)),
	reads: oneOf(1, 1, 2, 5, Infinity),
	of: oneOf('staging', 'real', 'any'),
};

const disturbances = fc.record({
	faults: mostlyOr(1, [], some(fault, 3)),
	changes: mostlyOr(2, [], some(change, 4)),
	/** Reads that show a group as it was so many changes ago. */
	stale: mostlyOr(3, null, fc.record({ ...reads, behind: fc.integer({ min: 1, max: 3 }) })),
	/** Reads that show only the first members. */
	cut: mostlyOr(12, null, fc.record({ ...reads, leads: fc.nat(5) })),
	outage: mostlyOr(12, null, fc.record({ before: request, seconds: oneOf(2, 20, 120, 900) })),
	/** The number of the request at which the execution is stopped. */
	cancelAt: mostlyOr<number | null>(12, null, request),
});

/** A run of a scenario; a calm one has no disturbances, a fresh one begins with the world as it was at first. */
export type Run = { isDry: boolean; isCalm: boolean; isSummary: boolean; isFresh: boolean };
const real: Run = { isDry: false, isCalm: false, isSummary: false, isFresh: false };
const calm = { ...real, isCalm: true };
const dry = { ...calm, isDry: true };
const summary = (run: Run) => ({ ...run, isSummary: true, isFresh: true });

/** People, groups and items, how the service is, what happens meanwhile, and the runs one after another. */
export type Scenario = Of<typeof anyScenario>;
const anyScenario = fc.record({
	mode: oneOf('mirror', 'mirror', 'add', 'remove'),
	identifyBy: oneOf('email', 'email', 'email', 'id'),
	groupBy: oneOf('name', 'name', 'id', 'both'),
	groups: oneOf(1, 2, 3),
	people: some(person, 16),
	oddRows: mostlyOr(1, [], some(oddRow, 5)),
	isReversed: fc.boolean(),
	chunkSize: oneOf(1, 2, 3, 5, 8, 500),
	concurrency: oneOf(1, 1, 2, 4),
	maxRemovalPercent: oneOf(0, 20, 50, 100, 100, 100),
	removeDespiteInvalid: mostly(2, false, true),
	createMissingGroups: fc.boolean(),
	maxNewGroups: mostly(2, 50, 1),
	quirks,
	disturbances,
	runs: fc.oneof(
		{ weight: 5, arbitrary: oneOf<Run[]>([real]) },
		{ weight: 4, arbitrary: oneOf<Run[]>([calm, calm], [dry, calm]) },
		{ weight: 2, arbitrary: oneOf<Run[]>([{ ...dry, isCalm: false }], [real, calm]) },
		{ weight: 1, arbitrary: oneOf<Run[]>([real, summary(real)]) },
		{ weight: 1, arbitrary: oneOf<Run[]>([dry, summary(dry)], [calm, summary(calm)]) },
	),
});

/** The scenario in a world that is as documented, in which nothing goes wrong: the result must be exactly right. */
function plain(scenario: Scenario): Scenario {
	const usual = { secondAccount: 'none', isHidden: false, unknownTimes: 0, locked: null } as const;
	const { unknown: given } = scenario.quirks;
	const isClear = MEANS_UNKNOWN.includes(given.says) && given.how !== 'ignore';
	return {
		...scenario,
		people: scenario.people.map((one) => ({ ...one, ...usual })),
		quirks: {
			...{ ...scenario.quirks, creator: null, exclusive: 'none', leadsTotal: 'right' },
			...{ mostGroups: Infinity, mostRecipients: Infinity },
			unknown: isClear ? given : { how: 'refuse', says: DOCUMENTED, shape: 'field', http: 200 },
		},
		runs: scenario.runs.map((run) => ({ ...run, isCalm: true })),
	};
}

/** Random scenarios: each fault is rare enough that most of a scenario works, and frequent enough to meet others. */
export const scenarios = fc.oneof(
	{ weight: 4, arbitrary: anyScenario },
	{ weight: 1, arbitrary: anyScenario.map(plain) },
);
