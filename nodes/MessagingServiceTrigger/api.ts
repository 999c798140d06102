import type { IDataObject } from 'n8n-workflow';

import { CAMPAIGN_STATUS, statusName } from '../shared/statusCodes';
import { settle } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { parseSurveyData, type SurveyData } from '../shared/surveyData';
import { apiRequest, type Envelope } from '../shared/transport/apiRequest';
import { byPreviousLastId, LARGEST_PAGE, toPage, type Page } from '../shared/transport/paging';
import { buildPath } from '../shared/transport/address';
import { isTimeout, isRateLimited, isTransient, withRetries } from '../shared/transport/retry';
import { DAY_MS, parseServiceDate } from '../shared/serviceDate';
import { fieldsIn, isDataObject, trimmed } from '../shared/values';
import { timeoutOf, timesOf, type Api } from './schedule';

/** Attempts per read, including the first. */
const TRIES = 3;

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
	if ('selected' in watch) return listedIn((await readPage(api, { limit: LARGEST_PAGE })).records);
	const days = isWhole ? Infinity : watch.liveWithinDays;
	const asked = daysAgo(api, days);
	const records = await listSince(api, watch.all, asked);
	// n8n's clock is wrong by more than a day, so the list is requested again by the service's clock.
	if (Math.abs(daysAgo(api, days) - asked) <= DAY_MS) return listedIn(records);
	return listedIn(await listSince(api, watch.all, daysAgo(api, days)));
}

/** Returns the time this many days ago, but not before 1970. */
function daysAgo(api: Api, days: number): number {
	return Math.max(timesOf(api).now - days * DAY_MS, 0);
}

/** How many live campaigns that are not watched are looked at, newest first. */
const OLDER_PAGE = 20;

/**
 * Lists the newest live campaigns that are too old for Live Within Days; none with Selected Campaigns. Campaigns without
 * a readable live date are left out.
 *
 * @throws NodeApiError
 */
export async function listOlder(api: Api): Promise<Listed[]> {
	const { watch } = api.settings;
	if ('selected' in watch) return [];
	const from = daysAgo(api, watch.liveWithinDays);
	const maxLiveDate = new Date(from).toISOString();
	const qs = { ...watch.all, status: CAMPAIGN_STATUS.live, maxLiveDate, limit: OLDER_PAGE };
	const older = listedIn((await readPage(api, qs)).records);
	return [...older.values()].filter(({ live = from }) => live < from);
}

async function listSince(api: Api, filters: IDataObject, from: number): Promise<IDataObject[]> {
	const fail = failure(api.context);
	const minLiveDate = new Date(from).toISOString();
	let pages = 0;
	const { records, problem } = await byPreviousLastId(async (paging) => {
		// Paging ends when the time of the poll is over.
		if (pages++ > 0 && Date.now() >= api.deadline)
			throw fail('The list of campaigns takes too long', 'Set filters to get fewer campaigns.');
		return await readPage(api, { ...filters, minLiveDate, ...paging });
	});
	if (problem) api.context.logger.warn(problem);
	return records;
}

async function readPage(api: Api, qs: IDataObject): Promise<Page> {
	return toPage(api.context.getNode(), await read(api, '/int/v1/campaign', qs));
}

function listedIn(records: IDataObject[]): Map<string, Listed> {
	const listed = new Map<string, Listed>();
	for (const { _id: id, name, status, liveDate, recipientAmount } of records) {
		if (typeof id !== 'string') continue;
		const live = parseServiceDate(liveDate) || undefined;
		const recipients = typeof recipientAmount === 'number' ? recipientAmount : 0;
		listed.set(id, { id, status: statusName(status), live, recipients, name: trimmed(name) });
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
	const { status, name } = fieldsIn(data);
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
	return parseSurveyData(data, failure(api.context));
}

async function readData(api: Api, path: string, campaignId: string): Promise<unknown> {
	const url = buildPath(path, { campaignId }, failure(api.context));
	return (await read(api, url)).data;
}

/**
 * Sends one read. "Too many requests" is not repeated: it ends this poll's reads. A read that hangs is not repeated
 * either: the next poll tries again, after the other campaigns.
 */
async function read(api: Api, url: string, qs: IDataObject = {}): Promise<Envelope> {
	const { context, deadline } = api;
	const isRetryable = (error: unknown): boolean => {
		api.isLimited ||= isRateLimited(error);
		return isTransient(error) && !isRateLimited(error) && !isTimeout(error);
	};
	return await withRetries(
		async () => {
			const envelope = await apiRequest.call(context, { url, qs, timeout: timeoutOf(api) });
			api.serviceNow ??= envelope.sentAt;
			return envelope;
		},
		{ maxTries: TRIES, deadline, isRetryable },
	);
}
