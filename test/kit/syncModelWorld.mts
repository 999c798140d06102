import { switchValues } from '../../emulator/switches.mts';
import fc from './property.mts';

export const MISSING_GROUPS = ['Nowhere', 'Elsewhere'];
/** Texts that name no group. */
export const NO_GROUPS = ['', '-', 'N/A', 'null', '#REF!'];
/** Texts that name nobody and do not stop removals; and texts that are not an address and stop removals. */
export const BLANKS = ['', ' ', '-', 'n/a', 'None'];
const UNREADABLE = ['anna@', "'o@people.example'", 'ann a@people.example', 'jörg@x.example'];

/** How an item may write an address or the name of a group. */
type Spelling = (text: string) => string;
const plain: Spelling = (text) => text;
const upper: Spelling = (text) => text.toUpperCase();
const SPELLINGS: Spelling[] = [
	upper,
	(text) => ` ${text}\u00a0`,
	(text) => `Anna <${text}>`,
	(text) => `mailto:${text};`,
	(text) => `\u200b${text}.`,
];
const GROUP_SPELLINGS: Spelling[] = [
	upper,
	(name) => ` ${name.replace(' ', '  ')}`,
	(name) => `${name.replace(' ', '\u00a0')}\u200b`,
];

const DOCUMENTED = 'Not all emails founded as recipient in system';
/** Messages that mean an unknown recipient; `*` stands for the recipient. */
const MEANS_UNKNOWN = [
	...[DOCUMENTED, 'Recipient not found', 'Unknown email address', 'User does not exist'],
	...['Person * does not exist', 'RECIPIENT_NOT_FOUND'],
];
/** Messages that mean something else, although some sound like it. */
const MEANS_OTHER = [
	...['Group of the recipient not found', 'Tenant not found', '*: Tenant not found'],
	...['Recipient has withdrawn consent', 'Invalid parameters'],
];
/** Messages of the errorLog that mean an unknown recipient only if the line names one. */
const BARE = ['unknown', 'Not found'];

/** Chooses the first value `weight` times as often as one of the others. */
const mostly = <Value,>(weight: number, usual: Value, ...others: Value[]) =>
	mostlyOr(weight, usual, fc.constantFrom(...others));
const mostlyOr = <Value,>(weight: number, usual: Value, other: fc.Arbitrary<Value>) =>
	fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
const oneOf = <const Value,>(...values: Value[]) => fc.constantFrom(...values);
const some = <Value,>(value: fc.Arbitrary<Value>, maxLength: number) =>
	fc.array(value, { minLength: 1, maxLength, size: 'max' });
type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** The number of a group, or a text that names no existing group. */
export type GroupGiven = number | string;
const group = mostlyOr<GroupGiven>(
	8,
	0,
	oneOf<GroupGiven>(1, 1, 2, 2, ...MISSING_GROUPS, ...NO_GROUPS),
);

/** A person: their groups at the start, what the items say, and odd properties, which are rare. */
const person = fc.record({
	was: oneOf<number[]>([0], [0], [1], [1], [2], [], [0, 1], [0, 1, 2]),
	/** The groups of the person's items; null: the same. */
	named: mostlyOr<GroupGiven[] | null>(
		3,
		null,
		fc.oneof(oneOf<number[]>([0], [1], [2], [0, 1], [1, 2], []), fc.tuple(group)),
	),
	/** Whether the person has a second address, and whether the items name only this one or both. */
	secondAddress: oneOf('none', 'none', 'named', 'bothNamed'),
	/** Whether a second account has the same address; `member`: that one is where the person is. */
	secondAccount: oneOf('none', 'none', 'none', 'outside', 'member'),
	/** Whether the service accepts the account but never shows it. */
	isHidden: oneOf(false, false, true),
	/** How many requests call the person unknown before the service knows them. */
	unknownTimes: oneOf(0, 0, 0, 1, 2, 3),
	/** Why the service does not add or remove the person. */
	locked: mostly<string | null>(3, null, ...MEANS_OTHER),
	spelling: mostly<Spelling>(4, plain, ...SPELLINGS),
	groupSpelling: mostly<Spelling>(12, plain, ...GROUP_SPELLINGS),
});

/** An item with an unknown recipient, with a text that is no recipient, or with the recipient of an earlier item. */
const oddRow = fc.oneof(
	fc.record({ group, nobody: fc.nat(6) }),
	fc.record({ group, nobody: fc.nat(6) }),
	fc.record({ group, text: mostlyOr(2, '', oneOf(...BLANKS, ...UNREADABLE)) }),
	fc.record({ group, again: fc.nat(9) }),
);

/** How the service says that it does not know recipients. */
const unknown = fc.record({
	how: oneOf('refuse', 'refuse', 'refuse', 'log', 'log', 'ignore'),
	says: mostlyOr(1, DOCUMENTED, oneOf(...MEANS_UNKNOWN, ...MEANS_OTHER, ...BARE, '')),
	shape: oneOf(...switchValues.errorLogShape),
	http: oneOf(200, 400),
});

/** Whether the service's message proves that the recipient is unknown: surely, perhaps, or not at all. */
export function meaning({ how, says, shape }: Of<typeof unknown>): 'unknown' | 'maybe' | 'nothing' {
	const isSaid = MEANS_UNKNOWN.includes(says);
	if (how === 'refuse') return isSaid ? 'unknown' : 'nothing';
	if (how === 'ignore' || MEANS_OTHER.includes(says)) return 'nothing';
	if (['index', 'opaque'].includes(shape)) return 'maybe';
	return isSaid || (BARE.includes(says) && shape !== 'text') ? 'unknown' : 'maybe';
}

const quirks = fc.record({
	unknown,
	/** Who is added to the groups that the key creates: the person with this number, or somebody else (null). */
	creator: fc.option(
		fc.record({
			comes: oneOf('created', 'firstWrite', 'everyWrite', 'late'),
			person: fc.option(fc.nat(9), { freq: 2 }),
			/** If the creator comes `late`: after how many reads. */
			after: fc.nat(12),
			/** Whether `everyWrite` also applies to groups that existed before. */
			isEverywhere: fc.boolean(),
		}),
		{ freq: 9 },
	),
	/** Which groups are exclusive: a person who enters one leaves all other groups. */
	exclusive: oneOf<'none' | 'new' | 'first'>('new', 'first'),
	/** How many groups the key may create, and how many recipients a request may have. */
	mostGroups: oneOf<number>(0, 1, 2, 3, 4, 6, 8),
	mostRecipients: oneOf<number>(1, 2, 4, 6),
	/** Whether the service counts whom it accepted, or nobody. */
	counts: oneOf<'changed' | 'accepted' | 'nobody'>('accepted', 'nobody'),
	/** By how much the total of a group is wrong; null: it is not shown. */
	total: oneOf<number | null>(null, 1, -1),
	/** Whether another group has a name that looks like that of the first. */
	hasAlikeGroup: mostly(9, false, true),
});

/** How many requests succeed before; most syncs end after some twenty. */
const skip = fc.oneof(fc.nat(3), fc.nat(8), fc.nat(25));

/** Something that goes wrong, or that others do. It occurs at so many requests of a kind. */
export type Disturbance = Of<typeof disturbance>;
const record = <What extends string>(weight: number, on: string[], ...whats: What[]) => ({
	weight,
	arbitrary: fc.record({
		...{ what: fc.constantFrom(...whats), on: fc.constantFrom(...on), skip },
		times: oneOf(1, 1, 2, 7, Infinity),
		/**
		 * How many changes a late read lacks, how many members an incomplete read shows, or for how many tens of seconds an
		 * outage lasts.
		 */
		size: oneOf(1, 1, 2, 3, 12, 90),
		...{ person: fc.nat(9), group: fc.nat(2) },
	}),
});
const disturbance = fc.oneof(
	record(
		6,
		['any', 'read', 'create', 'delete', 'write', 'realWrite', 'stagingWrite', 'stagingRead'],
		...(['busy', 'unavailable', 'lost', 'dropped', 'droppedAfter', 'page', 'pageAfter'] as const),
		...(['forbidden', 'refusedGroup', 'refusedUnknown', 'refused'] as const),
	),
	record(3, ['read', 'stagingRead', 'realRead'], 'stale', 'stale', 'stale', 'cut'),
	record(3, ['any', 'write', 'read'], 'join', 'leave', 'leave', 'leave', 'deleteStaging'),
	record(1, ['any'], 'outage', 'cancel'),
);

/** A run of a scenario; a calm one has no disturbances, a fresh one begins with the world as it was at first. */
export type Run = { isDry: boolean; isCalm: boolean; isSummary: boolean; isFresh: boolean };
const real: Run = { isDry: false, isCalm: false, isSummary: false, isFresh: false };
const calm = { ...real, isCalm: true };
const dry = { ...calm, isDry: true };
const summary = (run: Run) => ({ ...run, isSummary: true, isFresh: true });

const anyScenario = fc.record({
	mode: oneOf('mirror', 'mirror', 'add', 'remove'),
	identifyBy: oneOf('email', 'email', 'email', 'id'),
	groupBy: oneOf('name', 'name', 'id', 'both'),
	groups: oneOf(1, 2, 3),
	people: fc.oneof(some(person, 3), some(person, 16), some(person, 16)),
	oddRows: mostlyOr(1, [], some(oddRow, 5)),
	options: fc.record({
		chunkSize: oneOf(1, 2, 3, 5, 8, 500),
		concurrency: oneOf(1, 1, 2, 4),
		createMissingGroups: fc.boolean(),
		maxNewGroups: mostly(2, 50, 1),
	}),
	maxRemovalPercent: oneOf(0, 20, 50, 100, 100, 100),
	removeDespiteInvalid: mostly(2, false, true),
	quirks,
	disturbances: mostlyOr(1, [], some(disturbance, 5)),
	runs: fc.oneof(
		{ weight: 5, arbitrary: oneOf<Run[]>([real]) },
		{ weight: 4, arbitrary: oneOf<Run[]>([calm, calm], [dry, calm]) },
		{ weight: 2, arbitrary: oneOf<Run[]>([{ ...dry, isCalm: false }], [real, calm]) },
		{ weight: 1, arbitrary: oneOf<Run[]>([real, summary(real)]) },
		{ weight: 1, arbitrary: oneOf<Run[]>([dry, summary(dry)], [calm, summary(calm)]) },
	),
});

/** What the service's document suggests. A scenario has only some of the oddities above: many at once hide each other. */
const USUAL_PERSON = {
	...({ secondAddress: 'none', secondAccount: 'none', isHidden: false } as const),
	...({ unknownTimes: 0, locked: null } as const),
};
const USUAL = {
	...({ creator: null, exclusive: 'none', counts: 'changed', total: 0 } as const),
	...{ mostGroups: Infinity, mostRecipients: Infinity },
};
const oddities = fc.subarray(Object.keys({ ...USUAL_PERSON, ...USUAL }), { maxLength: 4 });

/**
 * A scenario: its people, groups and items, the behavior of the service, the disturbances, and the runs one after
 * another.
 */
export type Scenario = Of<typeof scenarios>;
export const scenarios = fc.tuple(anyScenario, oddities).map(([scenario, odd]) => {
	const isOdd = ([name]: [string, unknown]) => odd.includes(name);
	const withUsual = <Value extends object>(value: Value, usual: object): Value => ({
		...value,
		...Object.fromEntries(Object.entries(usual).filter((one) => !isOdd(one))),
	});
	return {
		...scenario,
		people: scenario.people.map((one) => withUsual(one, USUAL_PERSON)),
		quirks: withUsual(scenario.quirks, USUAL),
	};
});

type Person = Of<typeof person>;
type Quirks = Of<typeof quirks>;

/** Mirrors one group with few people, each of whom is a member and has an item if nothing else is said. */
function plainWorld(people: Array<Partial<Person>>, creator: Quirks['creator'] = null): Scenario {
	const usual = { ...USUAL_PERSON, spelling: plain, groupSpelling: plain, was: [0], named: null };
	const says = { how: 'refuse', says: DOCUMENTED, shape: 'field', http: 200 } as const;
	return {
		...{ mode: 'mirror', identifyBy: 'email', groupBy: 'name', groups: 1, oddRows: [] },
		options: { chunkSize: 500, concurrency: 1, createMissingGroups: false, maxNewGroups: 50 },
		people: people.map((one) => ({ ...usual, ...one })),
		...{ maxRemovalPercent: 100, removeDespiteInvalid: false, disturbances: [], runs: [calm] },
		quirks: { ...USUAL, unknown: says, hasAlikeGroup: false, creator },
	};
}
const NEW: Partial<Person> = { was: [], named: [0] };
const SURPLUS: Partial<Person> = { named: [] };
const HIDDEN: Partial<Person> = { isHidden: true };
const creator = { after: 0, isEverywhere: false };

/** Small worlds, each of which shows that one rule is needed (docs/sync.md, "How Sync finds out who is who"). */
export const plainWorlds: Scenario[] = [
	// The creator may appear with the first write, so every temporary group is written to.
	plainWorld([NEW, SURPLUS], { ...creator, comes: 'firstWrite', person: null }),
	// There are at least three groups, so a person with two addresses is never in all of them.
	plainWorld([{ secondAddress: 'bothNamed' }, NEW, SURPLUS, {}]),
	// The creator comes during the first or the second round of reads, so two rounds must agree.
	plainWorld([NEW, NEW, NEW, SURPLUS], { ...creator, comes: 'late', person: null, after: 5 }),
	plainWorld([NEW, HIDDEN, NEW, SURPLUS], { ...creator, comes: 'late', person: null, after: 10 }),
	// A person who is still in all groups is added at every change.
	plainWorld([{}, HIDDEN, HIDDEN, NEW, SURPLUS], { ...creator, comes: 'everyWrite', person: 0 }),
];

/** Whether a scenario is so usual that its calm runs must be exactly right. Somebody else may come into new groups. */
export function isUsual({ people, quirks }: Scenario): boolean {
	const has = (given: Record<string, unknown>, usual: object) =>
		Object.entries(usual).every(([key, value]) => given[key] === value);
	const { creator } = quirks;
	const isHarmless = creator?.comes === 'created' && creator.person === null;
	return (
		people.every((one) => has({ ...one, secondAddress: 'none' }, USUAL_PERSON)) &&
		has({ ...quirks, creator: isHarmless ? null : creator }, USUAL) &&
		meaning(quirks.unknown) === 'unknown'
	);
}
