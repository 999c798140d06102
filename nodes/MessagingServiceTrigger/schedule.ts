import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { forEachConcurrently } from '../shared/concurrency';
import { sha256 } from './rows';
import type { Settings } from './settings';
import { readingOf, type Memory, type Reading } from './state';

/** The time for a poll if n8n does not state it (n8n 1): as much as n8n 2.41.1 gives. A poll beside it returns null. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** After this share of a poll's time, no read starts, so that reads in flight can finish. */
const READING_SHARE = 0.6;

/**
 * The timeout of a request is the time until the poll's deadline, within these limits. So a survey whose reads hang
 * leaves time for the others.
 */
const SHORTEST_TIMEOUT_MS = 5_000;
const LONGEST_TIMEOUT_MS = 60_000;

/** How far `since` lies before the poll: a time too early costs nothing, a time too late loses answers. */
const SINCE_MARGIN_MS = 5 * 60_000;

/** One poll's access to the service. Times are in milliseconds since the epoch. */
export type Api = {
	context: IPollFunctions;
	settings: Settings;
	/** The start of the poll, by n8n's clock. */
	startedAt: number;
	/** The time after which no read starts, by n8n's clock. */
	deadline: number;
	/** The time of the poll's first response with a Date header, by the service's clock. */
	serviceNow?: number;
	/** Whether the service said "too many requests", which ends this poll's reads. */
	isRateLimited?: boolean;
};

/** One poll of a published workflow. */
export type Poll = Api & {
	memory: Memory;
	/** Whether n8n has restarted, or its leader has changed. An error could switch the workflow off. */
	isRestart: boolean;
	/** Whether the workflow may have been published just now. If so, the poll asks again which campaigns are surveys. */
	mayBeJustPublished: boolean;
	/** Whether this may be a scheduled poll for which n8n has loaded the workflow. It looks like publishing. */
	mayBeScheduled: boolean;
	/** How many items may still be emitted. */
	room: number;
	/** Whether the list or the survey data of any campaign could be read. */
	isWorking?: boolean;
};

/**
 * Returns the times of a poll. `now` is by the service's clock or, if that is unknown, by n8n's clock. A campaign that is new
 * in this poll is watched from `since` on, five minutes before.
 */
export function timesOf({ startedAt, serviceNow }: Pick<Api, 'startedAt' | 'serviceNow'>) {
	const now = serviceNow ?? startedAt;
	return { now, since: now - SINCE_MARGIN_MS };
}

/** Returns the time after which a poll starts no read. */
export function deadlineOf(context: IPollFunctions, startedAt: number): number {
	return startedAt + READING_SHARE * (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
}

/** Returns the timeout of a request that starts now, in milliseconds. */
export function timeoutOf({ deadline }: Api): number {
	const left = Math.min(deadline - Date.now(), LONGEST_TIMEOUT_MS);
	return Math.max(left, SHORTEST_TIMEOUT_MS);
}

/** A poll that takes longer does not block the next poll. */
const HANGS_AFTER_MS = 10 * 60_000;

/**
 * Runs one poll of a node at a time. While another poll runs, returns null, unless this poll takes over or the other one
 * has taken more than ten minutes. Then `isWanted` of the other poll becomes false, and it must discard its result.
 *
 * @param takesOver whether this poll runs although another one is running
 * @param poll gets `isWanted`, which tells whether its result is still used
 */
export async function onePollAtATime(
	memory: Memory,
	takesOver: boolean,
	poll: (isWanted: () => boolean) => Promise<INodeExecutionData[][] | null>,
): Promise<INodeExecutionData[][] | null> {
	const { runningPoll: other } = memory;
	const thisPoll = { startedAt: Date.now() };
	// The difference is negative if the clock was put back.
	const hangs = other && Math.abs(thisPoll.startedAt - other.startedAt) >= HANGS_AFTER_MS;
	if (other && !hangs && !takesOver) return null;
	memory.runningPoll = thisPoll;
	const isWanted = (): boolean => memory.runningPoll === thisPoll;
	try {
		return await poll(isWanted);
	} finally {
		if (isWanted()) delete memory.runningPoll;
	}
}

/** Whether this time has passed since `at`, by n8n's clock. True if `at` is unknown, or if the clock was put back. */
export function hasPassed(
	{ startedAt }: Pick<Api, 'startedAt'>,
	ms: number,
	at = Infinity,
): boolean {
	return at > startedAt || startedAt - at >= ms;
}

/**
 * What became of the attempt to read a campaign:
 *
 * - `missing`: with All Campaigns, it is not on the list and cannot be read, because it was deleted or is no longer shared.
 *   Or it is closed, and suddenly has no rows;
 * - `refused`: with Selected Campaigns, the service refuses it for good;
 * - `failed`: any other failure.
 */
export type Attempt = 'news' | 'noNews' | 'notSurvey' | 'missing' | FailedAttempt;
type FailedAttempt = 'refused' | 'failed' | 'rateLimited';

/** Whether an attempt is an error of the poll. */
export function isFailed({ attempt }: { attempt: Attempt }): boolean {
	return attempt === 'refused' || attempt === 'failed' || attempt === 'rateLimited';
}

/** Polls do not start exactly on time. A poll that starts early by up to this time is treated as on time. */
const EARLY_MS = 10_000;

/**
 * Whether a campaign is due. The gap between two reads is a tenth of the time since the last new event, at most
 * `maxGapMs`. So campaigns with recent events are read at every poll, even if hundreds are watched. In addition, each
 * campaign is due once in each period of `maxGapMs`. When its periods begin depends on its ID. So if one poll read all
 * campaigns, as after a restart, their next reads are spread over several polls.
 *
 * If this process has not read a campaign, it is due.
 */
export function isDue(
	poll: Pick<Poll, 'startedAt' | 'memory'> & { settings: Pick<Settings, 'maxGapMs'> },
	id: string,
): boolean {
	const { startedAt: now, memory } = poll;
	const { maxGapMs } = poll.settings;
	const { readAt = Infinity, newsAt = readAt } = memory.readings.get(id) ?? {};
	const gapMs = Math.min((now - newsAt) / 10, maxGapMs);
	if (hasPassed(poll, gapMs - EARLY_MS, readAt)) return true;
	// The first byte of the hash as a fraction: `sha256` returns one character per byte.
	const beginning = sha256(id).charCodeAt(0) / 256;
	const periodOf = (time: number): number => Math.floor(time / maxGapMs - beginning);
	return periodOf(now) > periodOf(readAt);
}

/** Sorts campaigns for reading: first campaigns that were never tried, then campaigns whose last try is longest ago. */
export function sortByTurn<Task extends { id: string }>({ memory }: Poll, tasks: Task[]): Task[] {
	const turnOf = ({ id }: Task): number => memory.readings.get(id)?.turn ?? 0;
	return [...tasks].sort((a, b) => turnOf(a) - turnOf(b));
}

/** The last turn. */
let turns = 0;

/**
 * Records the attempt to read a campaign, which goes to the end of the queue. After "too many requests", it keeps its place,
 * so that the next poll continues there.
 */
export function recordAttempt(
	{ memory, startedAt: now }: Poll,
	id: string,
	attempt: Attempt,
): Reading {
	const reading = readingOf(memory, id);
	if (attempt !== 'rateLimited') reading.turn = ++turns;
	if (isFailed({ attempt })) return reading;
	// `missing` counts as read, so that the campaign is not tried at every poll.
	reading.readAt = now;
	// The first read, or one after the clock was put back, counts as news.
	if (attempt === 'news' || (reading.newsAt ?? Infinity) > now) reading.newsAt = now;
	return reading;
}

/** Maximum number of requests at a time. It is low because the service does not document its limits. */
const CONCURRENCY = 4;

/** When another read may start. */
type ReadLimits<Task> = {
	/** No read starts after this time, in milliseconds since the epoch. */
	deadline: number;
	/** Whether the response is large: only one large response is read at a time, to limit memory. */
	isLarge?: (task: Task) => boolean;
	/** Asked before each read. Once it is false, it must stay false. */
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
	{ deadline, isLarge = () => false, mayStart }: ReadLimits<Task>,
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
	// If there are large responses, they take one of the places.
	const large = tasks.filter(isLarge);
	const small = tasks.filter((task) => !isLarge(task));
	await Promise.all([readAll(large, 1), readAll(small, CONCURRENCY - Math.min(large.length, 1))]);
	return new Map([...results].sort(([a], [b]) => tasks.indexOf(a) - tasks.indexOf(b)));
}
