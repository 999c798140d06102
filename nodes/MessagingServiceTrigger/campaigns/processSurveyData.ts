import { numberingOf, type SurveyData } from '../../shared/surveyData';
import { findNewEvents, prune, type NewEvent } from '../dedupe/newEvents';
import { submittedAt } from '../dedupe/rowKey';
import { SeenRows } from '../dedupe/seenRows';
import { EVENTS, eventSet } from '../events';
import type { CampaignState } from '../state/savedState';
import { CLOCKS_DIFFER_MS } from './watchedCampaigns';

/**
 * Processes one response of a campaign: which events are new, and what to save. The first response is the silent
 * baseline of the events that are due; where it comes late, because the campaign could not be read when its baseline was
 * due, only what was submitted before that moment (or says no time) belongs to it.
 *
 * The first response with rows after a campaign closed is the last: what was submitted by then is known by its time from
 * then on, and the rows are forgotten.
 *
 * @param now when this poll began, in milliseconds since the epoch
 * @param isClosed whether the campaign was closed before the request was sent
 * @returns the same campaign object when there is nothing more to save
 * @throws DamagedRowsError when the rows of the campaign cannot be read
 */
export function processSurveyData(
	campaign: CampaignState,
	survey: Pick<SurveyData, 'anonymous' | 'questions' | 'result'>,
	{ now, isClosed }: { now: number; isClosed: boolean },
): { news: NewEvent[]; campaign: CampaignState } {
	const { baselines, until, events, last = -Infinity } = campaign;
	const wanted = events | eventSet(EVENTS.filter((_, event) => baselines?.[event] !== undefined));
	const seen = SeenRows.unpack(campaign.rows ?? {});
	const { news, changed } = findNewEvents(seen, survey, wanted, last, (row, event) => {
		const moment = baselines?.[event];
		// In the poll that sets it, the baseline is what is there, even if the clock of the service is ahead.
		if (moment !== undefined) return moment < now && submittedAt(row) > moment;
		return until === undefined || !(submittedAt(row) <= until);
	});
	const knewRows = Object.keys(campaign.rows ?? {}).length > 0;
	const endsHere = isClosed && (survey.result.length > 0 || !knewRows);
	const numbering = campaign.numbering ?? numberingOf(survey);
	const isFirst = campaign.rows === undefined || baselines !== undefined;
	if (!changed && !isFirst && numbering === campaign.numbering && !endsHere)
		return { news, campaign };

	const processed: CampaignState = { ...campaign, events: wanted, rows: campaign.rows ?? {} };
	delete processed.baselines;
	if (numbering !== undefined) processed.numbering = numbering;
	const latest = latestOf(survey.result, last, now);
	if (latest > -Infinity) processed.last = latest;
	if (endsHere) processed.closed = true;
	const kept = endsHere ? prune(seen, survey, wanted, latest) : wanted;
	if (changed || endsHere) processed.rows = seen.pack(kept);
	return { news, campaign: processed };
}

/** How the service writes a time, in UTC with milliseconds: of two such texts the later time is the greater text. */
const UTC_LENGTH = '2026-01-31T09:15:00.000Z'.length;

/** The latest time of submission; a time far ahead of n8n's clock is no measure for what comes later. */
function latestOf(rows: SurveyData['result'], last: number, now: number): number {
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
	return latest;
}
