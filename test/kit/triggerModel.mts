import fc from 'fast-check';

import { schedulings } from './poll.mts';
import { EVENT_NAMES, play, type Action, type Setting } from './triggerModelRun.mts';
import { FAULTS, failures } from './triggerModelService.mts';

/** How often each action is chosen. */
const ACTIONS = {
	...{ arrive: 9, advance: 5, edit: 1, redate: 1, hide: 1, crowd: 0.3 },
	...{ poll: 12, kill: 1, republish: 1, emitExisting: 0.5 },
	...{ wait: 2, waitLong: 0.7, clock: 1, serviceClock: 1 },
	...{ close: 1, reopen: 1, goLive: 1, launch: 1, share: 0.6, prepare: 0.6 },
	...{ hideCampaign: 0.3, unlist: 0.3, turn: 0.3 },
	...{ select: 1, events: 1, category: 1 },
};
/** An action before the workflow is published. */
const BEFOREHAND = {
	arrive: 6,
	close: 0.5,
	hideCampaign: 0.5,
	prepare: 1,
	clock: 1,
	serviceClock: 1,
};

/** Sequences that single actions rarely produce; all concern one campaign. A number replaces the random one. */
const EPISODES = [
	'arrive calm close calm wait:6 calm reopen poll arrive redate poll',
	'arrive arrive calm close poll calm wait:6 poll calm reopen arrive calm arrive poll',
	'close poll reopen arrive poll',
	'poll arrive turn arrive poll poll arrive poll',
	'arrive calm turn arrive calm calm advance arrive calm',
	'launch:1 poll kill arrive poll',
	'prepare calm goLive arrive poll',
	'clock:5 launch:1 arrive poll clock:5',
	'select:1 poll waitLong:5000 arrive select:7:1 poll',
	'select:1 poll waitLong:13000 calm arrive select:7:1 poll',
	'events:1 calm arrive calm events:15 calm arrive poll',
	'crowd poll',
	// Without an ID, and without a date: edits, and what stays known after a closing.
	'crowd::10 calm edit edit edit calm',
	'arrive::221 arrive::221 calm edit edit calm close calm wait:6 calm reopen calm arrive::221 calm',
	// The first read after a closing fails for a day, or has no rows; the report fails; the status is a number.
	'arrive calm close reads:error waitLong:1500 reads:error calm',
	'arrive calm close reads:empty waitLong:1500 reads:empty calm',
	'arrive calm close reads:noReport calm',
	'arrive calm close list:numberStatus calm',
	// What counts as a good list, and as a launch.
	'calm launch:1 list:empty wait:10 calm',
	'calm launch:1 list:partial wait:3 calm',
	'launch:0 calm',
	'calm clock:6 calm share calm clock:0',
];

const numbers = [fc.nat(999), fc.nat(2 ** 30)] as const;
const actionOf = (weights: Record<string, number>): fc.Arbitrary<Action> =>
	fc
		.tuple(
			fc.oneof(
				...Object.entries(weights).map(([name, weight]) => ({
					weight: weight * 10,
					arbitrary: fc.constant(name),
				})),
			),
			...numbers,
		)
		.map(([name, a, b]) => ({ do: name, a, b }));

const episode: fc.Arbitrary<Action[]> = fc
	.tuple(fc.constantFrom(...EPISODES), ...numbers)
	.map(([text, campaign, random]) =>
		text.split(' ').map((word, place) => {
			const [name = '', what = '', how] = word.split(':');
			const b = Number(how ?? random + place * 8_191);
			const fault = FAULTS.indexOf(what);
			const a = fault < 0 ? Number(what || campaign) : fault;
			return { do: name, a: name === 'poll' ? b : a, b };
		}),
	);

const course = fc
	.array(
		fc.oneof(
			{ weight: 7, arbitrary: actionOf(ACTIONS).map((one) => [one]) },
			{ weight: 3, arbitrary: episode },
		),
		{ maxLength: 30 },
	)
	.map((parts) => parts.flat());

const rarely = fc.nat(4).map((fifth) => fifth === 0);
const sometimes = <Value,>(arbitrary: fc.Arbitrary<Value>) =>
	fc.option(arbitrary, { freq: 4, nil: undefined });

const setting: fc.Arbitrary<Setting> = fc.record({
	isAll: fc.boolean(),
	scheduling: fc.constantFrom(...schedulings),
	events: fc.subarray(EVENT_NAMES, { minLength: 1 }),
	anonymous: fc.array(rarely, { minLength: 1, maxLength: 3 }),
	maxReadGapMinutes: fc.constantFrom(0, 5),
	sendsDate: fc.nat(3).map((quarter) => quarter > 0),
	emitExisting: rarely,
	isExpression: rarely,
	broken: sometimes(fc.record({ campaign: fc.nat(3), fault: fc.constantFrom(...failures) })),
	limit: sometimes(fc.integer({ min: 1, max: 3 })),
});

/** The parts of a history: settings, what happens before the publication, the first poll, what happens then. */
const parts = [
	setting,
	fc.array(actionOf(BEFOREHAND), { maxLength: 5 }),
	actionOf({ poll: 1 }),
	course,
] as const;

/** In every history, the trigger emits what it promises, once, and nothing else. */
export const emitsEachEventOnce = fc.asyncProperty(...parts, async (...history) => {
	const wrong = await play(...history);
	if (wrong.length > 0) throw new Error(wrong.join('\n'));
});
