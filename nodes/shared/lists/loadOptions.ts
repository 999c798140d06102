import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { campaigns, entriesOf, MOST_OPTIONS, toDropdownOptions } from './lists';
import { CAMPAIGN_STATUS } from '../status';
import type { Entry } from '../transport/ttlCache';

export { getCategories } from './lists';

/**
 * Returns the newest campaigns for the trigger: live ones first, closed ones last, each newest first. Campaigns that are
 * already chosen are always among the options, because the editor marks a chosen value without an option as an error.
 */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const entries = await entriesOf(this, campaigns);
	const newest = entries.slice(0, MOST_OPTIONS);
	const chosen = chosenIds(this).filter((id) => newest.every((entry) => entry.id !== id));
	return toDropdownOptions([
		...newest.sort((a, b) => rankOf(a) - rankOf(b)),
		...chosen.map((id) => entries.find((entry) => entry.id === id) ?? notListed(id)),
	]);
}

/** Returns 0 for a live campaign, 2 for a closed one and 1 for a campaign that may go live. */
function rankOf({ status }: Entry): number {
	if (status === CAMPAIGN_STATUS.live) return 0;
	return status === CAMPAIGN_STATUS.closed ? 2 : 1;
}

/** Returns the IDs that the parameter contains, without repeats; none if an expression fills it. */
function chosenIds(context: ILoadOptionsFunctions): string[] {
	const chosen: unknown = context.getCurrentNodeParameter('campaignIds');
	const values: unknown[] = Array.isArray(chosen) ? chosen : [];
	return [...new Set(values.filter((value) => typeof value === 'string').filter(Boolean))];
}

const notListed = (id: string): Entry => ({ id, name: id, shown: `${id}, not in the list` });
