import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { fieldsIn, isDataObject, normalizeName } from '../../../shared/values';
import { buildPath } from '../../../shared/transport/address';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { findNamed } from '../../engine/selectedRecord';
import type { Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';
import type { Operation } from '../../engine/declaration';
import { groupName } from './groupName';

const GROUPS = 'recipientGroupId';

/**
 * GET /int/v1/recipientGroup, then GET or POST: returns the group with the given name, and creates it if it does not exist.
 * If several items have the same name, the group is created once.
 */
export const getOrCreate: Operation = {
	description: 'Retrieve the group with this name, or create it if there is none',
	endpoint: ['POST', '/int/v1/recipientGroup'],
	checks: [async (item, { name: wanted }) => void (await findNamed(item, GROUPS, String(wanted)))],
	send: async (item, options) => [{ json: await getOrCreateGroup(item, options) }],
	fields: [groupName],
};

async function getOrCreateGroup(item: Item, create: ApiRequest): Promise<IDataObject> {
	const wanted = isDataObject(create.body) ? String(create.body.name) : '';
	const group = await findNamed(item, GROUPS, wanted);
	const { createdByName } = item.run;
	const key = group ? String(group._id) : normalizeName(wanted);
	const earlier = createdByName.get(key);
	// If the first item with this name failed, all items with this name fail with the same error. A
	// second request might create a second group.
	if (earlier) return { ...(await earlier), created: false };
	const making = fetchOrCreate(item, create, group);
	createdByName.set(key, making);
	return await making;
}

async function fetchOrCreate(
	item: Item,
	create: ApiRequest,
	group: IDataObject | undefined,
): Promise<IDataObject> {
	if (!group) {
		const { data } = await callApi(item, create);
		return { ...fieldsIn(data), created: true };
	}
	const url = buildPath(
		'/int/v1/recipientGroup/:recipientGroupId',
		{ recipientGroupId: group._id },
		failure(item),
	);
	const { data } = await callApi(item, { ...create, method: 'GET', url, body: undefined });
	return { ...(isDataObject(data) ? data : group), created: false };
}
