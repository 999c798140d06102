import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { failure } from './failure';
import { statusName } from './campaignStatus';
import { recordsOf } from './service/envelope';
import type { ReadPages } from './service/paging';
import { byPreviousLastId } from './service/paging';
import { apiRequest } from './service/transport';

/** Campaigns in a list to choose from. */
const MOST_CAMPAIGNS = 2000;

/** The newest campaigns, as many as a list to choose from can hold; older ones can be given by their ID. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const newest: ReadPages = async (fetchPage, _wanted, fail) =>
		await byPreviousLastId(fetchPage, MOST_CAMPAIGNS, fail);
	return await optionsFrom(this, '/int/v1/campaign', newest, ({ status }) => statusName(status));
}

/** A list to choose from, by name. @throws NodeApiError when the service does not give it */
export async function optionsFrom(
	context: ILoadOptionsFunctions,
	url: string,
	read: ReadPages,
	describe: (record: IDataObject) => string | undefined = () => undefined,
	filter: IDataObject = {},
): Promise<INodePropertyOptions[]> {
	const records = await read(
		async (qs) => {
			const envelope = await apiRequest.call(context, { url, qs: { ...filter, ...qs } });
			return { records: recordsOf(context.getNode(), envelope), total: envelope.total };
		},
		Infinity,
		failure(context),
	);
	const entries: INodePropertyOptions[] = [];
	for (const record of records) {
		const { _id, name } = record;
		if (typeof _id === 'string') {
			entries.push({
				name: typeof name === 'string' && name !== '' ? name : _id,
				value: _id,
				description: describe(record),
			});
		}
	}
	return entries.sort((a, b) => a.name.localeCompare(b.name));
}
