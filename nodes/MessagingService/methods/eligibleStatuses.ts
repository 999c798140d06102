import { CAMPAIGN_STATUS, CHANNEL_STATUS } from '../../shared/statusCodes';
import { looksOf } from '../../shared/values';
import type { Entry } from '../../shared/lists/dropDownEntry';
import type { Operation } from '../engine/declaration';
import { resources } from '../resources';

/**
 * Returns the entries that match a search. Exact matches come first, then records that the operation accepts, then
 * records that it may accept, and all other records last. The sort is stable. No entry is hidden because of its state.
 *
 * @param filter part of a name, or a whole ID (part of an ID would match by chance). A blank filter matches all entries
 * @param operation resource and operation, for example `campaign.close`
 */
export function eligibleFirst(entries: Entry[], filter: string, operation: string): Entry[] {
	const wanted = looksOf(filter);
	const accepted = statusesAcceptedBy(operation);
	const ranked: Array<{ entry: Entry; rank: number }> = [];
	for (const entry of entries) {
		const name = looksOf(entry.name);
		const isExact = name === wanted || looksOf(entry.id) === wanted;
		if (isExact || name.includes(wanted)) {
			ranked.push({ entry, rank: (isExact ? 0 : 3) + fitRank(accepted, entry.status) });
		}
	}
	return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

/** Returns the entries for a list without a search. Leaves out records that the operation certainly refuses. */
export function onlyEligible(entries: Entry[], operation: string): Entry[] {
	const accepted = statusesAcceptedBy(operation);
	return eligibleFirst(entries, '', operation).filter(
		({ status }) => fitRank(accepted, status) !== REFUSED,
	);
}

function statusesAcceptedBy(operation: string): Operation['acceptsStatus'] {
	const [resource = '', name = ''] = operation.split('.');
	return resources[resource]?.[name]?.acceptsStatus;
}

const REFUSED = 2;

/** Returns 0 if the operation accepts the status, 1 if that is unknown, and 2 if the operation refuses the status. */
function fitRank(accepted: Operation['acceptsStatus'], status: string | undefined): 0 | 1 | 2 {
	if (!accepted) return 1;
	const codes = accepted.some((state) => state in CHANNEL_STATUS)
		? CHANNEL_STATUS
		: CAMPAIGN_STATUS;
	const known = Object.entries(codes).find(([, code]) => code === status);
	if (!known) return 1;
	return accepted.some((state) => state === known[0]) ? 0 : REFUSED;
}
