import { NodeApiError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../../../shared/failure';
import { findLookalikes, looksOf, onlyOne } from '../../../engine/names';
import { buildPath } from '../../../../shared/transport/address';
import { isDataObject } from '../../../../shared/values';
import { createItems, createRun } from '../../../engine/item';
import { fetchAllRecords, idsOf } from '../../../engine/request';

const PARAMETER = 'recipientGroupId';

/** A group that input items name. */
export type NamedGroup = {
	/** Empty if the group does not exist yet or has a `problem`. */
	groupId: string;
	/** The name as entered; undefined if the ID was entered. Reading the group replaces it by the name in the service. */
	groupName: string | undefined;
	/** Why the group cannot be synced, for example because several groups have its name or the value is not an ID. */
	problem?: unknown;
};

/** The groups of a run without duplicates, and the group of each input item. */
export type NamedGroups = {
	named: NamedGroup[];
	/** For each input item, the index of its group in `named`. */
	groupOf: number[];
};

/** The value of Recipient Group for an item. */
type Reference = { mode: unknown; value: unknown };

/**
 * Finds the group that each input item names. Reads the list of groups once for all names.
 *
 * @param mostNew maximum number of groups that may be created; undefined if missing groups are not created
 * @throws if all items name the same group and it cannot be synced, or if the groups cannot be listed
 */
export async function readGroups(
	context: IExecuteFunctions,
	mostNew: number | undefined,
): Promise<NamedGroups> {
	const idByName = lookUpNames(context, mostNew !== undefined);
	const named: NamedGroup[] = [];
	const places = new Map<string, number>();
	const groupOf: number[] = [];
	for (const [itemIndex, reference] of referencesIn(context).entries()) {
		const { mode, value } = reference;
		const text = String(value ?? '').trim();
		const key = JSON.stringify([mode, text]);
		let place = places.get(key);
		if (place === undefined) {
			const fail = failure(context, itemIndex);
			const group = await findGroup(reference, fail, idByName);
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
			'None of them was created. Check that the expression in Recipient Group uses the right field.',
		);
		for (const group of missing) group.problem = tooMany;
	}
	const [only, ...others] = named;
	if (only?.problem && others.length === 0) throw only.problem;
	return { named, groupOf };
}

/** Whether two references name one group: by its ID or, if it is missing, by a name that looks alike (rule 17). */
function isSameGroup(one: NamedGroup, other: NamedGroup): boolean {
	if (one.problem || other.problem || one.groupId !== other.groupId) return false;
	return one.groupId !== '' || looksOf(one.groupName ?? '') === looksOf(other.groupName ?? '');
}

/** Returns the value of Recipient Group for each item. */
function referencesIn(context: IExecuteFunctions): Reference[] {
	const typed: unknown = context.getNode().parameters[PARAMETER];
	const isLocator = isDataObject(typed);
	const reference = isLocator ? referenceOf(typed) : { mode: 'id', value: typed };
	const { mode, value: expression } = reference;
	if (typeof expression !== 'string' || !expression.startsWith('=')) {
		return context.getInputData().map(() => reference);
	}
	const path = isLocator ? `${PARAMETER}.value` : PARAMETER;
	return itemValues(context, path, expression).map((value) =>
		!isLocator && isDataObject(value) ? referenceOf(value) : { mode, value },
	);
}

function referenceOf({ mode, value }: IDataObject): Reference {
	return { mode, value };
}

async function findGroup(
	{ mode, value }: Reference,
	fail: Fail,
	idByName: (name: string, fail: Fail) => Promise<unknown>,
): Promise<NamedGroup> {
	const groupName = mode === 'name' ? String(value ?? '').trim() : undefined;
	try {
		const id = groupName === undefined ? value : await idByName(groupName, fail);
		if (groupName && id === undefined) return { groupId: '', groupName };
		buildPath(`:${PARAMETER}`, { [PARAMETER]: id }, fail);
		return { groupId: String(id).trim(), groupName };
	} catch (problem) {
		return { groupId: '', groupName, problem };
	}
}

/**
 * Returns a function that looks up the ID of a group by name: the group of exactly that name or, without one, the only one
 * whose name looks alike (rule 17). With `mayBeMissing`, it returns undefined for a missing group.
 */
function lookUpNames(
	context: IExecuteFunctions,
	mayBeMissing: boolean,
): (name: string, fail: Fail) => Promise<unknown> {
	const run = createRun((message) => context.logger.warn(message));
	return async (name, fail) => {
		if (name === '') {
			throw fail('Recipient Group is missing: enter its name, or choose it from the list');
		}
		if (NO_NAME.test(name)) {
			throw fail(
				`"${name}" is no name of a recipient group`,
				'It looks like the text of an empty or failed cell. Nothing was created for it.',
			);
		}
		const groups = await fetchAllRecords(createItems(context, run)(0), PARAMETER);
		const choose = (several: IDataObject[]) =>
			`Choose the right one by its ID: ${idsOf(several)}. Nothing was sent.`;
		const alike = findLookalikes(groups, name);
		const found = onlyOne(alike, name, 'recipient group', fail, choose(alike));
		if (found || mayBeMissing) return found?._id;
		throw fail(
			`There is no recipient group called "${name}"`,
			'Check the spelling of the name. The group must be visible to the owner of the credential. Nothing was sent.',
		);
	};
}

/** Matches texts that stand for an empty or failed cell (rule 17). */
const NO_NAME =
	/^(-+|n\/a|none|null|undefined|nan|#+|#(n\/a|div\/0!|name\?|getting_data|(null|num|ref|value|spill|calc|field|blocked|connect|unknown|busy|error)!))$/i;

/** Matches an expression that returns one field of the item, like the default of Recipient. */
const PLAIN_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * Returns the value of an expression for each item. A plain field is read directly from the item, because the engine is
 * slow: about 50 µs per expression would be most of the time of a large sync (n8n-core 2.41.1).
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
			`The first item has ${fieldsOf(context)}. Choose the field with the person's email address or ID. Nothing was sent.`,
		);
	});
}

/** Returns the names of the first item's fields, for a message. */
export function fieldsOf(context: IExecuteFunctions): string {
	const names = Object.keys(context.getInputData()[0]?.json ?? {});
	return names.length > 0 ? `the fields ${names.join(', ')}` : 'no fields';
}
