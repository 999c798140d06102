import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultAction } from '../../emulator/emulator.mts';
import type { RunOptions, RunResult } from './engine.mts';
import { resetClock } from './fakeSleep.mts';
import { groupSync, range, statusCounts, unknownModes } from './groupSync.mts';
import fc from './property.mts';
import type { Service } from './service.mts';
import { severalGroups } from './severalGroups.mts';
import {
	createsGroups,
	isUnreadable,
	TROUBLES,
	type Fixture,
	type Named,
	type Played,
	type Row,
	type Scenario,
	type Trouble,
} from './syncScenario.mts';
import { NEW_GROUPS, untrueDryRunClaims, untrueClaims } from './syncOracle.mts';
import { watchGroups, type Meanwhile } from './syncTruth.mts';
import { isObject } from './typed.mts';

/** The people and groups that the emulator of a scenario is seeded with. */
export const SCENARIO_SEED = { seed: 13, people: 24, groups: 3, campaigns: 0, surveys: 0 };

/** A refusal that names no recipient. */
const REFUSAL = 'The recipients of this group cannot be changed at the moment';

/** Reasons why a recipient cannot be added or removed; none of them means that the recipient is unknown. */
const LOCKED = [
	'Timeout, please try again',
	'Record is locked',
	'Recipient has withdrawn consent',
	'Error: group of the recipient not found',
];

/** The last person, whom no item names. In some scenarios, the service adds this person to each new group. */
const CREATOR = SCENARIO_SEED.people - 1;

const person = fc.nat(CREATOR - 1);
const groupNumber = fc.nat(SCENARIO_SEED.groups - 1);

/** The recipient in an input item: usually a known person, rarely an unknown or invalid one. */
const named: fc.Arbitrary<Named> = fc.oneof(
	{ weight: 12, arbitrary: fc.record({ person, upperCase: fc.boolean() }) },
	{ weight: 2, arbitrary: fc.record({ unknownPerson: fc.integer({ min: 0, max: 9 }) }) },
	{
		weight: 1,
		arbitrary: fc.record({ text: fc.constantFrom('', ' ', 'no address at all') }),
	},
);

/** The group in an input item: usually one that exists. */
const groupNamed = fc.oneof(
	{ weight: 12, arbitrary: groupNumber },
	{ weight: 1, arbitrary: fc.constantFrom(...NEW_GROUPS, '') },
);

const someRows = (group: fc.Arbitrary<Row['group']>): fc.Arbitrary<Row[]> =>
	fc.array(
		fc.tuple(named, group).map(([entry, where]): Row => ({ ...entry, group: where })),
		{ minLength: 1, maxLength: 30 },
	);

/** Input items for one group or for several. */
const rows = fc.oneof(someRows(fc.constant(0)), someRows(groupNamed));

/**
 * How many requests are processed normally before the trouble begins. The numbers are low, because these syncs have few
 * people: most end after about ten requests.
 */
const skip = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 5, max: 20 }) },
);

const trouble: fc.Arbitrary<Trouble> = fc.record({
	where: fc.constantFrom('target', 'target', 'members', 'reads', 'anything'),
	group: fc.oneof(fc.constant(0), groupNumber),
	skip,
	times: fc.constantFrom(1, 1, 2, 4, Infinity),
	what: fc.constantFrom(...TROUBLES),
});

const troubles: fc.Arbitrary<Trouble[]> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant<Trouble[]>([]) },
	{ weight: 5, arbitrary: fc.array(trouble, { minLength: 1, maxLength: 3 }) },
);

const before = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 5, max: 14 }) },
);

const move = (kind: 'join' | 'leave', when: fc.Arbitrary<number>) =>
	fc.record({ before: when, do: fc.constant(kind), person, group: groupNumber });

/** Changes by others: one change, two that keep the number of members (one person joins, one leaves), or a new hire. */
const othersDo: fc.Arbitrary<Meanwhile[]> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.oneof(move('join', before), move('leave', before)).map((one) => [one]),
	},
	{
		weight: 2,
		arbitrary: fc
			.tuple(move('join', before), person)
			.map(([joins, leaves]): Meanwhile[] => [joins, { ...joins, do: 'leave', person: leaves }]),
	},
	{
		weight: 1,
		arbitrary: fc
			.record({
				before,
				do: fc.constant('hire' as const),
				unknownPerson: fc.integer({ min: 0, max: 9 }),
			})
			.map((one): Meanwhile[] => [one]),
	},
);

const meanwhile: fc.Arbitrary<Meanwhile[]> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant<Meanwhile[]>([]) },
	{
		weight: 1,
		arbitrary: fc.array(othersDo, { minLength: 1, maxLength: 3 }).map((changes) => changes.flat()),
	},
);

/** Usually null. */
const rarely = <Value,>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
	fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const members = fc.uniqueArray(person, { maxLength: CREATOR, size: 'max' });

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
	mode: fc.constantFrom('add', 'remove', 'mirror', 'mirror'),
	identifyBy: fc.constantFrom('email', 'id'),
	groupBy: fc.constantFrom('name', 'name', 'id', 'both'),
	groups: fc.array(members, { minLength: SCENARIO_SEED.groups, maxLength: SCENARIO_SEED.groups }),
	input: rows,
	chunkSize: fc.integer({ min: 1, max: 12 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	maxRemovalPercent: fc.constantFrom(0, 20, 50, 100, 100),
	removeDespiteInvalid: fc.constantFrom(false, false, true),
	createMissingGroups: fc.boolean(),
	maxNewGroups: fc.constantFrom(1, 50),
	switches: fc
		.record({
			unknown: fc.constantFrom(...unknownModes.map(([, switches]) => switches)),
			unknownIdsMessage: fc.constantFrom(
				'Not all emails founded as recipient in system',
				'Invalid parameters',
			),
		})
		.map(({ unknown, unknownIdsMessage }) => ({ ...unknown, unknownIdsMessage })),
	locked: rarely(
		fc.array(fc.record({ person, says: fc.constantFrom(...LOCKED) }), {
			minLength: 1,
			maxLength: 3,
		}),
	).map((some) => some ?? []),
	creator: rarely(fc.constant(CREATOR)),
	shown: rarely(
		fc.record({
			leads: fc.integer({ min: 0, max: 8 }),
			from: fc.constantFrom(0, 0, 1, 2, 3),
			reads: fc.constantFrom(1, 2, Infinity),
		}),
	),
	stale: rarely(fc.record({ from: fc.nat(5), reads: fc.constant(1) })),
	outage: rarely(
		fc.record({
			before: skip,
			seconds: fc.constantFrom(2, 5, 20, 120, 900),
			retryAfter: fc.constantFrom(0, 1, 5),
		}),
	),
	meanwhile,
	troubles,
});

const onTarget = (what: Trouble['what'], skipped: number, times = 1): Trouble => ({
	where: 'target',
	group: 0,
	skip: skipped,
	times,
	what,
});

/** One group with these members, and the items that name it. */
const oneGroup = (members: number[], others: Row[], people: number[]) => ({
	groups: [members],
	input: [...people.map((one): Row => ({ person: one, upperCase: false, group: 0 })), ...others],
});

/** Surroundings in which nothing goes wrong and nobody else changes groups. */
const UNDISTURBED = {
	locked: [],
	shown: null,
	stale: null,
	outage: null,
	meanwhile: [],
	troubles: [],
} satisfies Partial<Scenario>;

/** Scenarios that random choice rarely produces. */
const rareScenarios: Array<fc.Arbitrary<Scenario>> = [
	// The response to a change is lost; the retry finds the change already made.
	fc
		.tuple(anyScenario, fc.constantFrom('add' as const, 'remove' as const), fc.nat(2))
		.map(([scenario, mode, skipped]): Scenario => {
			const troubles = [onTarget('busyAfter', skipped)];
			return { ...scenario, mode, identifyBy: 'email', meanwhile: [], troubles };
		}),
	// The response is lost and the retry is refused; the next attempt finds the change already made.
	fc
		.tuple(anyScenario, fc.constantFrom('add' as const, 'remove' as const), fc.nat(2))
		.map(([scenario, mode, skipped]): Scenario => {
			const troubles = [onTarget('busyAfter', skipped), onTarget('unknown', skipped)];
			return { ...scenario, mode, identifyBy: 'email', meanwhile: [], troubles };
		}),
	// The service refuses IDs as unknown although it has listed them itself.
	fc.tuple(anyScenario, fc.constantFrom(1, 4, Infinity)).map(([scenario, times]): Scenario => {
		const troubles = [onTarget('unknown', 0, times)];
		return { ...scenario, mode: 'mirror', identifyBy: 'email', meanwhile: [], troubles };
	}),
	// The service refuses every recipient, for a while or for good, with a message that names none.
	fc.tuple(anyScenario, fc.constantFrom(2, 4, Infinity)).map(([scenario, times]): Scenario => {
		const troubles = [onTarget('refused', 0, times)];
		return { ...scenario, identifyBy: 'id', meanwhile: [], troubles };
	}),
	// Others remove a wanted member while the sync adds another person.
	fc.tuple(anyScenario, fc.integer({ min: 1, max: 3 }), person, person).map(
		([scenario, when, member, newcomer]): Scenario => ({
			...scenario,
			...oneGroup(
				[...new Set([...(scenario.groups[0] ?? []), member])].filter((one) => one !== newcomer),
				scenario.input.map((row) => ({ ...row, group: 0 })),
				[newcomer, member],
			),
			mode: 'mirror',
			maxRemovalPercent: 100,
			shown: null,
			meanwhile: [{ before: when, do: 'leave', person: member, group: 0 }],
			troubles: [],
		}),
	),
	// During the sync, somebody else undoes one of its changes and makes the same change to another person.
	fc
		.tuple(
			anyScenario,
			fc.constantFrom('add' as const, 'remove' as const),
			fc.shuffledSubarray(range(0, CREATOR), { minLength: CREATOR }),
		)
		.map(([scenario, mode, people]): Scenario => {
			const [both, given, inGroup] = [
				people.slice(0, 5),
				people.slice(5, 10),
				people.slice(10, 15),
			];
			const [joins = 0, leaves = 0] =
				mode === 'add' ? [people[16], given[0]] : [both[0], inGroup[0]];
			return {
				...scenario,
				...oneGroup(
					[...both, ...inGroup],
					[],
					[...both, ...given].sort((one, other) => one - other),
				),
				mode,
				identifyBy: 'email',
				chunkSize: 12,
				...UNDISTURBED,
				meanwhile: [
					{ before: 2, do: 'join', person: joins, group: 0 },
					{ before: 2, do: 'leave', person: leaves, group: 0 },
				],
			};
		}),
	// Every fourth person moves to the next group, and something may go wrong meanwhile.
	fc.tuple(anyScenario, fc.option(trouble, { nil: undefined })).map(
		([scenario, wrong]): Scenario => ({
			...scenario,
			mode: 'mirror',
			input: scenario.groups.flatMap((members, number) =>
				members.map((one) => ({
					person: one,
					upperCase: false,
					group: one % 4 === 0 ? (number + 1) % SCENARIO_SEED.groups : number,
				})),
			),
			...UNDISTURBED,
			troubles: wrong ? [wrong] : [],
		}),
	),
	// One person leaves a small group while a large group stays unchanged.
	fc.tuple(anyScenario, fc.constantFrom(0, 20)).map(
		([scenario, maxRemovalPercent]): Scenario => ({
			...scenario,
			mode: 'mirror',
			groups: [range(0, 3), range(3, CREATOR)],
			input: range(1, CREATOR).map((one) => ({
				person: one,
				upperCase: false,
				group: one < 3 ? 0 : 1,
			})),
			maxRemovalPercent,
			...UNDISTURBED,
		}),
	),
	// Two groups are missing; the limit of new groups decides whether they are created.
	fc.tuple(anyScenario, fc.constantFrom('add' as const, 'mirror' as const)).map(
		([scenario, mode]): Scenario => ({
			...scenario,
			mode,
			groupBy: 'name',
			createMissingGroups: true,
			input: scenario.input.map((row, index) => ({
				...row,
				group: ['Nowhere', 'Elsewhere', row.group][index % 3] ?? row.group,
			})),
			...UNDISTURBED,
		}),
	),
];

/** Random scenarios, with a fixed share of the rare ones. */
const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
	{ weight: 12, arbitrary: anyScenario },
	...rareScenarios.map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** Selects the group by name or by ID, depending on the value in the item. */
const NAME_OR_ID =
	'={{ ({ mode: /^[0-9a-f]{24}$/.test($json.department) ? "id" : "name", value: $json.department }) }}';

/** A group ID that does not exist. */
const NO_GROUP = '64f1c0ffee00000000009999';

/** Returns `run`, which plays a scenario on this emulator, and `properties`, the checks that every scenario must pass. */
export function scenarioPlayer(service: Pick<Service, 'emulator' | 'run'>) {
	const { emailsOf, idsOf } = groupSync(service);
	const { fill, group, names, syncRows } = severalGroups(service);
	const idOf = (person: number): string => idsOf(person)[0] ?? '';

	function textOf(entry: Named, { identifyBy }: Scenario): string {
		if ('text' in entry) return entry.text;
		if ('unknownPerson' in entry) return unknownIdentifier(entry.unknownPerson, identifyBy);
		const [value = ''] = (identifyBy === 'email' ? emailsOf : idsOf)(entry.person);
		return identifyBy === 'email' && entry.upperCase ? value.toUpperCase() : value;
	}

	function groupText(row: Row, index: number, { groupBy }: Scenario): string {
		const isById = groupBy === 'id' || (groupBy === 'both' && index % 2 === 0);
		if (typeof row.group === 'number') return group(row.group)[isById ? '_id' : 'name'];
		return groupBy === 'id' && row.group !== '' ? NO_GROUP : row.group;
	}

	function prepare({ groups, switches, locked, creator, troubles }: Scenario): void {
		service.emulator.reset();
		resetClock();
		Object.assign(service.emulator.switches, switches, {
			lockedRecipients: Object.fromEntries(
				locked.map(({ person: one, says }) => [idOf(one), says]),
			),
			membersOfNewGroups: creator === null ? [] : [idOf(creator)],
		});
		for (const number of range(0, SCENARIO_SEED.groups)) fill(number, ...(groups[number] ?? []));
		for (const { where, group: number, skip: skipped, times, what } of troubles) {
			service.emulator.faults.add({
				match: matchOf(where, group(number)._id),
				skip: skipped,
				// The node would retry an endless 429 for ten minutes of the fake clock.
				times: what === 'busy' ? Math.min(times, 4) : times,
				action: actionOf(what),
			});
		}
	}

	function hire(unknownPerson: number, identifyBy: Scenario['identifyBy']): void {
		const name = unknownIdentifier(unknownPerson, identifyBy);
		const { people } = service.emulator.state;
		if (identifyBy === 'email') people.add({ email: name });
		else people.add({ _id: name, email: `${name}@people.example` });
	}

	function fixtureOf(scenario: Scenario): Fixture {
		const { people, recipientGroups } = service.emulator.state;
		const find = (entry: Named) => {
			const text = textOf(entry, scenario);
			return scenario.identifyBy === 'email' ? people.findByEmail(text) : people.get(text);
		};
		return {
			requests: [...service.emulator.requests],
			groupNames: names().filter((name) => !name.startsWith('n8n sync')),
			groupId: ({ group: given }) =>
				typeof given === 'number'
					? group(given)._id
					: [...recipientGroups.values()].find(({ name }) => name === given)?._id,
			id: (entry) => find(entry)?._id,
			text: (entry) => textOf(entry, scenario).toLowerCase(),
		};
	}

	type Given = { dryRun?: boolean; options?: INodeParameters; onError?: RunOptions['onError'] };

	/** Runs the sync of a scenario on the emulator's current records. */
	async function sync(scenario: Scenario, given: Given = {}): Promise<RunResult> {
		const { mode, input, chunkSize, concurrency, maxRemovalPercent, groupBy } = scenario;
		const { createMissingGroups, maxNewGroups, removeDespiteInvalid, identifyBy } = scenario;
		const { dryRun = false, options, ...run } = given;
		const asked = { chunkSize, concurrency, createMissingGroups, maxNewGroups };
		return await syncRows(
			input.map((row, index): [string, string] => [
				groupText(row, index, scenario),
				textOf(row, scenario),
			]),
			{
				identifyBy,
				groupBy: groupBy === 'id' ? 'id' : 'name',
				parameters: {
					mode,
					maxRemovalPercent,
					dryRun,
					...(groupBy === 'both' ? { recipientGroupId: NAME_OR_ID } : {}),
				},
				options: { ...asked, removeDespiteInvalid, ...options },
				...run,
			},
		);
	}

	async function run(scenario: Scenario, given: Given = {}): Promise<Played> {
		prepare(scenario);
		const { identifyBy } = scenario;
		const { truths, removals, stop } = watchGroups(service, scenario, {
			idOf,
			hire: (unknownPerson) => hire(unknownPerson, identifyBy),
		});
		const result = await sync(scenario, given);
		stop();
		return { result, truths, removals, fixture: fixtureOf(scenario) };
	}

	/** Plays a scenario. Returns the false claims of the node, and its forbidden changes. */
	async function falseClaims(scenario: Scenario): Promise<string[]> {
		return untrueClaims(scenario, await run(scenario));
	}

	/**
	 * Plays a scenario without disturbances: a real run and a dry run, each once with one item per recipient and once with
	 * the summary. Returns the differences between these outputs.
	 */
	async function contradictions(scenario: Scenario): Promise<string[]> {
		const quiet = { ...scenario, ...UNDISTURBED, creator: null, maxRemovalPercent: 100 };
		const summary = { output: 'summary' };
		const real = (await run(quiet)).result;
		const dry = (await run(quiet, { dryRun: true })).result;
		const counted = (await run(quiet, { options: summary, onError: 'stopWorkflow' })).result;
		const dryCounted = (await run(quiet, { dryRun: true, options: summary })).result;
		const found = [];
		const [done, said] = [outcomesIn(real), outcomesIn(dry)];
		if (said !== done) found.push(`predicted:\n${said}\ndone:\n${done}`);
		const counts = sorted(statusCounts(real.json));
		for (const other of [tallyOf(counted), tallyOf(dryCounted)]) {
			if (other !== counts) found.push(`the summary says ${other}, each recipient ${counts}`);
		}
		const hasFailed = real.json.some(({ error }) => error !== undefined);
		if (hasFailed !== (counted.error !== undefined)) found.push('a failure is not an error');
		return found;
	}

	/**
	 * Runs a scenario without lasting trouble (see `undisturbed`), and returns how the result deviates from the expected one.
	 * A second sync must change nothing.
	 */
	async function deviations(scenario: Scenario): Promise<string[]> {
		const { groups, statuses, isStopped } = expectedOf(scenario);
		const { result } = await run(scenario);
		const found = [];
		const now = new Map(
			[...service.emulator.state.recipientGroups.values()].map((one) => [one.name, one.members]),
		);
		for (const [named, expected] of groups) {
			const name = typeof named === 'number' ? group(named).name : named;
			const got = [...(now.get(name) ?? [])].sort();
			if (JSON.stringify(got) !== JSON.stringify(expected.map(idOf).sort())) {
				found.push(`wrong members in ${name}`);
			}
		}
		const got = [
			...result.json.slice(0, scenario.input.length),
			// Mirror lists its removals group by group; `expectedOf` sorts them by status.
			...result.json.slice(scenario.input.length).sort(byStatus),
		].map(({ status }) => status);
		for (const [index, status] of statuses.entries()) {
			if (status && got[index] !== status)
				found.push(`${index}: ${String(got[index])}, not ${status}`);
		}
		if (!isStopped && got.length !== statuses.length) found.push(`statuses ${got.join()}`);
		if (isStopped && !result.json.some(({ error }) => error)) found.push('it did not stop');
		if (names().some((name) => name.startsWith('n8n sync'))) found.push('a group was left behind');
		if (service.emulator.violations.length > 0) found.push('a request is not as documented');
		service.emulator.faults.clear();
		const again = isStopped ? [] : (await sync(scenario)).json;
		if (again.some(({ status }) => status === 'added' || status === 'removed')) {
			found.push('the second run changes something');
		}
		return found;
	}

	const propertyOf = (check: (scenario: Scenario) => Promise<string[]>) =>
		fc.asyncProperty(scenarios, async (scenario) => {
			const found = await check(scenario);
			if (found.length > 0) throw new Error(found.join('\n'));
		});

	/** What must hold in every scenario, and how many scenarios `npm test` plays. */
	const properties = [
		{
			name: 'reports only what is true, whatever the service does',
			runs: 600,
			property: propertyOf(falseClaims),
		},
		{
			name: 'changes nothing in a dry run and reports only what is true, whatever the service does',
			runs: 150,
			property: propertyOf(async (scenario) =>
				untrueDryRunClaims(scenario, await run(scenario, { dryRun: true })),
			),
		},
		{
			name: 'does exactly what is asked when undisturbed, and changes nothing in a second run',
			runs: 250,
			property: propertyOf(async (scenario) => await deviations(undisturbed(scenario))),
		},
		{
			name: 'reports the same in a dry run, per recipient and as a summary',
			runs: 100,
			property: propertyOf(async (scenario) => {
				const { identifyBy, switches } = scenario;
				fc.pre(identifyBy === 'id' || switches.unknownEmails !== 'ignore');
				return await contradictions(scenario);
			}),
		},
	];

	return { run, properties };
}

/** Returns a copy of the scenario: no lasting faults, no changes by others, and the service reports unknown recipients. */
function undisturbed({ switches, troubles, stale, ...scenario }: Scenario): Scenario {
	const passing = troubles.filter(({ what }) => what === 'busy' || what === 'busyAfter');
	const reportsUnknown = switches.unknownEmails !== 'ignore';
	return {
		...scenario,
		...UNDISTURBED,
		switches: {
			...switches,
			...(reportsUnknown ? {} : { unknownEmails: 'refuseCall', unknownIds: 'refuseCall' }),
			unknownIdsMessage: 'Not all emails founded as recipient in system',
		},
		creator: null,
		stale,
		troubles: passing.map((trouble) => ({ ...trouble, times: 1 })),
	};
}

type Expected = {
	/** The members after the sync, for each group that items name. */
	groups: Map<number | string, number[]>;
	/** The status of each item and each removal; undefined where any status is right. */
	statuses: Array<string | undefined>;
	/** Whether the sync of at least one group must stop. */
	isStopped: boolean;
};

/** Returns the expected result of an undisturbed sync. */
function expectedOf(scenario: Scenario): Expected {
	const { mode, groups, input, maxRemovalPercent: limit, removeDespiteInvalid } = scenario;
	const isMirror = mode === 'mirror';
	const isHeldBack = isMirror && !removeDespiteInvalid && input.some(isUnreadable);
	const namedGroups = [...new Set(input.map((row) => row.group))].map((name) => {
		const own = input.filter((row) => row.group === name);
		const wanted = new Set(own.flatMap((row) => ('person' in row ? row.person : [])));
		const isThere = typeof name === 'number' || (name !== '' && createsGroups(scenario));
		const isBlank = own.every((row) => 'text' in row);
		const now = typeof name === 'number' ? (groups[name] ?? []) : [];
		return { name, now, wanted, isThere, isOpen: isThere && !(isMirror && isBlank) };
	});
	const open = namedGroups.filter(({ isOpen }) => isOpen);
	// If an item names a person for a group that is not synced, the person stays in all other groups.
	const kept = new Set(
		namedGroups.filter(({ isOpen }) => !isOpen).flatMap(({ wanted }) => [...wanted]),
	);
	const surplusOf = ({ now, wanted }: (typeof open)[number]) =>
		isMirror ? now.filter((one) => !wanted.has(one)) : [];
	const leaving = (one: (typeof open)[number]) =>
		isHeldBack ? [] : surplusOf(one).filter((id) => !kept.has(id));
	const isMore = (removals: number, size: number) => removals * 100 > limit * size;
	const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
	const isTooMuch = isMore(
		sum(open.map((one) => leaving(one).length)),
		sum(open.map(({ now }) => now.length)),
	);
	const stopped = open.filter((one) => {
		const count = leaving(one).length;
		const isOneAllowed = open.length > 1 && count === 1 && limit > 0;
		const isOwn = isMore(count, one.now.length) && !isOneAllowed;
		return count > 0 && (isTooMuch || isOwn || (one.wanted.size === 0 && count === one.now.length));
	});
	for (const { now, wanted } of stopped) {
		for (const one of wanted) if (!now.includes(one)) kept.add(one);
	}
	const areAllInvalid = input.every((row) => 'text' in row);
	const seen = new Set<string>();
	const statuses = input.map((row) => {
		if ('text' in row) return 'invalid';
		const key = JSON.stringify({ ...row, upperCase: false });
		if (seen.has(key)) return 'duplicate';
		seen.add(key);
		const own = namedGroups.find(({ name }) => name === row.group);
		if (!own?.isOpen) return 'failed';
		if (stopped.includes(own)) return 'person' in row ? 'failed' : undefined;
		if ('unknownPerson' in row) return 'unknown';
		const was = own.now.includes(row.person);
		if (mode === 'remove') return was ? 'removed' : 'notMember';
		return was ? 'alreadyMember' : 'added';
	});
	const done = open.filter((one) => !areAllInvalid && !stopped.includes(one));
	const extras = done.flatMap((one) => surplusOf(one).map((id) => [...leaving(one)].includes(id)));
	const after = (one: (typeof open)[number]): number[] => {
		if (!done.includes(one)) return one.now;
		if (mode === 'remove') return one.now.filter((id) => !one.wanted.has(id));
		const left = leaving(one);
		return [...new Set([...one.now, ...one.wanted])].filter((id) => !left.includes(id));
	};
	return {
		groups: new Map(namedGroups.map((one) => [one.name, after(one)])),
		statuses: isOnlyGroupMissing(namedGroups)
			? []
			: [...statuses, ...extras.map((isRemoved) => (isRemoved ? 'removed' : 'failed')).sort()],
		isStopped: areAllInvalid || namedGroups.some((one) => !done.includes(one)),
	};
}

/** Whether all items name the same missing group. In this case, the sync returns no status per item. */
const isOnlyGroupMissing = ([first, ...others]: Array<{ isThere: boolean }>) =>
	others.length === 0 && first?.isThere === false;

/** Returns the email or ID of a recipient unknown to the service. */
function unknownIdentifier(unknownPerson: number, identifyBy: Scenario['identifyBy']): string {
	return identifyBy === 'email'
		? `nobody${unknownPerson}@people.example`
		: `64f1c0ffee00000000000${100 + unknownPerson}`;
}

function matchOf(where: Trouble['where'], targetId: string) {
	switch (where) {
		case 'target':
			return { path: `/int/v1/recipientGroup/${targetId}/recipients` };
		case 'members':
			return { path: '/int/v1/recipientGroup/*/recipients' };
		case 'reads':
			return { method: 'GET', path: `/int/v1/recipientGroup/${targetId}` };
		case 'anything':
			return { path: /recipientGroup/ };
	}
}

function actionOf(what: Trouble['what']): FaultAction {
	const headers = { 'retry-after': '0' };
	switch (what) {
		case 'busy':
			return { status: 429, headers };
		case 'busyAfter':
			return { status: 503, headers, after: true };
		case 'refused':
			return { refuse: REFUSAL };
		case 'unknown':
			return { refuse: 'Not all emails founded as recipient in system' };
		case 'page':
			return 'html';
		case 'pageAfter':
			return { status: 200, body: '<html>', after: true };
		case 'teapot':
			return { status: 418, body: { success: false, message: 'Gone' } };
		case 'missing':
			return { refuse: 'Object does not exist' };
	}
}

/** Returns the recipients with their statuses, sorted for comparison. */
function outcomesIn({ json }: RunResult): string {
	const lines = json.map(({ recipient, status, recipientGroupName }) =>
		JSON.stringify([recipient, status, recipientGroupName]),
	);
	return lines.sort().join('\n');
}

const byStatus = (one: IDataObject, other: IDataObject) =>
	String(one.status).localeCompare(String(other.status));

/** Returns the counts by status, summed over all groups. A failed sync has them in its error. */
function tallyOf({ json, error }: RunResult): string {
	const counts: Record<string, number> = {};
	const summary = error?.context.summary;
	for (const one of isObject(summary) ? [summary] : json) {
		for (const [status, count] of Object.entries(one)) {
			if (typeof count !== 'number' || count === 0) continue;
			counts[status] = (counts[status] ?? 0) + count;
		}
	}
	return sorted(counts);
}

function sorted(counts: Record<string, number>): string {
	return JSON.stringify(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
}
