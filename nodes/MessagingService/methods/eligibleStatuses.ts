import { CAMPAIGN_STATUS, CHANNEL_STATUS } from '../../shared/statusCodes';
import { normalizeName } from '../../shared/values';
import type { DropDownEntry } from '../../shared/lists/dropDownEntry';
import { resources } from '../resources';

/**
 * Returns the entries that match a search. Exact matches come first, then records that the operation accepts, then
 * records that it may accept, and all other records last. The sort is stable. No entry is hidden because of its state.
 *
 * @param filter part of a name, or a whole ID (part of an ID would match by chance). A blank filter matches all entries
 * @param operation resource and operation, for example `campaign.close`
 */
export function eligibleFirst(
	entries: DropDownEntry[],
	filter: string,
	operation: string,
): DropDownEntry[] {
	const wanted = normalizeName(filter);
	const matches: Array<{ entry: DropDownEntry; isExact: boolean; rank: number }> = [];
	for (const entry of entries) {
		const name = normalizeName(entry.name);
		const isExact = name === wanted || normalizeName(entry.id) === wanted;
		if (isExact || name.includes(wanted)) {
			matches.push({ entry, isExact, rank: rankOfStatus(entry.status, operation) });
		}
	}
	matches.sort((a, b) => Number(b.isExact) - Number(a.isExact) || a.rank - b.rank);
	return matches.map(({ entry }) => entry);
}

/**
 * Returns the entries for a list without a search, in the order of `eligibleFirst`. Leaves out records that the operation
 * certainly refuses.
 */
export function onlyEligible(entries: DropDownEntry[], operation: string): DropDownEntry[] {
	return eligibleFirst(entries, '', operation).filter(
		({ status }) => rankOfStatus(status, operation) !== REFUSED,
	);
}

/** The ranks of a record, best first: the operation accepts its status, may accept it, or refuses it. */
const [ACCEPTED, UNKNOWN, REFUSED] = [0, 1, 2];

/** Returns the rank of a record with the given status code. */
function rankOfStatus(status: string | undefined, operation: string): number {
	const [resource = '', name = ''] = operation.split('.');
	const accepted = resources[resource]?.[name]?.acceptsStatus;
	// The operations of these resources list channels: channel, channelManager, channelManagerGroup, channelRecipient.
	const codes = resource.startsWith('channel') ? CHANNEL_STATUS : CAMPAIGN_STATUS;
	const known = Object.entries(codes).find(([, code]) => code === status);
	if (!accepted || !known) return UNKNOWN;
	return accepted.some((state) => state === known[0]) ? ACCEPTED : REFUSED;
}
