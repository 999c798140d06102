import type { IExecuteFunctions } from 'n8n-workflow';

import type { Fail } from '../../shared/failure';
import { addressIn, ASCII_EMAIL, INVISIBLE, isNothing } from '../../shared/values';
import type { IdentifyBy, Recipient, Row } from './types';

/** Matches a record ID, which is one word (path parameters in emulator/openapi.yaml). */
const ID = /^[^\s,;<>"'@]+$/;

/** Matches texts of failed cells and of expressions without a result. They are no IDs. */
const NO_ID = /^(null|undefined|nan|true|false|0|#.*|\[object.*)$/i;

/**
 * Reads the recipients of all input items. Blank, malformed and duplicate recipients are found here
 * and never sent.
 *
 * @param values the value of Recipient for each input item
 * @param targetOf the target of each item, because a recipient is a duplicate only within a target
 * @param describe returns the first fields of an item, for the reason of a blank recipient
 * @returns one row per item, in input order
 */
export function readRows(
	values: unknown[],
	identifyBy: IdentifyBy,
	targetOf: number[] = [],
	describe: (itemIndex: number) => string = () => 'the item is blank',
): Row[] {
	const firstItemOf = new Map<string, number>();
	const what = identifyBy === 'email' ? 'address' : 'address or ID';
	return values.map((value, itemIndex): Row => {
		const written = asWritten(value);
		const given =
			identifyBy === 'email' ? addressIn(written) : written.replace(INVISIBLE, '').trim();
		if (value === undefined) {
			return { itemIndex, given: '', status: 'invalid', reason: `Invalid ${what}: ${NO_VALUE}` };
		}
		if (isNothing(written)) {
			const reason = `No ${what}: ${describe(itemIndex)}`;
			return { itemIndex, given: written, status: 'invalid', reason, isBlank: true };
		}
		const isReadable =
			typeof value !== 'object' &&
			(identifyBy === 'email' ? ASCII_EMAIL.test(given) : isId(value, given));
		if (!isReadable) {
			const reason = `Invalid ${what}: ${problemWith(value, identifyBy)}`;
			return { itemIndex, given: written, status: 'invalid', reason };
		}
		// The service ignores upper and lower case in emails (recipientGroup.addRecipients in emulator/openapi.yaml).
		const key = identifyBy === 'email' ? given.toLowerCase() : given;
		const place = `${targetOf[itemIndex] ?? ''} ${key}`;
		const first = firstItemOf.get(place);
		if (first === undefined) {
			firstItemOf.set(place, itemIndex);
			return { itemIndex, recipient: { key, value: given } };
		}
		const reason = `The same recipient as in item ${first}`;
		return { itemIndex, given, status: 'duplicate', reason };
	});
}

const NO_VALUE =
	"the expression has no result for this item. If the item's cell is empty, switch on Include Empty Cells in Extract from File, or end the expression with ?? ''";

/** Whether a value is an ID. Numbers beyond 2^53 are not exact. */
function isId(value: unknown, text: string): boolean {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
	return ID.test(text) && !NO_ID.test(text);
}

/** Returns the recipients of the rows, without duplicates. */
export function recipientsIn(rows: Row[]): Recipient[] {
	const found = rows.flatMap(({ recipient }) => recipient ?? []);
	return [...new Map(found.map((recipient) => [recipient.key, recipient])).values()];
}

function problemWith(value: unknown, identifyBy: IdentifyBy): string {
	if (typeof value === 'object') {
		return 'a list or an object. Split the list into items before this node';
	}
	return identifyBy === 'email'
		? 'not exactly one email address of ASCII letters'
		: 'not a recipient ID';
}

function asWritten(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}

/** Matches an expression that returns one field of the item, for example `={{ $json.email }}`. */
const PLAIN_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * Returns the value of an expression for each item. A plain field is read directly from the item. n8n needs about 50
 * µs for each expression, which would be most of the time of a large sync (n8n-core 2.41.1).
 *
 * @param parameter the parameter that has this expression
 * @param fail if given, an expression without a result for any item fails
 */
export function itemValues(
	context: IExecuteFunctions,
	parameter: string,
	expression: unknown,
	fail?: Fail,
): unknown[] {
	const [, field] = PLAIN_FIELD.exec(String(expression)) ?? [];
	const items = context.getInputData();
	const values = items.map(({ json }, itemIndex): unknown => {
		if (field === undefined) return context.getNodeParameter(parameter, itemIndex, '');
		return Object.hasOwn(json, field) ? json[field] : undefined;
	});
	if (!fail || values.some((value) => value !== undefined)) return values;
	throw fail(
		field === undefined
			? 'Recipient has no value in any item'
			: `No item has a field "${field}", which Recipient uses`,
		`The first item has ${fieldsOf(context)}. Choose the field with the person's email address or ID. If the cells of a file are empty, switch on Include Empty Cells in Extract from File, which otherwise leaves out the field. Nothing was sent.`,
	);
}

/** How many fields of an item describe it. */
const DESCRIBING_FIELDS = 3;

/** Returns the first fields of an item that have a value, for a message. */
export function describeItem(context: IExecuteFunctions, itemIndex: number): string {
	const fields = Object.entries(context.getInputData()[itemIndex]?.json ?? {});
	const shown = fields.flatMap(([name, value]) => {
		const isShort = typeof value === 'string' || typeof value === 'number';
		return isShort && !isNothing(String(value)) ? `${name} ${String(value).slice(0, 60)}` : [];
	});
	const first = shown.slice(0, DESCRIBING_FIELDS).join(', ');
	return first === '' ? 'the item is blank' : `the item with ${first}`;
}

/** Returns the names of the first item's fields, for a message. */
export function fieldsOf(context: IExecuteFunctions): string {
	const names = Object.keys(context.getInputData()[0]?.json ?? {});
	return names.length > 0 ? `the fields ${names.join(', ')}` : 'no fields';
}

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Returns the IDs of people as recipients. @param known recipients with some of these IDs, as they are written */
export function asRecipients(ids: Iterable<string>, known: Recipient[] = []): Recipient[] {
	const written = new Map(known.map((one) => [one.key, one]));
	return Array.from(ids, (id) => written.get(id) ?? { key: id, value: id });
}
