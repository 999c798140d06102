import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { campaigns, entriesOf, templates, toDropdownOptions } from './lists';

/** Campaigns in a list to choose from: the editor draws all of them at once. */
const MOST_CAMPAIGNS = 2000;

/** The newest campaigns by name, as many as such a list can hold; older ones can be given by their ID. */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const newest = (await entriesOf(this, campaigns)).slice(0, MOST_CAMPAIGNS);
	return toDropdownOptions(newest).sort((a, b) => a.name.localeCompare(b.name));
}

/** The categories that templates and campaigns have; the service has no list of them. */
export async function getCategories(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const lists = await Promise.all([entriesOf(this, templates), entriesOf(this, campaigns)]);
	const categories = new Set(lists.flat().flatMap((entry) => entry.categories ?? []));
	return [...categories]
		.sort((a, b) => a.localeCompare(b))
		.map((category) => ({ name: category, value: category }));
}
