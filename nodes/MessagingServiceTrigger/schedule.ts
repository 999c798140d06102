import { forEachConcurrently } from '../shared/concurrency';
import { hashOf } from './rows';

/** When this process read a campaign, by n8n's clock, in milliseconds since the epoch. */
export type Reading = {
	/** The place of the campaign in the queue. The lowest number is next. */
	turn: number;
	/** The last successful read. */
	readAt?: number;
	/** The last read that found new events, or the first read if no read found any. */
	newsAt?: number;
	/** The service refused the last attempt with "too many requests". */
	wasRefused?: boolean;
};

/** The readings by campaign ID. */
export type Readings = Map<string, Reading>;

/** The result of an attempt to read a campaign. */
export type Attempt = 'news' | 'quiet' | 'failed' | 'tooManyRequests';

/** Polls do not start exactly on time. A poll that starts early by up to this time is treated as on time. */
const EARLY_MS = 10_000;

/**
 * Whether a campaign is due. The gap between two reads is a tenth of the time since the last new event, at most
 * `maxGapMs`. So campaigns with recent events are read at every poll, even if hundreds are watched. In addition, each
 * campaign is due once in each `maxGapMs`, at a time that depends on its ID. So if one poll read all campaigns, as
 * after a restart, their next reads are spread over several polls.
 */
export function isDue(
	id: string,
	{ readAt = Infinity, newsAt = readAt }: Partial<Reading> = {},
	now: number,
	maxGapMs: number,
): boolean {
	// If the last read lies in the future, the campaign is due.
	if (readAt > now) return true;
	const gapMs = Math.min((now - newsAt) / 10, maxGapMs);
	if (now - readAt >= gapMs - EARLY_MS) return true;
	const offset = hashOf(id).charCodeAt(0) / 256;
	const slotOf = (time: number): number => Math.floor(time / maxGapMs - offset);
	return slotOf(now) > slotOf(readAt);
}

/** Sorts campaigns for reading: first campaigns that were never tried, then campaigns whose last try is longest ago. */
export function inTurn(ids: string[], readings: Readings): string[] {
	const turnOf = (id: string): number => readings.get(id)?.turn ?? 0;
	return [...ids].sort((a, b) => turnOf(a) - turnOf(b));
}

/**
 * Returns the readings after a poll. The campaigns that the poll tried go to the end of the queue. After "too many
 * requests", a campaign keeps its place, so that the next poll continues there. If it is refused twice in a row, it goes
 * to the end of the queue.
 *
 * @param attempts by campaign, in the order of the queue
 * @param watched the campaigns to remember
 */
export function afterPoll(
	readings: Readings,
	attempts: Map<string, Attempt>,
	watched: ReadonlyMap<string, unknown>,
	now: number,
): Readings {
	const next: Readings = new Map([...readings].filter(([id]) => watched.has(id)));
	let turn = Math.max(0, ...[...next.values()].map((reading) => reading.turn));
	// Only the first refused read counts. Other refused reads were in flight at the same time, and are treated as not
	// tried.
	const [firstRefused] = [...attempts].find(([, attempt]) => attempt === 'tooManyRequests') ?? [];
	for (const [id, attempt] of attempts) {
		const { wasRefused = false, ...before } = next.get(id) ?? { turn: 0 };
		const isRefused = attempt === 'tooManyRequests';
		const keepsPlace = isRefused && !wasRefused;
		const reading: Reading = keepsPlace
			? { ...before, wasRefused: id === firstRefused }
			: { ...before, turn: ++turn };
		if (attempt === 'news' || attempt === 'quiet') {
			reading.readAt = now;
			if (attempt === 'news' || (before.newsAt ?? Infinity) > now) reading.newsAt = now;
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
