import { fingerprint } from '../../nodes/MessagingServiceTrigger/dedupe/fingerprint.ts';
import {
	earlierKeysOfContent,
	keyOfContent,
	keyOfUser,
	userIdOf,
} from '../../nodes/MessagingServiceTrigger/dedupe/rowKey.ts';
import type { SurveyRow } from '../../nodes/shared/surveyData.ts';

test('computes a fingerprint as the first 64 bits of SHA-256, as saved states require', () => {
	expect(Buffer.from(fingerprint(''), 'latin1').toString('hex')).toBe('e3b0c44298fc1c14');
	expect(keyOfUser('64f1c0ffee00000000000001')).toBe(fingerprint('user 64f1c0ffee00000000000001'));
	const ids = Array.from({ length: 20_000 }, (_, number) => keyOfUser(`user ${number}`));
	expect(new Set(ids).size).toBe(20_000);
});

describe('the user ID of a row', () => {
	test.each<[SurveyRow[string], boolean, string | undefined]>([
		['u1', false, 'u1'],
		['', false, undefined],
		[7, false, '7'],
		[0, false, '0'],
		[null, false, undefined],
		[undefined, false, undefined],
		[true, false, undefined],
		['u1', true, undefined],
		[7, true, undefined],
	])('from %j (anonymous survey: %j) is %j', (userId, anonymous, id) => {
		expect(userIdOf({ userId }, anonymous)).toBe(id);
	});
});

describe('the content key of a row', () => {
	const row: SurveyRow = {
		'q.0': 9,
		'q.1': { a: 1, b: [2, 'x'] },
		userEmail: 'ada@example.com',
		userDisplayName: 'Ada',
		submittedDate: '2026-01-31T09:15:00.000Z',
	};

	test('depends only on name, email, answers and time, not on field order or blank fields', () => {
		const same: SurveyRow = {
			submittedDate: '2026-01-31T09:15:00.000Z',
			userDisplayName: 'Ada',
			'q.1': { c: null, b: [2, 'x'], a: 1 },
			'q.0': 9,
			'q.2': null,
			'q.3': undefined,
			userEmail: 'ada@example.com',
			userId: 'hidden',
			read: true,
			responseSubmitted: true,
			submitted: true,
			responseDuration: 4,
			somethingNew: 5,
		};
		expect(keyOfContent(same)).toBe(keyOfContent(row));
	});

	test.each<[string, SurveyRow]>([
		['another answer', { 'q.0': 8 }],
		['text instead of a number', { 'q.0': '9' }],
		['no answer', { 'q.0': null }],
		['swapped answers', { 'q.0': { a: 1, b: [2, 'x'] }, 'q.1': 9 }],
		['an answer inside a matrix', { 'q.1': { a: 2, b: [2, 'x'] } }],
		['another row of a matrix', { 'q.1': { c: 1, b: [2, 'x'] } }],
		['another order of a list', { 'q.1': { a: 1, b: ['x', 2] } }],
		['a longer list', { 'q.1': { a: 1, b: [2, 'x', 2] } }],
		['a list that starts with null', { 'q.1': { a: 1, b: [null, 2, 'x'] } }],
		['one more answer', { 'q.2': 'y' }],
		['another email', { userEmail: 'ada@example.org' }],
		['another name', { userDisplayName: 'Bea' }],
		['another time', { submittedDate: '2026-01-31T09:15:00.001Z' }],
	])('differs for %s', (_case, change) => {
		expect(keyOfContent({ ...row, ...change })).not.toBe(keyOfContent(row));
	});

	test('tells apart answers such as 1, "1" and [1]', () => {
		const answers = [1, '1', [1], { 0: 1 }, [null], [{}], [[]], ['1']];
		const keys = answers.map((answer) => keyOfContent({ 'q.0': answer }));
		expect(new Set(keys).size).toBe(answers.length);
	});
});

test('earlierKeysOfContent returns the keys that a row may have had before submission, latest first', () => {
	const person: SurveyRow = { userEmail: 'ada@example.com', userDisplayName: 'Ada' };
	const row: SurveyRow = {
		'q.10': 'last',
		submittedDate: '2026-01-31T09:15:00.000Z',
		'q.2': [1],
		...person,
		'q.1': 5,
		'q.4': 'x',
		read: true,
		responseDuration: 4,
	};
	expect(earlierKeysOfContent(row)).toEqual(
		[
			{ ...person, 'q.1': 5, 'q.2': [1], 'q.4': 'x', 'q.10': 'last' },
			{ ...person, 'q.1': 5, 'q.2': [1], 'q.4': 'x' },
			{ ...person, 'q.1': 5, 'q.2': [1] },
			{ ...person, 'q.1': 5 },
			person,
		].map((row) => keyOfContent(row)),
	);
});
