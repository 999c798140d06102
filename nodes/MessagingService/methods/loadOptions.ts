import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { optionsFrom } from '../../shared/loadOptions';
import { byPreviousLastId, bySkip, inOneAnswer } from '../../shared/service/paging';

/** Campaign templates; those made for surveys are marked. */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await optionsFrom(this, '/int/v1/template', inOneAnswer, ({ isSurvey }) =>
		isSurvey === true ? 'Survey template' : undefined,
	);
}

/** Recipient groups the owner of the credential may view. */
export async function getRecipientGroups(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await optionsFrom(this, '/int/v1/recipientGroup', bySkip);
}

/** Campaigns that are drafts, newest first in the service and by name in the list. */
export async function getDrafts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await optionsFrom(this, '/int/v1/campaign', byPreviousLastId, undefined, { status: '0' });
}
