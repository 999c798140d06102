import {
	REMEMBERED_MS,
	watchedCampaigns,
	type Listed,
	type WatchOptions,
} from '../../nodes/MessagingServiceTrigger/campaigns/watchedCampaigns.ts';
import type { CampaignState, State } from '../../nodes/MessagingServiceTrigger/state/savedState.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const SUBMITTED = 1;
const READ = 4;

const DEFAULTS: WatchOptions = {
	now: NOW,
	isServiceTime: true,
	surveyClosed: false,
	foundClosed: new Set<string>(),
	events: SUBMITTED,
	emitExisting: false,
	restarted: false,
};
const from = NOW - 90 * DAY;

const stateWith = (campaigns: State['campaigns'], more: Partial<State> = {}): State => ({
	version: 1,
	revision: 'r',
	at: NOW - 3000,
	listedUntil: NOW - 5 * MINUTE,
	selection: 'all',
	campaigns,
	notSurveys: [],
	...more,
});
const all = (...campaigns: Listed[]) => ({ name: 'all', campaigns, from });
const selected = (...campaigns: Listed[]) => ({ name: 'selected', campaigns });

type Given = {
	state?: State;
	/** What the list, or the selection, says of campaign a. */
	listed?: Omit<Listed, 'id'>;
	isSelected?: boolean;
	options?: Partial<WatchOptions>;
};

/** The state of campaign a after the selection. */
function campaignAfter({ state, listed = {}, isSelected, options }: Given) {
	const selection = (isSelected ? selected : all)({ id: 'a', ...listed });
	return watchedCampaigns(state, selection, { ...DEFAULTS, ...options }).campaigns.get('a');
}

const baseline = (moment = NOW): CampaignState => ({ events: 0, baselines: { 0: moment } });
const fresh: CampaignState = { events: SUBMITTED };
const known: CampaignState = { events: SUBMITTED, rows: {} };
const empty = stateWith({});
const ahead = stateWith({}, { listedUntil: NOW + 4 * DAY });
const other = stateWith({ b: known });
const closed = { listed: { phase: 'closed' }, isSelected: true } as const;

describe('a new campaign', () => {
	const LISTED = NOW - 5 * MINUTE;
	const live = (at: number, more: Omit<Given, 'listed'> = { state: empty }): Given => ({
		listed: { live: at },
		...more,
	});

	test.each<[string, Given, CampaignState]>([
		['has a baseline at the start', live(NOW - DAY, {}), { live: NOW - DAY, ...baseline() }],
		['is new when it goes live later', live(NOW - MINUTE), { live: NOW - MINUTE, ...fresh }],
		['is new just after the last list', live(LISTED + 1), { live: LISTED + 1, ...fresh }],
		['is old when the last list may lack it', live(LISTED), { live: LISTED, ...baseline() }],
		[
			'is old before a later list of this process',
			live(NOW - MINUTE, { state: empty, options: { listedUntil: NOW - 30_000 } }),
			{ live: NOW - MINUTE, ...baseline() },
		],
		[
			'is new after a list of this process, when the saved time is in the future',
			live(NOW - 30_000, { state: ahead, options: { listedUntil: NOW - MINUTE } }),
			{ live: NOW - 30_000, ...fresh },
		],
		[
			'is old before that list',
			live(NOW - 90_000, { state: ahead, options: { listedUntil: NOW - MINUTE } }),
			{ live: NOW - 90_000, ...baseline() },
		],
		[
			'is new within the lag when both times are in the future',
			live(NOW - 30_000, { state: ahead, options: { listedUntil: NOW + 4 * DAY } }),
			{ live: NOW - 30_000, ...fresh },
		],
		['is old beyond that lag', live(LISTED, { state: ahead }), { live: LISTED, ...baseline() }],
		['has nothing to read when it is closed', closed, { ...baseline(), closed: true }],
		[
			'is read when existing responses are wanted',
			{ ...closed, options: { emitExisting: true } },
			fresh,
		],
		['is new before it goes live', { listed: { phase: 'notYetLive' }, isSelected: true }, fresh],
		[
			'of another selection has its baseline at the last save after a restart',
			{ state: other, isSelected: true, options: { restarted: true } },
			baseline(NOW - 3000),
		],
		['and now otherwise', { state: other, isSelected: true }, baseline()],
		[
			'has a baseline when it is added to the chosen ones',
			{ state: stateWith({}, { selection: 'selected' }), isSelected: true },
			baseline(),
		],
		[
			'of another selection is read after a restart although it is closed',
			{ ...closed, state: other, options: { restarted: true } },
			baseline(NOW - 3000),
		],
		[
			'is open if its closing is wanted',
			{ listed: { phase: 'live' }, isSelected: true, options: { surveyClosed: true } },
			{ ...baseline(), open: true },
		],
		[
			'is open if it went live and closed since the last list',
			{
				state: empty,
				listed: { live: NOW, phase: 'closed' },
				options: { surveyClosed: true },
			},
			{ ...fresh, live: NOW, open: true },
		],
	])('%s', (_case, given, expected) => {
		expect(campaignAfter(given)).toEqual(expected);
	});
});

describe('a known campaign', () => {
	const both = { events: SUBMITTED | READ };
	const done: CampaignState = { ...both, rows: {}, last: NOW - DAY, closed: true };
	const reopened = (before: Partial<CampaignState>): CampaignState => ({
		events: SUBMITTED,
		closed: true,
		...before,
	});

	test.each<[string, CampaignState, Omit<Given, 'state'>, CampaignState]>([
		['keeps its state', { ...known, live: NOW - DAY }, {}, { ...known, live: NOW - DAY }],
		[
			'takes over its live date',
			{ ...known, live: 1 },
			{ listed: { live: 2 } },
			{ ...known, live: 2 },
		],
		['forgets an event that is not wanted', { ...both, rows: {} }, {}, known],
		[
			'has a baseline of an added event',
			known,
			{ options: both },
			{ ...known, baselines: { 2: NOW } },
		],
		[
			'keeps the moment of that baseline',
			{ ...known, baselines: { 2: NOW } },
			{ options: { ...both, now: NOW + 5000 } },
			{ ...known, baselines: { 2: NOW } },
		],
		[
			'has it beside an older baseline',
			baseline(NOW - 1),
			{ options: both },
			{ events: 0, baselines: { 0: NOW - 1, 2: NOW } },
		],
		[
			'has it when live and never read',
			fresh,
			{ listed: { phase: 'live' }, options: both },
			{ ...fresh, baselines: { 2: NOW } },
		],
		[
			'has none before it goes live',
			fresh,
			{ listed: { phase: 'notYetLive' }, options: both },
			both,
		],
		[
			'has it before it goes live when it was read',
			known,
			{ listed: { phase: 'notYetLive' }, options: both },
			{ ...known, baselines: { 2: NOW } },
		],
		[
			'has none when existing responses are wanted',
			known,
			{ options: { ...both, emitExisting: true } },
			{ ...known, ...both },
		],
		['takes a baseline in the future for one now', baseline(NOW + 4 * DAY), {}, baseline()],
		['stays closed while no list has it', done, { options: both }, done],
		['stays closed', done, { listed: { phase: 'closed' }, options: both }, done],
		[
			'is compared by its dates once it is reopened, and campaignRead has a new baseline',
			done,
			{ listed: { phase: 'live' }, options: both },
			{ ...known, last: NOW - DAY, until: NOW - DAY, baselines: { 2: NOW } },
		],
		[
			'is compared by the time of an earlier reopening if that is later',
			reopened({ rows: {}, last: NOW - 2 * DAY, until: NOW - DAY }),
			{ listed: { phase: 'live' } },
			{ ...known, last: NOW - 2 * DAY, until: NOW - DAY },
		],
		[
			'is compared by its last date if that is later',
			reopened({ rows: {}, last: NOW - DAY, until: NOW - 2 * DAY }),
			{ listed: { phase: 'live' } },
			{ ...known, last: NOW - DAY, until: NOW - DAY },
		],
		['has no date if no row has one', reopened({ rows: {} }), { listed: { phase: 'live' } }, known],
		[
			'is read like a new one if it never was',
			reopened({ ...both, last: NOW - DAY }),
			{ listed: { phase: 'live' }, options: both },
			{ ...both, last: NOW - DAY },
		],
		...(['live', 'notYetLive'] as const).map(
			(phase): [string, CampaignState, Omit<Given, 'state'>, CampaignState] => [
				`is open while it is ${phase}, if its closing is wanted`,
				known,
				{ listed: { phase }, options: { surveyClosed: true } },
				{ ...known, open: true },
			],
		),
		...([undefined, 'closed', 'takenForLive'] as const).map(
			(phase): [string, CampaignState, Omit<Given, 'state'>, CampaignState] => [
				`is not open while it is ${phase}`,
				known,
				{ listed: { phase }, options: { surveyClosed: true } },
				known,
			],
		),
		['is not open if its closing is not wanted', { ...known, open: true }, {}, known],
	])('%s', (_case, before, given, expected) => {
		expect(campaignAfter({ state: stateWith({ a: before }), ...given })).toEqual(expected);
	});

	test('stays when a list lacks it, and is forgotten a week after it left the window', () => {
		const state = stateWith({
			missing: { ...known, live: NOW - DAY },
			justOver: { ...known, live: from - 1 },
			over: { ...known, live: from - REMEMBERED_MS - 1 },
		});
		const { campaigns } = watchedCampaigns(state, all(), DEFAULTS);
		expect([...campaigns.keys()]).toEqual(['missing', 'justOver']);
	});

	test('that a clock far ahead made forgotten comes back without new events', () => {
		const live = NOW - 5 * DAY;
		const state = stateWith({ a: { ...known, live } });
		const selection = { ...all(), from: from + 100 * DAY };
		const far = watchedCampaigns(state, selection, { ...DEFAULTS, now: NOW + 100 * DAY });
		expect(far.campaigns.size).toBe(0);
		const back = stateWith({}, { listedUntil: far.listedUntil });
		expect(campaignAfter({ state: back, listed: { live } })).toEqual({ live, ...baseline() });
	});
});

describe('a selection', () => {
	test('notes the time of each list, less its possible lag', () => {
		const state = stateWith({ a: { ...fresh, live: NOW - DAY } });
		const until = (options: Partial<WatchOptions>, ...campaigns: Listed[]) =>
			watchedCampaigns(state, all(...campaigns), { ...DEFAULTS, ...options }).listedUntil;
		const listed = { id: 'a', live: NOW - DAY };
		expect(until({}, listed)).toBe(NOW - 5 * MINUTE);
		expect(until({ isServiceTime: false }, listed)).toBe(NOW - DAY);
		// An empty list may be one that failed.
		expect(until({ now: NOW + 3_600_000 })).toBe(NOW - 5 * MINUTE);
	});

	test('of chosen campaigns, and a changed one, forgets what is not in it', () => {
		const state = stateWith({ a: { ...known, live: NOW } }, { selection: 'selected' });
		expect(watchedCampaigns(state, selected(), DEFAULTS).campaigns.size).toBe(0);
		expect(watchedCampaigns(state, all(), DEFAULTS).campaigns.size).toBe(0);
	});

	test('returns what the list says of each campaign', () => {
		const listed: Listed = { id: 'a', live: NOW - DAY, phase: 'live', recipients: 7 };
		const state = stateWith({ b: { ...known, live: NOW } });
		const watched = watchedCampaigns(state, all(listed), DEFAULTS);
		expect([...watched.listed]).toEqual([['a', listed]]);
		expect(watched.campaigns.get('b')).toEqual({ ...known, live: NOW });
	});

	test('forgets campaigns that are not surveys when they are no longer listed', () => {
		const state = stateWith({}, { notSurveys: ['a', 'b'] });
		const selection = all({ id: 'b', live: NOW });
		const { notSurveys, campaigns } = watchedCampaigns(state, selection, DEFAULTS);
		expect([...notSurveys]).toEqual(['b']);
		expect(campaigns.size).toBe(0);
	});
});
