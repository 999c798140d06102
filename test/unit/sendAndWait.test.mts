import type { IDataObject } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import {
	notePage,
	PAGE_HEADERS,
	questionPage,
} from '../../nodes/MessagingService/resources/broadcast/sendAndWait/page.ts';
import {
	readForm,
	toQuestion,
} from '../../nodes/MessagingService/resources/broadcast/sendAndWait/question.ts';
import { waitUntil } from '../../nodes/MessagingService/resources/broadcast/sendAndWait/waitLimit.ts';

const textQuestion = { id: '1', title: 'Send it?', message: 'Tomorrow' };
const oneButton = { ...textQuestion, approve: 'Yes' };
const twoButtons = { ...oneButton, decline: 'No' };

describe('readForm', () => {
	test.each<[string, object, IDataObject, unknown]>([
		['the button to approve', oneButton, { decision: 'approve' }, { approved: true }],
		['the button to decline', twoButtons, { decision: 'decline' }, { approved: false }],
		['a text', textQuestion, { text: ' Later \n' }, { text: 'Later' }],
	])('returns the reply for %s', (_what, question, form, reply) => {
		expect(readForm({ ...textQuestion, ...question }, form)).toEqual({ reply });
	});

	test.each<[string, object, IDataObject, RegExp]>([
		['a button that the page lacks', oneButton, { decision: 'decline' }, /choose/],
		['an unknown decision', twoButtons, { decision: 'Approve' }, /choose/],
		['no button', twoButtons, {}, /choose/],
		['a text instead of a button', twoButtons, { text: 'approve' }, /choose/],
		['several buttons', twoButtons, { decision: ['approve', 'decline'] }, /choose/],
		['a blank text', textQuestion, { text: ' \n' }, /write/],
		['a button instead of a text', textQuestion, { decision: 'approve' }, /write/],
	])('returns the problem of %s', (_what, question, form, problem) => {
		expect(readForm({ ...textQuestion, ...question }, form)).toEqual({
			problem: expect.stringMatching(problem),
		});
	});
});

test.each([
	undefined,
	null,
	'text',
	[],
	{},
	{ id: 1, title: 'a', message: 'b' },
	{ id: '1', title: 'a' },
])('toQuestion refuses %j', (value) => {
	expect(toQuestion(value)).toBeUndefined();
});

test('toQuestion returns a stored question unchanged', () => {
	for (const question of [textQuestion, oneButton, twoButtons]) {
		expect(toQuestion({ ...question })).toEqual(question);
	}
});

describe('the page', () => {
	test('escapes markup', () => {
		const evil = '<script>alert(1)</script>"\'&';
		const html = [
			questionPage({ id: '1', title: evil, message: evil, approve: evil, decline: evil }, evil),
			questionPage({ id: '1', title: evil, message: evil }),
			notePage(evil, evil),
		].join('');
		expect(html).not.toContain('<script');
		expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;');
		expect(PAGE_HEADERS['Content-Security-Policy']).toContain("default-src 'none'");
	});

	test.each([
		['one button', oneButton, ['approve']],
		['two buttons', twoButtons, ['approve', 'decline']],
		['a field', textQuestion, []],
	])('has %s', (_what, question, decisions) => {
		const html = questionPage(question);
		expect([...html.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value)).toEqual(
			decisions,
		);
		expect(html.includes('<textarea')).toBe(decisions.length === 0);
	});
});

describe('waitUntil', () => {
	const now = Date.parse('2026-01-01T12:00:00Z');
	const field = {
		label: 'Limit Wait Time',
		timezone: 'Europe/Berlin',
		fail: (message: string) => new Error(message),
	};
	test.each<[IDataObject, string]>([
		[{ limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' }, '12:45'],
		[{ resumeAmount: 0.5 }, '12:30'],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-01-01T14:15:00' }, '13:15'],
	])('returns the end of the wait for %j', (limit, time) => {
		expect(waitUntil(limit, field, now).toISOString()).toBe(`2026-01-01T${time}:00.000Z`);
	});

	test('waits indefinitely without a limit', () => {
		expect(waitUntil({}, field, now)).toEqual(WAIT_INDEFINITELY);
	});

	test.each<[IDataObject, RegExp]>([
		[{ resumeAmount: 0 }, /Amount/],
		[{ resumeAmount: 'soon' }, /Amount/],
		[{ resumeAmount: 1e300 }, /Amount/],
		[{ resumeUnit: 'weeks' }, /Unit must be/],
		[{ limitType: 'never' }, /Limit Type must be/],
		[{ limitType: 'atSpecifiedTime' }, /Max Date and Time is empty/],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2025-12-31T00:00:00' }, /in the past/],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-01-01T11:59:00Z' }, /in the past/],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-01-01T12:00:00Z' }, /in the past/],
	])('refuses %j', (limit, message) => {
		expect(() => waitUntil(limit, field, now)).toThrow(message);
	});
});
