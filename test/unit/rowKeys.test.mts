import { parseServiceDate } from '../../nodes/shared/serviceDate.ts';
import { findNewEvents } from '../../nodes/MessagingServiceTrigger/news.ts';
import { contentKey } from '../../nodes/MessagingServiceTrigger/rows.ts';
import type { CampaignState } from '../../nodes/MessagingServiceTrigger/state.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';

const keyOf = (row: SurveyRow) => contentKey(row, new Map(), new Map());

test.each<[what: string, one: SurveyRow, other: SurveyRow]>([
	['a text', { 'q.0': 'Yes' }, { 'q.0': 'No' }],
	['a row of a matrix', { 'q.0': { Pay: 'Good' } }, { 'q.0': { Pay: 'Bad' } }],
	['the questions of two answers', { 'q.0': '1', 'q.1': '2' }, { 'q.0': '2', 'q.1': '1' }],
	['the date', { submittedDate: '2026-01-31' }, { submittedDate: '2026-02-01' }],
])('rows without a user ID that differ in %s have different keys', (_, one, other) => {
	expect(keyOf(one)).not.toBe(keyOf(other));
});

test('the key of a row without a user ID depends on nothing but its date and answers, in any order', () => {
	const row = { 'q.0': ['a', 'b'], 'q.1': '2', submittedDate: '2026-01-31' };
	const other = {
		userEmail: 'ada@x.io',
		submittedDate: '2026-01-31',
		'q.1': '2',
		'q.0': ['a', 'b'],
	};
	expect(keyOf(other)).toBe(keyOf(row));
});

test('among rows without a user ID, one edited and one added, the latest counts as the added one', () => {
	const row = (text: string, day: number): SurveyRow => {
		return { responseSubmitted: true, 'q.0': text, submittedDate: `2026-01-0${day}T00:00:00Z` };
	};
	const responded = 1 << 1;
	const read = (campaign: CampaignState, ...rows: SurveyRow[]) =>
		findNewEvents(campaign, rows, { events: responded, addedEvents: 0, room: 9 });
	const first = read({ since: { 1: 0 }, read: 0 }, row('Ada', 1));
	const { newEvents } = read(first.campaign, row('Ben', 3), row('Ada, edited', 2));
	expect(newEvents.map((one) => one.row['q.0'])).toEqual(['Ben']);
});

// Tests run in the time zone of New York.
test('a date in any form is in UTC', () => {
	const day = '2026-01-31';
	const dates = [
		`${day} 09:15`,
		'31 Jan 2026 09:15',
		`${day}T10:15+01`,
		1_769_850_900,
		'1769850900',
	];
	const at = Date.UTC(2026, 0, 31, 9, 15);
	expect(dates.map((date) => parseServiceDate(date))).toEqual(Array(5).fill(at));
	expect(parseServiceDate(day)).toBe(Date.UTC(2026, 1, 1) - 1);
});
