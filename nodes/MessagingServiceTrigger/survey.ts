import type { IDataObject } from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import { messageOf } from '../shared/failure';
import { numberingOf, type Numbering, type SurveyData } from '../shared/surveyData';
import { isTooMany } from '../shared/transport/retry';
import { readCampaign, readRecipientsAmount, readSurvey, type Api, type Listed } from './api';
import { withStatus } from './campaigns';
import { closingItem } from './items';
import { findNews, forgetDated, sinceAfter, type NewEvent } from './news';
import { isDue, isStatusDue, type Reading } from './schedule';
import type { Settings } from './settings';
import type { CampaignState } from './state';

/** A closed survey is read on for this long after its first closed read. */
const READ_ON_MS = 5 * 60_000;

/** After this long without the data of a closed survey, its closing is emitted without numbers. */
const GIVE_UP_MS = 24 * 60 * 60_000;

type Moments = { startedAt: number; now: number };

/** What a poll read of a campaign. */
export type Read = {
	/** The campaign with its new status. */
	campaign: CampaignState;
	/** Absent if only the status was asked. */
	survey?: SurveyData;
	/** Whether the campaign was closed before its survey data was requested. */
	isClosed: boolean;
	/** The number of recipients in the campaign's report; read only for the closing item. */
	recipients?: number;
	/** Whether the service refused to say the status with "too many requests". */
	wasLimited: boolean;
	/** Whether the status was asked, because the campaign is not on the list. */
	wasAsked: boolean;
};

/** What a poll found in a campaign. `survey` has only the rows with new events. */
export type Processed = Read & {
	newEvents: NewEvent[];
	/** Whether more is to be read at once: events are left for the next poll, or a read was put aside. */
	isHeld: boolean;
	closing?: IDataObject;
	numbering?: Numbering;
};

/** Whether a campaign is read in this poll. `startedAt` is n8n's clock, `now` the service's, as far as it is known. */
export function isReadNow(
	id: string,
	campaign: CampaignState,
	listed: Listed | undefined,
	reading: Reading | undefined,
	{ startedAt, now, maxGapMs, events }: Pick<Settings, 'maxGapMs' | 'events'> & Moments,
): boolean {
	const { draft, done, closedAt, closedReadAt, rows, turned } = campaign;
	// Not read until it is live, and not once it is closed for good. Off the list, its status is asked.
	if (done) return listed === undefined && isStatusDue(reading ?? {}, startedAt);
	if (draft) return listed === undefined && isDue(id, reading, startedAt, maxGapMs);
	const isUnread = rows === undefined || (events & ~campaign.read) !== 0 || turned === true;
	if (isUnread || (closedAt !== undefined && isReadOn(closedReadAt, now))) return true;
	// With Survey Closed alone, an open campaign on the list has nothing to read.
	if (events === 0 && listed?.status === 'live') return false;
	return isDue(id, reading, startedAt, maxGapMs);
}

/** Whether the first closed read is due, or the last one, five minutes later. */
function isReadOn(closedReadAt: number | undefined, now: number): boolean {
	return closedReadAt === undefined || closedReadAt > now || now - closedReadAt >= READ_ON_MS;
}

/** Reads the survey data of a campaign, and its status if the campaign is not on the list. @throws NodeApiError */
export async function readCampaignData(
	api: Api,
	id: string,
	watched: CampaignState,
	listed: Listed | undefined,
	{ surveyClosed, isStatusDue }: Pick<Settings, 'surveyClosed'> & { isStatusDue: boolean },
): Promise<Read> {
	let campaign = watched;
	let [wasLimited, wasAsked] = [false, false];
	// The rows come first, so that they are read even if the rate limit allows only one request.
	const isResting = campaign.draft === true || campaign.done === true;
	const survey = isResting ? undefined : await readSurvey(api, id);
	if (listed === undefined && (surveyClosed || isStatusDue || isResting)) {
		const asked = await settle(async () => await readCampaign(api, id));
		if ('error' in asked) {
			if (isResting) throw asked.error;
			wasLimited = isTooMany(asked.error);
			api.context.logger.warn(
				`It is unknown whether campaign ${id} is closed: ${messageOf(asked.error)}`,
			);
		} else {
			wasAsked = true;
			campaign = withStatus(campaign, asked.result.status, api.clock);
			if (!surveyClosed) delete campaign.open;
		}
	}
	const isClosed = watched.closedAt !== undefined && campaign.closedAt !== undefined;
	const recipients = isClosed && campaign.open ? await readRecipientsAmount(api, id) : undefined;
	return { campaign, survey, isClosed, recipients, wasLimited, wasAsked };
}

/**
 * Finds the news and the closing in what a poll read of a campaign.
 *
 * @param begun the events that are watched since this poll, as a set
 * @param since from when a campaign counts as watched that begins anew
 * @param room how many items may be emitted
 * @throws UnreadableKeysError
 */
export function processRead(
	id: string,
	read: Read,
	{ begun, since, now, room }: { begun: number; since: number; now: number; room: number },
): Processed {
	const nothing = { ...read, survey: undefined, newEvents: [], isHeld: false };
	if (read.survey === undefined) return nothing;
	const { anonymous = read.campaign.anonymous ?? false, result, name } = read.survey;
	const survey = { ...read.survey, anonymous };
	const { turned, ...known } = read.campaign;
	const isTurned = known.anonymous !== undefined && known.anonymous !== anonymous;
	const numbering = numberingOf(survey);
	// The survey turns anonymous, or back, in two reads in a row: a single one is put aside.
	if (isTurned && !turned)
		return { ...nothing, campaign: { ...known, turned: true }, isHeld: true, numbering };
	const before = isTurned ? beginAnew(known, since) : known;
	// A closed survey that has no rows, although some were known, is read again for a day.
	const isLost = read.isClosed && result.length === 0 && (known.rows ?? 0) > 0;
	const given = isLost ? giveUp(id, known, name, now) : undefined;
	if (given) return { ...nothing, ...given };
	const isLast = read.isClosed && !isLost;
	const emitsClosing = isLast && before.open === true;
	const roomForRows = emitsClosing ? room - 1 : room;
	const found = findNews(before, result, { anonymous, begun, room: roomForRows });
	// At most 10,000 items a poll, the rest with the next ones, also when the survey closes meanwhile.
	const isHeld = found.isHeld || roomForRows < 0;
	const isClosing = emitsClosing && !isHeld;
	return {
		...read,
		campaign: isLast && !isHeld ? closeCampaign(found.campaign, survey, now) : found.campaign,
		survey: { ...survey, result: [...new Set(found.newEvents.map(({ row }) => row))] },
		newEvents: found.newEvents,
		isHeld,
		...(isClosing && { closing: closingItem(id, name, survey, read.recipients) }),
		numbering,
	};
}

/**
 * The keys and counts of a campaign begin anew, with `since` just after the latest date seen. If no date was seen, `since`
 * stays, but all its rows were news before.
 */
function beginAnew(campaign: CampaignState, now: number): CampaignState {
	const next = { ...campaign };
	delete next.keys;
	delete next.responded;
	const after = Object.entries(sinceAfter(campaign)).map(([event, from]) => [event, from || now]);
	return { ...next, since: Object.fromEntries(after), read: 0 };
}

/** Notes the closed read; five minutes after the first one, the campaign is not read any more. */
function closeCampaign(
	campaign: CampaignState,
	{ anonymous, result }: SurveyData,
	now: number,
): CampaignState {
	const closed = { ...campaign };
	delete closed.open;
	const closedReadAt = Math.min(closed.closedReadAt ?? now, now);
	if (now - closedReadAt < READ_ON_MS) return { ...closed, closedReadAt };
	return { ...forgetDated(closed, result, anonymous === true), done: true };
}

/**
 * Gives up a closed campaign whose survey data failed for a day: its closing is emitted without numbers, and it is not
 * read any more. Returns `undefined` if it is not closed, or not for so long.
 */
export function giveUp(
	id: string,
	{ open, ...campaign }: CampaignState,
	name: string | undefined,
	now: number,
): { campaign: CampaignState; closing?: IDataObject } | undefined {
	if (campaign.closedAt === undefined || now - campaign.closedAt < GIVE_UP_MS) return undefined;
	const done: CampaignState = { ...campaign, since: sinceAfter(campaign), done: true };
	return { campaign: done, ...(open && { closing: closingItem(id, name) }) };
}
