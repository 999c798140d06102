import type { IDataObject } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { says } from '../shared/serviceMessages';
import { DAY_MS } from '../shared/serviceDate';
import { isRefusal } from '../shared/transport/errors/apiError';
import { isRateLimited } from '../shared/transport/retry';
import { provenNumbering, type Numbering, type SurveyData } from '../shared/surveyData';
import { readCampaign, readRecipientsAmount, readSurvey } from './api';
import { isTooOld, sinceForEach, withStatus, type Task } from './campaigns';
import { closingItem } from './items';
import { findNewEvents, type NewEvent } from './news';
import { hasPassed, isDue, timesOf, type Attempt, type Poll } from './schedule';
import { readingOf, type CampaignState } from './state';

/** How long a survey is still read after it was first seen closed, by n8n's clock. */
const READ_ON_MS = 5 * 60_000;

/** What a poll found in a campaign. */
export type CampaignResult = {
	attempt: Attempt;
	/** Its state after this poll. */
	campaign: CampaignState;
	newEvents: NewEvent[];
	/** Why it could not be read. */
	error?: unknown;
	/** The survey with only the rows of `newEvents`. Absent if the survey data was not read. */
	survey?: SurveyData;
	/** The item of Survey Closed. */
	closing?: IDataObject;
	numbering?: Numbering;
};

/** What a poll found in the campaigns that it read, in the order of the queue. */
export type Reads = Map<Task, CampaignResult>;

/** One of `Reads`. */
export type Read = [task: Task, result: CampaignResult];

/** How often the last read of a survey is tried after it has failed for a day. */
const RETRY_MS = 60 * 60_000;

/** Whether this poll reads a campaign. If its last read is done (`done`), no poll reads it. */
export function isReadNow(poll: Poll, { id, campaign, listed }: Task): boolean {
	const { draft, done, refused, rows, read, open, closedAt } = campaign;
	const { events } = poll.settings;
	const isTriedHourly = refused !== undefined && refused.ms >= DAY_MS;
	if (done || (isTriedHourly && !hasPassed(poll, RETRY_MS, refused.triedAt))) return false;
	const isInTurn = isDue(poll, id);
	// Of a draft, only the status matters. If the list does not show it, the service is asked.
	if (draft) return !listed && isInTurn;
	// A selected event may be unread although the campaign has been read.
	const isUnread = rows === undefined || (events & ~read) !== 0;
	// A closed survey is read on for five minutes. The next read is its last, unless more rows follow.
	const isLastReadDue = closedAt !== undefined && (open || hasPassed(poll, READ_ON_MS, closedAt));
	if (isUnread || isLastReadDue) return true;
	// If Survey Closed is the only event, the list already shows that a live campaign is not closed.
	return isInTurn && (events !== 0 || listed?.status !== 'live');
}

/**
 * Reads a campaign, and finds its new events and its closing. Of a draft, asks only for the status. Never throws.
 *
 * @param task a campaign that is to be read now (`isReadNow`)
 */
export async function pollCampaign(poll: Poll, task: Task): Promise<CampaignResult> {
	const { campaign } = task;
	try {
		if (!campaign.draft) return toCampaignResult(poll, task, await readSurveyAndStatus(poll, task));
		return { attempt: 'noNews', campaign: await askStatus(poll, task), newEvents: [] };
	} catch (error) {
		return { attempt: attemptOf(poll, task, error), error, campaign, newEvents: [] };
	}
}

/** Thrown if a closed survey suddenly has no rows. */
const LOST_ROWS = new Error('It has no responses any more');

/** Returns what became of an attempt that ended with an error. */
function attemptOf({ settings }: Poll, { campaign, listed }: Task, error: unknown): Attempt {
	// "Campaign is not a survey" is believed only of a campaign that was never read.
	if (says('noSurvey', error) && campaign.rows === undefined) return 'notSurvey';
	if (isRateLimited(error)) return 'rateLimited';
	if (error === LOST_ROWS) return 'missing';
	if ('all' in settings.watch) return listed ? 'failed' : 'missing';
	return isRefusal(error) ? 'refused' : 'failed';
}

/** Returns a campaign with the status that the service reports. @throws NodeApiError */
async function askStatus(poll: Poll, { id, campaign }: Task): Promise<CampaignState> {
	const { status } = await readCampaign(poll, id);
	readingOf(poll.memory, id).askedAt = poll.startedAt;
	return withStatus(poll, campaign, status);
}

/**
 * Reads the survey data of a campaign, and its status if the campaign is not on the list.
 *
 * @returns the campaign with its new status, whether it was closed before its survey data was requested, so that no rows can
 *   follow, and the number of recipients in the report, for the closing
 * @throws NodeApiError
 */
async function readSurveyAndStatus(poll: Poll, task: Task) {
	const { id, campaign, listed } = task;
	// The rows come first, so that they are read even if the rate limit allows only one request.
	const survey = await readSurvey(poll, id);
	// With Survey Closed, the status is asked at every read, and without it once a day.
	const isStatusDue = hasPassed(poll, DAY_MS, readingOf(poll.memory, id).askedAt);
	const isAsked = !listed && (poll.settings.surveyClosed || isStatusDue);
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

type SurveyRead = Awaited<ReturnType<typeof readSurveyAndStatus>>;

/** Finds the new events and the closing in a read. @throws LOST_ROWS */
function toCampaignResult(poll: Poll, task: Task, read: SurveyRead): CampaignResult {
	const { campaign: before, survey, isClosed, recipients } = read;
	const { anonymous = before.anonymous ?? false, result: rows, name } = survey;
	const { events } = poll.settings;
	const { now, since } = timesOf(poll);
	if (isClosed && rows.length === 0 && (before.rows ?? 0) > 0) throw LOST_ROWS;
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
	const areLastRows = isClosed && !hasMoreEvents;
	if (areLastRows) delete campaign.open;
	const isDone = areLastRows && hasPassed(poll, READ_ON_MS, campaign.closedAt);
	return {
		attempt: newEvents.length > 0 || hasMoreEvents ? 'news' : 'noNews',
		campaign: isDone ? doneCampaign({ ...campaign, closedAt: poll.startedAt }) : campaign,
		newEvents,
		survey: { ...survey, anonymous, result: [...new Set(newEvents.map(({ row }) => row))] },
		...(areLastRows && before.open && { closing: closingItem(task.id, name, survey, recipients) }),
		numbering: provenNumbering(survey),
	};
}

/** Returns what is kept of a closed survey that is no longer read. If it is reopened, rows since the last read are new. */
function doneCampaign({ live, closedAt, rows }: CampaignState): CampaignState {
	return { since: {}, read: 0, live, closedAt, rows, done: true };
}

/** Gives up the reads of a closed survey. Its closing has no numbers. */
export function giveUp(id: string, campaign: CampaignState, name: string): CampaignResult {
	const closing = campaign.open ? closingItem(id, name) : undefined;
	return { attempt: 'noNews', campaign: doneCampaign(campaign), newEvents: [], closing };
}

/**
 * Returns a campaign after a read. If its last read is due, because it is closed or too old, and fails, adds the time since
 * the last try. A try counts only if the service works otherwise, and at most a day, because n8n may have stood still.
 */
export function countRefusal(poll: Poll, read: CampaignResult): CampaignState {
	const { refused, ...campaign } = read.campaign;
	const isLastRead = campaign.closedAt !== undefined || isTooOld(poll, campaign.live);
	if (read.error === undefined || !isLastRead) return campaign;
	const { startedAt: triedAt, isWorking } = poll;
	const sinceTry = Math.max(triedAt - (refused?.triedAt ?? triedAt), 0);
	const added = isWorking && read.attempt !== 'rateLimited' ? Math.min(sinceTry, DAY_MS) : 0;
	return { ...campaign, refused: { ms: (refused?.ms ?? 0) + added, triedAt } };
}

const MISSING = "does not exist or is not shared with the key's owner";

/** Whether a selected campaign is not a survey, or the service refuses it although it works. */
export function isUnusable({ settings, isWorking }: Poll, { attempt }: CampaignResult): boolean {
	if ('all' in settings.watch) return false;
	return attempt === 'notSurvey' || (attempt === 'refused' && isWorking === true);
}

/** Logs once a day that a campaign cannot be read. */
export function warnOnceADay(poll: Poll, { id, listed }: Task, read: CampaignResult): void {
	const reading = readingOf(poll.memory, id);
	if (!hasPassed(poll, DAY_MS, reading.warnedAt)) return;
	reading.warnedAt = poll.startedAt;
	const isMissing = read.attempt === 'refused' && isUnusable(poll, read) && !listed;
	const problem = isMissing ? MISSING : 'could not be read';
	const text = `Campaign “${reading.name ?? id}” ${problem}: ${messageOf(read.error)}`;
	poll.context.logger.warn(isMissing ? `${text} (remove it from Survey Names or IDs)` : text);
}

/**
 * Returns an error that names campaigns, asking the service for those that are not on the list. Returns `undefined` if there
 * are none, and after a restart, because n8n could switch the workflow off.
 */
export async function unusableError(poll: Poll, unusable: Read[]): Promise<Error | undefined> {
	if (poll.isRestart || unusable.length === 0) return undefined;
	const problems: string[] = [];
	for (const [{ id, listed }, { error }] of unusable) {
		const asked = await settle(async () => listed ?? (await readCampaign(poll, id)));
		const isVisible = 'result' in asked;
		const name = (isVisible && asked.result.name) || readingOf(poll.memory, id).name || id;
		const refusal = isVisible ? 'does not show its responses' : MISSING;
		problems.push(`"${name}" ${says('noSurvey', error) ? 'is not a survey' : refusal}`);
	}
	const said = new Set(unusable.map(([, { error }]) => messageOf(error)));
	return failure(poll.context)(
		problems.join('; '),
		`The trigger reads only surveys that the service shows to the key's owner. Remove all others from Survey Names or IDs, then publish the workflow again. The service says: ${[...said].join(' ')}`,
	);
}
