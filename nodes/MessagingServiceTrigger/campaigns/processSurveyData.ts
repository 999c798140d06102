import type { SurveyData, SurveyRow } from '../../shared/surveyData';
import {
	findNewEvents,
	prune,
	unpackChanged,
	type Decision,
	type NewEvent,
} from '../dedupe/newEvents';
import { submittedAt, type KeyedRow } from '../dedupe/rowKey';
import { EVENTS, eventSet } from '../events';
import type { CampaignState } from '../state/savedState';
import { CLOCKS_DIFFER_MS } from './watchedCampaigns';

/**
 * Processes one response of a campaign: which events are new, and what to save. The first response is the silent
 * baseline of the events that are due; where it comes late, because the campaign could not be read when its baseline was
 * due, only what was submitted before that moment (or says no time) belongs to it.
 *
 * The first response with rows after a campaign closed is the last: what was submitted by then is known by its time from
 * then on, and the rows are forgotten. Then it is closing, if that is an event: after the last of its rows.
 *
 * @param now when this poll began, in milliseconds since the epoch by the clock of the service
 * @param most so many new events are emitted, the closing included; the rest stays new, and `isHeld` says so
 * @param isClosed whether the campaign was closed before the request was sent
 * @returns the same campaign object when there is nothing more to save
 * @throws DamagedRowsError when the rows of the campaign cannot be read
 */
export function processSurveyData(
	campaign: CampaignState,
	survey: Pick<SurveyData, 'anonymous' | 'result'>,
	{ now, isClosed, most = Infinity }: { now: number; isClosed: boolean; most?: number },
): { news: NewEvent[]; campaign: CampaignState; isHeld: boolean; isClosing: boolean } {
	const { baselines, until = -Infinity, events, last = -Infinity } = campaign;
	const wanted = events | eventSet(EVENTS.filter((_, event) => baselines?.[event] !== undefined));
	const { seen, rows } = unpackChanged(campaign.rows ?? {}, survey, wanted);
	const decide = ({ row, kind }: KeyedRow, event: number): Decision => {
		const moment = baselines?.[event];
		// In the poll that sets it, the baseline is what is there.
		if (moment !== undefined) return moment < now && submittedAt(row) > moment ? 'emit' : 'note';
		if (!(submittedAt(row) <= until)) return 'emit';
		// Whoever is known by the date alone is emitted again after submitting again.
		return kind === 'user' ? 'skip' : 'note';
	};
	const isAwaited = isClosed && campaign.open === true;
	const room = isAwaited ? most - 1 : most;
	const { news, held, changed } = findNewEvents(
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
	if (!changed && !isFirst && !endsHere) return { news, campaign, isHeld, isClosing };

	const processed: CampaignState = { ...campaign, events: wanted };
	delete processed.baselines;
	const latest = Math.max(last, latestOf(survey.result, last, now, held));
	if (latest > -Infinity) processed.last = latest;
	if (endsHere) {
		processed.closed = true;
		delete processed.open;
	}
	const packed = changed || endsHere ? seen.pack(wanted) : (campaign.rows ?? {});
	processed.rows = endsHere ? prune(packed, survey, wanted, latest) : packed;
	return { news, campaign: processed, isHeld, isClosing };
}

/** How the service writes a time, in UTC with milliseconds: of two such texts the later time is the greater text. */
const UTC_LENGTH = '2026-01-31T09:15:00.000Z'.length;

/**
 * The latest time of submission, before that of any row held back: what is later than it is new. A time far ahead of the
 * clock is no measure for what comes later.
 */
function latestOf(rows: SurveyRow[], last: number, now: number, held: SurveyRow[]): number {
	let latest = last;
	let text = last > -Infinity ? new Date(last).toISOString() : '';
	for (const row of rows) {
		const { submittedDate } = row;
		// Most rows need not be parsed, which would cost more than all else that is done to them.
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
