import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	convertByType,
	filterRouting,
	inBody,
	inQuery,
	optional,
	type FieldRouting,
} from '../../nodes/MessagingService/engine/conversions.ts';
import {
	simplifyChannel,
	simplifyMessage,
	simplifiedBy,
	type Simplifier,
} from '../../nodes/MessagingService/fields/simplify.ts';
import type { Item } from '../../nodes/MessagingService/engine/item.ts';
import { recordOrSuccess } from '../../nodes/MessagingService/engine/output.ts';
import { SharedPause } from '../../nodes/shared/transport/retry.ts';
import { toList } from '../../nodes/shared/values.ts';
import { toScopeQuery } from '../../nodes/shared/filters.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

// What fields send and refuse by kind is tested with every field in test/engine/kinds.slow.test.mts.

const itemWith = (warn = (_message: string) => {}) =>
	only<Item>({
		run: { pause: new SharedPause(), warn },
		getNode: () => anyNode,
		getTimezone: () => 'UTC',
		getItemIndex: () => 3,
		getNodeParameter: (_name: string, fallback?: object) => fallback,
	});

const fieldOf = (own: Partial<INodeProperties>): INodeProperties => ({
	...{ displayName: 'A', name: 'a', type: 'string', default: '', ...own },
});

describe('a field that an update would clear', () => {
	const MISSING = '={{ $json.misspelled }}';

	test.each<[unknown, unknown, boolean]>([
		[' ', ' ', true],
		['', '=', true],
		['', MISSING, true],
		[undefined, MISSING, false],
		[null, MISSING, false],
		[' ', `=${MISSING.slice(1)} `, false],
		['', `${MISSING}${MISSING.slice(1)}`, false],
	])('with %j from %j is cleared, with a warning: %p', (value, saved, clears) => {
		for (const type of ['string', 'json', 'multiOptions', 'options'] as const) {
			const warn = jest.fn();
			const body: IDataObject = {};
			const field = inBody('title', convertByType(fieldOf({ name: 'title', type }), 'clear'));
			field.apply(value, itemWith(warn), { query: {}, body }, saved);
			expect(body).toEqual(clears ? { title: type === 'multiOptions' ? [] : '' } : {});
			const warnings = clears ? [['Title is empty, and the update sends it empty']] : [];
			expect(warn.mock.calls).toEqual(warnings);
		}
	});

	test('is not sent if it is new, with a warning for an expression', () => {
		const warn = jest.fn();
		const routing = inBody('a', optional(toList, 'omit'));
		for (const saved of ['', MISSING])
			routing.apply([], itemWith(warn), { query: {}, body: {} }, saved);
		expect(warn.mock.calls).toEqual([['A is empty, so it is not sent']]);
	});

	test.each<[unknown, unknown, boolean]>([
		[[], [], true],
		[' , ', `${MISSING}, ${MISSING.slice(1)}`, false],
		[[undefined], [MISSING], false],
		[[null, ''], MISSING, false],
	])('with the list %j from %j is cleared: %p', (value, saved, clears) => {
		const body: IDataObject = {};
		inBody('a', optional(toList, 'clear')).apply(value, itemWith(), { query: {}, body }, saved);
		expect(body).toEqual(clears ? { a: [] } : {});
	});
});

test('a name is one line', () => {
	const body: IDataObject = {};
	const routing = inBody('name', convertByType(fieldOf({ name: 'name' }), 'omit'));
	routing.apply('a\nb', itemWith(), { query: {}, body });
	expect(body).toEqual({ name: 'a b' });
});

test.each<[FieldRouting, unknown, IDataObject | string]>([
	[inQuery('scope', toScopeQuery), 'mine', {}],
	[inQuery('scope', toScopeQuery), 'all', { all: 'true' }],
	[inQuery('scope', toScopeQuery), 'onlyapi', { onlyApi: 'true' }],
	[filterRouting(fieldOf({ type: 'boolean' })), false, { a: 'false' }],
	[filterRouting(fieldOf({ type: 'json' })), ' { } ', {}],
	[filterRouting(fieldOf({ type: 'json' })), { b: [1] }, { a: '{"b":[1]}' }],
	[filterRouting(fieldOf({ type: 'json' })), { b: undefined }, 'A has no value'],
	[filterRouting(fieldOf({ type: 'json' })), '[]', 'A must be'],
])('%p sends the filter %j as %j, or refuses it', (conversion, value, expected) => {
	const query: IDataObject = {};
	const enter = () => conversion.apply(value, itemWith(), { query, body: {} });
	if (typeof expected === 'string') expect(enter).toThrow(expected);
	else enter();
	expect(query).toStrictEqual(typeof expected === 'string' ? {} : expected);
});

describe('a simple record', () => {
	const kept = {
		...{ _id: 'a', name: 'N', title: 'T', liveDate: '2026-01-31T09:15:00.000Z' },
		...{ recipientAmount: 0, categories: [] },
	};
	const sender = { email: 'ada@example.com', displayName: 'Ada' };
	const record = { ...kept, status: '1', sender, campaignUrl: 'https://c', adminIds: ['x'] };
	const simple = { ...kept, status: 'live', senderEmail: sender.email, url: 'https://c' };

	test.each<[IDataObject, Simplifier, IDataObject]>([
		[record, simplifyMessage, simple],
		[{ broadcastUrl: 'https://b' }, simplifyMessage, { url: 'https://b' }],
		[{ sender: 'Ada', status: '9' }, simplifyMessage, { status: '9' }],
		[{ status: '3' }, simplifyChannel, { status: 'archived' }],
	])('is made from %j', (raw, toSimple, expected) => {
		expect(toSimple(raw)).toStrictEqual(expected);
	});

	test('is only "success: true" if the service returns no record', () => {
		const { toItems } = simplifiedBy(simplifyMessage);
		expect(toItems?.(itemWith(), { data: record }, {}, { url: '' })).toEqual([{ json: simple }]);
		expect(recordOrSuccess({ data: [1] }, {})).toEqual({ success: true, data: [1] });
		for (const data of [undefined, [record]])
			expect(toItems?.(itemWith(), { data }, {}, { url: '' })).toEqual([
				{ json: { success: true } },
			]);
	});
});
