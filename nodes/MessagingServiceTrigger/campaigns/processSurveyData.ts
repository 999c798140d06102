import type { SurveyData, SurveyRow } from '../../shared/surveyData';
import {
	findNewEvents,
	prune,
	unpackChanged,
	type Decision,
	type NewEvent,
} from '../dedupe/newEvents';
import { submittedAt, type KeyedRow } from '../dedupe/rowKey';
import { eventNumbers, EVENTS, eventSet } from '../events';
import type { CampaignState } from '../state/savedState';
import { CLOCKS_DIFFER_MS } from './watchedCampaigns';

/**
 * Decides which events of a campaign's survey data are new, and what to save. If an event needs a baseline, the first
 * survey data is the baseline, and this event is not emitted. If the campaign could not be read when the baseline was due,
 * the baseline contains only the rows submitted up to that time, and rows without a time.
 *
 * The first read after a campaign closed is its last, unless there are more than `most` new events, or the survey data is
 * empty although rows are known. After the last read, the state drops the rows whose time of submission shows that they
 * were seen. The closing event follows the last rows.
 *
 * @param now start of the poll, in milliseconds since the epoch by the service's clock
 * @param most maximum number of events to emit, including the closing; if there are more new events, the others stay new
 *   and `isHeld` is set
 * @param isClosed whether the campaign was closed before the request was sent
 * @returns the same campaign object if nothing needs saving
 * @throws DamagedRowsError if the saved rows of the campaign cannot be read
 */
export function processSurveyData(
	campaign: CampaignState,
	survey: Pick<SurveyData, 'anonymous' | 'result'>,
	{ now, isClosed, most = Infinity }: { now: number; isClosed: boolean; most?: number },
): { newEvents: NewEvent[]; campaign: CampaignState; isHeld: boolean; isClosing: boolean } {
	const { baselines, until = -Infinity, events, last = -Infinity } = campaign;
	const wanted = events | eventSet(EVENTS.filter((_, event) => baselines?.[event] !== undefined));
	const isBaseline =
		campaign.rows === undefined &&
		eventNumbers(wanted).every((event) => Number(baselines?.[event]) >= now);
	const { seen, rows } = unpackChanged(campaign.rows ?? {}, survey, wanted, isBaseline);
	const decide = ({ row, kind }: KeyedRow, event: number): Decision => {
		const moment = baselines?.[event];
		// A baseline that is due in this poll contains all rows.
		if (moment !== undefined) return moment < now && submittedAt(row) > moment ? 'emit' : 'note';
		if (!(submittedAt(row) <= until)) return 'emit';
		// Rows submitted up to `until` were there before the campaign was reopened. Rows with a user ID are not noted as seen,
		// so that they are emitted if the user submits again.
		return kind === 'user' ? 'skip' : 'note';
	};
	const isAwaited = isClosed && campaign.open === true;
	const room = isAwaited ? most - 1 : most;
	const { newEvents, held, changed } = findNewEvents(
		seen,
		{ ...survey, result: rows },
		wanted,
		last,
		decide,
		room,
	);
	const isHeld = held.length > 0 || room < 0;
	const knewRows = Object.keys(campaign.rows ?? {}).length > 0;
	const endsHere = isClosed && !isHeld && (survey.result.length > 0 || !knewRows);
	const isFirst = campaign.rows === undefined || baselines !== undefined;
	const isClosing = isAwaited && endsHere;
	if (!changed && !isFirst && !endsHere) return { newEvents, campaign, isHeld, isClosing };

	const processed: CampaignState = { ...campaign, events: wanted };
	delete processed.baselines;
	// For the latest time, `rows` is usually enough, because `last` already includes the times of all other rows. The
	// first read, a baseline and the last read use all rows.
	const uncounted = isFirst || endsHere ? survey.result : rows;
	const latest = Math.max(last, latestOf(uncounted, last, now, held));
	if (latest > -Infinity) processed.last = latest;
	if (endsHere) {
		processed.closed = true;
		delete processed.open;
	}
	const packed = changed || isBaseline || endsHere ? seen.pack(wanted) : (campaign.rows ?? {});
	processed.rows = endsHere ? prune(packed, survey, wanted, latest) : packed;
	return { newEvents, campaign: processed, isHeld, isClosing };
}

/** The number of characters of the service's times, which are in UTC with milliseconds. Texts of this form sort by time. */
const UTC_LENGTH = '2026-01-31T09:15:00.000Z'.length;

/**
 * Returns the latest time of submission; rows submitted later are new. If rows are held back for the next poll, the result
 * is earlier than their times of submission, so that they are still new then. Times far in the future are ignored.
 */
function latestOf(rows: SurveyRow[], last: number, now: number, held: SurveyRow[]): number {
	let latest = last;
	let text = last > -Infinity ? new Date(last).toISOString() : '';
	for (const row of rows) {
		const { submittedDate } = row;
		// Parsing the time of every row would cost more than all other work on the rows.
		if (
			typeof submittedDate === 'string' &&
			submittedDate.length === UTC_LENGTH &&
			submittedDate <= text
		)
			continue;
		const at = submittedAt(row);
		if (!(at > latest && at <= now + CLOCKS_DIFFER_MS)) continue;
		latest = at;
		text = new Date(at).toISOString();
	}
	for (const row of held) latest = Math.min(latest, (submittedAt(row) || Infinity) - 1);
	return latest;
}
