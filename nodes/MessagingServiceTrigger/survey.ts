import type { IDataObject } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import { messageOf } from '../shared/failure';
import { DAY_MS } from '../shared/serviceDate';
import { provenNumbering, type Numbering, type SurveyData } from '../shared/surveyData';
import { listTooOld, readCampaign, readRecipientsAmount, readSurvey } from './api';
import { sinceForEach, withStatus, type Task } from './campaigns';
import { closingItem } from './items';
import { findNewEvents, type NewEvent } from './news';
import { isDue, readConcurrently, timesOf, type Poll } from './schedule';
import type { CampaignState } from './state';

/** How long a survey is still read after it was first seen closed, by n8n's clock. */
const READ_ON_MS = 5 * 60_000;

/** What a poll found in a campaign. */
export type CampaignResult = {
	/** Its state after this poll. */
	campaign: CampaignState;
	newEvents: NewEvent[];
	/** Whether there are more new events, for which this poll has no room. */
	hasMoreEvents: boolean;
	/** The survey with only the rows of `newEvents`. Absent if the survey data was not read. */
	survey?: SurveyData;
	/** The item of Survey Closed. */
	closing?: IDataObject;
	numbering?: Numbering;
};

/** Whether a campaign has no rows to read: it is not live yet, or its last read after closing is done. */
export function hasNoRowsToRead({ draft, done }: CampaignState): boolean {
	return draft === true || done === true;
}

/** Whether a campaign is closed, and its closing is still to be emitted. */
export function isClosingPending({ open, closedAt }: CampaignState): boolean {
	return open === true && closedAt !== undefined;
}

/** Whether this poll reads a campaign. If its last read is done (`done`), no poll reads it. */
export function isReadNow(poll: Poll, { id, campaign, listed }: Task): boolean {
	const { draft, done, rows, read } = campaign;
	const { maxGapMs, events } = poll.settings;
	if (done) return false;
	const isInTurn = isDue(id, poll.startedAt, maxGapMs, poll.memory.readings.get(id));
	// Of a draft, only the status matters. If the list does not show it, the service is asked.
	if (draft) return !listed && isInTurn;
	// A selected event may be unread although the campaign has been read.
	const isUnread = rows === undefined || (events & ~read) !== 0;
	// A closed survey is read on for five minutes. The next read is its last, unless more rows follow.
	const isLastReadDue = hasBeenClosedFor(poll, campaign, READ_ON_MS);
	if (isUnread || isClosingPending(campaign) || isLastReadDue) return true;
	// If Survey Closed is the only event, the list already shows that a live campaign is not closed.
	const isListEnough = events === 0 && listed?.status === 'live';
	return isInTurn && !isListEnough;
}

/** Whether a day has passed since the service was last asked for the status of a campaign that is not on the list. */
function isStatusDue({ memory, startedAt }: Poll, id: string): boolean {
	const askedAt = memory.asked.get(id) ?? -Infinity;
	const wasClockPutBack = askedAt > startedAt;
	return wasClockPutBack || startedAt - askedAt >= DAY_MS;
}

/**
 * Reads a campaign, and finds its new events and its closing. Of a draft, asks only for the status.
 *
 * @param task a campaign that is to be read now (`isReadNow`)
 * @throws NodeApiError, or NodeOperationError if the response is not survey data. If the survey has been closed for a day,
 *   its reads end, and nothing is thrown
 */
export async function pollCampaign(poll: Poll, task: Task): Promise<CampaignResult> {
	const { id, campaign, listed } = task;
	if (campaign.draft)
		return { campaign: await askStatus(poll, task), newEvents: [], hasMoreEvents: false };
	const outcome = await settle(async () =>
		toCampaignResult(poll, task, await readSurveyAndStatus(poll, task)),
	);
	if ('result' in outcome) return outcome.result;
	// If a survey has been closed for a day, its reads end, even if they fail.
	if (!hasBeenClosedFor(poll, campaign, DAY_MS)) throw outcome.error;
	return endWithoutNumbers(id, campaign, listed?.name);
}

/** Returns a campaign with the status that the service reports. @throws NodeApiError */
async function askStatus(poll: Poll, { id, campaign }: Task): Promise<CampaignState> {
	const { status } = await readCampaign(poll, id);
	poll.memory.asked.set(id, poll.startedAt);
	return withStatus(poll, campaign, status);
}

/** What the service said about a campaign. */
type SurveyRead = {
	/** The campaign with its new status. */
	campaign: CampaignState;
	survey: SurveyData;
	/** Whether the campaign was closed before its survey data was requested, so that no rows can follow. */
	isClosed: boolean;
	/** The number of recipients in the report, for the closing. */
	recipients?: number;
};

/** Reads the survey data of a campaign, and its status if the campaign is not on the list. @throws NodeApiError */
async function readSurveyAndStatus(poll: Poll, task: Task): Promise<SurveyRead> {
	const { id, campaign, listed } = task;
	// The rows come first, so that they are read even if the rate limit allows only one request.
	const survey = await readSurvey(poll, id);
	// With Survey Closed, the status is asked at every read, and without it once a day.
	const isAsked = !listed && (poll.settings.surveyClosed || isStatusDue(poll, id));
	const answer = isAsked ? await settle(() => askStatus(poll, task)) : { result: campaign };
	if ('error' in answer) {
		const reason = messageOf(answer.error);
		poll.context.logger.warn(`It is unknown whether campaign ${id} is closed: ${reason}`);
	}
	const next = 'result' in answer ? answer.result : campaign;
	const isClosed = campaign.closedAt !== undefined && next.closedAt !== undefined;
	const recipients = isClosed && next.open ? await readRecipientsAmount(poll, id) : undefined;
	return { campaign: next, survey, isClosed, recipients };
}

/** Finds the new events and the closing in a read. */
function toCampaignResult(poll: Poll, task: Task, read: SurveyRead): CampaignResult {
	const { campaign: before, survey, isClosed, recipients } = read;
	const { anonymous = before.anonymous ?? false, result: rows, name } = survey;
	const { events } = poll.settings;
	const { now, since } = timesOf(poll);
	// If a closed survey suddenly has no rows, reading goes on until the survey has been closed for a day.
	const hasLostRows = isClosed && rows.length === 0 && (before.rows ?? 0) > 0;
	if (hasLostRows && hasBeenClosedFor(poll, before, DAY_MS))
		return endWithoutNumbers(task.id, before, name);
	// A survey that becomes anonymous, or is no longer anonymous, counts as added, because the keys of its rows are others.
	const isAddedAgain = before.anonymous !== undefined && before.anonymous !== anonymous;
	const asAdded = isAddedAgain && { since: sinceForEach(events, since), read: 0 };
	const addedEvents = isAddedAgain ? events : task.addedEvents;
	const known = { ...before, anonymous, ...asAdded };
	const found = findNewEvents(known, rows, { events, addedEvents, room: poll.room });
	const { campaign, newEvents, hasMoreEvents } = found;
	poll.room -= newEvents.length;
	if (newEvents.length > 0) campaign.live = Math.max(campaign.live ?? 0, now);
	// The closing comes after the last rows, perhaps with a later poll.
	const areLastRows = isClosed && !hasLostRows && !hasMoreEvents;
	if (areLastRows) delete campaign.open;
	const isDone = areLastRows && hasBeenClosedFor(poll, campaign, READ_ON_MS);
	return {
		campaign: isDone ? doneCampaign(campaign) : campaign,
		newEvents,
		hasMoreEvents,
		survey: { ...survey, anonymous, result: [...new Set(newEvents.map(({ row }) => row))] },
		...(areLastRows && before.open && { closing: closingItem(task.id, name, survey, recipients) }),
		numbering: provenNumbering(survey),
	};
}

/** Returns what is kept of a closed survey that is no longer read. If it is reopened, it counts as added. */
function doneCampaign({ live, closedAt }: CampaignState): CampaignState {
	return { since: {}, read: 0, live, closedAt, done: true };
}

function hasBeenClosedFor(poll: Poll, { closedAt = Infinity }: CampaignState, ms: number): boolean {
	return poll.startedAt - closedAt >= ms;
}

/** Ends the reads of a closed survey. Its closing has no numbers. */
function endWithoutNumbers(id: string, campaign: CampaignState, name?: string): CampaignResult {
	const result = { campaign: doneCampaign(campaign), newEvents: [], hasMoreEvents: false };
	return campaign.open ? { ...result, closing: closingItem(id, name) } : result;
}

/** How many surveys `warnOfTooOld` names. */
const MOST_NAMES = 5;

/** Logs the names of live surveys that All Campaigns does not watch because they are too old. @throws as `listTooOld` */
export async function warnOfTooOld(poll: Poll): Promise<void> {
	const names: string[] = [];
	const mayStart = (): boolean => !poll.isRateLimited && names.length < MOST_NAMES;
	await readConcurrently(await listTooOld(poll), { ...poll, mayStart }, async ({ id }) => {
		// Only a survey has survey data. A survey that cannot be read is left out, too.
		const read = await settle(async () => await readSurvey(poll, id));
		if ('result' in read) names.push(`“${read.result.name ?? id}”`);
	});
	// Several reads run at the same time, so there may be more names than MOST_NAMES.
	if (names.length > 0)
		poll.context.logger.warn(
			`Live surveys that are older than Live Within Days are not watched, for example ${names.slice(0, MOST_NAMES).join(', ')}. To watch them, set Watch to Selected Campaigns.`,
		);
}
