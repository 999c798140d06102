import { NodeApiError, type IExecuteFunctions } from 'n8n-workflow';

import { failure } from '../../../../shared/failure';
import { findByName, normalizeName } from '../../../../shared/names';
import { buildPath, checkedId } from '../../../../shared/transport/path';
import { isDataObject } from '../../../../shared/typeGuards';
import { settle } from '../../../../shared/concurrency';
import { createItems, createRun, request, type Item } from '../../../runner/item';
import { fetchAllRecords, resolveId } from '../../../runner/resolveId';
import { itemValues } from './itemValues';

const PARAMETER = 'recipientGroupId';

/** A group that input items name. */
export type NamedGroup = {
	/** Empty while the group does not exist. */
	groupId: string;
	/** As an item gives it, until the group is read; none where an item gives the ID. */
	groupName: string | undefined;
	/** Why nothing can be synced with it: no such group, several of its name, or none given. */
	problem?: unknown;
};

/** The groups of a run, told apart by ID, and which of them each input item names. */
export type NamedGroups = {
	named: NamedGroup[];
	/** For each input item its place in `named`. */
	groupOf: number[];
	/** Creates a group and gives its ID. @throws also where nobody knows whether it was created: it is not sent again */
	create: (name: string) => Promise<string>;
};

/** What Recipient Group gives for an item. */
type Reference = { mode: unknown; value: unknown };

/**
 * Finds out which group each input item names. Names are looked up in one listing of the groups.
 *
 * @param mostNew how many groups may be missing to be created; undefined when none is created
 * @throws where all items name the same and that cannot be synced with; where the groups cannot be listed
 */
export async function readGroups(
	context: IExecuteFunctions,
	mostNew: number | undefined,
): Promise<NamedGroups> {
	const itemAt = createItems(
		context,
		createRun(context, (message) => context.logger.warn(message)),
	);
	const named: NamedGroup[] = [];
	const places = new Map<string, number>();
	const groupOf: number[] = [];
	for (const [itemIndex, reference] of referencesIn(context).entries()) {
		const { mode, value } = reference;
		const text = String(value ?? '').trim();
		const key = JSON.stringify([mode, mode === 'name' ? normalizeName(text) : text]);
		let place = places.get(key);
		if (place === undefined) {
			const group = await groupNamed(itemAt(itemIndex), reference, mostNew !== undefined);
			const known = named.findIndex(({ groupId }) => groupId !== '' && groupId === group.groupId);
			place = known >= 0 ? known : named.push(group) - 1;
			places.set(key, place);
		}
		groupOf.push(place);
	}
	const missing = named.filter(({ groupId, problem }) => groupId === '' && !problem);
	if (mostNew !== undefined && missing.length > mostNew) {
		const tooMany = failure(context)(
			`${missing.length} recipient groups do not exist, more than the ${mostNew} that Maximum New Groups allows`,
			'None of them was created. Check that Recipient Group takes the right field.',
		);
		for (const group of missing) group.problem = tooMany;
	}
	const [only, ...others] = named;
	if (only?.problem && others.length === 0) throw only.problem;
	return { named, groupOf, create: async (name) => await createGroup(itemAt(0), name) };
}

/** What Recipient Group gives for each item. */
function referencesIn(context: IExecuteFunctions): Reference[] {
	const typed: unknown = context.getNode().parameters[PARAMETER];
	const isLocator = isDataObject(typed);
	const expression = isLocator ? typed.value : typed;
	if (typeof expression !== 'string' || !expression.startsWith('=')) {
		return context.getInputData().map(() => toReference(typed));
	}
	const path = isLocator ? `${PARAMETER}.value` : PARAMETER;
	const evaluate = (itemIndex: number): unknown => context.getNodeParameter(path, itemIndex, '');
	const values = itemValues(context, expression, evaluate);
	return values.map((value) => (isLocator ? { mode: typed.mode, value } : toReference(value)));
}

function toReference(given: unknown): Reference {
	return isDataObject(given)
		? { mode: given.mode, value: given.value }
		: { mode: 'id', value: given };
}

async function groupNamed(
	item: Item,
	{ mode, value }: Reference,
	mayCreate: boolean,
): Promise<NamedGroup> {
	const groupName = mode === 'name' ? String(value ?? '').trim() : undefined;
	const fail = failure(item);
	const outcome = await settle(async () => {
		const records = mayCreate && groupName ? await fetchAllRecords(item, PARAMETER) : undefined;
		if (records && groupName && findByName(records, groupName).length === 0) return '';
		const id = await resolveId(item, PARAMETER);
		buildPath(`:${PARAMETER}`, () => id, fail);
		return String(id).trim();
	});
	if ('result' in outcome) return { groupId: outcome.result, groupName };
	if (outcome.error instanceof NodeApiError) throw outcome.error;
	return { groupId: '', groupName, problem: outcome.error };
}

async function createGroup(item: Item, name: string): Promise<string> {
	const { data } = await request(item, {
		method: 'POST',
		url: '/int/v1/recipientGroup',
		body: { name },
	});
	const fail = failure(item);
	return checkedId(PARAMETER, isDataObject(data) ? data._id : undefined, fail);
}
