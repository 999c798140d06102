import { contentKey } from '../../nodes/MessagingServiceTrigger/rows.ts';
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
