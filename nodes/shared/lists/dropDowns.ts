import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { CAMPAIGN_STATUS } from '../statusCodes';
import type { DropDownEntry } from './dropDownEntry';
import { campaigns, dropDownEntries, MOST_OPTIONS, templates, toDropDownOptions } from './list';

/**
 * Returns the categories as options, sorted. They are collected from templates and campaigns, because the service has no
 * list of categories.
 */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const lists = await Promise.all([
		dropDownEntries(this, templates),
		dropDownEntries(this, campaigns),
	]);
	const categories = new Set(lists.flat().flatMap((entry) => entry.categories ?? []));
	return [...categories]
		.sort((a, b) => a.localeCompare(b))
		.map((category) => ({ name: category, value: category }));
}

/** Returns the newest campaigns as options of the field Survey, live ones first and closed ones last. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const entries = await dropDownEntries(this, campaigns);
	const newest = entries.slice(0, MOST_OPTIONS);
	return toDropDownOptions(newest.sort((a, b) => rankOf(a) - rankOf(b)));
}

/** Returns the place of a campaign among the options: 0 if live, 2 if closed, 1 for any other status. */
function rankOf({ status }: DropDownEntry): number {
	if (status === CAMPAIGN_STATUS.live) return 0;
	return status === CAMPAIGN_STATUS.closed ? 2 : 1;
}
