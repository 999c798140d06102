import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { campaigns, entriesOf, MOST_OPTIONS, toDropdownOptions } from '../shared/lists/lists';
import { CAMPAIGN_STATUS, statusName } from '../shared/status';
import { settle } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { readSurveyData, type SurveyData } from '../shared/surveyData';
import { apiRequest, type Envelope } from '../shared/transport/apiRequest';
import { byPreviousLastId, toPage } from '../shared/transport/paging';
import { buildPath } from '../shared/transport/address';
import { isTimeout, isTooMany, isTransient, withRetries } from '../shared/transport/retry';
import type { Entry } from '../shared/transport/ttlCache';
import { isDataObject, trimmed } from '../shared/values';
import { DAY_MS, timeOf } from './rows';
import type { Settings } from './settings';
import type { Memory } from './state';

/** Attempts per read, including the first. */
const TRIES = 3;

/**
 * The timeout of a request is the time until the poll's deadline, within these limits. So a survey whose reads hang
 * leaves time for the others.
 */
const SHORTEST_TIMEOUT_MS = 5_000;
const LONGEST_TIMEOUT_MS = 60_000;

/** The largest page of the campaign list (campaign.getAll in emulator/openapi.yaml). */
const LARGEST_PAGE = 1000;

/** How far `since` lies before the start of the poll: a time too early costs nothing, a time too late loses answers. */
const EARLIER_MS = 5 * 60_000;

/** One poll's access to the service. Times are in milliseconds since the epoch. */
export type Api = {
	context: IPollFunctions;
	settings: Settings;
	/** The start of the poll, by n8n's clock. */
	startedAt: number;
	/** The time at which the poll's requests end, by n8n's clock. */
	deadline: number;
	/** How far the service's clock is ahead, once any response of the poll has a Date header. */
	aheadMs?: number;
	/** Whether the service said "too many requests", which ends this poll's reads. */
	isLimited?: boolean;
};

/** One poll of a published workflow. */
export type Poll = Api & {
	memory: Memory;
	/** Whether the workflow may have been published just now. If so, the poll asks again which campaigns are surveys. */
	isPublished: boolean;
	/** How many items may still be emitted. */
	room: number;
};

/**
 * Returns the start of a poll in three forms. `serviceNow` is by the service's clock, or undefined if this clock is
 * unknown. `now` is `serviceNow` or, if that is undefined, by n8n's clock. `since` is five minutes before the earlier
 * of both clocks. A campaign that is new in this poll is watched from `since` on.
 */
export function timesOf({ startedAt, aheadMs }: Api) {
	const serviceNow = aheadMs === undefined ? undefined : startedAt + aheadMs;
	const now = serviceNow ?? startedAt;
	return { now, serviceNow, since: Math.min(startedAt, now) - EARLIER_MS };
}

/** A campaign on the list. */
export type Listed = {
	id: string;
	/** The name of the status, or `undefined` if the status is missing or not documented. */
	status: string | undefined;
	/** When it went live, in milliseconds since the epoch. Absent if the service does not return the date. */
	live?: number;
	/** The number of recipients, or 0 if it is unknown. */
	recipients?: number;
	name?: string;
};

/**
 * Lists the campaigns of All Campaigns that went live within the days of the settings. For Selected Campaigns, returns
 * one page: the newest campaigns.
 *
 * @param isWhole whether to list campaigns of all live dates
 * @returns the campaigns by ID
 * @throws NodeApiError, or NodeOperationError if reading takes longer than the poll
 */
export async function listCampaigns(api: Api, isWhole = false): Promise<Map<string, Listed>> {
	const { watch } = api.settings;
	if ('selected' in watch) {
		const envelope = await read(api, '/int/v1/campaign', { limit: LARGEST_PAGE });
		return listedIn(toPage(api.context.getNode(), envelope).records);
	}
	const days = isWhole ? Infinity : watch.liveWithinDays;
	const liveFrom = (): number => Math.max(timesOf(api).now - days * DAY_MS, 0);
	const asked = liveFrom();
	const records = await listSince(api, watch.all, asked);
	// n8n's clock is wrong by more than a day, so the list is requested again by the service's clock.
	if (Math.abs(liveFrom() - asked) <= DAY_MS) return listedIn(records);
	return listedIn(await listSince(api, watch.all, liveFrom()));
}

/** How many live campaigns that are not watched are looked at, newest first. */
const OLDER_PAGE = 20;

/** Lists the newest live campaigns that are too old for Live Within Days. @throws NodeApiError */
export async function listOlder(api: Api): Promise<Listed[]> {
	const { watch } = api.settings;
	if ('selected' in watch) return [];
	const from = Math.max(timesOf(api).now - watch.liveWithinDays * DAY_MS, 0);
	const maxLiveDate = new Date(from).toISOString();
	const qs = { ...watch.all, status: CAMPAIGN_STATUS.live, maxLiveDate, limit: OLDER_PAGE };
	const { records } = toPage(api.context.getNode(), await read(api, '/int/v1/campaign', qs));
	return [...listedIn(records).values()].filter(({ live = from }) => live < from);
}

async function listSince(api: Api, filters: IDataObject, from: number): Promise<IDataObject[]> {
	const fail = failure(api.context);
	const minLiveDate = new Date(from).toISOString();
	let pages = 0;
	return await byPreviousLastId(
		async (paging) => {
			// Paging ends when the time of the poll is over.
			if (pages++ > 0 && Date.now() >= api.deadline)
				throw fail('The list of campaigns takes too long', 'Set filters to get fewer campaigns.');
			const qs = { ...filters, minLiveDate, ...paging };
			return toPage(api.context.getNode(), await read(api, '/int/v1/campaign', qs));
		},
		Infinity,
		fail,
		(message) => api.context.logger.warn(message),
	);
}

function listedIn(records: IDataObject[]): Map<string, Listed> {
	const listed = new Map<string, Listed>();
	for (const { _id: id, name, status, liveDate, recipientAmount } of records) {
		if (typeof id !== 'string') continue;
		const live = timeOf(liveDate) || undefined;
		const recipients = typeof recipientAmount === 'number' ? recipientAmount : 0;
		const entry = { id, status: statusName(status), live, recipients };
		listed.set(id, { ...entry, name: trimmed(name) });
	}
	return listed;
}

/** Whether a campaign with this status has not been sent yet. */
export function isPrepared(status: string | undefined): boolean {
	return status === 'draft' || status === 'scheduled';
}

/** Returns the status and name of one campaign (campaign.get in emulator/openapi.yaml). @throws NodeApiError */
export async function readCampaign(api: Api, id: string): Promise<Pick<Listed, 'status' | 'name'>> {
	const data = await readData(api, '/int/v1/campaign/:campaignId', id);
	const { status, name } = isDataObject(data) ? data : {};
	return { status: statusName(status), name: trimmed(name) };
}

/**
 * Returns the number of recipients in a campaign's report (campaign.getReport in emulator/openapi.yaml). If the report
 * fails or has no number, warns and returns `undefined`.
 */
export async function readRecipientsAmount(api: Api, id: string): Promise<number | undefined> {
	const report = await settle(
		async () => await readData(api, '/int/v1/campaign/:campaignId/report', id),
	);
	const data = 'result' in report ? report.result : undefined;
	if (isDataObject(data) && typeof data.recipientsAmount === 'number') return data.recipientsAmount;
	const reason = 'error' in report ? messageOf(report.error) : 'its report has no number';
	api.context.logger.warn(`The recipients of campaign ${id} are unknown: ${reason}`);
	return undefined;
}

/** Returns the responses to a campaign (survey.getResponses in emulator/openapi.yaml). @throws NodeApiError */
export async function readSurvey(api: Api, id: string): Promise<SurveyData> {
	const data = await readData(api, '/int/v1/campaign/:campaignId/surveyData', id);
	return readSurveyData(data, failure(api.context));
}

async function readData(api: Api, path: string, campaignId: string): Promise<unknown> {
	const url = buildPath(path, { campaignId }, failure(api.context));
	return (await read(api, url)).data;
}

/** Whether the service said that the campaign is not a survey (survey.getResponses in emulator/openapi.yaml). */
export function isNoSurvey(error: unknown): boolean {
	return error instanceof NodeApiError && /^Campaign is not a survey/i.test(error.message);
}

/**
 * Sends one read. "Too many requests" is not repeated: it ends this poll's reads. A read that hangs is not repeated
 * either: the next poll tries again, after the other campaigns.
 */
async function read(api: Api, url: string, qs: IDataObject = {}): Promise<Envelope> {
	const { context, deadline } = api;
	const isRetryable = (error: unknown): boolean => {
		api.isLimited ||= isTooMany(error);
		return isTransient(error) && !isTooMany(error) && !isTimeout(error);
	};
	return await withRetries(
		async () => {
			const left = Math.min(deadline - Date.now(), LONGEST_TIMEOUT_MS);
			const timeout = Math.max(left, SHORTEST_TIMEOUT_MS);
			const envelope = await apiRequest.call(context, { url, qs, timeout });
			if (envelope.sentAt !== undefined) api.aheadMs ??= envelope.sentAt - Date.now();
			return envelope;
		},
		{ tries: TRIES, deadline, isRetryable },
	);
}

/**
 * Returns the newest campaigns as options of the field Survey. Live campaigns come first and closed campaigns last.
 * Campaigns that are already chosen are always among the options, because the editor marks a chosen value without an
 * option as an error.
 */
export async function getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const entries = await entriesOf(this, campaigns);
	const newest = entries.slice(0, MOST_OPTIONS);
	const chosen = chosenIds(this).filter((id) => newest.every((entry) => entry.id !== id));
	return toDropdownOptions([
		...newest.sort((a, b) => rankOf(a) - rankOf(b)),
		...chosen.map((id) => entries.find((entry) => entry.id === id) ?? notListed(id)),
	]);
}

/** Returns 0 for a live campaign, 2 for a closed campaign, and 1 for a campaign that may go live. */
function rankOf({ status }: Entry): number {
	if (status === CAMPAIGN_STATUS.live) return 0;
	return status === CAMPAIGN_STATUS.closed ? 2 : 1;
}

/** Returns the IDs that the parameter contains, without repeats. Returns none if an expression fills the parameter. */
function chosenIds(context: ILoadOptionsFunctions): string[] {
	const chosen: unknown = context.getCurrentNodeParameter('campaignIds');
	const values: unknown[] = Array.isArray(chosen) ? chosen : [];
	return [...new Set(values.filter((value) => typeof value === 'string').filter(Boolean))];
}

const notListed = (id: string): Entry => ({ id, name: id, shown: `${id}, not in the list` });
