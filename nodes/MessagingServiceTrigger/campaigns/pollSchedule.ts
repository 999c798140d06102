import { BASE64_LENGTH } from '../dedupe/seenRows';
import type { Reading, Readings } from '../state/processState';
import type { Watched } from './watchedCampaigns';

/** From so many rows on a response takes so much memory that only one of its kind is read at a time. */
const LARGE_ROWS = 10_000;

/** Polls do not begin on the millisecond: one that comes this much early is on time. */
const EARLY_MS = 10_000;

/**
 * The campaigns that may have something to read (not over their time, not yet to come, not closed and done), and of these
 * the ones to read now, in their order. One that closed, or that still has to get a baseline, is read at once; one of
 * which nothing but its closing is awaited, and of which the list says that it is live, is not read.
 *
 * @param from campaigns that went live before this are over their time
 */
export function campaignsToRead(
	{ campaigns, listed, foundClosed }: Watched,
	from: number | undefined,
	readings: Readings,
	{ now, maxGapMs }: { now: number; maxGapMs: number },
): { readable: string[]; due: string[] } {
	const readable: string[] = [];
	const due: string[] = [];
	for (const [id, { live = now, closed, baselines, events, rows }] of campaigns) {
		const phase = listed.get(id)?.phase;
		if (closed || phase === 'notYetLive' || (from !== undefined && live < from)) continue;
		const awaitsRows = events !== 0 || baselines !== undefined || rows === undefined;
		if (phase === 'live' && !awaitsRows) continue;
		readable.push(id);
		const isUrgent = phase === 'closed' || foundClosed.has(id) || baselines !== undefined;
		const reading = readings.get(id);
		if (isUrgent || isDue(reading, now, maxGapMs) || isInSlot(id, reading, now, maxGapMs))
			due.push(id);
	}
	return { readable, due: inTurn(due, readings) };
}

/** Whether a campaign has so many recipients or rows that its survey data is large. */
export function isLargeCampaign({ campaigns, listed }: Watched, id: string): boolean {
	const texts = Object.values(campaigns.get(id)?.rows ?? {});
	const seen = texts.reduce((sum, text) => sum + text.length, 0) / BASE64_LENGTH;
	return Math.max(listed.get(id)?.recipients ?? 0, seen) > LARGE_ROWS;
}

/**
 * Whether a campaign is to be read again: a tenth of the time since its last new event after it was last read, at most `maxGapMs`.
 * So the few campaigns with new responses are read at every poll, even among hundreds without.
 */
export function isDue(reading: Reading | undefined, now: number, maxGapMs: number): boolean {
	if (reading?.readAt === undefined) return true;
	const { readAt, newsAt = readAt } = reading;
	const gap = Math.min((now - newsAt) / 10, maxGapMs);
	// A clock that was put back says nothing of how long ago it was.
	return now < readAt || now - readAt >= gap - EARLY_MS;
}

/**
 * Whether the moment of a campaign has come since it was last read. Each has one in every `maxGapMs`, by a hash of its ID:
 * campaigns that were read together, as after a restart, are spread over the polls instead of being read in one burst.
 */
function isInSlot(
	id: string,
	reading: Reading | undefined,
	now: number,
	maxGapMs: number,
): boolean {
	if (reading?.readAt === undefined) return true;
	const slotOf = (time: number) => Math.floor(time / maxGapMs - fractionOf(id));
	return slotOf(now) > slotOf(reading.readAt);
}

/** A number from 0 to 1 by the text alone; texts that differ little, like IDs in a row, get very different ones. */
function fractionOf(text: string): number {
	const hash = [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 65_521, 0);
	return (hash * 0.618_033_988_75) % 1;
}

/** Campaigns in the order in which to read them: first what was never tried, then what was tried longest ago. */
export function inTurn(campaignIds: string[], readings: Readings): string[] {
	const turnOf = (id: string) => readings.get(id)?.turn ?? 0;
	return [...campaignIds].sort((a, b) => turnOf(a) - turnOf(b));
}

/** What became of an attempt to read a campaign. */
export type Attempt = 'news' | 'quiet' | 'failed' | 'tooManyRequests';

/**
 * The readings after a poll. Each campaign that was tried goes to the end of the row, in the order of the attempts; one
 * that was refused for too many requests after others had used them up keeps its turn.
 *
 * @param attempts by campaign, in the order in which they began
 * @param watched what is not watched any more is forgotten
 */
export function afterPoll(
	readings: Readings,
	attempts: Map<string, Attempt>,
	watched: ReadonlySet<string>,
	now: number,
): Readings {
	const next: Readings = new Map([...readings].filter(([id]) => watched.has(id)));
	const isAnyRead = [...attempts.values()].some(isRead);
	let turn = Math.max(0, ...[...next.values()].map((reading) => reading.turn));
	for (const [id, attempt] of attempts) {
		const before = next.get(id);
		if (attempt === 'tooManyRequests' && isAnyRead) continue;
		const reading: Reading = { ...before, turn: ++turn };
		if (isRead(attempt)) {
			reading.readAt = now;
			if (attempt === 'news' || reading.newsAt === undefined) reading.newsAt = now;
		}
		next.set(id, reading);
	}
	return next;
}

/** Whether a campaign was read. */
export function isRead(attempt: Attempt): boolean {
	return attempt === 'news' || attempt === 'quiet';
}
