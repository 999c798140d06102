import { NodeApiError, type IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../../../shared/failure';
import { findLookalikes, looksOf } from '../../../engine/names';
import { buildPath } from '../../../../shared/transport/address';
import { isDataObject } from '../../../../shared/values';
import { createItems, createRun, type Item } from '../../../engine/item';
import { findNamed } from '../../../engine/request';

const PARAMETER = 'recipientGroupId';

/** A group that input items name. */
export type NamedGroup = {
	/** Empty if the group does not exist yet or has a `problem`. */
	groupId: string;
	/**
	 * The name as entered, or undefined if the ID was entered. When the group is read, the name in the service replaces it.
	 */
	groupName: string | undefined;
	/** Why the group cannot be synced, for example because several groups have its name or the value is not an ID. */
	problem?: unknown;
};

/** The value of Recipient Group for an item. */
type Reference = { mode: unknown; value: unknown };

/**
 * Finds the group that each input item names. Reads the list of groups once for all names.
 *
 * @param mostNew maximum number of groups that may be created, or undefined if missing groups are not created
 * @returns the groups without duplicates, and for each input item the index of its group
 * @throws if all items name the same group and this group cannot be synced, or if the groups cannot be listed
 */
export async function readGroups(
	context: IExecuteFunctions,
	mostNew: number | undefined,
): Promise<{ named: NamedGroup[]; groupOf: number[] }> {
	const itemAt = createItems(
		context,
		createRun((message) => context.logger.warn(message)),
	);
	const named: NamedGroup[] = [];
	const places = new Map<string, number>();
	const groupOf: number[] = [];
	for (const [itemIndex, reference] of referencesIn(context).entries()) {
		const key = JSON.stringify([reference.mode, String(reference.value ?? '').trim()]);
		let place = places.get(key);
		if (place === undefined) {
			const group = await findGroup(itemAt(itemIndex), reference, mostNew !== undefined);
			// A NodeApiError means that the groups cannot be listed.
			if (group.problem instanceof NodeApiError) throw group.problem;
			const known = named.findIndex((other) => isSameGroup(other, group));
			place = known >= 0 ? known : named.push(group) - 1;
			places.set(key, place);
		}
		groupOf.push(place);
	}
	const missing = named.filter(({ groupId, problem }) => groupId === '' && !problem);
	if (mostNew !== undefined && missing.length > mostNew) {
		const tooMany = failure(context)(
			`${missing.length} recipient groups do not exist, more than the ${mostNew} that Maximum New Groups allows`,
			'None of them was created. Check that the expression in Recipient Group uses the right field. If all these groups are new, raise Maximum New Groups.',
		);
		for (const group of missing) group.problem = tooMany;
	}
	const [only, ...others] = named;
	if (only?.problem && others.length === 0) throw only.problem;
	return { named, groupOf };
}

/**
 * Whether two references name the same group. Existing groups are the same if their IDs are equal. Missing groups are the
 * same if their names look alike.
 */
function isSameGroup(one: NamedGroup, other: NamedGroup): boolean {
	if (one.problem || other.problem || one.groupId !== other.groupId) return false;
	return one.groupId !== '' || looksOf(one.groupName ?? '') === looksOf(other.groupName ?? '');
}

/** Returns the value of Recipient Group for each item. */
function referencesIn(context: IExecuteFunctions): Reference[] {
	const typed: unknown = context.getNode().parameters[PARAMETER];
	const isLocator = isDataObject(typed);
	const { mode, value } = isLocator ? typed : { mode: 'id', value: typed };
	const isExpression = typeof value === 'string' && value.startsWith('=');
	const values = isExpression
		? itemValues(context, isLocator ? `${PARAMETER}.value` : PARAMETER, value)
		: context.getInputData().map(() => value);
	return values.map((one) =>
		isDataObject(one) ? { mode: one.mode, value: one.value } : { mode, value: one },
	);
}

/**
 * Finds a group by its ID, or by name. If no group has exactly that name, finds the only group whose name looks alike.
 *
 * @param mayBeMissing whether a name without a group is allowed
 */
async function findGroup(
	item: Item,
	{ mode, value }: Reference,
	mayBeMissing: boolean,
): Promise<NamedGroup> {
	const groupName = mode === 'name' ? String(value ?? '').trim() : undefined;
	const fail = failure(item);
	try {
		let id = value;
		if (groupName !== undefined) {
			if (NO_NAME.test(groupName)) {
				throw fail(
					`"${groupName}" is not the name of a recipient group`,
					'It looks like the text of an empty or failed cell. Nothing was created for it.',
				);
			}
			id = (await findNamed(item, PARAMETER, groupName, findLookalikes))?._id;
			if (id === undefined && mayBeMissing) return { groupId: '', groupName };
			if (id === undefined) {
				throw fail(
					`There is no recipient group called "${groupName}"`,
					'Check the spelling of the name. The group must be visible to the owner of the credential. In the modes Add and Mirror, the option Create Missing Groups creates missing groups. Nothing was sent.',
				);
			}
		}
		buildPath(`:${PARAMETER}`, { [PARAMETER]: id }, fail);
		return { groupId: String(id).trim(), groupName };
	} catch (problem) {
		return { groupId: '', groupName, problem };
	}
}

/** Matches texts that stand for an empty or failed cell. */
const NO_NAME =
	/^(-+|n\/a|none|null|undefined|nan|#+|#(n\/a|div\/0!|name\?|getting_data|(null|num|ref|value|spill|calc|field|blocked|connect|unknown|busy|error)!))$/i;

/** Matches an expression that returns one field of the item, for example `={{ $json.email }}`. */
const PLAIN_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * Returns the value of an expression for each item. A plain field is read directly from the item. n8n needs about 50
 * µs for each expression, which would be most of the time of a large sync (n8n-core 2.41.1).
 *
 * @param parameter the parameter that has this expression
 * @param fail if given, an item without the field fails
 */
export function itemValues(
	context: IExecuteFunctions,
	parameter: string,
	expression: unknown,
	fail?: Fail,
): unknown[] {
	const [, field] = PLAIN_FIELD.exec(String(expression)) ?? [];
	const items = context.getInputData();
	return items.map(({ json }, itemIndex): unknown => {
		if (field === undefined) return context.getNodeParameter(parameter, itemIndex, '');
		if (Object.hasOwn(json, field)) return json[field];
		if (!fail) return undefined;
		throw fail(
			`Item ${itemIndex} has no field "${field}", which Recipient uses`,
			`The first item has ${fieldsOf(context)}. Choose the field with the person's email address or ID. If this item's cell is empty, switch on Include Empty Cells in Extract from File, which otherwise leaves out the field. Nothing was sent.`,
		);
	});
}

/** Returns the names of the first item's fields, for a message. */
export function fieldsOf(context: IExecuteFunctions): string {
	const names = Object.keys(context.getInputData()[0]?.json ?? {});
	return names.length > 0 ? `the fields ${names.join(', ')}` : 'no fields';
}
