import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { accountOf, entriesOf, recipientGroups } from '../../shared/lists/lists';
import { findByName, normalizeName } from '../../shared/names';
import { apiRequest } from '../../shared/transport/apiRequest';
import { listCache } from '../../shared/transport/ttlCache';
import { isDataObject } from '../../shared/typeGuards';
import { trimmed } from '../../shared/values';

/** Groups being created, by account and name: a double click asks twice. */
const inFlight = new Map<string, Promise<string>>();

/**
 * The group with the name searched for in the list of the editor, created where there is none (recipientGroup.create in
 * emulator/openapi.yaml).
 *
 * @param payload what n8n's editor passes on: `{ name }`
 * @returns the ID of the group
 * @throws when the name is blank or several groups have it, and NodeApiError when the service does not create it
 */
export async function createRecipientGroup(
	this: ILoadOptionsFunctions,
	payload: IDataObject | string | undefined,
): Promise<string> {
	const name = trimmed(isDataObject(payload) ? payload.name : payload);
	if (name === '') {
		throw failure(this)('Type the name of the new group into the search, then choose this again');
	}
	const key = `${await accountOf(this)} ${normalizeName(name)}`;
	const creating = inFlight.get(key) ?? getOrCreate(this, name);
	inFlight.set(key, creating);
	return await creating.finally(() => inFlight.delete(key));
}

async function getOrCreate(context: ILoadOptionsFunctions, name: string): Promise<string> {
	// Another builder may have created it within the minute for which lists are kept.
	listCache.clear();
	const [group, ...others] = findByName(await entriesOf(context, recipientGroups), name);
	if (others.length > 0) {
		throw failure(context)(`${others.length + 1} recipient groups are called "${name}"`);
	}
	if (group) return group.id;
	const { data } = await apiRequest
		.call(context, { method: 'POST', url: recipientGroups.path, body: { name } })
		.finally(() => listCache.clear());
	return isDataObject(data) ? trimmed(data._id) : '';
}
