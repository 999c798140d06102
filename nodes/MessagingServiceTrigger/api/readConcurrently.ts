import { mapWithConcurrency, settle, type Outcome } from '../../shared/concurrency';

/** Requests at the same time; the service says nothing of its limits. */
export const CONCURRENCY = 4;

/** Tells how the reading goes on. */
export type Reading = {
	/** Milliseconds since the epoch after which nothing more is begun. */
	deadline: number;
	/** Whether an answer is so large that only one of its kind is read at a time. */
	isLarge?: (campaignId: string) => boolean;
	/** Asked before each campaign: whether something forbids to read on. */
	mayGoOn?: () => boolean;
};

/**
 * Reads campaigns, a few at a time, until it is done or the time is over; the first one is begun in any case.
 *
 * @returns the outcomes by campaign, in the order in which they began; a campaign that was not begun has none
 */
export async function readConcurrently<Result>(
	campaignIds: string[],
	{ deadline, isLarge = () => false, mayGoOn = () => true }: Reading,
	read: (campaignId: string) => Promise<Result>,
): Promise<Map<string, Outcome<Result>>> {
	const begun: string[] = [];
	const outcomes = new Map<string, Outcome<Result>>();
	const lane = async (ids: string[], atOnce: number) => {
		await mapWithConcurrency(
			ids,
			atOnce,
			async (campaignId) => {
				begun.push(campaignId);
				outcomes.set(campaignId, await settle(async () => await read(campaignId)));
			},
			() => begun.length === 0 || (Date.now() < deadline && mayGoOn()),
		);
	};
	// Two large answers at a time would take twice the memory.
	const large = campaignIds.filter(isLarge);
	const small = large.length > 0 ? campaignIds.filter((id) => !isLarge(id)) : campaignIds;
	await Promise.all([
		lane(large, 1),
		lane(small, large.length > 0 ? CONCURRENCY - 1 : CONCURRENCY),
	]);

	const inOrder = new Map<string, Outcome<Result>>();
	for (const campaignId of begun) {
		const outcome = outcomes.get(campaignId);
		if (outcome) inOrder.set(campaignId, outcome);
	}
	return inOrder;
}
