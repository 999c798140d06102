import { CAMPAIGN_STATUS } from '../../shared/campaignStatus';
import { CHANNEL_STATUS } from '../../shared/channelStatus';
import { normalizeName } from '../../shared/names';
import type { Entry } from '../../shared/transport/ttlCache';

/** Status codes by what an operation does with such a record; of any other code nobody knows. */
type Fit = { takes: string[]; refuses: string[] };

const { draft, live, closed, scheduled } = CAMPAIGN_STATUS;
const { active, archived } = CHANNEL_STATUS;

const onlyDrafts: Fit = { takes: [draft], refuses: [live, closed, scheduled] };
const onlyLive: Fit = { takes: [live], refuses: [draft, closed, scheduled] };
const sentOnes: Fit = { takes: [live, closed], refuses: [draft, scheduled] };

/** What operations can take, by resource and operation (campaign, broadcast and channel in emulator/openapi.yaml). */
export const eligibleStatuses: Record<string, Fit> = {
	'campaign.close': onlyLive,
	'campaign.getReport': sentOnes,
	'campaign.send': { takes: [draft, scheduled], refuses: [live, closed] },
	'survey.launch': onlyDrafts,
	'survey.update': onlyDrafts,
	'survey.getResponses': sentOnes,
	'survey.getSummary': sentOnes,
	'broadcast.close': onlyLive,
	'broadcast.delete': { takes: [draft, closed, scheduled], refuses: [live] },
	'broadcast.update': { takes: [scheduled], refuses: [draft, live, closed] },
	'channel.archive': { takes: [active], refuses: [archived] },
	'channel.restore': { takes: [archived], refuses: [active] },
};

/**
 * The entries that a search finds, in the order to show them: those of exactly that name first, then what the operation
 * can take, then what it may take, then the rest; otherwise as they come. Nothing is hidden because of its state.
 *
 * @param filter part of a name, or a whole id: part of an id would match by chance; blank finds all
 * @param operation resource and operation, for example `campaign.close`
 */
export function eligibleFirst(entries: Entry[], filter: string, operation: string): Entry[] {
	const wanted = normalizeName(filter);
	const fit = eligibleStatuses[operation];
	const ranked: Array<{ entry: Entry; rank: number }> = [];
	for (const entry of entries) {
		const name = normalizeName(entry.name);
		const isExact = name === wanted || normalizeName(entry.id) === wanted;
		if (isExact || name.includes(wanted)) {
			ranked.push({ entry, rank: (isExact ? 0 : 3) + fitRank(fit, entry.status) });
		}
	}
	return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

/** The entries without those that an operation is known to refuse, where a list is not for searching. */
export function onlyEligible(entries: Entry[], operation: string): Entry[] {
	const fit = eligibleStatuses[operation];
	return eligibleFirst(entries, '', operation).filter(({ status }) => fitRank(fit, status) < 2);
}

function fitRank(fit: Fit | undefined, status: string | undefined): 0 | 1 | 2 {
	if (!fit || status === undefined) return 1;
	if (fit.takes.includes(status)) return 0;
	return fit.refuses.includes(status) ? 2 : 1;
}
