import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { recordsOf } from '../shared/envelope';
import type { ReadPages } from '../shared/paging';
import { byPreviousLastId, bySkip, inOneAnswer } from '../shared/paging';
import { statusName } from '../shared/status';
import { apiRequest } from '../shared/transport';

/** Campaigns in a list to choose from. */
const MOST_CAMPAIGNS = 2000;

/** Campaign templates; those made for surveys are marked. */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await options(this, '/int/v1/template', inOneAnswer, ({ isSurvey }) =>
		isSurvey === true ? 'Survey template' : undefined,
	);
}

/** Recipient groups the owner of the credential may view. */
export async function getRecipientGroups(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await options(this, '/int/v1/recipientGroup', bySkip);
}

/** The newest campaigns, as many as a list to choose from can hold; older ones can be given by their ID. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const newest: ReadPages = async (fetchPage, _wanted, fail) =>
		await byPreviousLastId(fetchPage, MOST_CAMPAIGNS, fail);
	return await options(this, '/int/v1/campaign', newest, ({ status }) => statusName(status));
}

async function options(
	context: ILoadOptionsFunctions,
	url: string,
	read: ReadPages,
	describe: (record: IDataObject) => string | undefined = () => undefined,
): Promise<INodePropertyOptions[]> {
	const records = await read(
		async (qs) => {
			const envelope = await apiRequest.call(context, { url, qs });
			return { records: recordsOf(context.getNode(), envelope), total: envelope.total };
		},
		Infinity,
		(message, description) => new NodeOperationError(context.getNode(), message, { description }),
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
