import type { News, Answer } from './seen/diff';
import { compare } from './seen/diff';
import { SeenRows } from './seen/seenRows';
import type { CampaignState } from './state';

export type Interest = {
	/** The events looked for, as a set. */
	events: number;
	emitExisting: boolean;
	/** When this poll began, in milliseconds since the epoch. */
	now: number;
};

/**
 * Takes in one answer of a campaign: what is news in it, and what is to be remembered. The first answer is the silent
 * baseline; where it comes late, because the campaign could not be read when its baseline was due, only what was
 * submitted before that moment (or says no time) belongs to it. An event that was not looked for before gets a baseline
 * of its own.
 *
 * @throws RangeError when what is remembered cannot be read
 */
export function takeAnswer(
	campaign: CampaignState,
	answer: Answer,
	{ events, emitExisting, now }: Interest,
): { news: News[]; campaign: CampaignState } {
	const { since, rows, live } = campaign;
	const seen = SeenRows.unpack(rows ?? {}, answer.rows.length);
	const eventsBefore = rows === undefined ? 0 : (campaign.events ?? events);
	const { news, changed } = compare(seen, answer, events, (row, event) => {
		if (emitExisting || (eventsBefore & (1 << event)) !== 0) return true;
		return since !== undefined && since < now && submittedAfter(row.submittedDate, since);
	});
	if (rows !== undefined && !changed && campaign.events === events) return { news, campaign };
	const taken: CampaignState = { events, rows: seen.pack(events) };
	if (live !== undefined) taken.live = live;
	return { news, campaign: taken };
}

function submittedAfter(submittedDate: unknown, since: number): boolean {
	return typeof submittedDate === 'string' && Date.parse(submittedDate) > since;
}
