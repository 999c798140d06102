import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { queueByKey, settle } from '../../../shared/concurrency';
import { fieldsIn, isDataObject, normalizeName } from '../../../shared/values';
import { buildPath } from '../../../shared/transport/address';
import { CREDENTIAL, type ApiRequest } from '../../../shared/transport/apiRequest';
import { isOutcomeUnknown } from '../../../shared/transport/errors/apiError';
import { findNamed, forgetRecords } from '../../engine/request';
import { onePerRun, type Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';
import type { Operation } from '../../engine/declaration';
import { groupName } from './groupName';

/**
 * GET /int/v1/recipientGroup, then GET or POST: returns the group with the given name, and creates it if it does not exist.
 * If several items have the same name, the group is created once.
 */
export const getOrCreate: Operation = {
	description:
		'Retrieve the group with a certain name. If no group has this name, create the group.',
	endpoint: ['POST', '/int/v1/recipientGroup'],
	// If several groups have the name, this fails before anything is sent.
	checks: [async (item, { name }) => await findGroup(item, String(name))],
	send: async (item, request) => [{ json: await getOrCreateGroup(item, request) }],
	fields: [groupName],
};

/**
 * Number of groups that this process has created, or may have created. A run that read the list of groups before the last
 * of them reads it again before it creates one.
 */
let creations = 0;

/** Runs that want to create a group of the same name with the same credential wait for each other. */
const inNameOrder = queueByKey();

/**
 * State of a run: the group of each name, in flight or finished, and `creations` when the list was read, without later ones
 * of its own. The key of a group is its ID if it existed before the run, or the new name.
 */
const runState = onePerRun(() => ({
	groups: new Map<string, Promise<IDataObject>>(),
	knownCreations: creations,
}));

/** Returns the group of this name, or undefined if there is none. The list is read once per run. */
async function findGroup(item: Item, name: string): Promise<IDataObject | undefined> {
	// The state begins before the list is read.
	runState(item);
	return await findNamed(item, 'recipientGroupId', name);
}

/** Returns the group for an item. @param creation the request that creates the group */
async function getOrCreateGroup(item: Item, creation: ApiRequest): Promise<IDataObject> {
	const wanted = isDataObject(creation.body) ? String(creation.body.name) : '';
	const group = await findGroup(item, wanted);
	const { groups } = runState(item);
	const key = group ? String(group._id) : normalizeName(wanted);
	const earlier = groups.get(key);
	// If the first item with this name failed, all items with this name fail with the same error. A
	// second request might create a second group.
	if (earlier) return { ...(await earlier), created: false };
	const pending = group ? fetchGroup(item, group) : createGroup(item, creation, wanted);
	groups.set(key, pending);
	return await pending;
}

async function fetchGroup(item: Item, group: IDataObject): Promise<IDataObject> {
	const path = '/int/v1/recipientGroup/:recipientGroupId';
	const url = buildPath(path, { recipientGroupId: group._id }, failure(item));
	const { data } = await callApi(item, { url });
	return { ...(isDataObject(data) ? data : group), created: false };
}

/**
 * Creates a group, unless another run of this process has created it meanwhile. If the outcome is unknown, but the group is
 * there afterwards, returns it.
 */
async function createGroup(item: Item, creation: ApiRequest, name: string): Promise<IDataObject> {
	const state = runState(item);
	const credentialId = item.getNode().credentials?.[CREDENTIAL]?.id;
	return await inNameOrder(JSON.stringify([credentialId, normalizeName(name)]), async () => {
		if (state.knownCreations !== creations) {
			const group = await findGroupNow(item, name);
			if (group) return await fetchGroup(item, group);
		}
		const creating = await settle(async () => await callApi(item, creation));
		creations++;
		state.knownCreations++;
		if ('result' in creating) return { ...fieldsIn(creating.result.data), created: true };
		const { error } = creating;
		const group = isOutcomeUnknown(error) && (await findGroupNow(item, name).catch(() => {}));
		if (group) return await fetchGroup(item, group);
		throw error;
	});
}

/** Returns the group of this name by a new list. */
async function findGroupNow(item: Item, name: string): Promise<IDataObject | undefined> {
	runState(item).knownCreations = creations;
	forgetRecords(item, 'recipientGroupId');
	return await findGroup(item, name);
}
