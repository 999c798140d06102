import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import {
	campaigns,
	entriesOf,
	managersAt,
	recipientGroups,
	templates,
	toDropdownOptions,
} from '../../shared/lists/lists';
import { onlyEligible } from './eligibleStatuses';
import { pathBelow } from './parent';

export { getCategories } from '../../shared/lists/loadOptions';

/** Campaign templates; those made for surveys are marked. */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return toDropdownOptions(await entriesOf(this, templates));
}

/** Recipient groups the owner of the credential may view. */
export async function getRecipientGroups(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return toDropdownOptions(await entriesOf(this, recipientGroups));
}

/** The users who manage the channel chosen above. @throws NodeOperationError when none is chosen yet */
export async function getChannelManagers(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const path = await pathBelow(
		this,
		'/int/v1/channel/:channelId/manager',
		'the users who manage it',
	);
	return toDropdownOptions(await entriesOf(this, managersAt(path)));
}

/** Campaigns that a launch can go on with: drafts, and those of a state that nobody knows. */
export async function getDrafts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return toDropdownOptions(onlyEligible(await entriesOf(this, campaigns), 'survey.launch'));
}
