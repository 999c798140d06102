import fc from 'fast-check';

import { schedulings } from '../../kit/poll.mts';
import { EVENT_NAMES, type Action, type Start } from './run.mts';
import { failures, FAULTS, outageNames } from './service.mts';

/** How often each action is chosen. */
const ACTIONS = {
	...{ arrive: 9, advance: 5, edit: 0.7, again: 1, hide: 0.7, crowd: 0.3 },
	...{ poll: 12, kill: 1, save: 1, off: 0.5, on: 1.5, during: 2 },
	...{ wait: 2, waitLong: 0.7, clock: 0.7 },
	...{ close: 1, reopen: 1, goLive: 1, launch: 1, share: 0.6, foreign: 0.3, prepare: 0.6 },
	...{ hideCampaign: 0.3, unlist: 0.3, turn: 0.3 },
	...{ select: 1, watchAll: 0.5, events: 1, category: 0.7, days: 0.3, emitExisting: 0.5 },
	...{ outage: 0.5, newNode: 0.3, credential: 0.3, rename: 0.1, next: 1 },
};
/** An action before the workflow is published. */
const BEFOREHAND = {
	...{ arrive: 6, close: 0.5, hideCampaign: 0.5, prepare: 1, clock: 1, launch: 0.5 },
};

/** 54 days. */
const LONG = Array<string>(6).fill('waitLong:13000').join(' ');
/** 97 days with an answer every nine days. */
const YEAR = Array<string>(40).fill('waitLong:13000 arrive::2 calm').join(' ');

/**
 * Sequences that single actions rarely produce; all concern one campaign. `name:what:how` replaces the random numbers.
 */
const EPISODES = [
	// Closed, reopened, closed again.
	'arrive calm close calm wait:6 calm reopen poll arrive again poll',
	'arrive arrive calm close poll calm wait:6 poll calm reopen arrive calm arrive poll',
	'arrive::11 close poll reopen arrive::11 arrive::2 poll',
	// Survey data fails or has no rows for a day; the report fails.
	'arrive calm close reads:error waitLong:1500 reads:error calm reopen arrive calm',
	'arrive calm clock:0 close reads:error clock:0 reads:error waitLong:1500 reads:error calm',
	'arrive calm reads:empty close reads:empty reads:empty waitLong:1500 reads:empty calm',
	'arrive calm close reads:noReport calm',
	// The status is asked off the list.
	'arrive unlist calm during:7:1 during:7:2 during:7:3 calm',
	'arrive unlist calm close calm waitLong:600 calm wait:10 calm reopen waitLong:1500 calm arrive calm',
	// The survey turns anonymous, or back.
	'arrive calm turn arrive calm calm advance arrive calm',
	'arrive::0 calm arrive::1 reads:flip arrive::0 calm calm',
	// Launches, and empty or partial lists.
	'launch:1 poll kill arrive poll',
	'prepare calm goLive:3:1 arrive:3:0 arrive:3:1 arrive:3:2 calm',
	`prepare calm ${LONG} goLive:3:4 calm ${LONG} arrive:3 calm`,
	'calm launch:1 wait:6 list:empty calm',
	'launch launch launch calm launch list:repeats launch list:stuck',
	// Filters change between two launches, also by way of Selected Campaigns.
	'category:0 calm launch:1 launch:1 category:2 calm',
	'calm launch:1:2 launch:1:2 category:0 calm launch:1:2 category:2 calm',
	'calm launch:1:2 days:0 calm launch:1:2 days:1 calm',
	'calm select:7 launch:1:2 crowd calm watchAll calm',
	`watchAll calm ${LONG} calm ${LONG} calm credential launch:1:2 calm`,
	// A survey of a year, and one that sleeps.
	YEAR,
	`watchAll launch:1 ${YEAR}`,
	'calm waitLong:13000 arrive::2 waitLong:13000 calm waitLong:13000 arrive::2 waitLong:13000 calm',
	`watchAll launch:1 calm ${LONG} calm ${LONG} arrive:3:2 calm`,
	// Late sharing, then a quiet restart.
	'watchAll calm share calm arrive:3:2 calm kill::0 calm',
	'watchAll calm share calm kill::0 arrive:3:2 calm',
	// Saved, switched, restarted or copied, also while a poll is in flight.
	'arrive::2 arrive during:2:1 arrive calm',
	'arrive::2 during:3:1 arrive calm on arrive calm',
	'arrive::2 during:2:2 calm during:3:2 on calm',
	'arrive::2 during:4:1 calm arrive during:4:2 calm',
	'arrive::2 during:0:1 arrive during:1:1 calm',
	'arrive calm newNode arrive calm newNode calm',
	'watchAll calm foreign:1:1 foreign:1:0 calm credential calm arrive credential calm',
	'arrive calm rename arrive calm',
	'arrive::2 reads:hanging calm',
	// The clocks differ, and the first read fails.
	'first:65 launch:1:2 launch:1:2 calm calm',
	'clock:5 launch:1 arrive poll clock:5',
	'events:8 calm wait:10 arrive:1:11 wait:4 next:error:1 events:15 arrive:1:2 calm',
	'watchAll calm share reads:error arrive:3:2 arrive:3:2 calm',
	// Deselected, switched off, missing from the list.
	'calm days:0 arrive calm days:1 arrive calm',
	'select:1 poll waitLong:5000 arrive select:7 poll',
	'select:1 calm waitLong:6000 calm waitLong:6000 calm arrive select:7 poll',
	'clock:1 select:1 calm waitLong:7000 arrive select:7 calm clock',
	'events:1 calm arrive calm events:15 calm arrive poll',
	'waitLong:5000 calm waitLong:13000 calm waitLong:13000 calm',
	'calm hideCampaign:0 hideCampaign:1 hideCampaign:2 wait:20 calm',
	// Rows without an ID or a date, rows that are missing for a time, edits.
	'crowd::10 calm edit edit edit calm',
	'arrive::11 calm edit calm arrive::11 edit calm',
	'arrive::2 arrive::2 arrive::2 calm edit:0 hide:1 hide:2 calm hide:1 hide:2 calm',
	'arrive arrive arrive arrive calm hide:0 hide:1 arrive arrive calm hide:0 hide:1 calm',
	'events:4 arrive::2 arrive::2 calm wait:6 events:15 reads:partial calm again again calm',
];

/** More than 10,000 items, also when the survey closes or turns meanwhile. */
const LARGE = [
	'events:12 crowd::9 crowd::9 crowd::9 close close:1 calm calm calm',
	'events:12 crowd::9 crowd::9 crowd::9 calm turn calm calm calm',
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

function episodeOf(text: string, campaign: number, random: number): Action[] {
	return text.split(/ +/).map((word, place) => {
		const [name = '', what = '', how] = word.split(':');
		const b = Number(how ?? random + place * 8_191);
		const fault = FAULTS.indexOf(what);
		const a = fault < 0 ? Number(what || campaign) : fault;
		return { do: name, a: name === 'poll' ? b : a, b };
	});
}

/** How far apart the polls of an outage are, in minutes. */
const SPACINGS = [1, 60, 360, 1440];

/**
 * An outage that begins at a moment of a closing: before it, before a poll sees it, after a read that failed, after the first
 * read, after the last.
 *
 * @param kind the place in `outageNames`
 */
function closingWithOutage(
	campaign: number,
	moment: number,
	kind: number,
	minutes: number,
	spacing: number,
): Action[] {
	const steps = ['arrive calm arrive', 'close', 'reads:error', 'calm', 'wait:6 calm'];
	const outage = ` outage:${kind + 8 * campaign}:${minutes} `;
	const before = steps.slice(0, moment + 1).join(' ');
	const after = steps.slice(moment + 1).join(' ');
	const polls = Math.min(Math.ceil(minutes / spacing), 12);
	const during = ' calm'.repeat(2) + ` waitLong:${spacing} calm`.repeat(polls);
	const rest = `waitLong:${Math.min(Math.max(minutes - polls * spacing, 0), 13_000)} calm wait:6 calm`;
	const text = `${before}${outage}${after}${during} ${rest}`;
	return episodeOf(text.trim(), campaign, minutes);
}

const closing = fc
	.tuple(
		...[fc.nat(1), fc.nat(4), fc.nat(outageNames.length - 1), fc.integer({ min: 60, max: 14_400 })],
		fc.constantFrom(...SPACINGS),
	)
	.map((numbers) => closingWithOutage(...numbers));

const episode = fc
	.tuple(fc.constantFrom(...EPISODES), ...numbers)
	.map(([text, campaign, random]) => episodeOf(text, campaign, random));

const rarely = fc.nat(4).map((fifth) => fifth === 0);
const sometimes = <Value,>(arbitrary: fc.Arbitrary<Value>) =>
	fc.option(arbitrary, { freq: 4, nil: undefined });

const start: fc.Arbitrary<Start> = fc.record({
	isAll: fc.boolean(),
	scheduling: fc.constantFrom(...schedulings),
	events: fc.subarray(EVENT_NAMES, { minLength: 1 }),
	anonymous: fc.array(rarely, { minLength: 1, maxLength: 3 }),
	maxReadGapMinutes: fc.constantFrom(0, 5),
	emitExisting: rarely,
	service: fc.record({
		sendsDate: fc.nat(3).map((quarter) => quarter > 0),
		newestFirst: fc.boolean(),
		days: rarely,
		base: fc.constantFrom(0, 1),
		skipped: fc.constantFrom(undefined, undefined, 'A', 'C'),
	}),
	broken: sometimes(
		fc.record({
			campaign: fc.nat(3),
			fault: fc.constantFrom(...failures.filter((each) => each !== 'tooMany')),
		}),
	),
	limit: sometimes(fc.integer({ min: 1, max: 3 })),
});

/** The parts of a history: what stays the same, what happens before the publication, and what then. */
export const historyParts = [
	start,
	fc.array(actionOf(BEFOREHAND), { maxLength: 5 }),
	fc
		.tuple(
			actionOf({ first: 1 }),
			fc.array(
				fc.oneof(
					{ weight: 7, arbitrary: actionOf(ACTIONS).map((one) => [one]) },
					{ weight: 3, arbitrary: episode },
					{ weight: 1, arbitrary: closing },
				),
				{ maxLength: 30 },
			),
		)
		.map(([first, rest]) => [first, ...rest.flat()]),
] as const;

/** A history of these actions, with one of four kinds of start. */
const exampleOf = (number: number, actions: Action[]): [Start, Action[], Action[]] => [
	{
		...{ isAll: number > 1, scheduling: schedulings.at(number - 2) ?? 'inProcess' },
		...{ events: EVENT_NAMES, anonymous: [false, true, false], emitExisting: false },
		...{ maxReadGapMinutes: 5 * (number % 2), broken: undefined, limit: undefined },
		service: {
			...{ sendsDate: true, newestFirst: number > 1, days: false, base: 0 },
			skipped: undefined,
		},
	},
	[],
	actions,
];

/**
 * Each episode alone, in a named and in an anonymous survey, with Selected Campaigns and with All Campaigns. And ten days of
 * each outage at each moment of a closing, with both.
 */
export const examples = [
	...[...EPISODES, ...LARGE].flatMap((text, place) =>
		(place < EPISODES.length ? [0, 1, 2, 3] : [place - EPISODES.length]).map((number) =>
			exampleOf(number, episodeOf(text, number % 2, 1_000 * number)),
		),
	),
	...outageNames.flatMap((_, kind) =>
		[0, 1, 2, 3, 4].flatMap((moment) =>
			[0, 2].map((number) => {
				const spacing = (kind + moment + number / 2) % 2 ? 1440 : 60;
				return exampleOf(number, closingWithOutage(0, moment, kind, 14_400, spacing));
			}),
		),
	),
];
