import { fingerprint } from '../dedupe/fingerprint';
import { BASE64_LENGTH } from '../dedupe/rowFingerprints';
import type { Reading, Readings } from '../state/processState';
import type { Watched } from './watchedCampaigns';

/** A response with more rows counts as large; only one large response is read at a time, to limit memory. */
const LARGE_ROWS = 10_000;

/** Polls do not start exactly on time. A poll that starts early by up to this time counts as on time. */
const EARLY_MS = 10_000;

/**
 * Returns the campaigns that can be read, and those that are due now (in the order of `inTurn`). Excludes campaigns that
 * are older than `from`, not yet live, or closed and fully read. If only closings are watched, also excludes live campaigns
 * that were read before. A campaign that closed or needs a baseline is due immediately.
 *
 * @param from campaigns that went live earlier are not read
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
		const isAnyDue =
			!reading || isDue(reading, now, maxGapMs) || isInSlot(id, reading, now, maxGapMs);
		if (isUrgent || isAnyDue) due.push(id);
	}
	return { readable, due: inTurn(due, readings) };
}

/** Whether the survey data of a campaign is large: the campaign has many recipients or many saved rows. */
export function isLargeCampaign({ campaigns, listed }: Watched, id: string): boolean {
	const texts = Object.values(campaigns.get(id)?.rows ?? {});
	const seen = texts.reduce((sum, text) => sum + text.length, 0) / BASE64_LENGTH;
	return Math.max(listed.get(id)?.recipients ?? 0, seen) > LARGE_ROWS;
}

/**
 * Whether a campaign is due. The gap between two reads is a tenth of the time since the campaign's last new event, at most
 * `maxGapMs`. Active campaigns are therefore read at every poll, even if hundreds are watched.
 */
export function isDue({ readAt, newEventsAt }: Reading, now: number, maxGapMs: number): boolean {
	if (readAt === undefined) return true;
	const gap = Math.min((now - (newEventsAt ?? readAt)) / 10, maxGapMs);
	// After the clock was set back, the time since the last read is unknown.
	return now < readAt || now - readAt >= gap - EARLY_MS;
}

/**
 * Whether a new time slot of a campaign began after its last read. Slots are `maxGapMs` long. A hash of the campaign's ID
 * determines when its slots begin, so campaigns that were all read in one poll, as after a restart, are spread over
 * several polls.
 */
function isInSlot(id: string, { readAt = 0 }: Reading, now: number, maxGapMs: number): boolean {
	const offset = fingerprint(id).charCodeAt(0) / 256;
	const slotOf = (time: number) => Math.floor(time / maxGapMs - offset);
	return slotOf(now) > slotOf(readAt);
}

/** Sorts campaigns for reading: first those never tried, then those tried longest ago. */
export function inTurn(campaignIds: string[], readings: Readings): string[] {
	const turnOf = (id: string) => readings.get(id)?.turn ?? 0;
	return [...campaignIds].sort((a, b) => turnOf(a) - turnOf(b));
}

/** The result of an attempt to read a campaign. */
export type Attempt = 'newEvents' | 'quiet' | 'failed' | 'tooManyRequests';

/**
 * Returns the readings after a poll. The campaigns that the poll tried to read go to the end of the queue. But a campaign
 * that was refused with "too many requests" keeps its place if another campaign was read.
 *
 * @param attempts by campaign, in the order in which they started
 * @param watched the campaigns to remember
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
			if (attempt === 'newEvents' || reading.newEventsAt === undefined) reading.newEventsAt = now;
		}
		next.set(id, reading);
	}
	return next;
}

/** Whether a campaign was read. */
export function isRead(attempt: Attempt): boolean {
	return attempt === 'newEvents' || attempt === 'quiet';
}
