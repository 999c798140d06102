import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { campaigns, entriesOf, templates, toDropdownOptions } from './lists';

/** Maximum campaigns in a drop-down, which the editor renders all at once. */
const MOST_CAMPAIGNS = 2000;

/** Returns the newest campaigns, sorted by name; older ones can be selected by ID. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const newest = (await entriesOf(this, campaigns)).slice(0, MOST_CAMPAIGNS);
	return toDropdownOptions(newest).sort((a, b) => a.name.localeCompare(b.name));
}

/** Collects the categories of templates and campaigns, because the service has no list of categories. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const lists = await Promise.all([entriesOf(this, templates), entriesOf(this, campaigns)]);
	const categories = new Set(lists.flat().flatMap((entry) => entry.categories ?? []));
	return [...categories]
		.sort((a, b) => a.localeCompare(b))
		.map((category) => ({ name: category, value: category }));
}
