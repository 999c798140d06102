import {
	events,
	type Action,
	type CampaignAction,
	type Conditions,
	type RowAction,
	type Setting,
} from './triggerSimulation.mts';

type EdgeCase = {
	setting?: Partial<Setting>;
	/** Actions before the workflow is published. */
	before?: Action[];
	/** How the service behaves during the first poll. */
	first?: Conditions;
	/** Actions after the first poll; nested lists are flattened. */
	after: Array<Action | Action[]>;
};

const PLAIN: Setting = {
	watch: 'selected',
	scheduling: 'inProcess',
	events: ['surveySubmitted'],
	anonymous: [false, false, false],
	maxReadGapMinutes: 0,
};

const calm: Conditions = { faults: [], list: 'ok' };
const failing: Conditions = { ...calm, faults: ['error', 'none', 'none'] };
const pollWith = (conditions: Conditions): Action => ({ do: 'poll', conditions });
const poll = pollWith(calm);
const failingPoll = pollWith(failing);
const limitedPoll = pollWith({ ...calm, limit: 1 });

const kill: Action = { do: 'kill' };
const goLive: Action = { do: 'goLive' };
const fetchTestEvent: Action = { do: 'fetchTestEvent' };
const clockBehind: Action = { do: 'clock', days: -3 };
const arrive = (campaign: number, stage = 3): Action => ({ do: 'arrive', campaign, stage });
const skipFirst = (campaign: number): Action => ({ do: 'arrive', campaign, stage: 3, skips: true });
const arriveMany = (campaign: number, count: number): Action => ({
	do: 'arriveMany',
	campaign,
	count,
});
const change = (what: CampaignAction['do'], campaign: number): Action => ({ do: what, campaign });
const changeRow = (what: RowAction['do'], which: number): Action => ({ do: what, which });
const select = (...campaigns: number[]): Action => ({ do: 'select', campaigns });
const want = (...wanted: Setting['events']): Action => ({ do: 'events', events: wanted });

/** Scenarios that random choice rarely produces. Each scenario covers one way to lose an event or emit it twice. */
const CASES: Record<string, EdgeCase> = {
	'every campaign is read in turn under a rate limit': {
		setting: { lastLimit: 1 },
		after: [arrive(0), arrive(1), arrive(2), limitedPoll, limitedPoll],
	},
	'the only readable campaign is deleted and restored': {
		setting: { watch: 'all', anonymous: [false] },
		before: [arrive(0)],
		after: [change('vanish', 0), poll, poll, kill, change('vanish', 0), arrive(0), poll],
	},
	'an event is added while its campaign cannot be read': {
		setting: { events: ['campaignRead'], anonymous: [false] },
		before: [arrive(0)],
		after: [want('campaignRead', 'surveySubmitted'), failingPoll, arrive(0), failingPoll, poll],
	},
	...Object.fromEntries(
		(['tasks', 'durableCursors'] as const).map((scheduling): [string, EdgeCase] => [
			`an expression adds an event and a campaign, polls scheduled as ${scheduling}`,
			{
				setting: { events: ['campaignRead'], scheduling },
				before: [arrive(0)],
				after: [
					[select(0), poll, select(0, 1), want('campaignRead', 'surveySubmitted'), poll],
					[arrive(0), arrive(1), poll, poll],
				],
			},
		]),
	),
	'a clock four days ahead is corrected': {
		setting: { watch: 'all' },
		before: [arrive(2)],
		after: [{ do: 'clock' }, poll, arrive(0), poll, arrive(2), { do: 'clock' }, poll],
	},
	'an anonymous survey is answered step by step': {
		setting: { anonymous: [true], events: [...events] },
		after: [
			[arrive(0, 0), arrive(0, 0), poll],
			...[0, 1, 0, 0, 1, 1].flatMap((which) => [changeRow('advance', which), poll]),
		],
	},
	'a second reader of an anonymous survey looks like the first': {
		setting: { anonymous: [true], events: ['campaignRead'] },
		after: [arrive(0, 0), poll, arrive(0, 0), poll],
	},
	'a person known only by email continues answering while another arrives': {
		setting: { anonymous: [false], byEmail: true, events: ['campaignRead', 'surveySubmitted'] },
		after: [
			[arrive(0, 0), poll],
			[0, 0, 0].map((which) => changeRow('advance', which)),
			[arrive(0, 0), poll],
		],
	},
	'a campaign is selected, and n8n is killed before it saves': {
		setting: { anonymous: [false, false] },
		after: [select(0), poll, arrive(0), poll, select(0, 1), poll, arrive(1), kill, poll],
	},
	'an anonymous answer is edited': {
		setting: { anonymous: [true] },
		after: [arrive(0), arrive(0), poll, changeRow('edit', 0), poll, arrive(0), poll],
	},
	'a survey turns anonymous': {
		before: [arrive(0), arrive(0)],
		after: [arrive(0), poll, change('anonymous', 0), poll, arrive(0), poll],
	},
	'a survey is no longer anonymous': {
		setting: { anonymous: [true] },
		before: [arriveMany(0, 50)],
		after: [arrive(0), poll, change('anonymous', 0), poll, arrive(0), poll],
	},
	'existing responses are emitted, 10,000 per poll, despite kills': {
		setting: { emitExisting: true, events: [...events], anonymous: [false, true] },
		before: [arriveMany(0, 3_500), arriveMany(1, 3_500)],
		after: [kill, change('close', 0), poll, kill, arrive(1)],
	},
	'a row loses its user ID': {
		before: [arrive(0), arrive(0)],
		after: [poll, changeRow('loseId', 0), poll, arrive(0), poll],
	},
	'the service once denies that a known survey is a survey': {
		setting: { watch: 'all' },
		before: [arrive(0)],
		after: [pollWith({ ...calm, faults: ['notASurvey', 'none', 'none'] }), arrive(0), poll],
	},
	'a survey is closed, reopened and closed again': {
		setting: { surveyClosed: true },
		before: [arrive(0), change('close', 1)],
		after: [
			[poll, change('close', 0), failingPoll, poll, kill],
			[change('reopen', 0), poll, change('close', 0), poll],
		],
	},
	'a survey that is missing from the list is closed': {
		setting: { surveyClosed: true, unlisted: 0 },
		before: [arrive(0)],
		after: [poll, change('close', 0), poll, poll],
	},
	'an event is added to an unread survey that was watched only for its closing': {
		setting: { events: [], surveyClosed: true },
		before: [arrive(0), arrive(1), arrive(0)],
		first: failing,
		after: [failingPoll, want('campaignResponded'), failingPoll, poll, arrive(0), poll],
	},
	'an event is added before a new campaign could be read': {
		setting: { watch: 'all', anonymous: [false] },
		after: [
			[goLive, arrive(1), pollWith({ ...calm, limit: 0 })],
			[want('campaignRead', 'surveySubmitted'), poll, arrive(1), poll],
		],
	},
	'an event is added to a hidden campaign that was watched only for its closing': {
		setting: { watch: 'all', events: [], surveyClosed: true, sendsDate: true },
		after: [
			[change('vanish', 0), want('surveySubmitted'), arrive(0, 2), poll],
			changeRow('advance', 0),
		],
	},
	'a survey is closed with more new responses than one poll emits': {
		setting: { surveyClosed: true, anonymous: [false, false] },
		after: [arriveMany(0, 10_020), arriveMany(1, 20), change('close', 0), poll, kill, poll],
	},
	'another account sees other campaigns while the clock of n8n is three days behind': {
		setting: { watch: 'all', sendsDate: true, surveyClosed: true },
		before: [change('vanish', 0), arrive(0), arrive(1), clockBehind],
		after: [
			[clockBehind, poll, { do: 'swapAccount' }, poll],
			[arrive(0), poll, goLive, arrive(3), poll],
		],
	},
	...Object.fromEntries(
		[false, true].map((isKilled): [string, EdgeCase] => [
			`a campaign goes live, is hidden${isKilled ? ' while n8n is killed' : ''}, and is shown again`,
			{
				setting: { watch: 'all', sendsDate: true },
				after: [
					[goLive, arrive(3), poll, change('vanish', 3)],
					isKilled ? [kill] : [],
					[arrive(3), { do: 'wait', minutes: 9 }, poll, poll],
					[change('vanish', 3), poll, arrive(3)],
				],
			},
		]),
	),
	"a campaign goes live after the service's clock, four days ahead, is corrected": {
		setting: { watch: 'all', sendsDate: true },
		before: [{ do: 'serviceClock' }],
		after: [{ do: 'serviceClock' }, poll, goLive, arrive(3), poll],
	},
	'a known person submits again, twice, after the survey is reopened': {
		after: [
			[arrive(0), poll, change('close', 0), poll, change('reopen', 0), poll],
			[changeRow('redate', 0), poll, changeRow('redate', 0), poll],
		],
	},
	'sixty quiet campaigns are not read in one burst': {
		setting: { anonymous: Array<boolean>(60).fill(false), maxReadGapMinutes: 5 },
		after: Array.from({ length: 90 }, (_, minute): Action[] => [
			{ do: 'wait', minutes: 1 },
			pollWith({ ...calm, mostReads: minute < 60 ? 60 : 30 }),
		]).flat(),
	},
	'nobody answers the first question, and the last question is removed': {
		setting: { output: 'simplified' },
		after: [
			[fetchTestEvent, change('removeQuestion', 0)],
			[skipFirst(0), skipFirst(0), skipFirst(0), poll, fetchTestEvent],
			[change('addQuestion', 0), arrive(1), poll, skipFirst(0), poll, fetchTestEvent],
		],
	},
	'one survey shows that the service counts from 1, then n8n is killed': {
		setting: { output: 'table', countsFrom: 1 },
		after: [
			[arrive(0), poll, arriveMany(1, 20), poll],
			[change('removeQuestion', 0), select(0, 2), arrive(0), kill, arrive(2), poll],
		],
	},
	'rows without a user ID get one': {
		before: [arrive(0), arrive(0), changeRow('loseId', 0), changeRow('loseId', 1)],
		after: [poll, changeRow('gainId', 0), changeRow('gainId', 1), poll, arrive(0), poll],
	},
	'an anonymous answer is edited while the clock of n8n is three days behind': {
		setting: { anonymous: [true], sendsDate: true },
		before: [arrive(0)],
		after: [clockBehind, poll, arrive(0), poll, changeRow('edit', 1), poll],
	},
	'an anonymous response is missing while one with an old date arrives': {
		setting: { anonymous: [true] },
		before: [arrive(0), arrive(0)],
		after: [
			changeRow('hide', 0),
			{ do: 'arrive', campaign: 0, stage: 3, late: true },
			[poll, changeRow('hide', 0), poll],
		],
	},
	'a closed survey is reopened': {
		setting: { events: ['campaignResponded', 'surveySubmitted'] },
		before: [arrive(0), arrive(0, 1)],
		after: [
			[arrive(0), change('close', 0), poll, poll, change('reopen', 0), arrive(0)],
			[changeRow('advance', 1), changeRow('advance', 1), poll],
		],
	},
};

export const EDGE_CASES = Object.entries(CASES).map(
	([name, { setting, before = [], first = calm, after }]) => ({
		name,
		setting: { ...PLAIN, ...setting },
		before,
		first,
		after: after.flat(),
	}),
);
