import {
	CLOCKS_DIFFER_MS,
	REMEMBERED_MS,
	watchedCampaigns,
	type Circumstances,
	type Listed,
} from '../../nodes/MessagingServiceTrigger/campaigns/watched.ts';
import type { State } from '../../nodes/MessagingServiceTrigger/memory/state.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const DAY = 86_400_000;
const SUBMITTED = 1;
const READ = 4;

const calm: Circumstances = {
	now: NOW,
	events: SUBMITTED,
	emitExisting: false,
	restarted: false,
};
const from = NOW - 90 * DAY;

const stateWith = (campaigns: State['campaigns'], more: Partial<State> = {}): State => ({
	version: 1,
	revision: 'r',
	at: NOW - 3000,
	since: NOW - 5000,
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
			a: { live: NOW - DAY, events: 0, due: { 0: NOW } },
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
		expect(campaigns.get('b')).toEqual({ live: NOW - 2 * DAY, events: 0, due: { 0: NOW - 5000 } });
	});

	test('that is closed already has nothing to be read, unless what exists is wanted', () => {
		const closed: Listed = { id: 'a', phase: 'closed' };
		const start = watchedCampaigns(undefined, selected(closed), calm);
		expect(start.campaigns.get('a')).toEqual({ events: 0, due: { 0: NOW }, closed: true });
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
			c: { events: 0, due: { 0: NOW - 3000 } },
		});
		expect(watchedCampaigns(state, selection, calm).campaigns.get('c')?.due).toEqual({ 0: NOW });
	});
});

describe('a known campaign', () => {
	test('keeps what is known, and gives an added event a baseline from the poll that added it', () => {
		const both = { ...calm, events: SUBMITTED | READ };
		const state = stateWith({ a: { ...known, live: NOW - DAY } });
		const first = watchedCampaigns(state, all({ id: 'a' }), both);
		expect(first.campaigns.get('a')).toEqual({ ...known, live: NOW - DAY, due: { 2: NOW } });
		const again = watchedCampaigns(
			stateWith(Object.fromEntries(first.campaigns)),
			all({ id: 'a' }),
			{ ...both, now: NOW + 5000 },
		);
		expect(again.campaigns.get('a')?.due).toEqual({ 2: NOW });
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
		const { campaigns, forgotten } = watchedCampaigns(state, all(), calm);
		expect([...campaigns.keys()]).toEqual(['missing', 'justOver']);
		expect(forgotten).toBe(from - REMEMBERED_MS - 1);
	});

	test('that was forgotten by a clock far ahead comes back without news', () => {
		const ahead = { ...calm, now: NOW + 100 * DAY };
		const live = NOW - 5 * DAY;
		const state = stateWith({ a: { ...known, live } }, { since: NOW - 50 * DAY });
		const far = watchedCampaigns(state, { ...all(), from: from + 100 * DAY }, ahead);
		expect(far.campaigns.size).toBe(0);
		const back = watchedCampaigns(
			stateWith({}, { since: NOW - 50 * DAY, forgotten: far.forgotten }),
			all({ id: 'a', live }, { id: 'new', live: live + CLOCKS_DIFFER_MS }),
			calm,
		);
		expect(back.campaigns.get('a')).toEqual({ live, events: 0, due: { 0: NOW } });
		expect(back.campaigns.get('new')?.due).toBeUndefined();
	});

	test('whose baseline is due at a time to come has it now', () => {
		const state = stateWith({ a: { events: 0, due: { 0: NOW + 4 * DAY } } });
		expect(watchedCampaigns(state, all({ id: 'a' }), calm).campaigns.get('a')?.due).toEqual({
			0: NOW,
		});
	});

	test('that is reopened is told by its dates, and campaignRead by a new baseline', () => {
		const closed = { events: SUBMITTED | READ, rows: {}, last: NOW - DAY, closed: true } as const;
		const state = stateWith({ a: closed });
		const circumstances = { ...calm, events: SUBMITTED | READ };
		const open = watchedCampaigns(state, all({ id: 'a', phase: 'live' }), circumstances);
		expect(open.campaigns.get('a')).toEqual({
			events: SUBMITTED,
			rows: {},
			last: NOW - DAY,
			until: NOW - DAY,
			due: { 2: NOW },
		});
		for (const listed of [{ id: 'a' }, { id: 'a', phase: 'closed' as const }]) {
			const { campaigns } = watchedCampaigns(state, all(listed), circumstances);
			expect(campaigns.get('a')).toEqual(closed);
		}
	});
});

test('campaigns that are no surveys are forgotten when they are no longer listed', () => {
	const state = stateWith({}, { notSurveys: ['a', 'b'] });
	const { notSurveys, campaigns } = watchedCampaigns(state, all({ id: 'b', live: NOW }), calm);
	expect([...notSurveys]).toEqual(['b']);
	expect(campaigns.size).toBe(0);
});
