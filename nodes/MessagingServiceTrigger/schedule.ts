import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { forEachConcurrently, settle } from '../shared/concurrency';
import { hashOf } from './rows';
import type { Settings } from './settings';
import type { Memory, Reading, Readings } from './state';

/** The time for a poll if n8n does not state it (n8n 1): as much as n8n 2.41.1 gives. A poll beside it returns null. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** After this share of a poll's time, no read starts, so that reads in flight can finish. */
const SHARE = 0.6;

/**
 * The timeout of a request is the time until the poll's deadline, within these limits. So a survey whose reads hang
 * leaves time for the others.
 */
const SHORTEST_TIMEOUT_MS = 5_000;
const LONGEST_TIMEOUT_MS = 60_000;

/** How far `since` lies before the start of the poll: a time too early costs nothing, a time too late loses answers. */
const EARLIER_MS = 5 * 60_000;

/** One poll's access to the service. Times are in milliseconds since the epoch. */
export type Api = {
	context: IPollFunctions;
	settings: Settings;
	/** The start of the poll, by n8n's clock. */
	startedAt: number;
	/** The time at which the poll's requests end, by n8n's clock. */
	deadline: number;
	/** The time of the poll's first response with a Date header, by the service's clock. */
	serviceNow?: number;
	/** Whether the service said "too many requests", which ends this poll's reads. */
	isLimited?: boolean;
};

/** One poll of a published workflow. */
export type Poll = Api & {
	memory: Memory;
	/** Whether the workflow may have been published just now. If so, the poll asks again which campaigns are surveys. */
	isPublished: boolean;
	/** How many items may still be emitted. */
	room: number;
};

/**
 * Returns the times of a poll. `now` is by the service's clock or, if that is unknown, by n8n's clock. `since` is five
 * minutes before the earlier of both clocks. A campaign that is new in this poll is watched from `since` on.
 */
export function timesOf({ startedAt, serviceNow }: Api) {
	const now = serviceNow ?? startedAt;
	return { now, since: Math.min(startedAt, now) - EARLIER_MS };
}

/** Returns the time at which the requests of a poll end. */
export function deadlineOf(context: IPollFunctions, startedAt: number): number {
	return startedAt + SHARE * (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
}

/** Returns the timeout of a request that starts now, in milliseconds. */
export function timeoutOf({ deadline }: Api): number {
	const left = Math.min(deadline - Date.now(), LONGEST_TIMEOUT_MS);
	return Math.max(left, SHORTEST_TIMEOUT_MS);
}

/** A poll that takes longer does not block the next poll. */
const HANGS_AFTER_MS = 10 * 60_000;

/**
 * Runs one poll of a node at a time. A second poll returns null. A poll that takes more than ten minutes does not block the
 * next poll. The result of a poll that another one did not wait for is discarded.
 *
 * @param takesOver whether this poll does not wait for the running one
 * @param poll gets a function that tells whether its result is still used
 */
export async function onePollAtATime(
	memory: Memory,
	takesOver: boolean,
	poll: (isWanted: () => boolean) => Promise<INodeExecutionData[][] | null>,
): Promise<INodeExecutionData[][] | null> {
	const thisPoll = { startedAt: Date.now(), hasEnded: false };
	const { running } = memory;
	const isBusy = running !== undefined && !running.hasEnded;
	if (isBusy && !takesOver && Math.abs(thisPoll.startedAt - running.startedAt) < HANGS_AFTER_MS)
		return null;
	memory.running = thisPoll;
	const isWanted = (): boolean => memory.running === thisPoll;
	const result = poll(isWanted);
	await settle(async () => await result);
	thisPoll.hasEnded = true;
	return await result;
}

/** The result of an attempt to read a campaign. */
export type Attempt = 'news' | 'quiet' | 'failed' | 'tooManyRequests';

/** Polls do not start exactly on time. A poll that starts early by up to this time is treated as on time. */
const EARLY_MS = 10_000;

/**
 * Whether a campaign is due. The gap between two reads is a tenth of the time since the last new event, at most
 * `maxGapMs`. So campaigns with recent events are read at every poll, even if hundreds are watched. In addition, each
 * campaign is due once in each period of `maxGapMs`. When its periods begin depends on its ID. So if one poll read all
 * campaigns, as after a restart, their next reads are spread over several polls.
 *
 * @param reading the last read of the campaign, if this process has read it
 */
export function isDue(
	id: string,
	{ readAt = Infinity, newsAt = readAt }: Partial<Reading> = {},
	now: number,
	maxGapMs: number,
): boolean {
	// The campaign was never read, or the clock was put back since.
	if (readAt > now) return true;
	const gapMs = Math.min((now - newsAt) / 10, maxGapMs);
	if (now - readAt >= gapMs - EARLY_MS) return true;
	const beginning = hashOf(id).charCodeAt(0) / 256;
	const periodOf = (time: number): number => Math.floor(time / maxGapMs - beginning);
	return periodOf(now) > periodOf(readAt);
}

/** Sorts campaigns for reading: first campaigns that were never tried, then campaigns whose last try is longest ago. */
export function sortByTurn(ids: string[], readings: Readings): string[] {
	const turnOf = (id: string): number => readings.get(id)?.turn ?? 0;
	return [...ids].sort((a, b) => turnOf(a) - turnOf(b));
}

/**
 * Returns the readings after a poll. The campaigns that the poll tried go to the end of the queue. After "too many
 * requests", a campaign keeps its place, so that the next poll continues there. Of campaigns that were read, remembers when,
 * and when their last new event came.
 *
 * @param attempts by campaign, in the order of the queue
 * @param watched the campaigns to remember
 */
export function readingsAfter(
	readings: Readings,
	attempts: Map<string, Attempt>,
	watched: ReadonlyMap<string, unknown>,
	now: number,
): Readings {
	const next: Readings = new Map([...readings].filter(([id]) => watched.has(id)));
	let turn = Math.max(0, ...[...next.values()].map((reading) => reading.turn));
	for (const [id, attempt] of attempts) {
		if (attempt === 'tooManyRequests') continue;
		const before = next.get(id);
		const reading: Reading = { ...before, turn: ++turn };
		if (attempt === 'news' || attempt === 'quiet') {
			reading.readAt = now;
			// The first read, or one after the clock went back, counts as news.
			if (attempt === 'news' || (before?.newsAt ?? Infinity) > now) reading.newsAt = now;
		}
		next.set(id, reading);
	}
	return next;
}

/** Maximum number of requests at a time. It is low because the service does not document its limits. */
const CONCURRENCY = 4;

/** When to start another read. */
type Limits<Task> = {
	/** No read starts after this time, in milliseconds since the epoch. */
	deadline: number;
	/** Whether the response is large: only one large response is read at a time, to limit memory. */
	isLarge?: (task: Task) => boolean;
	/** Whether another read may start. */
	mayStart: () => boolean;
};

/**
 * Reads campaigns, a few at a time, until all are read, the deadline has passed, or no other read may start. The first read
 * starts even after the deadline.
 *
 * @param read must not throw
 * @returns the results by task, in the order of the tasks. Tasks that did not start are missing
 */
export async function readConcurrently<Task, Result>(
	tasks: Task[],
	{ deadline, isLarge = () => false, mayStart }: Limits<Task>,
	read: (task: Task) => Promise<Result>,
): Promise<Map<Task, Result>> {
	const results = new Map<Task, Result>();
	let isAnyStarted = false;
	const readAll = async (some: Task[], concurrency: number): Promise<void> =>
		await forEachConcurrently(
			some,
			concurrency,
			async (task) => {
				isAnyStarted = true;
				results.set(task, await read(task));
			},
			() => mayStart() && (!isAnyStarted || Date.now() < deadline),
		);
	const large = tasks.filter(isLarge);
	const small = tasks.filter((task) => !isLarge(task));
	await Promise.all([readAll(large, 1), readAll(small, CONCURRENCY - Math.min(large.length, 1))]);
	return new Map([...results].sort(([a], [b]) => tasks.indexOf(a) - tasks.indexOf(b)));
}
