import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { CAMPAIGN_STATUS } from '../statusCodes';
import { listIn } from '../values';
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

/**
 * Returns the newest campaigns as options of the field Survey, live ones first and closed ones last. After them come older
 * or missing campaigns that are already chosen, because the editor marks a chosen value without an option as an error.
 */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const entries = await dropDownEntries(this, campaigns);
	const newest = entries.slice(0, MOST_OPTIONS);
	const others = chosenIds(this).filter((id) => newest.every((entry) => entry.id !== id));
	return toDropDownOptions([
		...newest.sort((a, b) => rankOf(a) - rankOf(b)),
		...others.map((id) => entries.find((entry) => entry.id === id) ?? unlistedEntry(id)),
	]);
}

/** Returns the place of a campaign among the options: 0 if live, 2 if closed, 1 for any other status. */
function rankOf({ status }: DropDownEntry): number {
	if (status === CAMPAIGN_STATUS.live) return 0;
	return status === CAMPAIGN_STATUS.closed ? 2 : 1;
}

/** Returns the IDs that are chosen in the field Survey, each once. Returns none if the field has an expression. */
function chosenIds(context: ILoadOptionsFunctions): string[] {
	const values = listIn(context.getCurrentNodeParameter('campaignIds'));
	const ids = values.filter((value) => typeof value === 'string').filter((id) => id !== '');
	return [...new Set(ids)];
}

/** Returns the entry of a campaign that is not in the list, for example because it was deleted. */
function unlistedEntry(id: string): DropDownEntry {
	return { id, name: id, label: `${id}, not in the list` };
}
