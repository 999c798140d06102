import type { Action, Setting, Conditions } from './triggerSimulation.mts';

const plain: Setting = {
	watch: 'selected',
	scheduling: 'inProcess',
	events: ['surveySubmitted'],
	anonymous: [false, false, false],
	maxReadGapMinutes: 0,
};
const calm: Conditions = { faults: [], list: 'ok' };
const poll: Action = { do: 'poll', conditions: calm };
const tight: Action = { do: 'poll', conditions: { ...calm, limit: 1 } };
const failing: Action = {
	do: 'poll',
	conditions: { ...calm, faults: ['error', 'none', 'none'] },
};
const arrives = (campaign: number, stage = 3): Action => ({
	do: 'arrive',
	campaign,
	stage,
	late: false,
});

type EdgeCase = {
	name: string;
	setting: Setting;
	before: Action[];
	first: Conditions;
	after: Action[];
};

/** Scenarios that chance seldom finds: each has one cause for an event to be lost or emitted twice. */
export const EDGE_CASES: EdgeCase[] = [
	{
		name: 'under a rate limit every campaign comes to its turn',
		setting: { ...plain, lastLimit: 1 },
		before: [],
		first: calm,
		after: [arrives(0), arrives(1), arrives(2), tight, tight],
	},
	{
		name: 'the only campaign that can be read is deleted, and comes back',
		setting: { ...plain, watch: 'all', anonymous: [false] },
		before: [arrives(0)],
		first: calm,
		after: [
			{ do: 'vanish', campaign: 0 },
			poll,
			poll,
			{ do: 'kill' },
			{ do: 'vanish', campaign: 0 },
			arrives(0),
			poll,
		],
	},
	{
		name: 'an event is added while its campaign cannot be read',
		setting: { ...plain, events: ['campaignRead'], anonymous: [false] },
		before: [arrives(0)],
		first: calm,
		after: [
			{ do: 'events', events: ['campaignRead', 'surveySubmitted'] },
			failing,
			arrives(0),
			failing,
			poll,
		],
	},
	...(['tasks', 'durableCursors'] as const).map((scheduling) => ({
		name: `an event and a campaign are added by an expression, polls scheduled as ${scheduling}`,
		setting: { ...plain, events: ['campaignRead'], scheduling } satisfies Setting,
		before: [arrives(0)],
		first: calm,
		after: [
			{ do: 'select', campaigns: [0] },
			poll,
			{ do: 'select', campaigns: [0, 1] },
			{ do: 'events', events: ['campaignRead', 'surveySubmitted'] },
			poll,
			arrives(0),
			arrives(1),
			poll,
			poll,
		] satisfies Action[],
	})),
	{
		name: 'a clock four days ahead is put right',
		setting: { ...plain, watch: 'all' },
		before: [arrives(2)],
		first: calm,
		after: [{ do: 'clock' }, poll, arrives(0), poll, arrives(2), { do: 'clock' }, poll],
	},
	{
		name: 'an anonymous survey is answered step by step',
		setting: {
			...plain,
			anonymous: [true],
			events: ['campaignRead', 'campaignResponded', 'surveySubmitted'],
		},
		before: [],
		first: calm,
		after: [
			arrives(0, 0),
			arrives(0, 0),
			poll,
			...[0, 1, 0, 0, 1, 1].flatMap((which): Action[] => [{ do: 'advance', which }, poll]),
		],
	},
	{
		name: 'one who is known by the email alone goes on answering while another one comes',
		setting: {
			...plain,
			anonymous: [false],
			byEmail: true,
			events: ['campaignRead', 'surveySubmitted'],
		},
		before: [],
		first: calm,
		after: [
			arrives(0, 0),
			poll,
			...[0, 0, 0].map((which): Action => ({ do: 'advance', which })),
			arrives(0, 0),
			poll,
		],
	},
	{
		name: 'a campaign is selected, and n8n is killed before anything is saved',
		setting: { ...plain, anonymous: [false, false] },
		before: [],
		first: calm,
		after: [
			{ do: 'select', campaigns: [0] },
			poll,
			arrives(0),
			poll,
			{ do: 'select', campaigns: [0, 1] },
			poll,
			arrives(1),
			{ do: 'kill' },
			poll,
		],
	},
	{
		name: 'an anonymous answer is edited',
		setting: { ...plain, anonymous: [true] },
		before: [],
		first: calm,
		after: [arrives(0), arrives(0), poll, { do: 'edit', which: 0 }, poll, arrives(0), poll],
	},
	{
		name: 'a survey turns anonymous',
		setting: plain,
		before: [arrives(0), arrives(0)],
		first: calm,
		after: [arrives(0), poll, { do: 'anonymous', campaign: 0 }, poll, arrives(0), poll],
	},
	{
		name: 'a row loses its user id',
		setting: plain,
		before: [arrives(0), arrives(0)],
		first: calm,
		after: [poll, { do: 'loseId', which: 0 }, poll, arrives(0), poll],
	},
	{
		name: 'a known survey is once said to be none',
		setting: { ...plain, watch: 'all' },
		before: [arrives(0)],
		first: calm,
		after: [
			{ do: 'poll', conditions: { ...calm, faults: ['notASurvey', 'none', 'none'] } },
			arrives(0),
			poll,
		],
	},
	{
		name: 'a survey is closed, opened and closed again',
		setting: { ...plain, surveyClosed: true },
		before: [arrives(0), { do: 'close', campaign: 1 }],
		first: calm,
		after: [
			poll,
			{ do: 'close', campaign: 0 },
			failing,
			poll,
			{ do: 'kill' },
			{ do: 'reopen', campaign: 0 },
			poll,
			{ do: 'close', campaign: 0 },
			poll,
		],
	},
	{
		name: 'a survey that the list does not have is closed',
		setting: { ...plain, surveyClosed: true, unlisted: 0 },
		before: [arrives(0)],
		first: calm,
		after: [poll, { do: 'close', campaign: 0 }, poll, poll],
	},
	{
		name: 'an event is added to a survey of which only the closing is awaited, and which was never read',
		setting: { ...plain, events: [], surveyClosed: true },
		before: [arrives(0), arrives(1), arrives(0)],
		first: { ...calm, faults: ['error', 'none', 'none'] },
		after: [
			failing,
			{ do: 'events', events: ['campaignResponded'] },
			failing,
			poll,
			arrives(0),
			poll,
		],
	},
	{
		name: 'an event is added before a campaign that has just gone live could be read',
		setting: { ...plain, watch: 'all', anonymous: [false] },
		before: [],
		first: calm,
		after: [
			{ do: 'goLive' },
			arrives(1),
			{ do: 'poll', conditions: { ...calm, limit: 0 } },
			{ do: 'events', events: ['campaignRead', 'surveySubmitted'] },
			poll,
			arrives(1),
			poll,
		],
	},
	{
		name: 'an event is added where only the closing is awaited, while its campaign is not shown',
		setting: { ...plain, watch: 'all', events: [], surveyClosed: true, saysTime: true },
		before: [],
		first: calm,
		after: [
			{ do: 'vanish', campaign: 0 },
			{ do: 'events', events: ['surveySubmitted'] },
			arrives(0, 2),
			poll,
			{ do: 'advance', which: 0 },
		],
	},
	{
		name: 'a survey with more new responses than a poll emits is closed',
		setting: { ...plain, surveyClosed: true, anonymous: [false, false] },
		before: [],
		first: calm,
		after: [
			{ do: 'arriveMany', campaign: 0, count: 10_020 },
			{ do: 'arriveMany', campaign: 1, count: 20 },
			{ do: 'close', campaign: 0 },
			poll,
			{ do: 'kill' },
			poll,
		],
	},
	{
		name: 'campaigns become visible to another account, with n8n three days behind',
		setting: { ...plain, watch: 'all', saysTime: true, surveyClosed: true },
		before: [{ do: 'vanish', campaign: 0 }, arrives(0), arrives(1), { do: 'clock', days: -3 }],
		first: calm,
		after: [
			{ do: 'clock', days: -3 },
			poll,
			{ do: 'swapAccount' },
			poll,
			arrives(0),
			poll,
			{ do: 'goLive' },
			arrives(3),
			poll,
		],
	},
	{
		name: 'rows without a user ID get one',
		setting: plain,
		before: [arrives(0), arrives(0), { do: 'loseId', which: 0 }, { do: 'loseId', which: 1 }],
		first: calm,
		after: [poll, { do: 'gainId', which: 0 }, { do: 'gainId', which: 1 }, poll, arrives(0), poll],
	},
	{
		name: 'an anonymous answer is edited, with n8n three days behind',
		setting: { ...plain, anonymous: [true], saysTime: true },
		before: [arrives(0)],
		first: calm,
		after: [{ do: 'clock', days: -3 }, poll, arrives(0), poll, { do: 'edit', which: 1 }, poll],
	},
	{
		name: 'an anonymous answer is missing while one with an old date comes',
		setting: { ...plain, anonymous: [true] },
		before: [arrives(0), arrives(0)],
		first: calm,
		after: [
			{ do: 'hide', which: 0 },
			{ do: 'arrive', campaign: 0, stage: 3, late: true },
			poll,
			{ do: 'hide', which: 0 },
			poll,
		],
	},
	{
		name: 'a closed survey is reopened',
		setting: { ...plain, events: ['campaignResponded', 'surveySubmitted'] },
		before: [arrives(0), arrives(0, 1)],
		first: calm,
		after: [
			arrives(0),
			{ do: 'close', campaign: 0 },
			poll,
			poll,
			{ do: 'reopen', campaign: 0 },
			arrives(0),
			{ do: 'advance', which: 1 },
			{ do: 'advance', which: 1 },
			poll,
		],
	},
];
