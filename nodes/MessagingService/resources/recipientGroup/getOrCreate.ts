import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { fieldsIn, isDataObject, normalizeName } from '../../../shared/values';
import { buildPath } from '../../../shared/transport/address';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { findNamed } from '../../engine/request';
import { onePerRun, type Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';
import type { Operation } from '../../engine/declaration';
import { groupName } from './groupName';

/**
 * GET /int/v1/recipientGroup, then GET or POST: returns the group with the given name, and creates it if it does not exist.
 * If several items have the same name, the group is created once.
 */
export const getOrCreate: Operation = {
	description: 'Retrieve the group with this name, or create it if there is none',
	endpoint: ['POST', '/int/v1/recipientGroup'],
	// If several groups have the name, this fails before anything is sent.
	checks: [async (item, { name }) => await findGroup(item, String(name))],
	send: async (item, request) => [{ json: await getOrCreateGroup(item, request) }],
	fields: [groupName],
};

const findGroup = async (item: Item, name: string) =>
	await findNamed(item, 'recipientGroupId', name);

/** The group of each name, in flight or finished. The key is the ID of a group that existed before the run, or the new name. */
const groupsOf = onePerRun(() => new Map<string, Promise<IDataObject>>());

/** Returns the group for an item. @param creation the request that creates the group */
async function getOrCreateGroup(item: Item, creation: ApiRequest): Promise<IDataObject> {
	const wanted = isDataObject(creation.body) ? String(creation.body.name) : '';
	const group = await findGroup(item, wanted);
	const groups = groupsOf(item);
	const key = group ? String(group._id) : normalizeName(wanted);
	const earlier = groups.get(key);
	// If the first item with this name failed, all items with this name fail with the same error. A
	// second request might create a second group.
	if (earlier) return { ...(await earlier), created: false };
	const pending = fetchOrCreate(item, creation, group);
	groups.set(key, pending);
	return await pending;
}

/** Fetches a group that exists. Without `group`, creates it. */
async function fetchOrCreate(item: Item, creation: ApiRequest, group: IDataObject | undefined) {
	if (!group) {
		const { data } = await callApi(item, creation);
		return { ...fieldsIn(data), created: true };
	}
	const path = '/int/v1/recipientGroup/:recipientGroupId';
	const url = buildPath(path, { recipientGroupId: group._id }, failure(item));
	const { data } = await callApi(item, { ...creation, method: 'GET', url, body: undefined });
	return { ...(isDataObject(data) ? data : group), created: false };
}
