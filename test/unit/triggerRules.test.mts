import { findNews } from '../../nodes/MessagingServiceTrigger/news.ts';
import { contentKey, timeOf, userIdOf } from '../../nodes/MessagingServiceTrigger/rows.ts';
import {
	afterPoll,
	inTurn,
	isDue,
	type Readings,
} from '../../nodes/MessagingServiceTrigger/schedule.ts';
import { packKeys, unpackKeys } from '../../nodes/MessagingServiceTrigger/seen.ts';
import type { CampaignState } from '../../nodes/MessagingServiceTrigger/state.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';

const SINCE = Date.parse('2026-01-31T09:00:00Z');
const at = (time: string): string => `2026-01-31T${time}:00.000Z`;

test.each<[unknown, string | undefined]>([
	['2026-01-31T09:15:00.000Z', '2026-01-31T09:15:00.000Z'],
	['2026-01-31T10:15:00+01:00', '2026-01-31T09:15:00.000Z'],
	['2026-01-31T10:15:00+01', '2026-01-31T09:15:00.000Z'],
	['2026-01-31 09:15:00', '2026-01-31T09:15:00.000Z'],
	['2026-01-31t09:15z', '2026-01-31T09:15:00.000Z'],
	['2026-01-31', '2026-01-31T23:59:59.999Z'],
	['Sat, 31 Jan 2026 09:15:00', '2026-01-31T09:15:00.000Z'],
	[1_769_850_900, '2026-01-31T09:15:00.000Z'],
	['1769850900000', '2026-01-31T09:15:00.000Z'],
	['1999-12-31T23:59:59.999Z', undefined],
	[0, undefined],
	[null, undefined],
	['soon', undefined],
])('reads the date %j as a time', (value, expected) => {
	const time = timeOf(value);
	expect(Number.isNaN(time) ? undefined : new Date(time).toISOString()).toBe(expected);
});

test.each([undefined, null, '', ' ', 0, '0000', 'null', 'NULL', '00000000-0000-0000-0000-000000'])(
	'takes %j for no user ID',
	(userId) => expect(userIdOf({ userId })).toBeUndefined(),
);

test('puts neither ID, name nor address into the key of a row without a user ID', () => {
	const row: SurveyRow = { 'q.1': 9, 'q.2': 'Because', submittedDate: at('09:15') };
	const named = { ...row, userId: 'u1', userDisplayName: 'Ada', userEmail: 'ada@example.com' };
	expect(contentKey(named, SINCE)).toBe(contentKey(row, SINCE));
	expect(contentKey({ ...row, 'q.1': 8 }, SINCE)).not.toBe(contentKey(row, SINCE));
	expect(contentKey({ 'q.2': 'Because', 'q.1': 9 }, SINCE)).toBe(contentKey(row, SINCE));
});

/** Reads rows one after the other, from a campaign whose first read is done. Returns the text of each new row. */
function newTexts(reads: SurveyRow[][], { event = 0, anonymous = true, room = 10_000 } = {}) {
	let campaign: CampaignState = { since: { [event]: SINCE }, read: 1 << event };
	return reads.map((rows) => {
		const found = findNews(campaign, rows, { anonymous, begun: 0, room });
		campaign = found.campaign;
		return found.newEvents.map(({ row }) => row['q.1']);
	});
}

const submitted = (text: string, submittedDate?: string, userId?: string): SurveyRow => ({
	submitted: true,
	responseSubmitted: true,
	'q.1': text,
	submittedDate,
	userId,
});

test('an edit is never news, two rows of one date are two events, and the answers choose which', () => {
	const a = submitted('a', at('09:15'));
	const edited = submitted('edited', at('09:15'));
	const b = submitted('b', at('09:15'));
	expect(newTexts([[a], [edited], [b, edited], [b], [edited, b]])).toEqual([
		['a'],
		[],
		['b'],
		[],
		[],
	]);
});

test('other events count all rows: news are as many as there are more than ever before', () => {
	const rows = ['a', 'b', 'c', 'd'].map((text) => submitted(text));
	const [a = {}, b = {}, c = {}, d = {}] = rows;
	const reads = [
		[a, b],
		[b],
		[a, b, c],
		[a, { ...b, 'q.1': 'edited' }, c],
		[a, { ...b, 'q.1': 'edited' }, d, c],
		[a, d],
	];
	expect(newTexts(reads, { event: 1 })).toEqual([['a', 'b'], [], ['c'], [], ['d'], []]);
});

test('nothing dated before `since` is news, and held rows stay unseen, the latest ones', () => {
	const rows = ['08:59', '09:02', '09:01', '09:03'].map((time) => submitted(time, at(time), time));
	const reads = [rows, rows, rows];
	expect(newTexts(reads, { anonymous: false, room: 2 })).toEqual([
		['09:02', '09:01'],
		['09:03'],
		[],
	]);
	expect(newTexts(reads, { room: 2 })).toEqual([['09:02', '09:01'], ['09:03'], []]);
});

test('keeps at most 20 bytes a respondent for all events together, and reads them again', () => {
	const rows = Array.from({ length: 999 }, (_, n) => ({
		...submitted(`Answer ${n}`, new Date(SINCE + n).toISOString(), `user ${n}`),
		read: true,
	}));
	for (const anonymous of [true, false]) {
		const since = { 0: SINCE, 1: SINCE, 2: SINCE };
		const first: CampaignState = { since, read: 7 };
		const { campaign, newEvents } = findNews(first, rows, { anonymous, begun: 0, room: 10_000 });
		expect(newEvents).toHaveLength(3 * 999);
		expect(JSON.stringify(campaign).length / 999).toBeLessThan(11);
		expect(packKeys(unpackKeys(campaign.keys ?? {}, 7))).toEqual(campaign.keys);
		expect(findNews(campaign, rows, { anonymous, begun: 0, room: 1 }).newEvents).toEqual([]);
	}
});

test('reads 600 quiet campaigns evenly, and none less often than the gap', () => {
	const ids = Array.from({ length: 600 }, (_, n) => `campaign ${n}`);
	const quiet = { turn: 0, newsAt: -86_400_000 };
	const readings: Readings = new Map(ids.map((id) => [id, { ...quiet, readAt: 0 }]));
	for (let minute = 1; minute < 60; minute++) {
		const now = minute * 60_000;
		const due = ids.filter((id) => isDue(id, readings.get(id), now, 300_000));
		expect(due.length).toBeLessThan(2 * 120);
		for (const id of due) readings.set(id, { ...quiet, readAt: now });
		for (const { readAt = 0 } of readings.values())
			expect(now - readAt).toBeLessThanOrEqual(300_000);
	}
});

test('a campaign refused with "too many requests" keeps its place once, then goes to the back', () => {
	const watched = new Map([
		['a', 1],
		['b', 1],
		['c', 1],
	]);
	const refused = new Map([
		['a', 'tooManyRequests' as const],
		['b', 'tooManyRequests' as const],
	]);
	const once = afterPoll(new Map(), refused, watched, 0);
	expect(inTurn(['a', 'b', 'c'], once)).toEqual(['a', 'b', 'c']);
	expect(inTurn(['a', 'b', 'c'], afterPoll(once, refused, watched, 0))).toEqual(['b', 'c', 'a']);
});
