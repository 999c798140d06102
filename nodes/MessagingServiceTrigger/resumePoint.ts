import type { IPollFunctions } from 'n8n-workflow';

/**
 * Where a poll stopped for want of time, by node. Kept in the process and not with the state, because n8n drops what a
 * poll without news changes there in some of its set-ups, and the same campaigns would be left out each time.
 */
const stops = new Map<string, { since: number; campaignId: string }>();

/**
 * The campaigns in the order in which to read them: from where the poll before stopped.
 *
 * @param since tells one activation of a node from another
 */
export function placeToStart(
	context: IPollFunctions,
	since: number,
	campaignIds: string[],
): string[] {
	const stop = stops.get(nodeKey(context));
	const first = stop?.since === since ? campaignIds.indexOf(stop.campaignId) : -1;
	return first <= 0 ? campaignIds : [...campaignIds.slice(first), ...campaignIds.slice(0, first)];
}

/** Remembers the first campaign that was not begun; `undefined` when all were. */
export function rememberStop(
	context: IPollFunctions,
	since: number,
	campaignId: string | undefined,
): void {
	if (campaignId === undefined) stops.delete(nodeKey(context));
	else stops.set(nodeKey(context), { since, campaignId });
}

/** Tells the trigger nodes of a process apart. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}
