import type { INodeParameters } from 'n8n-workflow';

import { startEmulator, type FaultAction } from '../../emulator/emulator.mts';
import { runNode, type RunResult } from './engine.mts';
import { groupSync, unknownModes } from './groupSync.mts';
import fc from './property.mts';
import type { Service } from './service.mts';
import {
	TROUBLES,
	type Scenario,
	type Named,
	type Played,
	type Trouble,
	type Fixture,
} from './syncScenario.mts';
import { untrueDryRunClaims, untrueClaims } from './syncOracle.mts';
import { watchGroup, type Meanwhile } from './syncTruth.mts';

/** How many people the emulator of a scenario knows, and the groups it is seeded with. */
export const SCENARIO_SEED = { seed: 13, people: 24, groups: 1, campaigns: 0, surveys: 0 };

/** The service in words of its own: it says nothing about anybody. */
const REFUSAL = 'The recipients of this group cannot be changed at the moment';

/** Somebody whom an input item names, seldom nobody whom the service knows. */
const named: fc.Arbitrary<Named> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			person: fc.integer({ min: 0, max: SCENARIO_SEED.people - 1 }),
			upperCase: fc.boolean(),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ stranger: fc.integer({ min: 0, max: 9 }) }) },
	{ weight: 1, arbitrary: fc.record({ text: fc.constantFrom('', ' ', 'no address at all') }) },
);

/** Most syncs of so few people are over after some ten requests. */
const skip = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 0, max: 4 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 5, max: 20 }) },
);

const trouble: fc.Arbitrary<Trouble> = fc.record({
	where: fc.constantFrom('target', 'target', 'members', 'reads', 'anything'),
	skip,
	times: fc.constantFrom(1, 1, 2, 4, Infinity),
	what: fc.constantFrom(...TROUBLES),
});

const troubles: fc.Arbitrary<Trouble[]> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant<Trouble[]>([]) },
	{ weight: 5, arbitrary: fc.array(trouble, { minLength: 1, maxLength: 3 }) },
);

const person = fc.integer({ min: 0, max: SCENARIO_SEED.people - 1 });

const before = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 5, max: 14 }) },
);

/** What others do; as many come as leave where the numbers are to tell nothing. */
const othersDo: fc.Arbitrary<Meanwhile[]> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc
			.record({ before, do: fc.constantFrom('join' as const, 'leave' as const), person })
			.map((one): Meanwhile[] => [one]),
	},
	{
		weight: 2,
		arbitrary: fc.tuple(before, person, person).map(([when, joins, leaves]): Meanwhile[] => [
			{ before: when, do: 'join', person: joins },
			{ before: when, do: 'leave', person: leaves },
		]),
	},
	{
		weight: 1,
		arbitrary: fc
			.record({
				before,
				do: fc.constant('hire' as const),
				stranger: fc.integer({ min: 0, max: 9 }),
			})
			.map((one): Meanwhile[] => [one]),
	},
);

const meanwhile: fc.Arbitrary<Meanwhile[]> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant<Meanwhile[]>([]) },
	{
		weight: 1,
		arbitrary: fc
			.array(othersDo, { minLength: 1, maxLength: 3 })
			.map((happenings) => happenings.flat()),
	},
);

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
	mode: fc.constantFrom('add', 'remove', 'mirror'),
	identifyBy: fc.constantFrom('email', 'id'),
	group: fc.uniqueArray(person, { maxLength: SCENARIO_SEED.people, size: 'max' }),
	input: fc.array(named, { minLength: 1, maxLength: 30 }),
	chunkSize: fc.integer({ min: 1, max: 12 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	maxRemovalPercent: fc.constantFrom(0, 20, 50, 100, 100),
	switches: fc
		.record({
			unknown: fc.constantFrom(...unknownModes.map(([, switches]) => switches)),
			unknownIdsMessage: fc.constantFrom(
				'Not all emails founded as recipient in system',
				'Invalid parameters',
			),
		})
		.map(({ unknown, unknownIdsMessage }) => ({ ...unknown, unknownIdsMessage })),
	shown: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(null) },
		{
			weight: 1,
			arbitrary: fc.record({
				leads: fc.integer({ min: 0, max: 8 }),
				from: fc.constantFrom(0, 0, 1, 2, 3),
				reads: fc.constantFrom(1, 2, Infinity),
			}),
		},
	),
	meanwhile,
	troubles,
});

const onTarget = (what: Trouble['what'], skipped: number, times = 1): Trouble => ({
	where: 'target',
	skip: skipped,
	times,
	what,
});

/** What seldom comes about by chance. */
const rareScenarios: Array<fc.Arbitrary<Scenario>> = [
	// The response to a change is lost; sent again, the change finds its work done.
	fc
		.tuple(anyScenario, fc.constantFrom('add' as const, 'remove' as const), fc.nat(2))
		.map(([scenario, mode, skipped]): Scenario => {
			const troubles = [onTarget('busyAfter', skipped)];
			return { ...scenario, mode, identifyBy: 'email', meanwhile: [], troubles };
		}),
	// Sent again, it is refused; what is sent then finds its work done.
	fc
		.tuple(anyScenario, fc.constantFrom('add' as const, 'remove' as const), fc.nat(2))
		.map(([scenario, mode, skipped]): Scenario => {
			const troubles = [onTarget('busyAfter', skipped), onTarget('unknown', skipped)];
			return { ...scenario, mode, identifyBy: 'email', meanwhile: [], troubles };
		}),
	// IDs that the service showed itself are refused as unknown.
	fc.tuple(anyScenario, fc.constantFrom(1, 4, Infinity)).map(([scenario, times]): Scenario => {
		const troubles = [onTarget('unknown', 0, times)];
		return { ...scenario, mode: 'mirror', identifyBy: 'email', meanwhile: [], troubles };
	}),
	// The service refuses everybody for a while, or for good, in words that say nothing about anybody.
	fc.tuple(anyScenario, fc.constantFrom(2, 4, Infinity)).map(([scenario, times]): Scenario => {
		const troubles = [onTarget('refused', 0, times)];
		return { ...scenario, identifyBy: 'id', meanwhile: [], troubles };
	}),
	// Others take out who is wanted and was there, while others are added.
	fc.tuple(anyScenario, fc.integer({ min: 1, max: 3 }), person, person).map(
		([scenario, when, member, newcomer]): Scenario => ({
			...scenario,
			mode: 'mirror',
			group: [...new Set([...scenario.group, member])].filter((one) => one !== newcomer),
			input: [
				{ person: newcomer, upperCase: false },
				...scenario.input,
				{ person: member, upperCase: false },
			],
			maxRemovalPercent: 100,
			shown: null,
			meanwhile: [{ before: when, do: 'leave', person: member }],
			troubles: [],
		}),
	),
	// Others undo a part of what is done, and do the same to as many others.
	fc
		.tuple(
			anyScenario,
			fc.constantFrom('add' as const, 'remove' as const),
			fc.shuffledSubarray(
				Array.from({ length: SCENARIO_SEED.people }, (_, index) => index),
				{ minLength: SCENARIO_SEED.people },
			),
		)
		.map(([scenario, mode, people]): Scenario => {
			const [both, given, inGroup] = [
				people.slice(0, 5),
				people.slice(5, 10),
				people.slice(10, 15),
			];
			const [joins = 0, leaves = 0] =
				mode === 'add' ? [people[16], given[0]] : [both[0], inGroup[0]];
			const input = people.filter((one) => both.includes(one) || given.includes(one));
			return {
				...scenario,
				mode,
				identifyBy: 'email',
				group: [...both, ...inGroup],
				input: input
					.sort((one, other) => one - other)
					.map((one) => ({ person: one, upperCase: false })),
				chunkSize: 12,
				shown: null,
				meanwhile: [
					{ before: 2, do: 'join', person: joins },
					{ before: 2, do: 'leave', person: leaves },
				],
				troubles: [],
			};
		}),
];

/** Any fixture, any trouble. */
const scenarios: fc.Arbitrary<Scenario> = fc.oneof(
	{ weight: 12, arbitrary: anyScenario },
	...rareScenarios.map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** Scenarios with an emulator of their own, outside of jest. */
export async function startScenarios() {
	const emulator = await startEmulator({ seed: SCENARIO_SEED });
	const { url: baseUrl, accessKey } = emulator;
	const credential = { baseUrl, authentication: 'accessKey', accessKey };
	const { promises } = scenarioPlayer({
		emulator,
		run: async (resource, operation, parameters = {}, options = {}) =>
			await runNode({
				credential,
				...options,
				parameters: { resource, operation, ...parameters },
			}),
	});
	return { promises, stop: async () => await emulator.stop() };
}

/** Plays scenarios on an emulator and checks what the node says of them. */
export function scenarioPlayer(service: Pick<Service, 'emulator' | 'run'>) {
	const { emailsOf, idsOf, members, sync, target } = groupSync(service);
	const idOf = (person: number): string => idsOf(person)[0] ?? '';

	function textOf(entry: Named, { identifyBy }: Scenario): string {
		if ('text' in entry) return entry.text;
		if ('stranger' in entry) return strangersName(entry.stranger, identifyBy);
		const [value = ''] = (identifyBy === 'email' ? emailsOf : idsOf)(entry.person);
		return identifyBy === 'email' && entry.upperCase ? value.toUpperCase() : value;
	}

	function prepare({ group, identifyBy, switches, shown, troubles, meanwhile }: Scenario) {
		service.emulator.reset();
		Object.assign(service.emulator.switches, switches);
		members(...group);
		for (const { where, skip, times, what } of troubles) {
			const action = actionOf(what);
			// Too many requests are waited out for ten minutes.
			const count = what === 'busy' ? Math.min(times, 4) : times;
			service.emulator.faults.add({
				match: matchOf(where, target()._id),
				skip,
				times: count,
				action,
			});
		}
		return watchGroup(service, target()._id, {
			meanwhile,
			idOf,
			hire: (stranger) => hire(stranger, identifyBy),
			shown: shown?.leads ?? null,
			cutsRead: (read) => shown !== null && read >= shown.from && read < shown.from + shown.reads,
		});
	}

	function hire(stranger: number, identifyBy: Scenario['identifyBy']): void {
		const name = strangersName(stranger, identifyBy);
		const { people } = service.emulator.state;
		if (identifyBy === 'email') people.add({ email: name });
		else people.add({ _id: name, email: `${name}@people.example` });
	}

	function worldOf(scenario: Scenario): Fixture {
		const { people } = service.emulator.state;
		const find = (entry: Named) => {
			const text = textOf(entry, scenario);
			return scenario.identifyBy === 'email' ? people.findByEmail(text) : people.get(text);
		};
		return {
			requests: [...service.emulator.requests],
			targetId: target()._id,
			idOf,
			id: (entry) => find(entry)?._id,
			text: (entry) => textOf(entry, scenario).toLowerCase(),
		};
	}

	async function run(
		scenario: Scenario,
		given: { dryRun?: boolean; options?: INodeParameters } = {},
	): Promise<Played> {
		const truth = prepare(scenario);
		const { mode, identifyBy, input, chunkSize, concurrency, maxRemovalPercent } = scenario;
		const result = await sync(
			input.map((entry) => textOf(entry, scenario)),
			{
				mode,
				dryRun: given.dryRun,
				maxRemovalPercent,
				parameters: { identifyBy },
				options: { chunkSize, concurrency, ...given.options },
				onError: 'continueRegularOutput',
			},
		);
		truth.observe(target().members);
		return { result, truth, version: target().version, fixture: worldOf(scenario) };
	}

	/** All claims of the node about a scenario that are not true. */
	async function lies(scenario: Scenario): Promise<string[]> {
		return untrueClaims(scenario, await run(scenario));
	}

	/** Where a dry run, each recipient and the summary of the same fixture do not say the same; nothing fails in it. */
	async function contradictions(scenario: Scenario): Promise<string[]> {
		const quiet = { ...scenario, troubles: [], meanwhile: [], maxRemovalPercent: 100 };
		const real = (await run(quiet)).result;
		const dry = (await run(quiet, { dryRun: true })).result;
		const summary = (await run(quiet, { options: { output: 'summary' } })).result;
		const drySummary = (await run(quiet, { dryRun: true, options: { output: 'summary' } })).result;
		const counts = countsOf(real);
		const others = {
			dry: countsOf(dry),
			summary: tallyOf(summary),
			drySummary: tallyOf(drySummary),
		};
		return Object.entries(others).flatMap(([name, other]) =>
			JSON.stringify(other) === JSON.stringify(counts)
				? []
				: [`${name} says ${JSON.stringify(other)}, each recipient ${JSON.stringify(counts)}`],
		);
	}

	/** Where a sync that nothing lasting disturbs does not do exactly what is asked, or a second one changes anything. */
	async function deviations(scenario: Scenario): Promise<string[]> {
		const expected = expectedOf(scenario);
		const members = () => JSON.stringify([...target().members].sort());
		const first = (await run(scenario)).result;
		const found = [];
		if (members() !== JSON.stringify(expected.group.map(idOf).sort())) found.push('wrong members');
		if (expected.statuses) {
			const got = JSON.stringify(first.json.map(({ status }) => status));
			if (got !== JSON.stringify(expected.statuses)) found.push(`statuses ${got}`);
		} else if (!first.json.some(({ error }) => error)) found.push('it did not stop');
		if (service.emulator.state.recipientGroups.size > 1) found.push('a group was left behind');
		if (service.emulator.violations.length > 0) found.push('a request is not as documented');
		const group = expected.group;
		const again = (await run({ ...scenario, group, troubles: [] })).result;
		if (again.json.some(({ status }) => status === 'added' || status === 'removed')) {
			found.push('the second run changes something');
		}
		return found;
	}

	const promise = (check: (scenario: Scenario) => Promise<string[]>) =>
		fc.asyncProperty(scenarios, async (scenario) => {
			const found = await check(scenario);
			if (found.length > 0) throw new Error(found.join('\n'));
		});

	/** What a scenario must keep, and how many of them `npm test` plays. */
	const promises = [
		{
			promise: 'every claim is true, whatever the service does',
			runs: 500,
			property: promise(lies),
		},
		{
			promise: 'a dry run changes nothing and says what is so, whatever the service does',
			runs: 100,
			property: promise(async (scenario) =>
				untrueDryRunClaims(scenario, await run(scenario, { dryRun: true })),
			),
		},
		{
			promise: 'undisturbed, it does exactly what is asked, and a second run changes nothing',
			runs: 250,
			property: promise(async (scenario) => await deviations(undisturbed(scenario))),
		},
		{
			promise: 'dry run, each recipient and summary say the same of the same fixture',
			runs: 100,
			property: promise(async (scenario) => {
				const { identifyBy, switches, shown } = scenario;
				const isDocumented = identifyBy === 'id' || switches.unknownEmails !== 'ignore';
				fc.pre(shown === null && isDocumented);
				return await contradictions(scenario);
			}),
		},
	];

	return { run, promises };
}

/** The scenario without lasting trouble, on a service that says whom it does not know. */
function undisturbed({ switches, troubles, ...scenario }: Scenario): Scenario {
	const passing = troubles.filter(({ what }) => what === 'busy' || what === 'busyAfter');
	const speaks = switches.unknownEmails !== 'ignore';
	return {
		...scenario,
		switches: {
			...switches,
			...(speaks ? {} : { unknownEmails: 'refuseCall', unknownIds: 'refuseCall' }),
			unknownIdsMessage: 'Not all emails founded as recipient in system',
		},
		shown: null,
		meanwhile: [],
		troubles: passing.map((trouble) => ({ ...trouble, times: 1 })),
	};
}

/** The members that an undisturbed sync leaves, and the status of each item; no statuses when it has to stop. */
function expectedOf({ mode, group, input, maxRemovalPercent }: Scenario): {
	group: number[];
	statuses?: string[];
} {
	const wanted = new Set(input.flatMap((entry) => ('person' in entry ? [entry.person] : [])));
	const surplus = mode === 'mirror' ? group.filter((person) => !wanted.has(person)) : [];
	const isHeldBack = input.some((entry) => 'text' in entry && entry.text.trim() !== '');
	if (input.every((entry) => 'text' in entry)) return { group };
	if (mode === 'mirror') {
		const isTooMany = surplus.length * 100 > maxRemovalPercent * group.length;
		const isEmptied = surplus.length > 0 && wanted.size === 0;
		if (!isHeldBack && (isTooMany || isEmptied)) return { group };
	}
	const seen = new Set<string>();
	const statuses = input.map((entry): string => {
		if ('text' in entry) return 'invalid';
		const key = 'person' in entry ? `person ${entry.person}` : `stranger ${entry.stranger}`;
		if (seen.has(key)) return 'duplicate';
		seen.add(key);
		if ('stranger' in entry) return 'unknown';
		const was = group.includes(entry.person);
		if (mode === 'remove') return was ? 'removed' : 'notMember';
		return was ? 'alreadyMember' : 'added';
	});
	const after =
		mode === 'remove'
			? group.filter((person) => !wanted.has(person))
			: [...new Set([...group, ...wanted])].filter(
					(person) => isHeldBack || !surplus.includes(person),
				);
	return {
		group: after,
		statuses: [...statuses, ...surplus.map(() => (isHeldBack ? 'failed' : 'removed'))],
	};
}

/** What somebody is called whom the service does not know. */
function strangersName(stranger: number, identifyBy: Scenario['identifyBy']): string {
	return identifyBy === 'email'
		? `stranger${stranger}@people.example`
		: `64f1c0ffee00000000000${100 + stranger}`;
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

function countsOf({ json }: RunResult): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of json) {
		// An item that only says why a sync refused names nobody.
		if (status !== undefined) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
	}
	return sorted(counts);
}

function tallyOf({ json: [summary = {}] }: RunResult): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const [status, count] of Object.entries(summary)) {
		if (typeof count === 'number' && count > 0) counts[status] = count;
	}
	return sorted(counts);
}

function sorted(counts: Record<string, number>): Record<string, number> {
	return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
}
