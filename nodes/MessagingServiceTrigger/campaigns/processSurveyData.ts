import { numberingOf, type SurveyData } from '../../shared/surveyData';
import { compare, prune, submittedAt, type NewEvent } from '../dedupe/newEvents';
import { RowFingerprints } from '../dedupe/rowFingerprints';
import type { CampaignState } from '../state/savedState';
import { CLOCKS_DIFFER_MS } from './watchedCampaigns';

/**
 * Takes in one answer of a campaign: what is news in it, and what is to be remembered. The first answer is the silent
 * baseline of the events that are due; where it comes late, because the campaign could not be read when its baseline was
 * due, only what was submitted before that moment (or says no time) belongs to it.
 *
 * The first answer with rows after a campaign closed is the last: what was submitted by then is known by its time from
 * then on, and the rows are forgotten.
 *
 * @param now when this poll began, in milliseconds since the epoch
 * @param isClosed whether the campaign was closed before the answer was asked for
 * @returns the same campaign when there is nothing more to remember
 * @throws RangeError when what is remembered cannot be read
 */
export function processSurveyData(
	campaign: CampaignState,
	survey: Pick<SurveyData, 'anonymous' | 'questions' | 'result'>,
	{ now, isClosed }: { now: number; isClosed: boolean },
): { news: NewEvent[]; campaign: CampaignState } {
	const { due, until, rows, events } = campaign;
	const answer = { rows: survey.result, anonymous: survey.anonymous === true };
	const wanted = Object.keys(due ?? {}).reduce((set, event) => set | (1 << Number(event)), events);
	const seen = RowFingerprints.unpack(rows ?? {}, answer.rows.length);
	const knewRows = !seen.isEmpty;
	const last = campaign.last ?? -Infinity;
	const { news, changed } = compare(seen, answer, wanted, last, (row, event) => {
		const moment = due?.[event];
		// In the poll that sets it, the baseline is what is there, even if the clock of the service is ahead.
		if (moment !== undefined) return moment < now && submittedAt(row) > moment;
		return until === undefined || !(submittedAt(row) <= until);
	});
	const numbering = campaign.numbering ?? numberingOf(survey);
	const endsHere = isClosed && (answer.rows.length > 0 || !knewRows);
	const isNoticed =
		changed || rows === undefined || due !== undefined || numbering !== campaign.numbering;
	if (!isNoticed && !endsHere) return { news, campaign };

	const taken: CampaignState = { ...campaign, events: wanted, rows: rows ?? {} };
	delete taken.due;
	if (numbering !== undefined) taken.numbering = numbering;
	const latest = latestOf(answer.rows, last, now);
	if (latest > -Infinity) taken.last = latest;
	if (endsHere) {
		taken.closed = true;
		taken.rows = seen.pack(prune(seen, answer, wanted, latest));
	} else if (changed || rows === undefined) {
		taken.rows = seen.pack(wanted);
	}
	return { news, campaign: taken };
}

/** How the service writes a time, in UTC with milliseconds: of two such texts the later time is the greater text. */
const UTC_LENGTH = '2026-01-31T09:15:00.000Z'.length;

/** The latest time of submission; a time far ahead of n8n's clock is no measure for what comes later. */
function latestOf(rows: SurveyData['result'], last: number, now: number): number {
	const most = now + CLOCKS_DIFFER_MS;
	const mostText = new Date(most).toISOString();
	let latest = last;
	const lastDate = new Date(last);
	let latestText = Number.isNaN(lastDate.getTime()) ? '' : lastDate.toISOString();
	for (const row of rows) {
		const { submittedDate } = row;
		if (typeof submittedDate !== 'string') continue;
		if (submittedDate.length === UTC_LENGTH && submittedDate.endsWith('Z')) {
			const isLater = submittedDate > latestText && submittedDate <= mostText;
			// Only what may be the latest is parsed: most times are not.
			if (isLater && !Number.isNaN(Date.parse(submittedDate))) latestText = submittedDate;
			continue;
		}
		const at = Date.parse(submittedDate);
		if (at > latest && at <= most) latest = at;
	}
	const at = Date.parse(latestText);
	return at > latest ? at : latest;
}
