import { NodeApiError, type IExecuteFunctions } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldAt, fieldLabel } from '../../shared/field';
import { buildPath } from '../../shared/transport/address';
import { isBlank, isDataObject, looksOf, readName, toName, trimmed } from '../../shared/values';
import { createItems, type Item } from '../engine/item';
import { findNamed } from '../engine/lookUp';
import { itemValues } from './rows';
import type { Container, NamedTarget } from './types';

/** The value of Recipient Group or Channel for an item. */
type Reference = { mode: unknown; value: unknown };

/**
 * Finds the target that each input item names. Reads the list of targets once for all names.
 *
 * @param mostNew maximum number of targets that may be created, or undefined if missing targets are not created
 * @returns the targets without duplicates, and for each input item the index of its target
 * @throws if all items name the same target and it cannot be synced, or if the targets cannot be listed
 */
export async function readTargets(
	context: IExecuteFunctions,
	{ word, idName }: Container,
	mostNew: number | undefined,
): Promise<{ named: NamedTarget[]; targetOf: number[] }> {
	const itemAt = createItems(context);
	const named: NamedTarget[] = [];
	const places = new Map<string, number>();
	const targetOf: number[] = [];
	for (const [itemIndex, reference] of referencesIn(context, idName).entries()) {
		const key = JSON.stringify([reference.mode, reference.value]);
		let place = places.get(key);
		if (place === undefined) {
			const mayBeMissing = mostNew !== undefined;
			const target = await findTarget(itemAt(itemIndex), idName, reference, mayBeMissing);
			// A NodeApiError means that the targets cannot be listed.
			if (target.problem instanceof NodeApiError) throw target.problem;
			const known = named.findIndex((other) => isSameTarget(other, target));
			place = known >= 0 ? known : named.push(target) - 1;
			places.set(key, place);
		}
		targetOf.push(place);
	}
	const missing = named.filter(({ id, problem }) => id === '' && !problem);
	if (mostNew !== undefined && missing.length > mostNew) {
		const label = fieldLabel(idName);
		const tooMany = failure(context)(
			`${missing.length} ${label.toLowerCase()}s do not exist, more than the ${mostNew} that Maximum New Groups allows`,
			`None of them was created. Check that the expression in ${label} uses the right field. If all these ${word}s are new, raise Maximum New Groups.`,
		);
		for (const target of missing) target.problem = tooMany;
	}
	const [only, ...others] = named;
	if (only?.problem && others.length === 0) throw only.problem;
	return { named, targetOf };
}

/**
 * Whether two references name the same target. Existing targets are the same if their IDs are equal. Missing targets are
 * the same if their names look alike.
 */
function isSameTarget(one: NamedTarget, other: NamedTarget): boolean {
	if (one.problem || other.problem || one.id !== other.id) return false;
	return one.id !== '' || looksOf(one.name ?? '') === looksOf(other.name ?? '');
}

/** Returns the value of a resource locator for each item. */
function referencesIn(context: IExecuteFunctions, parameter: string): Reference[] {
	const typed: unknown = context.getNode().parameters[parameter];
	const isLocator = isDataObject(typed);
	const { mode, value } = isLocator ? typed : { mode: 'id', value: typed };
	const isExpression = typeof value === 'string' && value.startsWith('=');
	const values = isExpression
		? itemValues(context, isLocator ? `${parameter}.value` : parameter, value)
		: context.getInputData().map(() => value);
	return values.map((one) =>
		isDataObject(one) && !isLocator ? { mode: one.mode, value: one.value } : { mode, value: one },
	);
}

/**
 * Finds a target by its ID, or by name. If none has exactly that name, finds the only target whose name looks alike.
 *
 * @param mayBeMissing whether a name without a target is allowed
 */
async function findTarget(
	item: Item,
	idName: Container['idName'],
	{ mode, value }: Reference,
	mayBeMissing: boolean,
): Promise<NamedTarget> {
	const name = mode === 'name' ? (readName(value).name ?? trimmed(value)) : undefined;
	const fail = failure(item);
	const what = fieldLabel(idName).toLowerCase();
	try {
		let id = value;
		if (name !== undefined) {
			toName(value, fieldAt(item, idName));
			id = (await findNamed(item, idName, name))?._id;
			if (id === undefined && mayBeMissing) return { id: '', name };
			if (id === undefined) {
				throw fail(
					`There is no ${what} called "${name}"`,
					`Check the spelling of the name. It must be visible to the owner of the credential.${CREATE[idName]} Nothing was sent.`,
				);
			}
		}
		buildPath(`:${idName}`, { [idName]: id }, fail);
		return { id: String(id).trim(), name };
	} catch (problem) {
		return { id: '', name, isBlank: isBlank(value), problem };
	}
}

/** How missing targets are created. */
const CREATE: Record<Container['idName'], string> = {
	recipientGroupId:
		' In the modes Add and Mirror, the option Create Missing Groups creates missing groups.',
	channelId: '',
};
