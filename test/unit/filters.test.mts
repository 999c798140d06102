import type { Field } from '../../nodes/shared/field.ts';
import { fieldAt, fieldLabel } from '../../nodes/shared/field.ts';
import {
	choiceFilter,
	conditionsFilter,
	dateFilter,
	scopeFilter,
	switchFilter,
	textFilter,
	type Filter,
} from '../../nodes/shared/filters.ts';
import { truncate } from '../../nodes/shared/truncate.ts';
import { anyNode } from '../kit/anyNode.mts';

const field: Field = {
	label: 'Field',
	timezone: 'Europe/Berlin',
	fail: (message) => new Error(message),
};

describe('a filter', () => {
	test.each<[string, Filter, unknown, unknown]>([
		['text', textFilter, ' News ', { name: 'News' }],
		['a number as text', textFilter, 7, { name: '7' }],
		['blank text', textFilter, ' ', {}],
		['a missing text', textFilter, undefined, {}],
		['a date', dateFilter, '2026-01-31T09:15', { name: '2026-01-31T08:15:00.000Z' }],
		['an empty date', dateFilter, '', {}],
		['a switch that is on', switchFilter, 'yes', { name: 'true' }],
		['a switch that is off', switchFilter, false, { name: 'false' }],
		['a choice', choiceFilter(['live', 'draft']), 'LIVE', { name: 'live' }],
		['conditions', conditionsFilter, ' { "role": "lead" }', { name: '{ "role": "lead" }' }],
		[
			'large numbers in conditions',
			conditionsFilter,
			'{"id":12345678901234567890}',
			{ name: '{"id":12345678901234567890}' },
		],
		['conditions from an expression', conditionsFilter, { a: [1] }, { name: '{"a":[1]}' }],
		['empty conditions', conditionsFilter, ' ', {}],
		['the scope mine', scopeFilter, 'mine', {}],
		['the scope all', scopeFilter, 'all', { all: 'true' }],
		['the scope onlyApi in another case', scopeFilter, 'onlyapi', { onlyApi: 'true' }],
	])('converts %s', (_case, filter, value, query) => {
		expect(filter(value, field, 'name')).toStrictEqual(query);
	});

	test.each<[string, Filter, unknown]>([
		['an object for a text', textFilter, {}],
		['a word for a date', dateFilter, 'soon'],
		['an empty text for a switch', switchFilter, ''],
		['an unknown choice', choiceFilter(['live']), 'draft'],
		['a missing value for a choice', choiceFilter(['live']), undefined],
		['a list for conditions', conditionsFilter, '[]'],
		['an empty text for a scope', scopeFilter, ''],
	])('refuses %s', (_case, filter, value) => {
		expect(() => filter(value, field, 'name')).toThrow(/^Field /);
	});
});

describe('the label of a field', () => {
	test.each([
		['name', 'Name'],
		['emailReplyTo', 'Email Reply To'],
		['text_color', 'Text Color'],
		['templateId', 'Template'],
		['recipientGroupId', 'Recipient Group'],
		['imageUrl', 'Image URL'],
		['questionsJson', 'Questions JSON'],
		['enableSms', 'Enable SMS'],
		['recipientIds', 'Recipient IDs'],
		['userIdField', 'User ID Field'],
		['contentInEmail', 'Content in Email'],
		['categoriesAsText', 'Categories as Text'],
		['getOrCreate', 'Get or Create'],
		['enableComment', 'Enable Comments'],
		['requiredConfirm', 'Require Confirmation'],
		['maxRemovalPercent', 'Maximum Removal (%)'],
		['chunkSize', 'Recipients per Request'],
		['concurrency', 'Requests at Once'],
	])('for %s is "%s"', (parameter, label) => {
		expect(fieldLabel(parameter)).toBe(label);
	});
});

test('fieldAt returns the label, the time zone of the workflow, and a function for errors with the item index', () => {
	const context = { getNode: () => anyNode, getTimezone: () => 'Asia/Tokyo' };
	const { label, timezone, fail } = fieldAt(context, 'emailReplyTo', 3);
	expect({ label, timezone }).toEqual({ label: 'Email Reply To', timezone: 'Asia/Tokyo' });
	expect(fail(`${label} is empty`, 'Enter one.')).toMatchObject({
		message: 'Email Reply To is empty',
		description: 'Enter one.',
		context: { itemIndex: 3 },
	});
});

test('truncate adds an ellipsis and never splits a character', () => {
	expect(truncate('12345', 5)).toBe('12345');
	expect(truncate('123456', 5)).toBe('1234…');
	expect(truncate('123😀6', 5)).toBe('123…');
	expect(truncate('12😀56', 5)).toBe('12😀…');
});
