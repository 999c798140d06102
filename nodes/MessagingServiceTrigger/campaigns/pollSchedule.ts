import type { Reading, Readings } from '../state/processState';

/** Polls do not begin on the millisecond: one that comes this much early is on time. */
const EARLY_MS = 10_000;

/**
 * Whether a campaign is to be read again: a tenth of the time since its last news after it was last read, at most `maxGapMs`.
 * Among hundreds that bring nothing the few that do are then read at every poll.
 */
export function isDue(reading: Reading | undefined, now: number, maxGapMs: number): boolean {
	if (reading?.readAt === undefined) return true;
	const { readAt, newsAt = readAt } = reading;
	const gap = Math.min((now - newsAt) / 10, maxGapMs);
	// A clock that was put back says nothing of how long ago it was.
	return now < readAt || now - readAt >= gap - EARLY_MS;
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

function isRead(attempt: Attempt): boolean {
	return attempt === 'news' || attempt === 'quiet';
}
