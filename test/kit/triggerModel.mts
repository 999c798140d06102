import fc from 'fast-check';

import { schedulings } from './poll.mts';
import { EVENT_NAMES, play, setting, type Action, type Setting } from './triggerModelRun.mts';
import { FAULTS } from './triggerModelService.mts';

/** How often each action is chosen. */
const ACTIONS = {
	...{ arrive: 9, advance: 5, edit: 1, redate: 1, hide: 1, crowd: 0.3 },
	...{ poll: 12, kill: 1, republish: 1, emitExisting: 0.5 },
	...{ wait: 2, waitLong: 0.7, clock: 1, serviceClock: 1 },
	...{ close: 1, reopen: 1, goLive: 1, launch: 1, share: 0.6, prepare: 0.6 },
	...{ hideCampaign: 0.3, unlist: 0.3, turn: 0.3 },
	...{ select: 1, events: 1, category: 0.7, days: 0.3 },
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

/** 54 days. */
const LONG = Array<string>(6).fill('waitLong:13000').join(' ');

/**
 * Sequences that single actions rarely produce; all concern one campaign. `name:what:how` replaces the random numbers. Each
 * stands for rows of the tables in docs/trigger.md.
 */
const EPISODES = [
	// Closed, reopened, closed again.
	'arrive calm close calm wait:6 calm reopen poll arrive redate poll',
	'arrive arrive calm close poll calm wait:6 poll calm reopen arrive calm arrive poll',
	'arrive::11 close poll reopen arrive::11 arrive::2 poll',
	'arrive::2 arrive::1 calm close calm wait:6 calm reopen hide:1 calm hide:1 calm advance:1 calm',
	'arrive::221 arrive::221 calm edit edit calm close calm wait:6 calm reopen calm arrive::221 calm',
	// Survey data fails or has no rows for a day; the report fails.
	'arrive calm close reads:error waitLong:1500 reads:error calm reopen arrive calm',
	'arrive calm clock:0 close reads:error clock:0 reads:error waitLong:1500 reads:error calm',
	'arrive calm reads:empty close reads:empty reads:empty waitLong:1500 reads:empty calm',
	'arrive calm close reads:noReport calm',
	// The status is a number, or asked off the list.
	'arrive calm close list:numberStatus calm',
	'arrive unlist calm close reads:numberStatus calm waitLong:600 calm wait:10 calm reopen waitLong:1500 calm arrive calm',
	// The survey turns anonymous, or back.
	'poll arrive turn arrive poll poll arrive poll',
	'arrive calm turn arrive calm calm advance arrive calm',
	'arrive calm turn calm calm close calm wait:6 calm reopen arrive calm',
	'arrive calm wait:20 calm wait:20 calm turn calm calm arrive calm',
	'arrive::11 arrive::11 calm close calm wait:6 calm reopen calm turn calm calm turn calm calm arrive::11 calm',
	// Launches, and empty or partial lists.
	'launch:1 poll kill arrive poll',
	'launch:0 calm launch:1:5 calm',
	'prepare calm goLive:3:1 arrive:3:212 calm',
	`prepare calm ${LONG} goLive:3:4 calm ${LONG} arrive:3 calm`,
	'calm launch:1 wait:6 list:empty calm',
	'calm launch:1 list:partial wait:3 calm',
	'category:0 calm launch:1 launch:1 category:2 calm',
	// The clocks differ, and the first read fails.
	'clock:5 launch:1 arrive poll clock:5',
	'calm clock:6 calm share calm clock:0',
	'calm clock:5 noDate clock:5 arrive calm',
	'events:8 arrive calm close calm clock:2 events:15 calm clock:0 wait:6 calm reopen calm',
	'events:1 unlist calm unlist close events:8 calm',
	'events:8 calm clock:2 events:15 onlyFirst arrive:1:11 arrive:1:2 calm clock',
	'events:8 calm arrive:1:11 arrive:1:2 wait:10 clock:3 events:15 onlyFirst calm clock',
	'events:8 arrive::2 arrive::2 hide:1 wait:20 events:15 calm close calm wait:6 calm reopen hide:1 calm',
	'events:8 calm wait:10 arrive:1:11 wait:4 events:15 onlyFirst calm',
	// Deselected, switched off, missing from the list.
	'calm days:0 arrive calm days:1 arrive calm',
	'select:1 poll waitLong:5000 arrive select:7:1 poll',
	'select:1 calm waitLong:6000 calm waitLong:6000 calm arrive select:7:1 poll',
	'clock:1 select:1 calm waitLong:7000 arrive select:7:1 calm clock',
	'events:1 calm arrive calm events:15 calm arrive poll',
	'waitLong:5000 calm waitLong:13000 calm waitLong:13000 calm',
	'calm hideCampaign:0 hideCampaign:1 hideCampaign:2 wait:20 calm',
	// Not a survey.

	'select:1 calm select:7:1 reads:notASurvey arrive calm republish arrive calm',
	// Rows without an ID or a date, rows that are missing for a time, edits.
	'crowd poll',
	'crowd::10 calm edit edit edit calm',
	'calm arrive::11 calm arrive::11 calm hide:0 arrive::11 calm hide:0 calm',
	'arrive::11 calm edit calm arrive::11 edit calm',
	'arrive arrive arrive arrive calm hide:0 hide:1 arrive arrive calm hide:0 hide:1 calm',
	'events:4 arrive::2 arrive::2 calm wait:6 events:15 reads:partial calm redate redate calm',
	'arrive calm kill::1 arrive calm',
];

/** More than 10,000 items, also when the survey closes or turns meanwhile. */
const LARGE = [
	'events:12 crowd::9 crowd::9 crowd::9 close close:1 calm calm calm',
	'events:12 crowd::9 crowd::9 crowd::9 calm turn calm calm calm',
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

const episode = fc
	.tuple(fc.constantFrom(...EPISODES), ...numbers)
	.map(([text, campaign, random]) => episodeOf(text, campaign, random));

const course = fc
	.array(
		fc.oneof(
			{ weight: 7, arbitrary: actionOf(ACTIONS).map((one) => [one]) },
			{ weight: 3, arbitrary: episode },
		),
		{ maxLength: 30 },
	)
	.map((parts) => parts.flat());

/** The parts of a history: settings, what happens before the publication, the first poll, what happens then. */
const parts = [
	setting,
	fc.array(actionOf(BEFOREHAND), { maxLength: 5 }),
	actionOf({ poll: 1 }),
	course,
] as const;

/** Each episode alone, in a named and in an anonymous survey, with Selected Campaigns and with All Campaigns. */
export const examples = [...EPISODES, ...LARGE].flatMap((text, place) =>
	(place < EPISODES.length ? [0, 1] : [place - EPISODES.length]).map(
		(number): [Setting, Action[], Action, Action[]] => [
			{
				...{ isAll: number > 1, scheduling: schedulings.at(number - 2) ?? 'inProcess' },
				...{ events: EVENT_NAMES, anonymous: [false, true, false] },
				maxReadGapMinutes: 5 * (number % 2),
				...{ sendsDate: true, emitExisting: false, isExpression: false },
				...{ broken: undefined, limit: undefined },
			},
			[],
			{ do: 'poll', a: 0, b: 0 },
			episodeOf(text, number % 2, 1_000 * number),
		],
	),
);

/** In every history, the trigger emits what it promises, once, and nothing else. */
export const emitsEachEventOnce = fc.asyncProperty(...parts, async (...history) => {
	const wrong = await play(...history);
	if (wrong.length > 0) throw new Error(wrong.join('\n'));
});
