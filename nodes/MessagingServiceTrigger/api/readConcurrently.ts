import { mapWithConcurrency } from '../../shared/concurrency';

/** Maximum number of requests at a time. It is low because the service does not document its limits. */
export const CONCURRENCY = 4;

/** When to start another read. */
export type Limits<Result> = {
	/** No read starts after this time, in milliseconds since the epoch. */
	deadline: number;
	/** Whether the response is large: only one large response is read at a time. */
	isLarge?: (campaignId: string) => boolean;
	/** Whether to stop after this result: no further read starts. */
	isLast?: (result: Result) => boolean;
};

/**
 * Reads campaigns, a few at a time, until all are read, the deadline has passed, or `isLast` accepts a result. The first
 * read starts even after the deadline.
 *
 * @param read must not throw
 * @returns the results by campaign, in the order in which the reads started; campaigns that were not read are missing
 */
export async function readConcurrently<Result>(
	campaignIds: string[],
	{ deadline, isLarge = () => false, isLast = () => false }: Limits<Result>,
	read: (campaignId: string) => Promise<Result>,
): Promise<Map<string, Result>> {
	const begun = new Map<string, Promise<Result>>();
	let isDone = false;
	const lane = async (ids: string[], concurrency: number) => {
		await mapWithConcurrency(
			ids,
			concurrency,
			async (campaignId) => {
				const reading = read(campaignId);
				begun.set(campaignId, reading);
				if (isLast(await reading)) isDone = true;
			},
			() => begun.size === 0 || (!isDone && Date.now() < deadline),
		);
	};
	// Two large responses at once would take twice the memory.
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
