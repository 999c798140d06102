import { switchValues } from '../../../emulator/switches.mts';
import fc from '../../kit/property.mts';

export const MISSING_GROUPS = ['Nowhere', 'Elsewhere'];
/** Texts that name no group. */
export const NO_GROUPS = ['', '-', 'N/A', 'null', '#REF!', '#BEZUG!'];
/** Texts that Sync treats as blank. They name nobody and do not stop removals. */
export const BLANKS = ['', ' ', '-', '–', '?', 'n/a', 'n.a.', 'NA', 'TBD', 'None'];
/** Texts that are neither blank nor an address. They stop removals. */
const UNREADABLE = [
	'null',
	'unknown',
	'#REF!',
	'anna@',
	"'o@people.example'",
	'ann a@people.example',
	'jörg@x.example',
];

/** Stands for an item without the field of Recipient. It stops removals. */
export const MISSING_FIELD = 'no field';

/** Sync waits for groups that show a change this late, or earlier, in milliseconds. */
const SHOWN_SOON_MS = 800;

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
/** Messages that mean an unknown recipient. `*` stands for the recipient. */
const MEANS_UNKNOWN = [
	...[DOCUMENTED, 'Recipient not found', 'Unknown email address', 'User does not exist'],
	...['Person * does not exist', 'RECIPIENT_NOT_FOUND'],
];
/** Messages with another meaning, although some of them sound like an unknown recipient. */
const MEANS_OTHER = [
	...['Group of the recipient not found', 'Tenant not found', '*: Tenant not found'],
	...['Recipient has withdrawn consent', 'Invalid parameters', 'License not found'],
	...['Unknown error while adding recipient', 'Consent of the person not found'],
];
/** Messages in `errorLog` that mean an unknown recipient only if another field of their entry names the recipient. */
const BARE = ['unknown', 'Not found'];

/** Chooses `usual` `weight` times as often as all other values together. */
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
	6,
	0,
	oneOf<GroupGiven>(1, 2, ...MISSING_GROUPS, ...MISSING_GROUPS, ...NO_GROUPS),
);

/** A person: the groups at the start, the contents of the items, and unusual properties. */
const person = fc.record({
	was: oneOf<number[]>([0], [0], [1], [1], [2], [], [0, 1], [0, 1, 2]),
	/** The groups that the person's items name. If null, the items name the same groups as `was`. */
	named: mostlyOr<GroupGiven[] | null>(
		3,
		null,
		fc.oneof(oneOf<number[]>([0], [1], [2], [0, 1], [1, 2], []), fc.tuple(group)),
	),
	/**
	 * Whether the person has a second address. `named`: items name only the second address. `bothNamed`: items name
	 * both.
	 */
	secondAddress: oneOf('none', 'none', 'named', 'bothNamed'),
	/**
	 * Whether a second account has the same address. `member`: of the two accounts, only the second is in the groups.
	 */
	secondAccount: oneOf('none', 'none', 'none', 'outside', 'member'),
	/** How items write the ID: as the service shows it, in capital letters, or as the number of an HR system. */
	idForm: oneOf<'shown' | 'upper' | 'hr'>('upper', 'hr', 'hr'),
	/** Whether the service accepts the account but never shows it. */
	isHidden: oneOf(false, false, true),
	/** How many requests the service answers as if it did not know the person. */
	unknownTimes: oneOf(0, 0, 0, 1, 2, 3),
	/** The message with which the service always refuses the person, or null if the service accepts the person. */
	locked: mostly<string | null>(3, null, ...MEANS_OTHER),
	spelling: mostly<Spelling>(4, plain, ...SPELLINGS),
	groupSpelling: mostly<Spelling>(5, plain, ...GROUP_SPELLINGS),
});

/** An item with an unknown recipient, with a text that is no recipient, or with the recipient of an earlier item. */
const oddRow = fc.oneof(
	fc.record({ group, nobody: fc.nat(6) }),
	fc.record({ group, nobody: fc.nat(6) }),
	fc.record({ group, text: mostlyOr(2, '', oneOf(...BLANKS, ...UNREADABLE, MISSING_FIELD)) }),
	fc.record({ group, again: fc.nat(9) }),
);

/** How the service reacts to recipients that it does not know. */
const unknown = fc.record({
	how: oneOf('refuse', 'refuse', 'refuse', 'log', 'log', 'ignore'),
	says: mostlyOr(1, DOCUMENTED, oneOf(...MEANS_UNKNOWN, ...MEANS_OTHER, ...BARE, '')),
	shape: oneOf(...switchValues.errorLogShape),
	http: oneOf(200, 400),
});

const DOCUMENTED_UNKNOWN: Of<typeof unknown> = {
	how: 'refuse',
	says: DOCUMENTED,
	shape: 'field',
	http: 200,
};

/** Returns whether the service's message means that the recipient is unknown: certainly, perhaps, or not at all. */
export function meaning({ how, says, shape }: Of<typeof unknown>): 'unknown' | 'maybe' | 'nothing' {
	const isSaid = MEANS_UNKNOWN.includes(says);
	if (how === 'refuse' && says !== DOCUMENTED) return isSaid ? 'maybe' : 'nothing';
	if (how === 'refuse') return 'unknown';
	if (how === 'ignore' || MEANS_OTHER.includes(says)) return 'nothing';
	if (['index', 'opaque'].includes(shape)) return 'maybe';
	return isSaid || (BARE.includes(says) && shape !== 'text') ? 'unknown' : 'maybe';
}

const quirks = fc.record({
	unknown,
	/**
	 * Whom the service adds to the groups that the key creates, and when. `person` is the number of a person, or null for
	 * somebody else. Without a `creator`, the service adds nobody.
	 */
	creator: fc.option(
		fc.record({
			comes: oneOf('created', 'firstWrite', 'everyWrite', 'late'),
			person: fc.option(fc.nat(9), { freq: 2 }),
			/** For `late`: the number of reads after which the creator becomes a member. */
			after: fc.nat(12),
			/** Whether `everyWrite` applies even to groups that existed before. */
			isEverywhere: fc.boolean(),
		}),
		{ freq: 9 },
	),
	/**
	 * Which groups are exclusive. Nobody can be in an exclusive group and another group: anybody who joins one of the two
	 * leaves the other. `others`: a group of other users, which no item names.
	 */
	exclusive: oneOf<'none' | 'new' | 'first' | 'others'>('new', 'first', 'others', 'others'),
	/** Whether the list of groups has the field `exclusive`. */
	exclusiveInLists: oneOf<boolean>(false),
	/** How late all groups show changes, in milliseconds. A read a second later shows them. */
	lagMs: oneOf<number>(500),
	/** How many groups the key may have at once, and how many recipients a request may have. */
	mostGroups: oneOf<number>(0, 1, 2, 3, 4, 6, 8),
	mostRecipients: oneOf<number>(1, 2, 4, 6),
	/** Whom `successCount` counts: the accounts that changed, the recipients that were accepted, or nobody. */
	counts: oneOf<'changed' | 'accepted' | 'nobody'>('accepted', 'nobody'),
	/** How much later than the one before it each temporary group shows changes, in milliseconds. */
	late: oneOf<number>(SHOWN_SOON_MS, 3_000, 5_000, 60_000),
	/** How many members a read shows at most. */
	mostLeads: oneOf<number>(1, 2, 4, 8),
	/** Which requests lose their body on the way. */
	strips: oneOf<'none' | 'DELETE' | 'POST'>('DELETE', 'POST'),
	/** Whether the service cuts the names of new groups. */
	cutsNames: oneOf<boolean>(true),
	/** Whether the access key may delete groups. */
	mayDelete: oneOf<boolean>(false),
	/** By how much the total of a group is wrong, or null if responses have no total. */
	total: oneOf<number | null>(null, 1, -1),
	/** Whether a group has the name of the first group in capital letters. */
	hasAlikeGroup: mostly(9, false, true),
});

/** How many requests a disturbance skips first. Most syncs have about twenty requests. */
const skip = fc.oneof(fc.nat(3), fc.nat(8), fc.nat(25));

/**
 * Something that goes wrong, or that other users do. After `skip` requests of the kind `on`, the disturbance affects the
 * next `times` requests of this kind.
 */
export type Disturbance = Of<typeof disturbance>;
const record = <What extends string>(weight: number, on: string[], ...whats: What[]) => ({
	weight,
	arbitrary: fc.record({
		...{ what: fc.constantFrom(...whats), on: fc.constantFrom(...on), skip },
		times: oneOf(1, 1, 2, 7, Infinity),
		/**
		 * For `stale`: the number of recent changes that the read does not show. For `cut`: how many members the read
		 * shows. For `outage`: it lasts (`size` + 1) * 10 seconds.
		 */
		size: oneOf(1, 1, 2, 3, 12, 90),
		...{ person: fc.nat(9), group: fc.nat(2) },
	}),
});
const disturbance = fc.oneof(
	record(
		6,
		['any', 'read', 'create', 'delete', 'write', 'realWrite', 'temporaryWrite', 'temporaryRead'],
		...(['busy', 'unavailable', 'lost', 'dropped', 'droppedAfter', 'page', 'pageAfter'] as const),
		...(['forbidden', 'refusedGroup', 'refusedUnknown', 'refused'] as const),
	),
	record(3, ['read', 'temporaryRead', 'realRead'], 'stale', 'stale', 'stale', 'cut'),
	record(3, ['any', 'write', 'read'], 'join', 'leave', 'leave', 'leave', 'deleteTemporary'),
	record(1, ['any'], 'outage'),
);

/** A run of a scenario. A calm run has no disturbances. */
export type Run = { isDry: boolean; isCalm: boolean };
const real: Run = { isDry: false, isCalm: false };
const calm = { ...real, isCalm: true };
const dry = { ...calm, isDry: true };

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
	),
});

/**
 * The values that the service's document suggests. A scenario differs from these values in at most four properties,
 * because many unusual properties hide each other.
 */
const USUAL_PERSON = {
	...({ secondAddress: 'none', secondAccount: 'none', isHidden: false } as const),
	...({ unknownTimes: 0, locked: null, idForm: 'shown' } as const),
};
const USUAL = {
	...({ creator: null, exclusive: 'none', counts: 'changed', total: 0 } as const),
	...{ exclusiveInLists: true, lagMs: 0 },
	...{ mostGroups: Infinity, mostRecipients: Infinity, late: 0, mostLeads: Infinity },
	...({ strips: 'none', cutsNames: false, mayDelete: true } as const),
};
const oddities = fc.subarray(Object.keys({ ...USUAL_PERSON, ...USUAL }), { maxLength: 4 });

type AnyScenario = Of<typeof anyScenario>;

/** A scenario: the people, groups and items, the behavior of the service, the disturbances, and the runs in their order. */
export type Scenario = AnyScenario & {
	/** Whether each run must be exactly right. */
	isUsual: boolean;
};
export const scenarios = fc
	.tuple(anyScenario, oddities, fc.boolean())
	.map(([scenario, odd, isUsual]): Scenario => {
		const isOdd = ([name]: [string, unknown]) => odd.includes(name);
		const withUsual = <Value extends object>(value: Value, usual: object): Value => ({
			...value,
			...Object.fromEntries(Object.entries(usual).filter((one) => !isOdd(one))),
		});
		const chosen = {
			...scenario,
			people: scenario.people.map((one) => withUsual(one, USUAL_PERSON)),
			quirks: withUsual(scenario.quirks, USUAL),
		};
		return isUsual ? usualScenario(chosen) : { ...chosen, isUsual };
	});

/** Whether Sync repeats a disturbed request until it succeeds. */
const isRepeated = ({ what, times }: Disturbance) =>
	what === 'busy' || (what === 'unavailable' && times <= 2);

/**
 * Returns a usual scenario: each run must then be exactly right. What remains unusual must not change what Sync does.
 * People may have second addresses, the service may show changes late and refuse a person once, and it may add to new groups
 * a stranger, or a person who is a row like others.
 */
function usualScenario(scenario: AnyScenario): Scenario {
	const { mode, identifyBy, oddRows, people, quirks, options, disturbances } = scenario;
	const { creator, unknown, mostRecipients, exclusiveInLists, lagMs } = quirks;
	const asksTwice = mode === 'mirror' && identifyBy === 'email';
	const late = Math.min(quirks.late, SHOWN_SOON_MS);
	// Late groups and late reads of all groups do not come together, nor with a creator.
	const lag = late === 0 ? lagMs : 0;
	const isNamed = creator?.person != null && people[creator.person]?.named === null;
	const isHarmless = creator?.person === null || (isNamed && !options.createMissingGroups);
	return {
		...{ ...scenario, isUsual: true },
		people: people.map((one, number) => ({
			...{ ...one, ...USUAL_PERSON, secondAddress: one.secondAddress },
			// Only Mirror by email asks twice before it calls a person unknown. If it knows nobody at first, it fails.
			unknownTimes: asksTwice && number === 0 && one.unknownTimes > 0 ? 1 : 0,
		})),
		// By ID, an unknown recipient is only called so if others are accepted.
		oddRows: identifyBy === 'email' ? oddRows : [],
		quirks: {
			...{ ...quirks, ...USUAL, mostRecipients, exclusiveInLists, lagMs: lag },
			unknown: meaning(unknown) === 'unknown' ? unknown : DOCUMENTED_UNKNOWN,
			late,
			creator:
				creator && isHarmless && late === 0 ? { ...creator, comes: 'created' as const } : null,
		},
		disturbances: disturbances.filter(isRepeated).slice(0, 1),
	};
}

type Person = Of<typeof person>;
type Quirks = Of<typeof quirks>;

/** Returns a scenario that mirrors one group. By default, each person is a member and has an item. */
function plainWorld(people: Array<Partial<Person>>, creator: Quirks['creator'] = null): Scenario {
	const usual = { ...USUAL_PERSON, spelling: plain, groupSpelling: plain, was: [0], named: null };
	const isUsual = creator === null || ['created', 'firstWrite'].includes(creator.comes);
	return {
		...{ mode: 'mirror', identifyBy: 'email', groupBy: 'name', groups: 1, oddRows: [] },
		options: { chunkSize: 500, concurrency: 1, createMissingGroups: false, maxNewGroups: 50 },
		people: people.map((one) => ({ ...usual, ...one })),
		...{ maxRemovalPercent: 100, removeDespiteInvalid: false, disturbances: [], runs: [calm] },
		isUsual,
		quirks: { ...USUAL, unknown: DOCUMENTED_UNKNOWN, hasAlikeGroup: false, creator },
	};
}
const NEW: Partial<Person> = { was: [], named: [0] };
const SURPLUS: Partial<Person> = { named: [] };
const HIDDEN: Partial<Person> = { isHidden: true };
const creator = { after: 0, isEverywhere: false };

/** Small scenarios. Each scenario shows why Sync needs a certain rule (docs/development/sync.md). */
export const plainWorlds: Scenario[] = [
	// Rule: Sync writes to every temporary group, because the creator may appear only with the first write.
	plainWorld([NEW, SURPLUS], { ...creator, comes: 'firstWrite', person: null }),
	// Rule: Sync looks up single addresses with at least three temporary groups, so that a person with two addresses is
	// never in all of them.
	plainWorld([{ secondAddress: 'bothNamed' }, NEW, SURPLUS, {}]),
	// Rule: the creator of the groups is looked up alone after they were taken out, so that their item is like any other.
	plainWorld([{}, {}, NEW, SURPLUS], { ...creator, comes: 'created', person: 0 }),
	plainWorld([...Array.from({ length: 14 }, () => ({})), NEW, SURPLUS], {
		...{ ...creator, comes: 'created', person: 3 },
	}),
	plainWorld([NEW, SURPLUS], { ...creator, comes: 'created', person: 0 }),
	// Rule: a creator who was taken out of the groups of unknown people is still the creator.
	{
		...plainWorld([{}, { was: [1] }, SURPLUS], { ...creator, comes: 'created', person: 0 }),
		...{ groups: 2, oddRows: [{ group: 0, nobody: 1 }] },
	},
	// Rule: the creator is taken out of all groups before people are looked up alone.
	plainWorld([{ secondAddress: 'bothNamed' }, {}, NEW, SURPLUS], {
		...{ ...creator, comes: 'created', person: 1 },
	}),
	// Rule: two rounds of reads must agree. The creator may come during the first round or the second one.
	plainWorld([NEW, NEW, NEW, SURPLUS], { ...creator, comes: 'late', person: null, after: 5 }),
	plainWorld([NEW, HIDDEN, NEW, SURPLUS], { ...creator, comes: 'late', person: null, after: 10 }),
	// Rule: Sync assigns an ID in all temporary groups to nobody, because the service may add this ID at every change.
	plainWorld([{}, HIDDEN, HIDDEN, NEW, SURPLUS], { ...creator, comes: 'everyWrite', person: 0 }),
];
