import fc from 'fast-check';

import { schedulings } from './poll.mts';
import {
	events,
	TriggerSimulation,
	type Action,
	type Fault,
	type Setting,
	type Conditions,
} from './triggerSimulation.mts';

const campaign = fc.nat(4);
const which = fc.nat(30);

const conditions: fc.Arbitrary<Conditions> = fc.oneof(
	{ arbitrary: fc.constant<Conditions>({ faults: [], list: 'ok' }), weight: 3 },
	{
		arbitrary: fc.record({
			faults: fc.array(
				fc.oneof(
					{ arbitrary: fc.constant<Fault>('none'), weight: 3 },
					{
						arbitrary: fc.constantFrom<Fault>(
							'error',
							'webPage',
							'forbidden',
							'notASurvey',
							'empty',
						),
						weight: 2,
					},
				),
				{ minLength: 5, maxLength: 5 },
			),
			list: fc.oneof(
				{ arbitrary: fc.constant('ok' as const), weight: 4 },
				{ arbitrary: fc.constantFrom('fails' as const, 'empty' as const), weight: 1 },
			),
			limit: fc.option(fc.nat(3), { nil: undefined }),
		}),
		weight: 2,
	},
);

const arrival = fc.record({
	do: fc.constant('arrive' as const),
	campaign,
	stage: fc.nat(3),
	late: fc.oneof(
		{ arbitrary: fc.constant(false), weight: 4 },
		{ arbitrary: fc.constant(true), weight: 1 },
	),
	skips: fc.nat(2).map((third) => third === 0),
});

const action: fc.Arbitrary<Action> = fc.oneof(
	{ arbitrary: arrival, weight: 8 },
	{ arbitrary: fc.record({ do: fc.constant('poll' as const), conditions }), weight: 10 },
	{ arbitrary: fc.record({ do: fc.constant('advance' as const), which }), weight: 6 },
	{
		arbitrary: fc.record({
			do: fc.constantFrom('edit', 'redate', 'hide', 'unread', 'loseId', 'gainId', 'remove'),
			which,
		}),
		weight: 4,
	},
	{ arbitrary: fc.record({ do: fc.constantFrom('kill', 'republish') }), weight: 3 },
	{
		arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.nat(60) }),
		weight: 2,
	},
	{
		arbitrary: fc.record({
			do: fc.constantFrom('close', 'reopen', 'reopen', 'vanish', 'anonymous'),
			campaign,
		}),
		weight: 4,
	},
	{
		arbitrary: fc.record({ do: fc.constantFrom('addQuestion', 'removeQuestion'), campaign }),
		weight: 1,
	},
	{
		arbitrary: fc.record({
			do: fc.constant('select' as const),
			campaigns: fc.subarray([0, 1, 2]),
		}),
		weight: 1,
	},
	{
		arbitrary: fc.record({ do: fc.constant('events' as const), events: fc.subarray([...events]) }),
		weight: 1,
	},
	{
		arbitrary: fc.record({ do: fc.constantFrom('goLive', 'swapAccount', 'fetchTestEvent') }),
		weight: 2,
	},
);

/** A clock goes wrong, by days ahead or behind, or is put right. */
const clock = fc.record({
	do: fc.constantFrom('clock', 'serviceClock'),
	days: fc.constantFrom(4, -3, 0.1, -0.1),
});

const poll = fc.record({ do: fc.constant('poll' as const), conditions });
const calmPoll: Action = { do: 'poll', conditions: { faults: [], list: 'ok' } };

/** What seldom comes about by chance: a campaign that closes and is opened again, and a row that is changed between polls. */
const episode: fc.Arbitrary<Action[]> = fc.oneof(
	fc
		.tuple(campaign, fc.array(poll, { minLength: 1, maxLength: 2 }), arrival, poll)
		.map(([which, polls, arrives, last]): Action[] => [
			{ do: 'close', campaign: which },
			...polls,
			{ do: 'reopen', campaign: which },
			{ ...arrives, campaign: which },
			last,
		]),
	fc
		.tuple(clock, poll, arrival, poll)
		.map(([changes, first, arrives, second]): Action[] =>
			[3, 4].flatMap((campaign): Action[] => [
				changes,
				first,
				{ do: 'goLive' },
				{ ...arrives, campaign },
				second,
			]),
		),
	// Shown once, hidden for a while, and shown again.
	fc
		.tuple(poll, fc.boolean(), arrival, poll)
		.map(([first, isKilled, arrives, last]): Action[] => [
			{ do: 'goLive' },
			first,
			{ do: 'vanish', campaign: 3 },
			...(isKilled ? [{ do: 'kill' } as const] : []),
			{ ...arrives, campaign: 3 },
			{ do: 'wait', minutes: 9 },
			last,
			{ do: 'vanish', campaign: 3 },
		]),
	// Somebody sends again after the survey was reopened.
	fc
		.tuple(campaign, which, poll, fc.array(poll, { maxLength: 1 }))
		.map(([campaign, which, last, between]): Action[] => [
			{ do: 'close', campaign },
			calmPoll,
			{ do: 'reopen', campaign },
			{ do: 'redate', which, campaign },
			...between,
			{ do: 'redate', which, campaign },
			last,
		]),
	// Twenty show that a survey counts from 1; so many that one poll cannot emit them all.
	fc
		.tuple(campaign, fc.integer({ min: 0, max: 30 }), poll)
		.map(([which, many, last]): Action[] => [
			{ do: 'arriveMany', campaign: which, count: many === 0 ? 3_400 : 20 },
			last,
		]),
	fc
		.tuple(
			which,
			fc.constantFrom('advance' as const, 'edit' as const, 'hide' as const, 'loseId' as const),
			poll,
			poll,
		)
		.map(([row, change, first, second]): Action[] => [first, { do: change, which: row }, second]),
);

/** Up to some forty actions. */
const course: fc.Arbitrary<Action[]> = fc
	.array(
		fc.oneof(
			{ arbitrary: action.map((one) => [one]), weight: 8 },
			{ arbitrary: episode, weight: 1 },
		),
		{ maxLength: 32 },
	)
	.map((parts) => parts.flat());

const setting: fc.Arbitrary<Setting> = fc
	.record({
		watch: fc.constantFrom('selected', 'all'),
		scheduling: fc.constantFrom(...schedulings),
		events: fc.subarray([...events]),
		surveyClosed: fc.boolean(),
		unlisted: fc.option(fc.nat(2), { nil: undefined }),
		saysTime: fc.oneof(
			{ arbitrary: fc.constant(true), weight: 3 },
			{ arbitrary: fc.constant(false), weight: 1 },
		),
		anonymous: fc.tuple(fc.boolean(), fc.constant(false), fc.boolean()),
		maxReadGapMinutes: fc.constantFrom(0, 5),
		output: fc.constantFrom('simplified', 'table', 'raw'),
		countsFrom: fc.constantFrom(0, 1),
		firstRequired: fc.boolean(),
		emitExisting: fc.nat(4).map((fifth) => fifth === 0),
		byEmail: fc.nat(5).map((sixth) => sixth === 0),
		lastLimit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
	})
	.map((given) => (given.events.length > 0 ? given : { ...given, surveyClosed: true }));

/** How many scenarios `npm test` plays. */
export const SCENARIOS = 200;

let scenarios = 0;

/** Plays a scenario. @returns what the trigger did wrong */
export async function playScenario(
	given: Setting,
	before: Action[],
	first: Conditions,
	after: Action[],
): Promise<string[]> {
	const simulation = new TriggerSimulation(given, `scenario ${++scenarios}`);
	for (const one of before) await simulation.act(one);
	await simulation.switchOn(first);
	for (const one of after) await simulation.act(one);
	await simulation.end();
	return simulation.violations();
}

/** What happened before the workflow was published. */
const beforehand: fc.Arbitrary<Action> = fc.oneof(
	{ arbitrary: arrival, weight: 5 },
	{
		arbitrary: fc.record({ do: fc.constantFrom('close' as const, 'vanish' as const), campaign }),
		weight: 1,
	},
	{ arbitrary: fc.record({ do: fc.constant('loseId' as const), which }), weight: 1 },
);

/** In every scenario: what is owed once comes once, and what is not owed does not come. */
export const eachEventOnce = fc.asyncProperty(
	setting,
	fc.array(beforehand, { maxLength: 5 }),
	conditions,
	course,
	async (given, before, first, after) => {
		const wrong = await playScenario(given, before, first, after);
		if (wrong.length > 0) throw new Error(wrong.join('\n'));
	},
);
