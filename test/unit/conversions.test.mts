import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	byType,
	choiceAmong,
	chosenAt,
	fieldInQuery,
	inBody,
	inQuery,
	optional,
	required,
	type Conversion,
	type WhenEmptied,
} from '../../nodes/MessagingService/engine/conversions.ts';
import { atLeastOneField } from '../../nodes/MessagingService/fields/collections.ts';
import { onlyChosenList } from '../../nodes/MessagingService/fields/recipients.ts';
import {
	shapeFor,
	simpleChannel,
	simpleMessage,
	simplifiedBy,
	type Simple,
} from '../../nodes/MessagingService/fields/simplify.ts';
import { createRun, type Item } from '../../nodes/MessagingService/engine/item.ts';
import { failure } from '../../nodes/shared/failure.ts';
import { toList, toSwitch, toText } from '../../nodes/shared/values/index.ts';
import { scopeFilter } from '../../nodes/shared/filters.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

const itemWith = (parameters: IDataObject = {}) =>
	only<Item>({
		run: createRun(() => undefined),
		getNode: () => anyNode,
		getTimezone: () => 'UTC',
		getItemIndex: () => 3,
		getNodeParameter: (name: string, fallback?: object) => parameters[name] ?? fallback,
	});

/** Adds the value of a field to a body and returns the body. */
function addToBody(conversion: Conversion, value: unknown, body: IDataObject = {}): IDataObject {
	conversion.enter(value, itemWith(), { query: {}, body });
	return body;
}

const options = [
	{ name: 'Live', value: 'live' },
	{ name: 'One', value: 1 },
];

const fieldOf = (own: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'A',
	name: 'a',
	type: 'string',
	default: '',
	...own,
});

const json = (whenEmptied: WhenEmptied, name = 'a') =>
	inBody(name, byType(fieldOf({ name, type: 'json' }), whenEmptied));

describe('the conversion of a field', () => {
	test.each<[string, Conversion, unknown, unknown]>([
		['a switch', inBody('a', toSwitch), 'yes', true],
		['a choice', inBody('a', choiceAmong(options)), 'LIVE', 'live'],
		['a choice given as a number', inBody('a', choiceAmong(options)), 1, '1'],
		['a text', inBody('a', optional(toText, 'omit')), ' x ', ' x '],
		['a number as text', inBody('a', optional(toText, 'clear')), 7, '7'],
		[
			'nothing for an empty text that is to be omitted',
			inBody('a', optional(toText, 'omit')),
			' ',
			undefined,
		],
		['an empty text that is to be cleared', inBody('a', optional(toText, 'clear')), ' ', ''],
		['a required text', inBody('a', required()), 'x', 'x'],
		['a list', inBody('a', optional(toList, 'omit')), 'x, y', ['x', 'y']],
		[
			'nothing for an empty list that is to be omitted',
			inBody('a', optional(toList, 'omit')),
			'',
			undefined,
		],
		['an empty list that is to be cleared', inBody('a', optional(toList, 'clear')), '', []],
		['a required list', inBody('a', required(toList, 'why')), ['x'], ['x']],
		['JSON as text', json('omit'), ' {"b":1} ', '{"b":1}'],
		['JSON as an object', json('omit'), { b: 1 }, '{"b":1}'],
		['nothing for empty JSON that is to be omitted', json('omit'), '', undefined],
		['empty JSON that is to be cleared', json('clear'), '', ''],
	])('sends %s', (_case, conversion, value, expected) => {
		expect(addToBody(conversion, value, { b: 1 })).toStrictEqual(
			expected === undefined ? { b: 1 } : { b: 1, a: expected },
		);
		expect(conversion.send).toEqual({ type: 'body', property: 'a' });
	});

	test.each<[string, Conversion, unknown, string]>([
		['an invalid switch', inBody('isOn', toSwitch), 'maybe', 'Is On must be on or off'],
		[
			'an invalid choice',
			inBody('status', choiceAmong(options)),
			'sent',
			'Status must be Live or One',
		],
		['an empty required text', inBody('name', required()), ' ', 'Name is empty'],
		[
			'an empty required list',
			inBody('leads', required(toList, 'why')),
			' , ',
			'Member IDs is empty',
		],
		['invalid JSON', json('omit', 'templateData'), '{', 'Template Data is not'],
	])('refuses %s and names the field and the item', async (_case, conversion, value, message) => {
		await expect(async () => addToBody(conversion, value)).rejects.toMatchObject({
			message: expect.stringContaining(message),
			context: { itemIndex: 3 },
		});
	});
});

describe('a field inside an object of the body', () => {
	const template = inBody('defaults.template', optional(toText, 'omit'));

	test.each<[Conversion, unknown, IDataObject, IDataObject]>([
		[template, 7, { defaults: { other: 1 } }, { defaults: { template: '7', other: 1 } }],
		[template, '', { defaults: { other: 1 } }, { defaults: { other: 1 } }],
		[template, '', { a: 1 }, { a: 1 }],
		[inBody('a.b.c', () => 1), '', {}, { a: { b: { c: 1 } } }],
	])('with %p, turns the value %j and the body %j into %j', (conversion, value, body, expected) => {
		expect(addToBody(conversion, value, body)).toStrictEqual(expected);
	});

	test('an error names the field without the name of the object', () => {
		expect(() => addToBody(inBody('defaults.enableSms', toSwitch), '')).toThrow('Enable SMS');
	});
});

test.each<[IDataObject, string]>([
	[{ leads: ['a'] }, ''],
	[{ ids: ['a'] }, 'Identify By selects Member IDs, so IDs must be empty'],
	[{}, 'Member IDs is empty'],
	[{ leads: ['a'], ids: ['a'] }, 'Identify By selects Member IDs, so IDs must be empty'],
])('of several lists, only the chosen one may be filled in: %j', (body, message) => {
	const item = itemWith({ identifyBy: 'live' });
	const check = onlyChosenList('identifyBy', options, { live: 'leads', 1: 'ids' });
	const checked = () => check(item, body, failure(item));
	if (message === '') expect(checked).not.toThrow();
	else expect(checked).toThrow(message);
});

test('chosenAt returns a listed choice, and for any other value fails with a list of the valid choices', () => {
	const at = (parameters: IDataObject) => chosenAt(itemWith(parameters), 'recipientsFrom', options);
	expect(() => at({})).toThrow('Recipients From must be Live or One: it is empty');
	expect(at({ recipientsFrom: 1 })).toBe('1');
	expect(() => at({ recipientsFrom: 'x' })).toThrow('Recipients From must be Live or One');
});

describe('a field without a conversion', () => {
	test.each<[Partial<INodeProperties>, unknown, unknown]>([
		[{ type: 'string' }, 7, '7'],
		[{ type: 'boolean' }, 'yes', true],
		[{ type: 'json' }, { b: 1 }, '{"b":1}'],
		[{ type: 'multiOptions' }, 'x, y', ['x', 'y']],
		[{ type: 'options', options }, 'LIVE', 'live'],
		[{ type: 'options' }, 'any ID', 'any ID'],
	])('the field is sent in the body according to its type: %j', (own, value, expected) => {
		expect(addToBody(inBody('a', byType(fieldOf(own), 'omit')), value)).toEqual({ a: expected });
		expect(addToBody(inBody('b.c', byType(fieldOf(own), 'omit')), value)).toEqual({
			b: { c: expected },
		});
	});

	test.each<[WhenEmptied, IDataObject]>([
		['omit', {}],
		['clear', { string: '', json: '', multiOptions: [], options: '' }],
	])('when the field is empty, applies %s', (whenEmptied, expected) => {
		const body: IDataObject = {};
		for (const type of ['string', 'json', 'multiOptions', 'options'] as const)
			addToBody(inBody(type, byType(fieldOf({ name: type, type }), whenEmptied)), '', body);
		expect(body).toEqual(expected);
	});

	const MISSING = '={{ $json.misspelled }}';
	test.each<[unknown, unknown, boolean]>([
		['', '', true],
		[' ', ' ', true],
		['', '=', true],
		['', MISSING, true],
		[undefined, MISSING, false],
		[null, MISSING, false],
		[' ', `=${MISSING.slice(1)} `, false],
		['', `${MISSING}${MISSING.slice(1)}`, false],
	])('an update with %j from %j: clears the field: %p', (value, saved, clears) => {
		for (const type of ['string', 'json', 'multiOptions', 'options'] as const) {
			const warn = jest.fn();
			const item = { ...itemWith(), run: createRun(warn) };
			const body: IDataObject = {};
			const field = inBody('title', byType(fieldOf({ name: 'title', type }), 'clear'));
			field.enter(value, item, { query: {}, body }, saved);
			expect(body).toEqual(clears ? { title: type === 'multiOptions' ? [] : '' } : {});
			const warnings = clears ? [['Title is empty, so the update clears it']] : [];
			expect(warn.mock.calls).toEqual(warnings);
		}
	});

	test.each<[unknown, unknown, boolean]>([
		[[], [], true],
		[[], MISSING, true],
		[' , ', `${MISSING}, ${MISSING.slice(1)}`, false],
		[[undefined], [MISSING], false],
		[[null, ''], MISSING, false],
	])('an update with the list %j from %j: clears the field: %p', (value, saved, clears) => {
		const body: IDataObject = {};
		inBody('a', optional(toList, 'clear')).enter(value, itemWith(), { query: {}, body }, saved);
		expect(body).toEqual(clears ? { a: [] } : {});
	});

	const addToQuery = (conversion: Conversion, value: unknown, query: IDataObject = {}) => {
		conversion.enter(value, itemWith(), { query, body: {} });
		return query;
	};

	test.each<[Partial<INodeProperties>, unknown, unknown]>([
		[{ type: 'string' }, ' News ', 'News'],
		[{ type: 'string' }, 7, '7'],
		[{ type: 'string' }, ' ', undefined],
		[{ type: 'boolean' }, 'yes', 'true'],
		[{ type: 'boolean' }, false, 'false'],
		[{ type: 'dateTime' }, '2026-01-31T09:15', '2026-01-31T09:15:00.000Z'],
		[{ type: 'dateTime' }, '', undefined],
		[{ type: 'json' }, ' { "role": "lead" }', '{ "role": "lead" }'],
		[{ type: 'json' }, '{"id":12345678901234567890}', '{"id":12345678901234567890}'],
		[{ type: 'json' }, { b: [1] }, '{"b":[1]}'],
		[{ type: 'json' }, ' ', undefined],
		[{ type: 'json' }, ' { } ', undefined],
		[{ type: 'json' }, {}, undefined],
		[{ type: 'options', options }, 'LIVE', 'live'],
		[{ type: 'options' }, 'any ID', 'any ID'],
	])('the field is sent in the query according to its type: %j, %j', (own, value, expected) => {
		const query = { limit: 1 };
		expect(addToQuery(fieldInQuery(fieldOf(own)), value, query)).toStrictEqual(
			expected === undefined ? { limit: 1 } : { limit: 1, a: expected },
		);
	});

	test.each<[Partial<INodeProperties>, unknown]>([
		[{ type: 'string' }, {}],
		[{ type: 'string' }, undefined],
		[{ type: 'dateTime' }, null],
		[{ type: 'json' }, { b: undefined }],
		[{ type: 'dateTime' }, 'soon'],
		[{ type: 'boolean' }, ''],
		[{ type: 'options', options }, 'draft'],
		[{ type: 'options', options }, undefined],
		[{ type: 'json' }, '[]'],
	])('in the query, a value is refused if it does not match the type: %j, %j', (own, value) => {
		expect(() => addToQuery(fieldInQuery(fieldOf(own)), value)).toThrow(/^A /);
	});

	test.each([
		['mine', {}],
		['all', { all: 'true' }],
		['onlyapi', { onlyApi: 'true' }],
	])('the scope %s is sent as one of two parameters', (value, query) => {
		expect(addToQuery(inQuery('scope', scopeFilter), value)).toStrictEqual(query);
		expect(() => addToQuery(inQuery('scope', scopeFilter), '')).toThrow('Scope must be');
	});
});

test('refuses an update without fields', () => {
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
	const { _id, name, title, liveDate, recipientAmount, categories } = record;
	const simple = {
		...{ _id, name, title, liveDate, recipientAmount, categories },
		status: 'live',
		senderEmail: 'ada@example.com',
		url: 'https://c',
	};

	test.each<[IDataObject, Simple, IDataObject]>([
		[record, simpleMessage, simple],
		[{ broadcastUrl: 'https://b' }, simpleMessage, { url: 'https://b' }],
		[{ sender: 'Ada', status: '9' }, simpleMessage, { status: '9' }],
		[{ status: '3' }, simpleChannel, { status: 'archived' }],
		[{ status: '1' }, simpleChannel, { status: '1' }],
	])('is made from %j', (raw, toSimple, expected) => {
		expect(toSimple(raw)).toStrictEqual(expected);
	});

	test('a simple record is returned unless Simplify is off', () => {
		const shape = (own?: IDataObject) => shapeFor(itemWith(own), simpleMessage);
		expect(shape()).toBe(simpleMessage);
		expect(shape({ simplify: 'yes' })).toBe(simpleMessage);
		expect(shape({ simplify: false })).toBeUndefined();
		expect(() => shape({ simplify: 'maybe' })).toThrow('Simplify must be on or');
	});

	test('if Simplify is invalid, nothing is requested from the service', () => {
		const [check] = simplifiedBy(simpleMessage).checks ?? [];
		const item = itemWith({ simplify: 'maybe' });
		expect(() => check?.(item, {}, failure(item))).toThrow('Simplify must be on or');
	});

	test('if the service returns no record, the output is only "success: true"', () => {
		const { toItems } = simplifiedBy(simpleMessage);
		expect(toItems?.(itemWith(), { data: record }, {}, { url: '' })).toEqual([{ json: simple }]);
		expect(toItems?.(itemWith(), {}, {}, { url: '' })).toEqual([{ json: { success: true } }]);
		expect(toItems?.(itemWith(), { data: [record] }, {}, { url: '' })).toEqual([
			{ json: { success: true } },
		]);
	});
});
