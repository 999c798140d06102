import { mapWithConcurrency } from '../../shared/concurrency';

/** Requests at the same time; the service says nothing of its limits. */
export const CONCURRENCY = 4;

/** When to begin another read. */
export type Limits<Result> = {
	/** Milliseconds since the epoch after which nothing more is begun. */
	deadline: number;
	/** Whether a response is so large that only one of its kind is read at a time. */
	isLarge?: (campaignId: string) => boolean;
	/** Whether nothing more is begun after this result. */
	isLast?: (result: Result) => boolean;
};

/**
 * Reads campaigns, a few at a time, until all are read or the time is over; the first one is begun in any case.
 *
 * @param read must not throw
 * @returns the results by campaign, in the order in which the reads began; a campaign that was not begun has none
 */
export async function readConcurrently<Result>(
	campaignIds: string[],
	{ deadline, isLarge = () => false, isLast = () => false }: Limits<Result>,
	read: (campaignId: string) => Promise<Result>,
): Promise<Map<string, Result>> {
	const begun = new Map<string, Promise<Result>>();
	let isOver = false;
	const lane = async (ids: string[], concurrency: number) => {
		await mapWithConcurrency(
			ids,
			concurrency,
			async (campaignId) => {
				const reading = read(campaignId);
				begun.set(campaignId, reading);
				if (isLast(await reading)) isOver = true;
			},
			() => begun.size === 0 || (!isOver && Date.now() < deadline),
		);
	};
	// Two large responses at a time would take twice the memory.
	const large = campaignIds.filter(isLarge);
	const small = campaignIds.filter((id) => !isLarge(id));
	await Promise.all([
		lane(large, 1),
		lane(small, large.length > 0 ? CONCURRENCY - 1 : CONCURRENCY),
	]);
	const results = new Map<string, Result>();
	for (const [campaignId, reading] of begun) results.set(campaignId, await reading);
	return results;
}
