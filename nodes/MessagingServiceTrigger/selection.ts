import type { IPollFunctions } from 'n8n-workflow';

import type { Selection } from './watchedCampaigns';
import { listCampaigns } from './service';
import type { Settings } from './settings';

const DAY_MS = 24 * 60 * 60_000;

/** The campaigns that the settings select at this moment. @throws NodeApiError when their list cannot be read */
export async function selectionOf(
	context: IPollFunctions,
	{ watch }: Settings,
	now: number,
	deadline: number,
): Promise<Selection> {
	if ('selected' in watch) {
		return { name: 'selected', campaigns: watch.selected.map((id) => ({ id })) };
	}
	const { all: filters, liveWithinDays } = watch;
	const from = now - liveWithinDays * DAY_MS;
	return {
		name: `all ${JSON.stringify([filters, liveWithinDays])}`,
		campaigns: await listCampaigns(context, filters, from, deadline),
		from,
	};
}
