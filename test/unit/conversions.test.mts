import type { IDataObject, IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import {
	atLeastOneField,
	checkChosenList,
	choiceInBody,
	chosenAt,
	convertedInBody,
	fieldInBody,
	fieldInQuery,
	inQuery,
	jsonTextInBody,
	listInBody,
	requiredListInBody,
	requiredTextInBody,
	switchInBody,
	textInBody,
	type Conversion,
	type WhenEmptied,
} from '../../nodes/MessagingService/operations/conversions.ts';
import {
	simpleRecord,
	simplified,
	simplifiedBy,
} from '../../nodes/MessagingService/fields/simplify.ts';
import { statusName } from '../../nodes/shared/campaignStatus.ts';
import { channelStatusName } from '../../nodes/shared/channelStatus.ts';
import { failure } from '../../nodes/shared/failure.ts';
import { dateFilter, scopeFilter, textFilter } from '../../nodes/shared/filters.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

const itemWith = (parameters: IDataObject = {}) =>
	only<IExecuteSingleFunctions>({
		getNode: () => anyNode,
		getTimezone: () => 'UTC',
		getItemIndex: () => 3,
		getNodeParameter: (name: string, fallback?: object) => parameters[name] ?? fallback,
	});

/** What becomes of a body that a field of the screen is put into. */
function sent(conversion: Conversion, value: unknown, body: IDataObject = {}): IDataObject {
	conversion.enter(value, itemWith(), { query: {}, body });
	return body;
}

const options = [
	{ name: 'Live', value: 'live' },
	{ name: 'One', value: 1 },
];

describe('a field of the screen goes out', () => {
	test.each<[string, Conversion, unknown, unknown]>([
		['a switch', switchInBody('a'), 'yes', true],
		['a choice', choiceInBody('a', options), 'LIVE', 'live'],
		['a choice of a number', choiceInBody('a', options), 1, '1'],
		['a text', textInBody('a', 'omit'), ' x ', ' x '],
		['a number as text', textInBody('a', 'clear'), 7, '7'],
		['an emptied text that is left out', textInBody('a', 'omit'), ' ', undefined],
		['an emptied text that is sent', textInBody('a', 'clear'), ' ', ''],
		['a text that is needed', requiredTextInBody('a'), 'x', 'x'],
		['a list', listInBody('a', 'omit'), 'x, y', ['x', 'y']],
		['an emptied list that is left out', listInBody('a', 'omit'), '', undefined],
		['an emptied list that is sent', listInBody('a', 'clear'), '', []],
		['a list that is needed', requiredListInBody('a', 'why'), ['x'], ['x']],
		['JSON as text', jsonTextInBody('a', 'omit'), ' {"b":1} ', '{"b":1}'],
		['JSON as an object', jsonTextInBody('a', 'omit'), { b: 1 }, '{"b":1}'],
		['emptied JSON that is left out', jsonTextInBody('a', 'omit'), '', undefined],
		['emptied JSON that is sent', jsonTextInBody('a', 'clear'), '', ''],
	])('%s', (_case, conversion, value, expected) => {
		expect(sent(conversion, value, { b: 1 })).toStrictEqual(
			expected === undefined ? { b: 1 } : { b: 1, a: expected },
		);
		expect(conversion.send).toEqual({ type: 'body', property: 'a' });
	});

	test.each<[string, Conversion, unknown, string]>([
		['a switch that is none', switchInBody('isOn'), 'maybe', 'Is On must be on or off'],
		['a choice that is none', choiceInBody('status', options), 'sent', 'Status must be live or 1'],
		['no text that is needed', requiredTextInBody('name'), ' ', 'Name is empty'],
		['no list that is needed', requiredListInBody('leads', 'why'), ' , ', 'Leads is empty'],
		['text that is no JSON', jsonTextInBody('templateData', 'omit'), '{', 'Template Data is not'],
	])('not %s, which fails and names the field', async (_case, conversion, value, message) => {
		await expect(async () => sent(conversion, value)).rejects.toMatchObject({
			message: expect.stringContaining(message),
			context: { itemIndex: 3 },
		});
	});
});

describe('a field inside an object of the body', () => {
	const template = textInBody('defaults.template', 'omit');

	test('goes there', () => {
		expect(sent(template, 7, { defaults: { other: 1 } })).toEqual({
			defaults: { template: '7', other: 1 },
		});
		expect(
			sent(
				convertedInBody('a.b.c', () => 1),
				'',
			),
		).toEqual({ a: { b: { c: 1 } } });
	});

	test('that is left out leaves no empty object', () => {
		expect(sent(template, '', { a: 1 })).toStrictEqual({ a: 1 });
		expect(sent(template, '', { defaults: { other: 1 } })).toStrictEqual({
			defaults: { other: 1 },
		});
	});

	test('is named by its own name', () => {
		expect(() => sent(switchInBody('defaults.enableSms'), '')).toThrow('Enable SMS');
	});
});

test('a list that a choice takes must hold something', async () => {
	const check = (body: IDataObject) =>
		checkChosenList('leads', body, failure(itemWith()), ', or else');
	await expect(async () => check({ ids: ['a'] })).rejects.toMatchObject({
		message: 'Leads is empty',
		description: expect.stringContaining('check the expression, or else'),
	});
	expect(() => check({ leads: ['a'] })).not.toThrow();
});

test('a choice of the screen is taken as it is listed, and named when it is none', () => {
	const at = (parameters: IDataObject) =>
		chosenAt(itemWith(parameters), 'recipientsFrom', 'live', options);
	expect(at({})).toBe('live');
	expect(at({ recipientsFrom: 1 })).toBe('1');
	expect(() => at({ recipientsFrom: 'x' })).toThrow('Recipients From must be live or 1');
});

describe('a field that does not say how it is sent goes by its type', () => {
	const fieldOf = (own: Partial<INodeProperties>): INodeProperties => ({
		displayName: 'A',
		name: 'a',
		type: 'string',
		default: '',
		...own,
	});

	test.each<[Partial<INodeProperties>, unknown, unknown]>([
		[{ type: 'string' }, 7, '7'],
		[{ type: 'boolean' }, 'yes', true],
		[{ type: 'json' }, { b: 1 }, '{"b":1}'],
		[{ type: 'multiOptions' }, 'x, y', ['x', 'y']],
		[{ type: 'options', options }, 'LIVE', 'live'],
		[{ type: 'options' }, 'any ID', 'any ID'],
	])('%j in the body', (own, value, expected) => {
		expect(sent(fieldInBody(fieldOf(own), 'omit'), value)).toEqual({ a: expected });
		expect(sent(fieldInBody(fieldOf(own), 'omit', 'b.c'), value)).toEqual({ b: { c: expected } });
	});

	test.each<[WhenEmptied, IDataObject]>([
		['omit', {}],
		['clear', { string: '', json: '', multiOptions: [], options: '' }],
	])('%s when it is emptied', (whenEmptied, expected) => {
		const body: IDataObject = {};
		for (const type of ['string', 'json', 'multiOptions', 'options'] as const)
			sent(fieldInBody(fieldOf({ name: type, type }), whenEmptied), '', body);
		expect(body).toEqual(expected);
	});

	test.each<[Partial<INodeProperties>, unknown, string]>([
		[{ type: 'string' }, ' x ', 'x'],
		[{ type: 'boolean' }, 'no', 'false'],
		[{ type: 'dateTime' }, '2026-01-31', '2026-01-31T00:00:00.000Z'],
		[{ type: 'json' }, { b: 1 }, '{"b":1}'],
		[{ type: 'options', options }, 'LIVE', 'live'],
		[{ type: 'options' }, 'any ID', 'any ID'],
	])('%j in the query', (own, value, expected) => {
		const query = {};
		fieldInQuery(fieldOf(own)).enter(value, itemWith(), { query, body: {} });
		expect(query).toEqual({ a: expected });
	});
});

test('a filter goes into the query, as the parameters that it gives', () => {
	const query: IDataObject = { limit: 1 };
	const enter = (conversion: Conversion, value: unknown): void =>
		conversion.enter(value, itemWith(), { query, body: {} });
	enter(inQuery('category', textFilter), ' x ');
	enter(inQuery('minLiveDate', dateFilter), '');
	enter(inQuery('scope', scopeFilter), 'onlyApi');
	expect(query).toEqual({ limit: 1, category: 'x', onlyApi: 'true' });
});

test('an update of nothing fails', () => {
	const fail = (message: string) => new Error(message);
	expect(() => atLeastOneField(itemWith(), {}, fail)).toThrow('Nothing to update');
	expect(() => atLeastOneField(itemWith(), { name: '' }, fail)).not.toThrow();
});

describe('a simple record', () => {
	const record = {
		_id: 'a',
		name: 'N',
		title: 'T',
		status: '1',
		liveDate: '2026-01-31T09:15:00.000Z',
		sender: { email: 'ada@example.com', displayName: 'Ada' },
		recipientAmount: 0,
		categories: [],
		campaignUrl: 'https://c',
		adminIds: ['x'],
	};
	const simple = {
		_id: 'a',
		name: 'N',
		title: 'T',
		status: 'live',
		liveDate: '2026-01-31T09:15:00.000Z',
		senderEmail: 'ada@example.com',
		recipientAmount: 0,
		categories: [],
		url: 'https://c',
	};

	test('has what most workflows need, as far as the service gives it', () => {
		expect(simpleRecord(record, statusName)).toStrictEqual(simple);
		expect(simpleRecord({ broadcastUrl: 'https://b' }, statusName)).toStrictEqual({
			url: 'https://b',
		});
		expect(simpleRecord({ sender: 'Ada', status: '9' }, statusName)).toStrictEqual({ status: '9' });
	});

	test('says of a channel only whether it is archived', () => {
		expect(simpleRecord({ status: '3' }, channelStatusName)).toEqual({ status: 'archived' });
		expect(simpleRecord({ status: '1' }, channelStatusName)).toEqual({ status: '1' });
	});

	test('comes out unless Simplify is off', () => {
		const shape = simplified(statusName);
		expect(shape(itemWith())(record)).toEqual(simple);
		expect(shape(itemWith({ simplify: 'yes' }))(record)).toEqual(simple);
		expect(shape(itemWith({ simplify: false }))(record)).toBe(record);
		expect(() => shape(itemWith({ simplify: 'maybe' }))).toThrow('Simplify must be on or');
	});

	test('is success alone where the service gives none', () => {
		const { toItems } = simplifiedBy(statusName);
		expect(toItems?.(itemWith(), { data: record }, {})).toEqual([{ json: simple }]);
		expect(toItems?.(itemWith(), {}, {})).toEqual([{ json: { success: true } }]);
		expect(toItems?.(itemWith(), { data: [record] }, {})).toEqual([{ json: { success: true } }]);
	});
});
