import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { queueByKey } from '../../shared/concurrency';
import { failure } from '../../shared/failure';
import { accountKey, clearListCache, dropDownEntries } from '../../shared/lists/list';
import { apiRequest } from '../../shared/transport/apiRequest';
import {
	fieldsIn,
	findByName,
	isDataObject,
	normalizeName,
	onlyMatch,
	parseName,
	trimmed,
} from '../../shared/values';
import { recipientGroups } from '../lists/locatorLists';

/** After a double click, the second call waits for the first, and then finds its group. */
const inNameOrder = queueByKey();

/**
 * Returns the ID of the group with the name that the user searched for in the editor. If no group has this name, creates
 * one (recipientGroup.create in emulator/openapi.yaml).
 *
 * @param payload passed by n8n's editor: `{ name }`
 * @throws if the name is blank or several groups have it; NodeApiError if the service does not create the group
 */
export async function createRecipientGroup(
	this: ILoadOptionsFunctions,
	payload: IDataObject | string | undefined,
): Promise<string> {
	const reading = parseName(isDataObject(payload) ? payload.name : payload);
	if (reading.name === undefined) {
		throw failure(this)(
			'Enter the name of the new group in the search, then choose this entry again',
			reading.isBlank ? undefined : `${reading.problem} is not a name.`,
		);
	}
	const { name } = reading;
	const key = `${await accountKey(this)} ${normalizeName(name)}`;
	return await inNameOrder(key, async () => await findOrCreateGroup(this, name));
}

async function findOrCreateGroup(context: ILoadOptionsFunctions, name: string): Promise<string> {
	// Another user may have created the group since the list was cached.
	clearListCache();
	const entries = await dropDownEntries(context, recipientGroups);
	const group = onlyMatch(findByName(entries, name), name, 'recipient group', failure(context));
	if (group) return group.id;
	const { data } = await apiRequest
		.call(context, { method: 'POST', url: recipientGroups.path, body: { name } })
		.finally(() => clearListCache());
	return trimmed(fieldsIn(data)._id);
}
