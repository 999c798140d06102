import type { IDataObject, IExecuteSingleFunctions, INodePropertyRouting } from 'n8n-workflow';

import {
	atLeastOneField,
	choiceInBody,
	chosenAt,
	chosenListInBody,
	convertedInBody,
	jsonTextInBody,
	listInBody,
	requiredListInBody,
	requiredTextInBody,
	switchInBody,
	textInBody,
	validateBeforeSend,
} from '../../nodes/MessagingService/operations/body.ts';
import {
	simpleRecord,
	simplified,
	simplifiedBy,
} from '../../nodes/MessagingService/fields/simplify.ts';
import { statusName } from '../../nodes/shared/campaignStatus.ts';
import { channelStatusName } from '../../nodes/shared/channelStatus.ts';
import { toList } from '../../nodes/shared/values.ts';
import { anyNode } from '../kit/anyNode.mts';
import { only } from '../kit/typed.mts';

const itemWith = (parameters: IDataObject = {}) =>
	only<IExecuteSingleFunctions>({
		getNode: () => anyNode,
		getTimezone: () => 'UTC',
		getItemIndex: () => 3,
		getNodeParameter: (name: string, fallback?: object) => parameters[name] ?? fallback,
	});

/** What becomes of a body that a field of the screen has been put into. */
async function sent(
	routing: INodePropertyRouting,
	body: IDataObject | undefined,
	parameters?: IDataObject,
): Promise<unknown> {
	const request = { url: '', body };
	for (const hook of routing.send?.preSend ?? []) await hook.call(itemWith(parameters), request);
	return request.body;
}

const options = [
	{ name: 'Live', value: 'live' },
	{ name: 'One', value: 1 },
];

describe('a field of the screen goes out', () => {
	test.each<[string, INodePropertyRouting, IDataObject[string], unknown]>([
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
	])('%s', async (_case, routing, value, expected) => {
		const others = { b: 1 };
		expect(await sent(routing, { ...others, a: value })).toStrictEqual(
			expected === undefined ? others : { ...others, a: expected },
		);
		expect(routing.send).toMatchObject({ type: 'body', property: 'a' });
	});

	test.each<[string, INodePropertyRouting, IDataObject[string], string]>([
		['a switch that is none', switchInBody('isOn'), 'maybe', 'Is On must be on or off'],
		['a choice that is none', choiceInBody('status', options), 'sent', 'Status must be live or 1'],
		['no text that is needed', requiredTextInBody('name'), ' ', 'Name is empty'],
		['no list that is needed', requiredListInBody('leads', 'why'), ' , ', 'Leads is empty'],
		['text that is no JSON', jsonTextInBody('templateData', 'omit'), '{', 'Template Data is not'],
	])('not %s, which fails and names the field', async (_case, routing, value, message) => {
		const property = String(routing.send?.property);
		await expect(sent(routing, { [property]: value })).rejects.toMatchObject({
			message: expect.stringContaining(message),
			context: { itemIndex: 3 },
		});
	});
});

describe('a field inside an object of the body', () => {
	const template = textInBody('defaults.template', 'omit');

	test('goes there', async () => {
		expect(await sent(template, { defaults: { template: 7, other: 1 } })).toEqual({
			defaults: { template: '7', other: 1 },
		});
	});

	test('that is left out leaves no empty object', async () => {
		expect(await sent(template, { a: 1, defaults: { template: '' } })).toStrictEqual({ a: 1 });
		expect(await sent(template, { defaults: { template: '', other: 1 } })).toStrictEqual({
			defaults: { other: 1 },
		});
		expect(await sent(template, { defaults: 'none' })).toStrictEqual({});
	});

	test('is named by its own name', async () => {
		const routing = switchInBody('defaults.enableSms');
		await expect(sent(routing, { defaults: { enableSms: '' } })).rejects.toThrow('Enable SMS');
	});

	test('goes into a body of its own where there is none', async () => {
		const fixed = convertedInBody('a.b', () => 1);
		expect(await sent(fixed, undefined)).toEqual({ a: { b: 1 } });
	});
});

describe('lists beside each other, of which a choice takes one', () => {
	const field = chosenListInBody(
		'leads',
		toList,
		(item) => item.getNodeParameter('from', '') === 'leads',
		', or else',
	);

	test('the chosen one must hold something', async () => {
		await expect(sent(field, { leads: '' }, { from: 'leads' })).rejects.toMatchObject({
			message: 'Leads is empty',
			description: expect.stringContaining('check the expression, or else'),
		});
		expect(await sent(field, { leads: 'a' }, { from: 'leads' })).toEqual({ leads: ['a'] });
	});

	test('the others are left out when they are empty', async () => {
		expect(await sent(field, { leads: '' }, { from: 'emails' })).toStrictEqual({});
		expect(await sent(field, { leads: 'a' }, { from: 'emails' })).toEqual({ leads: ['a'] });
	});
});

test('a choice of the screen is taken as it is listed, and named when it is none', () => {
	const at = (parameters: IDataObject) =>
		chosenAt(itemWith(parameters), 'recipientsFrom', 'live', options);
	expect(at({})).toBe('live');
	expect(at({ recipientsFrom: 1 })).toBe('1');
	expect(() => at({ recipientsFrom: 'x' })).toThrow('Recipients From must be live or 1');
});

describe('a check of the whole request', () => {
	test('sees the body, and an empty one where there is none', async () => {
		const seen: unknown[] = [];
		const look = validateBeforeSend((_item, body) => void seen.push(body));
		const request = { url: '', body: { a: 1 } };
		expect(await look.call(itemWith(), request)).toBe(request);
		await look.call(itemWith(), { url: '' });
		expect(seen).toEqual([{ a: 1 }, {}]);
	});

	test('an update of nothing fails', async () => {
		const update = async (body?: IDataObject) =>
			await atLeastOneField.call(itemWith(), { url: '', body });
		await expect(update({})).rejects.toThrow('Nothing to update');
		await expect(update()).rejects.toThrow('Nothing to update');
		await expect(update({ name: '' })).resolves.toMatchObject({ body: { name: '' } });
	});
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
		expect(simpleRecord({ sender: 'Ada', status: '9' }, statusName)).toStrictEqual({
			status: '9',
		});
	});

	test('says of a channel only whether it is archived', () => {
		expect(simpleRecord({ status: '3' }, channelStatusName)).toEqual({ status: 'archived' });
		expect(simpleRecord({ status: '1' }, channelStatusName)).toEqual({ status: '1' });
	});

	test('comes out unless Simplify is off', () => {
		const shape = simplified(statusName);
		expect(shape(itemWith(), record)).toEqual(simple);
		expect(shape(itemWith({ simplify: 'yes' }), record)).toEqual(simple);
		expect(shape(itemWith({ simplify: false }), record)).toBe(record);
		expect(() => shape(itemWith({ simplify: 'maybe' }), record)).toThrow('Simplify must be on or');
	});

	test('is success alone where the service gives none', () => {
		const { toItems } = simplifiedBy(statusName);
		expect(toItems?.(itemWith(), { data: record }, {})).toEqual([{ json: simple }]);
		expect(toItems?.(itemWith(), {}, {})).toEqual([{ json: { success: true } }]);
		expect(toItems?.(itemWith(), { data: [record] }, {})).toEqual([{ json: { success: true } }]);
	});
});
