import type { IPollFunctions } from 'n8n-workflow';

import { settle } from '../../shared/concurrency';
import type { Listed, Selection } from '../campaigns/watchedCampaigns';
import type { Settings } from '../settings';
import { listCampaigns, newestCampaigns } from './reads';

const DAY_MS = 24 * 60 * 60_000;

type Watching = Pick<Settings, 'watch'>;

/** Returns the campaigns that the settings select now. @throws NodeApiError when the list cannot be read */
export async function selectionOf(
	context: IPollFunctions,
	{ watch }: Watching,
	now: number,
	deadline: number,
): Promise<Selection> {
	const selection = selectedIn(watch, now);
	if ('all' in watch)
		selection.campaigns = (
			await listCampaigns(context, watch.all, selection.from ?? 0, deadline)
		).campaigns;
	return selection;
}

/**
 * Returns the selection with the phase of each campaign. For chosen campaigns, the phase comes from one page of the list; a
 * campaign that is not on this page is taken for live.
 *
 * @param now start of the poll, in milliseconds since the epoch: by the service's clock if known, otherwise by n8n's
 * @returns the selection, the time at which the list was sent, and the error if the list could not be read. Without the
 * list, chosen campaigns have no phase, and with `watch: all` the selection is empty.
 */
export async function selectionWithPhases(
	context: IPollFunctions,
	{ watch }: Watching,
	now: number,
	deadline: number,
): Promise<{ selection: Selection; sentAt?: number; error?: unknown }> {
	const selection = selectedIn(watch, now);
	const list = await settle(async () =>
		'all' in watch
			? await listCampaigns(context, watch.all, selection.from ?? 0, deadline)
			: await newestCampaigns(context, deadline),
	);
	if ('error' in list) return { selection, error: list.error };
	const { sentAt, campaigns: found } = list.result;
	if ('all' in watch) return { selection: { ...selection, campaigns: found }, sentAt };
	const listed = new Map(found.map((campaign) => [campaign.id, campaign]));
	const campaigns = selection.campaigns.map(({ id }): Listed => {
		const { phase, recipients, name } = listed.get(id) ?? { phase: 'takenForLive' };
		return { id, phase, recipients, name };
	});
	return { selection: { ...selection, campaigns }, sentAt };
}

/** Returns the part of the selection that needs no request. */
function selectedIn(watch: Settings['watch'], now: number): Selection {
	if ('selected' in watch)
		return { name: 'selected', campaigns: watch.selected.map((id) => ({ id })) };
	const { all: filters, liveWithinDays } = watch;
	return {
		name: `all ${JSON.stringify([filters, liveWithinDays])}`,
		campaigns: [],
		from: Math.max(now - liveWithinDays * DAY_MS, 0),
	};
}
