import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { optionsFrom } from '../../shared/loadOptions';
import { bySkip, inOneAnswer } from '../../shared/service/paging';

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
