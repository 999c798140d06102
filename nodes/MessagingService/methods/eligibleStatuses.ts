import { CAMPAIGN_STATUS } from '../../shared/campaignStatus';
import { CHANNEL_STATUS } from '../../shared/channelStatus';
import { normalizeName } from '../../shared/names';
import type { Entry } from '../../shared/transport/ttlCache';
import type { Operation } from '../operations/operation';
import { resources } from '../resources';

/**
 * The entries that a search finds, in the order to show them: those of exactly that name first, then what the operation
 * can take, then what it may take, then the rest; otherwise as they come. Nothing is hidden because of its state.
 *
 * @param filter part of a name, or a whole id: part of an id would match by chance; blank finds all
 * @param operation resource and operation, for example `campaign.close`
 */
export function eligibleFirst(entries: Entry[], filter: string, operation: string): Entry[] {
	const wanted = normalizeName(filter);
	const taken = takenBy(operation);
	const ranked: Array<{ entry: Entry; rank: number }> = [];
	for (const entry of entries) {
		const name = normalizeName(entry.name);
		const isExact = name === wanted || normalizeName(entry.id) === wanted;
		if (isExact || name.includes(wanted)) {
			ranked.push({ entry, rank: (isExact ? 0 : 3) + fitRank(taken, entry.status) });
		}
	}
	return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

/** The entries without those that an operation is known to refuse, where a list is not for searching. */
export function onlyEligible(entries: Entry[], operation: string): Entry[] {
	const taken = takenBy(operation);
	return eligibleFirst(entries, '', operation).filter(({ status }) => fitRank(taken, status) < 2);
}

function takenBy(operation: string): Operation['takes'] {
	const [resource, name] = operation.split('.');
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === name)?.takes;
}

/** 0 for what the operation takes, 2 for what it refuses, 1 for what nobody knows. */
function fitRank(taken: Operation['takes'], status: string | undefined): 0 | 1 | 2 {
	if (!taken) return 1;
	const codes = taken.some((state) => state in CHANNEL_STATUS) ? CHANNEL_STATUS : CAMPAIGN_STATUS;
	const known = Object.entries(codes).find(([, code]) => code === status);
	if (!known) return 1;
	return taken.some((state) => state === known[0]) ? 0 : 2;
}
