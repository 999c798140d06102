import {
	REMEMBERED_MS,
	watchedCampaigns,
	type WatchOptions,
	type Listed,
} from '../../nodes/MessagingServiceTrigger/campaigns/watchedCampaigns.ts';
import type { State } from '../../nodes/MessagingServiceTrigger/state/savedState.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const DAY = 86_400_000;
const SUBMITTED = 1;
const READ = 4;

const calm: WatchOptions = {
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
	listedUntil: NOW - 5 * 60_000,
	selection: 'all',
	campaigns,
	notSurveys: [],
	...more,
});
const all = (...campaigns: Listed[]) => ({ name: 'all', campaigns, from });
const selected = (...campaigns: Listed[]) => ({ name: 'selected', campaigns });

const known = { events: SUBMITTED, rows: {} };

describe('a new campaign', () => {
	test('has a baseline at the start, and none when it comes later', () => {
		const start = watchedCampaigns(undefined, all({ id: 'a', live: NOW - DAY }), calm);
		expect(Object.fromEntries(start.campaigns)).toEqual({
			a: { live: NOW - DAY, events: 0, baselines: { 0: NOW } },
		});
		const later = watchedCampaigns(stateWith({}), all({ id: 'b', live: NOW - 60_000 }), calm);
		expect(later.campaigns.get('b')).toEqual({ live: NOW - 60_000, events: SUBMITTED });
	});

	test('that was live long before the start and is shown only now is an old one', () => {
		const { campaigns } = watchedCampaigns(
			stateWith({}),
			all({ id: 'b', live: NOW - 2 * DAY }),
			calm,
		);
		expect(campaigns.get('b')).toEqual({ live: NOW - 2 * DAY, events: 0, baselines: { 0: NOW } });
	});

	test('that is closed already has nothing to be read, unless what exists is wanted', () => {
		const closed: Listed = { id: 'a', phase: 'closed' };
		const start = watchedCampaigns(undefined, selected(closed), calm);
		expect(start.campaigns.get('a')).toEqual({ events: 0, baselines: { 0: NOW }, closed: true });
		const wanted = watchedCampaigns(undefined, selected(closed), { ...calm, emitExisting: true });
		expect(wanted.campaigns.get('a')).toEqual({ events: SUBMITTED });
	});

	test('that is not yet live has all its rows before it', () => {
		const { campaigns } = watchedCampaigns(
			undefined,
			selected({ id: 'a', phase: 'notYetLive' }),
			calm,
		);
		expect(campaigns.get('a')).toEqual({ events: SUBMITTED });
	});

	test('of another selection has its baseline at the last save after a restart, and now otherwise', () => {
		const state = stateWith({ b: known });
		const selection = selected({ id: 'c' });
		const restarted = watchedCampaigns(state, selection, { ...calm, restarted: true });
		expect(Object.fromEntries(restarted.campaigns)).toEqual({
			c: { events: 0, baselines: { 0: NOW - 3000 } },
		});
		expect(watchedCampaigns(state, selection, calm).campaigns.get('c')?.baselines).toEqual({
			0: NOW,
		});
	});
});

describe('a known campaign', () => {
	test('keeps what is known, and gives an added event a baseline from the poll that added it', () => {
		const both = { ...calm, events: SUBMITTED | READ };
		const state = stateWith({ a: { ...known, live: NOW - DAY } });
		const first = watchedCampaigns(state, all({ id: 'a' }), both);
		expect(first.campaigns.get('a')).toEqual({ ...known, live: NOW - DAY, baselines: { 2: NOW } });
		const again = watchedCampaigns(
			stateWith(Object.fromEntries(first.campaigns)),
			all({ id: 'a' }),
			{ ...both, now: NOW + 5000 },
		);
		expect(again.campaigns.get('a')?.baselines).toEqual({ 2: NOW });
	});

	test('forgets an event that is no longer looked for', () => {
		const state = stateWith({ a: { events: SUBMITTED | READ, rows: {} } });
		expect(watchedCampaigns(state, all({ id: 'a' }), calm).campaigns.get('a')?.events).toBe(
			SUBMITTED,
		);
	});

	test('stays when it is missing from a list, and is forgotten when it has left the window for a week', () => {
		const state = stateWith({
			missing: { ...known, live: NOW - DAY },
			justOver: { ...known, live: from - 1 },
			over: { ...known, live: from - REMEMBERED_MS - 1 },
		});
		const { campaigns } = watchedCampaigns(state, all(), calm);
		expect([...campaigns.keys()]).toEqual(['missing', 'justOver']);
	});

	test('that was forgotten by a clock far ahead comes back without news', () => {
		const ahead = { ...calm, now: NOW + 100 * DAY };
		const live = NOW - 5 * DAY;
		const state = stateWith({ a: { ...known, live } });
		const far = watchedCampaigns(state, { ...all(), from: from + 100 * DAY }, ahead);
		expect(far.campaigns.size).toBe(0);
		const back = watchedCampaigns(
			stateWith({}, { listedUntil: far.listedUntil }),
			all({ id: 'a', live }),
			calm,
		);
		expect(back.campaigns.get('a')).toEqual({ live, events: 0, baselines: { 0: NOW } });
	});

	test('whose baseline is due at a time to come has it now', () => {
		const state = stateWith({ a: { events: 0, baselines: { 0: NOW + 4 * DAY } } });
		expect(watchedCampaigns(state, all({ id: 'a' }), calm).campaigns.get('a')?.baselines).toEqual({
			0: NOW,
		});
	});

	test('that is reopened is told by its dates, and campaignRead by a new baseline', () => {
		const closed = { events: SUBMITTED | READ, rows: {}, last: NOW - DAY, closed: true } as const;
		const state = stateWith({ a: closed });
		const options = { ...calm, events: SUBMITTED | READ };
		const open = watchedCampaigns(state, all({ id: 'a', phase: 'live' }), options);
		expect(open.campaigns.get('a')).toEqual({
			events: SUBMITTED,
			rows: {},
			last: NOW - DAY,
			until: NOW - DAY,
			baselines: { 2: NOW },
		});
		for (const listed of [{ id: 'a' }, { id: 'a', phase: 'closed' as const }]) {
			const { campaigns } = watchedCampaigns(state, all(listed), options);
			expect(campaigns.get('a')).toEqual(closed);
		}
	});
});

describe('a selection', () => {
	test('notes the time of each list, less what a list may lag behind', () => {
		const known = stateWith({ a: { events: SUBMITTED, live: NOW - DAY } });
		const listed = all({ id: 'a', live: NOW - DAY });
		const until = (options: Partial<WatchOptions>, selection = listed) =>
			watchedCampaigns(known, selection, { ...calm, ...options }).listedUntil;
		expect(until({})).toBe(NOW - 5 * 60_000);
		expect(until({ isServiceTime: false })).toBe(NOW - DAY);
		// An empty list may be one that failed.
		expect(until({ now: NOW + 3_600_000 }, all())).toBe(NOW - 5 * 60_000);
	});

	test('of chosen campaigns, and one that changed, forgets what is not in it', () => {
		const state = stateWith({ a: { ...known, live: NOW } }, { selection: 'selected' });
		expect(watchedCampaigns(state, selected(), calm).campaigns.size).toBe(0);
		expect(watchedCampaigns(state, all(), calm).campaigns.size).toBe(0);
	});

	test('says of a campaign what the list said of it', () => {
		const listed: Listed = { id: 'a', live: NOW - DAY, phase: 'live', recipients: 7 };
		expect([...watchedCampaigns(undefined, all(listed), calm).listed]).toEqual([['a', listed]]);
		const state = stateWith({ a: { ...known, live: NOW - 3 * DAY }, b: { ...known, live: NOW } });
		const { campaigns, listed: said } = watchedCampaigns(state, all(listed), calm);
		expect(campaigns.get('a')?.live).toBe(NOW - DAY);
		expect(campaigns.get('b')).toEqual({ ...known, live: NOW });
		expect(said.has('b')).toBe(false);
	});

	test('takes what went live since the last list for new, and what only became visible for old', () => {
		const liveAt = (live: number, options: Partial<WatchOptions> = {}) =>
			watchedCampaigns(stateWith({}), all({ id: 'a', live }), {
				...calm,
				...options,
			}).campaigns.get('a')?.baselines;
		const listed = NOW - 5 * 60_000;
		expect(liveAt(listed + 1)).toBeUndefined();
		expect(liveAt(listed)).toEqual({ 0: NOW });
		// The process knows of a later list than the saved state.
		expect(liveAt(NOW - 60_000, { listedUntil: NOW - 30_000 })).toEqual({ 0: NOW });
	});

	test('does not go by a list that a clock noted for a time to come', () => {
		const ahead = stateWith({}, { listedUntil: NOW + 4 * DAY });
		const liveAt = (live: number, listedUntil?: number) =>
			watchedCampaigns(ahead, all({ id: 'a', live }), {
				...calm,
				listedUntil,
			}).campaigns.get('a')?.baselines;
		expect(liveAt(NOW - 30_000, NOW - 60_000)).toBeUndefined();
		expect(liveAt(NOW - 90_000, NOW - 60_000)).toEqual({ 0: NOW });
		expect(liveAt(NOW - 30_000, NOW + 4 * DAY)).toBeUndefined();
		expect(liveAt(NOW - 5 * 60_000)).toEqual({ 0: NOW });
	});

	test('gives a chosen campaign that is added a baseline', () => {
		const state = stateWith({}, { selection: 'selected' });
		const { campaigns } = watchedCampaigns(state, selected({ id: 'a', live: NOW }), calm);
		expect(campaigns.get('a')).toEqual({ events: 0, baselines: { 0: NOW } });
	});
});

describe('an event that is looked for besides', () => {
	const both = { ...calm, events: SUBMITTED | READ };
	const after = (
		campaign: State['campaigns'][string],
		more: Partial<WatchOptions> = {},
		phase?: Listed['phase'],
	) =>
		watchedCampaigns(stateWith({ a: campaign }), all({ id: 'a', phase }), {
			...both,
			...more,
		}).campaigns.get('a');

	test('is news from the start in a campaign that is not yet live and was never read', () => {
		expect(after({ events: SUBMITTED }, {}, 'notYetLive')).toEqual({ events: SUBMITTED | READ });
		expect(after(known, {}, 'notYetLive')).toEqual({ ...known, baselines: { 2: NOW } });
	});

	test('has a baseline in one that was read, is live, or is to have one', () => {
		expect(after(known)).toEqual({ ...known, baselines: { 2: NOW } });
		expect(after({ events: SUBMITTED }, {}, 'live')).toEqual({
			events: SUBMITTED,
			baselines: { 2: NOW },
		});
		expect(after({ events: 0, baselines: { 0: NOW - 1 } })).toEqual({
			events: 0,
			baselines: { 0: NOW - 1, 2: NOW },
		});
	});

	test('has none where what exists is wanted', () => {
		expect(after(known, { emitExisting: true })).toEqual({ ...known, events: SUBMITTED | READ });
	});
});

describe('a campaign that is reopened', () => {
	const reopen = (campaign: Omit<State['campaigns'][string], 'events'>, events = SUBMITTED) =>
		watchedCampaigns(
			stateWith({ a: { ...campaign, events, closed: true } }),
			all({ id: 'a', phase: 'live' }),
			{ ...calm, events },
		).campaigns.get('a');

	test('is told by the later of its dates', () => {
		const times = { last: NOW - 2 * DAY, until: NOW - DAY };
		expect(reopen({ ...times, rows: {} })?.until).toBe(NOW - DAY);
		expect(reopen({ last: NOW - DAY, until: NOW - 2 * DAY, rows: {} })?.until).toBe(NOW - DAY);
	});

	test('has no date where none was ever said, and none of events that are not looked for', () => {
		expect(reopen({ rows: {} })).toEqual({ events: SUBMITTED, rows: {} });
	});

	test('that was never read is read like a new one', () => {
		expect(reopen({ last: NOW - DAY }, SUBMITTED | READ)).toEqual({
			events: SUBMITTED | READ,
			last: NOW - DAY,
		});
	});
});

test('campaigns that are no surveys are forgotten when they are no longer listed', () => {
	const state = stateWith({}, { notSurveys: ['a', 'b'] });
	const { notSurveys, campaigns } = watchedCampaigns(state, all({ id: 'b', live: NOW }), calm);
	expect([...notSurveys]).toEqual(['b']);
	expect(campaigns.size).toBe(0);
});
