import type { IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../shared/failure';
import { fieldInfo, fieldLabel } from '../../shared/field';
import { buildPath } from '../../shared/transport/address';
import { addressIn, ASCII_EMAIL } from '../../shared/email';
import {
	INVISIBLE,
	isBlank,
	isDataObject,
	isNoValue,
	isRounded,
	normalizeName,
	ROUNDED,
	toName,
	trimmed,
} from '../../shared/values';
import type { itemFactory, Item } from '../engine/item';
import { findNamed } from '../engine/request';
import type { TargetKind, IdentifyBy, NamedTarget, Row } from './types';

/** Matches a record ID, which is one word (path parameters in emulator/openapi.yaml). */
const ID = /^[^\s,;<>"'@]+$/;

/** Matches texts of failed cells and of expressions without a result. They are no IDs. */
const NO_ID = /^(null|undefined|nan|true|false|0|#.*|\[object.*)$/i;

/**
 * Reads the recipients of all input items. Blank, malformed and duplicate recipients are not sent.
 *
 * @param values the value of Recipient for each input item, undefined if its expression has no result
 * @param targetIndexes the target of each item, because a recipient is a duplicate only within a target
 * @returns one row per item, in input order
 */
export function readRows(
	context: IExecuteFunctions,
	values: unknown[],
	identifyBy: IdentifyBy,
	targetIndexes: number[],
): Row[] {
	const firstItemOf = new Map<string, number>();
	const isByEmail = identifyBy === 'email';
	const what = isByEmail ? 'address' : 'address or ID';
	return values.map((value, itemIndex): Row => {
		const given = asWritten(value);
		const cleaned = isByEmail ? addressIn(given) : given.replace(INVISIBLE, '').trim();
		const invalid = (reason: string) => ({ itemIndex, given, status: 'invalid' as const, reason });
		// Without `isBlank`, so that it stops removals: with a wrong field name, no item has a value, and Mirror would remove all.
		if (value === undefined) return invalid(`Invalid ${what}: ${NO_RESULT}`);
		if (isNoValue(given)) {
			const reason = `No ${what}: ${describeItem(context, itemIndex)}`;
			return { ...invalid(reason), isBlank: true };
		}
		if (typeof value === 'object') return invalid(`Invalid ${what}: ${LIST_OR_OBJECT}`);
		if (isRounded(value))
			return invalid(`Invalid ${what}: it ${ROUNDED.problem}. ${ROUNDED.advice}`);
		const isValid = isByEmail ? ASCII_EMAIL.test(cleaned) : isId(value, cleaned);
		if (!isValid) {
			const valid = isByEmail ? 'exactly one email address of ASCII letters' : 'a recipient ID';
			return invalid(`Invalid ${what}: not ${valid}`);
		}
		// The service ignores upper and lower case in emails (recipientGroup.addRecipients in emulator/openapi.yaml).
		const key = isByEmail ? cleaned.toLowerCase() : cleaned;
		const keyInTarget = `${targetIndexes[itemIndex] ?? ''} ${key}`;
		const firstItem = firstItemOf.get(keyInTarget);
		if (firstItem !== undefined) {
			const reason = `The same recipient as in item ${firstItem}`;
			return { itemIndex, given: cleaned, status: 'duplicate', reason };
		}
		firstItemOf.set(keyInTarget, itemIndex);
		return { itemIndex, recipient: { key, value: cleaned } };
	});
}

const LIST_OR_OBJECT = 'a list or an object. Split the list into items before this node';

const NO_RESULT =
	"the expression has no result for this item. If the item's cell is empty, switch on Include Empty Cells in Extract from File, or end the expression with ?? ''";

/** Whether a value is an ID. Numbers beyond 2^53 are not exact. @param text the value as cleaned text */
function isId(value: unknown, text: string): boolean {
	if (typeof value === 'number' && !Number.isSafeInteger(value)) return false;
	return ID.test(text) && !NO_ID.test(text);
}

/** Returns a value as text: `[1]` → `'[1]'`, ` a ` → `'a'`, null → `''`. */
export function asWritten(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}

/** Returns the field if an expression is nothing but one field of the item: `={{ $json.email }}` → `'email'`. */
const plainFieldIn = (expression: unknown): string | undefined =>
	/^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/.exec(String(expression))?.[1];

/**
 * Returns the value of an expression for each item. A plain field is read directly from the item. n8n needs about 50
 * µs for each expression, which would be most of the time of a large sync (n8n-core 2.41.1).
 *
 * @param parameter the parameter that has this expression
 */
export function valuesOfItems(context: IExecuteFunctions, parameter: string, expression: unknown) {
	const field = plainFieldIn(expression);
	return context.getInputData().map(({ json }, itemIndex): unknown => {
		if (field === undefined) return context.getNodeParameter(parameter, itemIndex, '');
		return Object.hasOwn(json, field) ? json[field] : undefined;
	});
}

/** Returns the value of Recipient for each item, undefined where it has none. @throws if no item has one */
export function recipientValues(context: IExecuteFunctions, fail: Fail): unknown[] {
	const { recipient } = context.getNode().parameters;
	const values = valuesOfItems(context, 'recipient', recipient);
	if (values.some((value) => value !== undefined)) return values;
	const field = plainFieldIn(recipient);
	throw fail(
		field === undefined
			? 'Recipient has no value in any item'
			: `No item has a field "${field}", which Recipient uses`,
		`The first item has ${describeFields(context)}. Choose the field with the person's email address or ID. If the cells of a file are empty, switch on Include Empty Cells in Extract from File, which otherwise leaves out the field. Nothing was sent.`,
	);
}

/** How many fields of an item describe it. */
const DESCRIBING_FIELDS = 3;

/** Returns the first fields of an item that have a value, for a message: "the item with row 7, name Ada". */
function describeItem(context: IExecuteFunctions, itemIndex: number): string {
	const fields = Object.entries(context.getInputData()[itemIndex]?.json ?? {});
	const shown = fields.flatMap(([name, value]) => {
		const isShort = typeof value === 'string' || typeof value === 'number';
		return isShort && !isNoValue(String(value)) ? `${name} ${String(value).slice(0, 60)}` : [];
	});
	const first = shown.slice(0, DESCRIBING_FIELDS).join(', ');
	return first === '' ? 'the item is blank' : `the item with ${first}`;
}

/** Returns the names of the first item's fields, for a message: "the fields email, name". */
export function describeFields(context: IExecuteFunctions): string {
	const names = Object.keys(context.getInputData()[0]?.json ?? {});
	return names.length > 0 ? `the fields ${names.join(', ')}` : 'no fields';
}

/** The value of Recipient Group or Channel for an item. */
type Reference = { mode: unknown; value: unknown };

/**
 * Finds the target that each input item names. Reads the list of targets once for all names.
 *
 * @param maxNewTargets how many missing targets may be created, if any. If more are missing, all of these get a `problem`
 * @returns the targets without duplicates, and for each input item the index of its target
 */
export async function readTargets(
	context: IExecuteFunctions,
	itemAt: ReturnType<typeof itemFactory>,
	{ word, idName }: TargetKind,
	maxNewTargets: number | undefined,
): Promise<{ named: NamedTarget[]; targetIndexes: number[] }> {
	const named: NamedTarget[] = [];
	// Indexes in `named`: by what items say, and by the target that they mean.
	const indexBySaid = new Map<string, number>();
	const indexByMeant = new Map<string, number>();
	const targetIndexes: number[] = [];
	for (const [itemIndex, reference] of referencesIn(context, idName).entries()) {
		const said = JSON.stringify([reference.mode, reference.value]);
		let index = indexBySaid.get(said);
		if (index === undefined) {
			const mayBeMissing = maxNewTargets !== undefined;
			const target = await findTarget(itemAt(itemIndex), idName, reference, mayBeMissing);
			// The same target: the same ID or, if it is missing, a name that looks alike. With another problem, the same words.
			const hasName = target.isMissing && target.name !== undefined;
			const missing = hasName ? `name ${normalizeName(target.name ?? '')}` : said;
			const meant = target.isBlank ? 'blank' : target.id || missing;
			index = indexByMeant.get(meant) ?? named.push(target) - 1;
			indexByMeant.set(meant, index);
			indexBySaid.set(said, index);
		}
		targetIndexes.push(index);
	}
	const missing = named.filter(({ id, problem }) => id === '' && !problem);
	if (maxNewTargets !== undefined && missing.length > maxNewTargets) {
		const label = fieldLabel(idName);
		const tooMany = failure(context)(
			`${missing.length} ${label.toLowerCase()}s do not exist, more than the ${maxNewTargets} that Maximum New Groups allows`,
			`None of them was created. Check that the expression in ${label} uses the right field. If all these ${word}s are new, raise Maximum New Groups.`,
		);
		for (const target of missing) target.problem = tooMany;
	}
	return { named, targetIndexes };
}

/**
 * Returns the value of a resource locator for each item. Either its `value` may be an expression, or the whole parameter.
 * An expression for the whole parameter returns an ID or a locator.
 */
function referencesIn(context: IExecuteFunctions, parameter: string): Reference[] {
	const saved: unknown = context.getNode().parameters[parameter];
	const valuesFor = (name: string, value: unknown): unknown[] =>
		typeof value === 'string' && value.startsWith('=')
			? valuesOfItems(context, name, value)
			: context.getInputData().map(() => value);
	if (isDataObject(saved)) {
		const { mode } = saved;
		return valuesFor(`${parameter}.value`, saved.value).map((value) => ({ mode, value }));
	}
	return valuesFor(parameter, saved).map((value) =>
		isDataObject(value) ? { mode: value.mode, value: value.value } : { mode: 'id', value },
	);
}

/**
 * Finds a target by its ID, or by name. If none has exactly that name, finds the only target whose name looks alike.
 * Never throws: what goes wrong is the `problem` of the target. If `mayBeMissing`, a name without a target is no problem.
 */
async function findTarget(
	item: Item,
	idName: TargetKind['idName'],
	{ mode, value }: Reference,
	mayBeMissing: boolean,
): Promise<NamedTarget> {
	// Also an invalid name is shown in the output.
	let name = mode === 'name' ? trimmed(value) : undefined;
	const fail = failure(item);
	const what = fieldLabel(idName).toLowerCase();
	const createAdvice =
		idName === 'channelId'
			? ''
			: ' In the modes Add and Mirror, the option Create Missing Groups creates missing groups.';
	try {
		let id = value;
		if (name !== undefined) {
			name = toName(value, fieldInfo(item, idName));
			id = (await findNamed(item, idName, name))?._id;
			if (id === undefined) {
				const problem = fail(
					`There is no ${what} called "${name}"`,
					`Check the spelling of the name. It must be visible to the owner of the access key.${createAdvice} Nothing was sent.`,
				);
				return { id: '', name, isMissing: true, problem: mayBeMissing ? undefined : problem };
			}
		}
		// Throws if the ID cannot be part of a path.
		buildPath(`:${idName}`, { [idName]: id }, fail);
		return { id: String(id).trim(), name };
	} catch (problem) {
		return { id: '', name, isBlank: isBlank(value), problem };
	}
}
