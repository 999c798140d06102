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

type Weighted<Value> = [weight: number, arbitrary: fc.Arbitrary<Value>];

const weighted = <Value,>(...options: Array<Weighted<Value>>): fc.Arbitrary<Value> =>
	fc.oneof(...options.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const rarely = weighted<boolean>([4, fc.constant(false)], [1, fc.constant(true)]);
const calm: Conditions = { faults: [], list: 'ok' };

const fault = weighted<Fault>(
	[3, fc.constant('none')],
	[2, fc.constantFrom('error', 'webPage', 'forbidden', 'notASurvey', 'empty')],
);

const conditions = weighted<Conditions>(
	[3, fc.constant(calm)],
	[
		2,
		fc.record({
			faults: fc.array(fault, { minLength: 5, maxLength: 5 }),
			list: weighted<Conditions['list']>(
				[4, fc.constant('ok')],
				[1, fc.constantFrom('fails', 'empty')],
			),
			limit: fc.option(fc.nat(3), { nil: undefined }),
		}),
	],
);

const arrival = fc.record({
	do: fc.constant('arrive'),
	campaign,
	stage: fc.nat(3),
	late: rarely,
	skips: fc.nat(2).map((third) => third === 0),
});
const poll = fc.record({ do: fc.constant('poll'), conditions });

const action = weighted<Action>(
	[8, arrival],
	[10, poll],
	[6, fc.record({ do: fc.constant('advance'), which })],
	[
		4,
		fc.record({
			do: fc.constantFrom('edit', 'redate', 'hide', 'unread', 'loseId', 'gainId', 'remove'),
			which,
		}),
	],
	[3, fc.record({ do: fc.constantFrom('kill', 'republish') })],
	[2, fc.record({ do: fc.constant('wait'), minutes: fc.nat(60) })],
	[
		4,
		fc.record({
			do: fc.constantFrom('close', 'reopen', 'reopen', 'vanish', 'anonymous'),
			campaign,
		}),
	],
	[1, fc.record({ do: fc.constantFrom('addQuestion', 'removeQuestion'), campaign })],
	[1, fc.record({ do: fc.constant('select'), campaigns: fc.subarray([0, 1, 2]) })],
	[1, fc.record({ do: fc.constant('events'), events: fc.subarray([...events]) })],
	[2, fc.record({ do: fc.constantFrom('goLive', 'swapAccount', 'fetchTestEvent') })],
);

/** Sets a clock ahead or back, or corrects a clock that is wrong. */
const clock = fc.record({
	do: fc.constantFrom('clock', 'serviceClock'),
	days: fc.constantFrom(4, -3, 0.1, -0.1),
});

const calmPoll: Action = { do: 'poll', conditions: calm };

/** Sequences that random choice rarely produces. */
const episode = fc.oneof<Array<fc.Arbitrary<Action[]>>>(
	// A campaign is closed and reopened.
	fc
		.tuple(campaign, fc.array(poll, { minLength: 1, maxLength: 2 }), arrival, poll)
		.map(([which, polls, arrives, last]) => [
			{ do: 'close', campaign: which },
			...polls,
			{ do: 'reopen', campaign: which },
			{ ...arrives, campaign: which },
			last,
		]),
	// A campaign goes live while a clock is wrong.
	fc
		.tuple(clock, poll, arrival, poll)
		.map(([changes, first, arrives, second]) =>
			[3, 4].flatMap((campaign): Action[] => [
				changes,
				first,
				{ do: 'goLive' },
				{ ...arrives, campaign },
				second,
			]),
		),
	// A campaign is shown, hidden for a while, and shown again.
	fc
		.tuple(poll, fc.boolean(), arrival, poll)
		.map(([first, isKilled, arrives, last]) => [
			{ do: 'goLive' },
			first,
			{ do: 'vanish', campaign: 3 },
			...(isKilled ? [{ do: 'kill' } as const] : []),
			{ ...arrives, campaign: 3 },
			{ do: 'wait', minutes: 9 },
			last,
			{ do: 'vanish', campaign: 3 },
		]),
	// A person submits again after the survey is reopened.
	fc
		.tuple(campaign, which, poll, fc.array(poll, { maxLength: 1 }))
		.map(([campaign, which, last, between]) => [
			{ do: 'close', campaign },
			calmPoll,
			{ do: 'reopen', campaign },
			{ do: 'redate', which, campaign },
			...between,
			{ do: 'redate', which, campaign },
			last,
		]),
	// Twenty responses are enough to prove whether answer keys start at `q.0` or `q.1`. 3,400 responses have more events
	// than one poll emits.
	fc
		.tuple(campaign, fc.integer({ min: 0, max: 30 }), poll)
		.map(([campaign, many, last]) => [
			{ do: 'arriveMany', campaign, count: many === 0 ? 3_400 : 20 },
			last,
		]),
	// A row changes between two polls.
	fc
		.tuple(which, fc.constantFrom('advance', 'edit', 'hide', 'loseId'), poll, poll)
		.map(([which, change, first, second]) => [first, { do: change, which }, second]),
);

/** At most 32 parts, each a single action or an episode. */
const course: fc.Arbitrary<Action[]> = fc
	.array(weighted<Action[]>([8, action.map((one) => [one])], [1, episode]), { maxLength: 32 })
	.map((parts) => parts.flat());

const setting: fc.Arbitrary<Setting> = fc
	.record({
		watch: fc.constantFrom('selected', 'all'),
		scheduling: fc.constantFrom(...schedulings),
		events: fc.subarray([...events]),
		surveyClosed: fc.boolean(),
		unlisted: fc.option(fc.nat(2), { nil: undefined }),
		sendsDate: fc.nat(3).map((quarter) => quarter > 0),
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

/** How many random scenarios `npm test` plays. */
export const SCENARIOS = 200;

let scenarios = 0;

/** Plays a scenario and returns what the trigger did wrong. */
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

/** An action before the workflow is published. */
const beforehand = weighted<Action>(
	[5, arrival],
	[1, fc.record({ do: fc.constantFrom('close', 'vanish'), campaign })],
	[1, fc.record({ do: fc.constant('loseId'), which })],
);

/** In every scenario, the trigger emits each expected event exactly once and no other event. */
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
