import type { IDataObject } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import { messageOf } from '../shared/failure';
import { DAY_MS } from '../shared/serviceDate';
import { provenNumbering, type Numbering, type SurveyData } from '../shared/surveyData';
import { listOlder, readCampaign, readRecipientsAmount, readSurvey } from './api';
import { withStatus, type Task } from './campaigns';
import { closingItem } from './items';
import { findNews, type NewEvent } from './news';
import { isDue, readConcurrently, timesOf, type Poll } from './schedule';
import type { CampaignState } from './state';

/** How long a survey is still read after it was first seen closed, by n8n's clock. */
const READ_ON_MS = 5 * 60_000;

/** What a poll found in a campaign. `survey` has only the rows with new events. */
export type News = {
	campaign: CampaignState;
	newEvents: NewEvent[];
	/** Whether the next poll must read the campaign: events are left for it, or this read was ignored. */
	isHeld: boolean;
	survey?: SurveyData;
	closing?: IDataObject;
	numbering?: Numbering;
};

/** Whether only the status of a campaign matters: it is not live yet, or its last read after closing is done. */
export function isResting({ draft, done }: CampaignState): boolean {
	return draft === true || done === true;
}

/** Whether a campaign is read in this poll. */
export function isReadNow(poll: Poll, { id, campaign, listed }: Task): boolean {
	const { draft, done, open, closedAt = Infinity, rows, read } = campaign;
	const { maxGapMs, events } = poll.settings;
	const isInTurn = isDue(id, poll.memory.readings.get(id), poll.startedAt, maxGapMs);
	if (done) return false;
	// If the campaign is not on the list, the service is asked for its status.
	if (draft) return !listed && isInTurn;
	const isUnread = rows === undefined || (events & ~read) !== 0;
	// Before its closing is emitted, a closed survey is read at every poll, and for the last time five minutes later.
	const isReadOn = closedAt < Infinity && (open || poll.startedAt - closedAt >= READ_ON_MS);
	if (isUnread || isReadOn) return true;
	// If Survey Closed is the only event, an open campaign on the list need not be read.
	return isInTurn && !(events === 0 && listed?.status === 'live');
}

/** Whether a day has passed since the service was last asked for the status of an unlisted campaign. */
function isStatusDue({ memory, startedAt }: Poll, id: string): boolean {
	const askedAt = memory.asked.get(id) ?? -Infinity;
	return askedAt > startedAt || startedAt - askedAt >= DAY_MS;
}

/** Reads a campaign, and finds its new events and its closing. @throws NodeApiError */
export async function readNews(poll: Poll, task: Task): Promise<News> {
	const { id, campaign, listed } = task;
	if (isResting(campaign))
		return { campaign: await askStatus(poll, task), newEvents: [], isHeld: false };
	const outcome = await settle(async () =>
		processRead(poll, task, await readSurveyAndStatus(poll, task)),
	);
	if ('result' in outcome) return outcome.result;
	const given = giveUp(poll, id, campaign, listed?.name);
	if (given) return given;
	throw outcome.error;
}

/** Returns a campaign with the status that the service reports. @throws NodeApiError */
async function askStatus(poll: Poll, { id, campaign }: Task): Promise<CampaignState> {
	const { status } = await readCampaign(poll, id);
	poll.memory.asked.set(id, poll.startedAt);
	return withStatus(campaign, poll, status);
}

/**
 * What a poll read: the campaign with its new status, its rows and, after its closing, the number of recipients in its
 * report.
 */
type Read = { campaign: CampaignState; survey: SurveyData; isClosed: boolean; recipients?: number };

/** Reads the survey data of a campaign, and its status if the campaign is not on the list. @throws NodeApiError */
async function readSurveyAndStatus(poll: Poll, task: Task): Promise<Read> {
	const { id, campaign, listed } = task;
	// The rows come first, so that they are read even if the rate limit allows only one request.
	const survey = await readSurvey(poll, id);
	// If the campaign is not on the list, the service is asked for its status. With Survey Closed,
	// this happens at every read, and without it once a day.
	const isAsked = !listed && (poll.settings.surveyClosed || isStatusDue(poll, id));
	const answer = isAsked ? await settle(() => askStatus(poll, task)) : { result: campaign };
	if ('error' in answer) {
		const reason = messageOf(answer.error);
		poll.context.logger.warn(`It is unknown whether campaign ${id} is closed: ${reason}`);
	}
	const next = 'result' in answer ? answer.result : campaign;
	// True only if the campaign was closed before its survey data was requested.
	const isClosed = campaign.closedAt !== undefined && next.closedAt !== undefined;
	const recipients = isClosed && next.open ? await readRecipientsAmount(poll, id) : undefined;
	return { campaign: next, survey, isClosed, recipients };
}

/** Finds the new events and the closing in a read. */
function processRead(poll: Poll, { id, begun }: Task, read: Read): News {
	const { survey, campaign: known, isClosed, recipients } = read;
	const { anonymous = known.anonymous ?? false, result, name } = survey;
	const { now, since } = timesOf(poll);
	// If a closed survey suddenly has no rows, reading goes on until the survey has been closed for a day.
	const isLost = isClosed && result.length === 0 && (known.rows ?? 0) > 0;
	const given = isLost ? giveUp(poll, id, known, name) : undefined;
	if (given) return given;
	// A survey that becomes anonymous, or is no longer anonymous, counts as added, because the keys of its rows are others.
	const isOtherAnonymity = known.anonymous !== undefined && known.anonymous !== anonymous;
	const added = Object.fromEntries(Object.keys(known.since).map((event) => [event, since]));
	const { campaign, newEvents, isHeld } = findNews(
		isOtherAnonymity ? { ...known, since: added, read: 0 } : known,
		result,
		{ anonymous, begun: isOtherAnonymity ? poll.settings.events : begun, room: poll.room },
	);
	poll.room -= newEvents.length;
	if (newEvents.length > 0) campaign.live = Math.max(campaign.live ?? 0, now);
	// The closing comes after the last rows. If the last rows do not fit into this poll, the closing
	// comes with a later poll.
	const isLast = isClosed && !isLost && !isHeld;
	if (isLast) delete campaign.open;
	const isDone = isLast && poll.startedAt - (campaign.closedAt ?? Infinity) >= READ_ON_MS;
	return {
		...{ newEvents, isHeld, campaign: isDone ? ended(campaign) : campaign },
		survey: { ...survey, anonymous, result: [...new Set(newEvents.map(({ row }) => row))] },
		...(isLast && known.open && { closing: closingItem(id, name, survey, recipients) }),
		numbering: provenNumbering(survey),
	};
}

/** Returns what is kept of a closed survey that is no longer read. If it is reopened, it counts as added. */
function ended({ live, closedAt }: CampaignState): CampaignState {
	return { since: {}, read: 0, live, closedAt, done: true };
}

/**
 * If a campaign has been closed for a day and its survey data fails or has no rows, ends reading it. Its closing is
 * emitted without numbers. Returns `undefined` before this day has passed.
 */
function giveUp(poll: Poll, id: string, known: CampaignState, name?: string): News | undefined {
	const { open, closedAt = Infinity } = known;
	if (poll.startedAt - closedAt < DAY_MS) return undefined;
	const given: News = { campaign: ended(known), newEvents: [], isHeld: false };
	return open ? { ...given, closing: closingItem(id, name) } : given;
}

/** How many older surveys the log names. */
const MOST_NAMES = 5;

/** Logs the names of live surveys that All Campaigns does not watch because they are too old. @throws NodeApiError */
export async function warnOfOlderSurveys(poll: Poll): Promise<void> {
	const names: string[] = [];
	const mayStart = (): boolean => !poll.isLimited && names.length < MOST_NAMES;
	await readConcurrently(await listOlder(poll), { ...poll, mayStart }, async ({ id }) => {
		// Only a survey has survey data.
		const read = await settle(async () => await readSurvey(poll, id));
		if ('result' in read) names.push(`“${read.result.name ?? id}”`);
	});
	if (names.length > 0)
		poll.context.logger.warn(
			`Live surveys that are older than Live Within Days are not watched, for example ${names.slice(0, MOST_NAMES).join(', ')}. To watch them, set Watch to Selected Campaigns.`,
		);
}
