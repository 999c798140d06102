import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { findByName, isDataObject, looksOf, onlyOne } from '../../../shared/values';
import { buildPath } from '../../../shared/transport/address';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { fetchAllRecords, idsOf } from '../../engine/request';
import { request, type Item } from '../../engine/item';
import type { Operation } from '../../engine/declaration';
import { name } from './name';

/**
 * GET /int/v1/recipientGroup, then GET or POST: returns the group with the given name, and creates it if it does not exist.
 * If several items have the same name, the group is created once.
 */
export const getOrCreate: Operation = {
	description: 'Retrieve the group with this name, or create it if there is none',
	endpoint: ['POST', '/int/v1/recipientGroup'],
	checks: [async (item, { name: wanted }) => void (await findGroup(item, String(wanted)))],
	send: async (item, options) => [{ json: await getOrCreateGroup(item, options) }],
	fields: [name],
};

async function getOrCreateGroup(item: Item, create: ApiRequest): Promise<IDataObject> {
	const wanted = isDataObject(create.body) ? String(create.body.name) : '';
	const group = await findGroup(item, wanted);
	const { once } = item.run;
	const key = group ? String(group._id) : looksOf(wanted);
	const earlier = once.get(key);
	// If the first item with this name failed, all items with this name fail with the same error. A
	// second request might create a second group.
	if (earlier) return { ...(await earlier), created: false };
	const making = getOrMake(item, create, group);
	once.set(key, making);
	return await making;
}

async function getOrMake(
	item: Item,
	create: ApiRequest,
	group: IDataObject | undefined,
): Promise<IDataObject> {
	if (!group) {
		const { data } = await request(item, create);
		return { ...(isDataObject(data) ? data : {}), created: true };
	}
	const url = buildPath(
		'/int/v1/recipientGroup/:recipientGroupId',
		{ recipientGroupId: group._id },
		failure(item),
	);
	const { data } = await request(item, { ...create, method: 'GET', url, body: undefined });
	return { ...(isDataObject(data) ? data : group), created: false };
}

/** Returns the group of that name, or one that looks alike. @throws if there are several */
async function findGroup(item: Item, wanted: string): Promise<IDataObject | undefined> {
	const named = findByName(await fetchAllRecords(item, 'recipientGroupId'), wanted);
	const advice = `Rename or delete all but one of them, or use Get with an ID: ${idsOf(named)}. Nothing was created.`;
	return onlyOne(named, wanted, 'recipient group', failure(item), advice);
}
