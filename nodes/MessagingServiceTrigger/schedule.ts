import { mapWithConcurrency } from '../shared/concurrency';
import { spreadOf } from './rows';

/** When this process read a campaign, by n8n's clock, in milliseconds since the epoch. */
export type Reading = {
	/** The place of the campaign in the queue; the lowest number is next. */
	turn: number;
	/** The last successful read. */
	readAt?: number;
	/** The last read that found news, or the first read if none did. */
	newsAt?: number;
	/** The service refused the last attempt with "too many requests". */
	wasRefused?: boolean;
	/** When the status of a campaign that is not on the list was last asked. */
	askedAt?: number;
};

/** The readings by campaign ID. */
export type Readings = Map<string, Reading>;

/** The result of an attempt to read a campaign. */
export type Attempt = 'news' | 'quiet' | 'failed' | 'tooManyRequests';

/** Polls do not start exactly on time. A poll that starts early by up to this time counts as on time. */
const EARLY_MS = 10_000;

const DAY_MS = 24 * 60 * 60_000;

/**
 * Whether a campaign is due. The gap between two reads is a tenth of the time since the last news, at most `maxGapMs`:
 * campaigns with recent news are read at every poll, even if hundreds are watched. Each campaign is also due once in each
 * `maxGapMs`, at a time that a hash of its ID determines. Campaigns that were all read in one poll, as after a restart, are
 * thus spread over several polls.
 */
export function isDue(
	id: string,
	reading: Reading | undefined,
	now: number,
	maxGapMs: number,
): boolean {
	const { readAt, newsAt = readAt } = reading ?? {};
	// A last read that lies in the future counts as none.
	if (readAt === undefined || newsAt === undefined || readAt > now) return true;
	const gapMs = Math.min((now - newsAt) / 10, maxGapMs);
	if (now - readAt >= gapMs - EARLY_MS) return true;
	const offset = spreadOf(id);
	const slotOf = (time: number): number => Math.floor(time / maxGapMs - offset);
	return slotOf(now) > slotOf(readAt);
}

/** Whether the status of a campaign that is not on the list was not asked for a day. */
export function isStatusDue({ askedAt = -Infinity }: Partial<Reading>, now: number): boolean {
	return askedAt > now || now - askedAt >= DAY_MS;
}

/** Sorts campaigns for reading: first those never tried, then those tried longest ago. */
export function inTurn(ids: string[], readings: Readings): string[] {
	const turnOf = (id: string): number => readings.get(id)?.turn ?? 0;
	return [...ids].sort((a, b) => turnOf(a) - turnOf(b));
}

/**
 * Returns the readings after a poll. The campaigns that it tried go to the end of the queue. After "too many requests" a
 * campaign keeps its place, so that the next poll goes on there; refused twice in a row, it goes to the back.
 *
 * @param attempts by campaign, in the order in which they started
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
	// Reads that were in flight at the first refusal count as not tried.
	const [firstRefused] = [...attempts].find(([, attempt]) => attempt === 'tooManyRequests') ?? [];
	for (const [id, attempt] of attempts) {
		const { wasRefused = false, ...before } = next.get(id) ?? { turn: 0 };
		if (attempt === 'tooManyRequests' && !(wasRefused && id === firstRefused)) {
			next.set(id, { ...before, wasRefused: id === firstRefused });
			continue;
		}
		const reading: Reading = { ...before, turn: ++turn };
		if (attempt === 'news' || attempt === 'quiet') {
			reading.readAt = now;
			if (attempt === 'news' || before.newsAt === undefined || before.newsAt > now)
				reading.newsAt = now;
		}
		next.set(id, reading);
	}
	return next;
}

/** Maximum number of requests at a time. It is low because the service does not document its limits. */
export const CONCURRENCY = 4;

/** When to start another read. */
type Limits<Result> = {
	/** No read starts after this time, in milliseconds since the epoch. */
	deadline: number;
	/** Whether the response is large: only one large response is read at a time, to limit memory. */
	isLarge?: (id: string) => boolean;
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
	ids: string[],
	{ deadline, isLarge = () => false, isLast = () => false }: Limits<Result>,
	read: (id: string) => Promise<Result>,
): Promise<Map<string, Result>> {
	const begun = new Map<string, Promise<Result>>();
	let isDone = false;
	const lane = async (lane: string[], concurrency: number): Promise<void> => {
		await mapWithConcurrency(
			lane,
			concurrency,
			async (id) => {
				const reading = read(id);
				begun.set(id, reading);
				if (isLast(await reading)) isDone = true;
			},
			() => begun.size === 0 || (!isDone && Date.now() < deadline),
		);
	};
	const large = ids.filter(isLarge);
	const small = ids.filter((id) => !isLarge(id));
	await Promise.all([
		lane(large, 1),
		lane(small, large.length > 0 ? CONCURRENCY - 1 : CONCURRENCY),
	]);
	const results = new Map<string, Result>();
	for (const [id, reading] of begun) results.set(id, await reading);
	return results;
}
