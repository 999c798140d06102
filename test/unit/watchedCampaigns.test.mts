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
	/** The entry of campaign `a` in the list or the selection, without its ID. */
	listed?: Omit<Listed, 'id'>;
	isSelected?: boolean;
	options?: Partial<WatchOptions>;
};

/** Returns the state that watchedCampaigns gives campaign `a`. */
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

describe('a campaign without a saved state', () => {
	const LISTED = NOW - 5 * MINUTE;
	const live = (at: number, more: Omit<Given, 'listed'> = { state: empty }): Given => ({
		listed: { live: at },
		...more,
	});

	test.each<[string, Given, CampaignState]>([
		['has a baseline in the first poll', live(NOW - DAY, {}), { live: NOW - DAY, ...baseline() }],
		[
			'is new if it went live after the last list',
			live(NOW - MINUTE),
			{ live: NOW - MINUTE, ...fresh },
		],
		[
			'is new if it went live 1 ms after the last list',
			live(LISTED + 1),
			{ live: LISTED + 1, ...fresh },
		],
		[
			'is old if it went live at the time of the last list',
			live(LISTED),
			{ live: LISTED, ...baseline() },
		],
		[
			'is old if it went live before the last list, even if that list was read just now',
			live(NOW - 30_000, { state: stateWith({}, { listedUntil: NOW }) }),
			{ live: NOW - 30_000, ...baseline() },
		],
		[
			'is old if it went live before a later, unsaved list of this process',
			live(NOW - MINUTE, { state: empty, options: { listedUntil: NOW - 30_000 } }),
			{ live: NOW - MINUTE, ...baseline() },
		],
		[
			'is new if it went live after the last list of this process and the saved time is in the future',
			live(NOW - 30_000, { state: ahead, options: { listedUntil: NOW - MINUTE } }),
			{ live: NOW - 30_000, ...fresh },
		],
		[
			'is old if it went live before the last list of this process and the saved time is in the future',
			live(NOW - 90_000, { state: ahead, options: { listedUntil: NOW - MINUTE } }),
			{ live: NOW - 90_000, ...baseline() },
		],
		[
			'is new if it went live in the last five minutes and both times of the last list are in the future',
			live(NOW - 30_000, { state: ahead, options: { listedUntil: NOW + 4 * DAY } }),
			{ live: NOW - 30_000, ...fresh },
		],
		[
			'is old if it went live five minutes ago and the saved time is in the future',
			live(LISTED, { state: ahead }),
			{ live: LISTED, ...baseline() },
		],
		['is not read when it is closed', closed, { ...baseline(), closed: true }],
		[
			'is read although closed when existing responses are wanted',
			{ ...closed, options: { emitExisting: true } },
			fresh,
		],
		['is new if it is not yet live', { listed: { phase: 'notYetLive' }, isSelected: true }, fresh],
		[
			'has its baseline at the last save if the selection changed during a restart',
			{ state: other, isSelected: true, options: { restarted: true } },
			baseline(NOW - 3000),
		],
		[
			'has its baseline now if the selection changed without a restart',
			{ state: other, isSelected: true },
			baseline(),
		],
		[
			'has a baseline when it is added to the selection',
			{ state: stateWith({}, { selection: 'selected' }), isSelected: true },
			baseline(),
		],
		[
			'is read although closed if the selection changed during a restart',
			{ ...closed, state: other, options: { restarted: true } },
			baseline(NOW - 3000),
		],
		[
			'is marked open if its closing is to be emitted',
			{ listed: { phase: 'live' }, isSelected: true, options: { surveyClosed: true } },
			{ ...baseline(), open: true },
		],
		[
			'is not marked open if it closed before it was selected',
			{ ...closed, options: { surveyClosed: true } },
			{ ...baseline(), closed: true },
		],
		[
			'is marked open if it went live and closed since the last list',
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
			'gets its live date from the list',
			{ ...known, live: 1 },
			{ listed: { live: 2 } },
			{ ...known, live: 2 },
		],
		['forgets an event that is no longer selected', { ...both, rows: {} }, {}, known],
		[
			'has a baseline for a newly selected event',
			known,
			{ options: both },
			{ ...known, baselines: { 2: NOW } },
		],
		[
			'keeps the moment of the baseline for a newly selected event',
			{ ...known, baselines: { 2: NOW } },
			{ options: { ...both, now: NOW + 5000 } },
			{ ...known, baselines: { 2: NOW } },
		],
		[
			'has a baseline for a newly selected event beside an older baseline',
			baseline(NOW - 1),
			{ options: both },
			{ events: 0, baselines: { 0: NOW - 1, 2: NOW } },
		],
		[
			'before going live, has a baseline for a newly selected event if it already had a baseline',
			baseline(NOW - 1),
			{ listed: { phase: 'notYetLive' }, options: both },
			{ events: 0, baselines: { 0: NOW - 1, 2: NOW } },
		],
		[
			'has a baseline for a newly selected event if it is live and was never read',
			fresh,
			{ listed: { phase: 'live' }, options: both },
			{ ...fresh, baselines: { 2: NOW } },
		],
		[
			'before going live, has no baseline for a newly selected event if it was never read',
			fresh,
			{ listed: { phase: 'notYetLive' }, options: both },
			both,
		],
		[
			'before going live, has a baseline for a newly selected event if it was read',
			known,
			{ listed: { phase: 'notYetLive' }, options: both },
			{ ...known, baselines: { 2: NOW } },
		],
		[
			'has no baseline for a newly selected event when existing responses are wanted',
			known,
			{ options: { ...both, emitExisting: true } },
			{ ...known, ...both },
		],
		['moves a baseline in the future to now', baseline(NOW + 4 * DAY), {}, baseline()],
		['stays closed while no list contains it', done, { options: both }, done],
		['stays closed', done, { listed: { phase: 'closed' }, options: both }, done],
		[
			'after a reopening, has its last submission as time limit and a new baseline for campaignRead',
			done,
			{ listed: { phase: 'live' }, options: both },
			{ ...known, last: NOW - DAY, until: NOW - DAY, baselines: { 2: NOW } },
		],
		[
			'after a reopening, keeps its time limit if the last submission is earlier',
			reopened({ rows: {}, last: NOW - 2 * DAY, until: NOW - DAY }),
			{ listed: { phase: 'live' } },
			{ ...known, last: NOW - 2 * DAY, until: NOW - DAY },
		],
		[
			'after a reopening, moves its time limit to the last submission if the submission is later',
			reopened({ rows: {}, last: NOW - DAY, until: NOW - 2 * DAY }),
			{ listed: { phase: 'live' } },
			{ ...known, last: NOW - DAY, until: NOW - DAY },
		],
		[
			'after a reopening, has no time limit if no row has a submission time',
			reopened({ rows: {} }),
			{ listed: { phase: 'live' } },
			known,
		],
		[
			'after a reopening, is read like a new campaign if it was never read',
			reopened({ ...both, last: NOW - DAY }),
			{ listed: { phase: 'live' }, options: both },
			{ ...both, last: NOW - DAY },
		],
		...(['live', 'notYetLive'] as const).map(
			(phase): [string, CampaignState, Omit<Given, 'state'>, CampaignState] => [
				`is marked open if its phase is ${phase} and its closing is to be emitted`,
				known,
				{ listed: { phase }, options: { surveyClosed: true } },
				{ ...known, open: true },
			],
		),
		...([undefined, 'closed', 'takenForLive'] as const).map(
			(phase): [string, CampaignState, Omit<Given, 'state'>, CampaignState] => [
				`is not marked open while its phase is ${phase}`,
				known,
				{ listed: { phase }, options: { surveyClosed: true } },
				known,
			],
		),
		['loses the mark open if Survey Closed is not selected', { ...known, open: true }, {}, known],
	])('%s', (_case, before, given, expected) => {
		expect(campaignAfter({ state: stateWith({ a: before }), ...given })).toEqual(expected);
	});

	test('stays if it is missing from the list, but is forgotten a week after it became too old to watch', () => {
		const state = stateWith({
			missing: { ...known, live: NOW - DAY },
			justOver: { ...known, live: from - 1 },
			remembered: { ...known, live: from - REMEMBERED_MS },
			over: { ...known, live: from - REMEMBERED_MS - 1 },
		});
		const { campaigns } = watchedCampaigns(state, all(), DEFAULTS);
		expect([...campaigns.keys()]).toEqual(['missing', 'justOver', 'remembered']);
	});

	test('gets a baseline when it is listed again after a wrong clock caused it to be forgotten', () => {
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
	test('saves the time of each list minus its possible lag', () => {
		const state = stateWith({ a: { ...fresh, live: NOW - DAY } });
		const until = (options: Partial<WatchOptions>, ...campaigns: Listed[]) =>
			watchedCampaigns(state, all(...campaigns), { ...DEFAULTS, ...options }).listedUntil;
		const listed = { id: 'a', live: NOW - DAY };
		expect(until({}, listed)).toBe(NOW - 5 * MINUTE);
		expect(until({ isServiceTime: false }, listed)).toBe(NOW - DAY);
		// If campaigns are known, an empty list may be a mistake of the service, so the time of this list is not saved.
		const later = { ...DEFAULTS, now: NOW + 3_600_000 };
		expect(until(later)).toBe(NOW - 5 * MINUTE);
		expect(watchedCampaigns(empty, all(), later).listedUntil).toBe(later.now - 5 * MINUTE);
	});

	test('that names campaigns, or has changed, forgets the campaigns outside it', () => {
		const state = stateWith({ a: { ...known, live: NOW } }, { selection: 'selected' });
		expect(watchedCampaigns(state, selected(), DEFAULTS).campaigns.size).toBe(0);
		expect(watchedCampaigns(state, all(), DEFAULTS).campaigns.size).toBe(0);
	});

	test('returns the list entry of each listed campaign', () => {
		const listed: Listed = { id: 'a', live: NOW - DAY, phase: 'live', recipients: 7 };
		const state = stateWith({ b: { ...known, live: NOW } });
		const watched = watchedCampaigns(state, all(listed), DEFAULTS);
		expect([...watched.listed]).toEqual([['a', listed]]);
		expect(watched.campaigns.get('b')).toEqual({ ...known, live: NOW });
	});

	test('forgets campaigns that are not surveys once the list no longer contains them', () => {
		const state = stateWith({}, { notSurveys: ['a', 'b'] });
		const selection = all({ id: 'b', live: NOW });
		const { notSurveys, campaigns } = watchedCampaigns(state, selection, DEFAULTS);
		expect([...notSurveys]).toEqual(['b']);
		expect(campaigns.size).toBe(0);
	});
});
