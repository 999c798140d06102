import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { apiRequest, type Envelope } from '../../shared/transport/apiRequest';
import { statusName } from '../../shared/campaignStatus';
import { failure } from '../../shared/failure';
import { settle } from '../../shared/concurrency';
import { isAccessRefusal } from '../../shared/transport/errors/apiError';
import { buildPath } from '../../shared/transport/path';
import { byPreviousLastId, toPage } from '../../shared/transport/paging';
import { isTooMany, withRetries } from '../../shared/transport/retry';
import { serviceTime } from '../../shared/serviceTime';
import { isDataObject } from '../../shared/values';
import type { SurveyData } from '../../shared/surveyData';
import { readSurveyData } from '../../shared/surveyData';
import type { Listed, Phase } from '../campaigns/watchedCampaigns';

/** Attempts per read, including the first. */
const TRIES = 3;

/** The shortest timeout of a request. It applies even if less time is left until the poll's deadline. */
const SHORTEST_TIMEOUT_MS = 5_000;

/** The largest page of the campaign list (campaign.getAll in emulator/openapi.yaml). */
const LARGEST_PAGE = 1000;

/** A list of campaigns, and the time at which it was sent, by the service's clock. */
export type CampaignList = { campaigns: Listed[]; sentAt?: number };

/**
 * Returns all campaigns that went live since `from`, newest first (campaign.getAll in emulator/openapi.yaml).
 *
 * @param filters more query parameters
 * @throws NodeApiError
 */
export async function listCampaigns(
	context: IPollFunctions,
	filters: IDataObject,
	from: number,
	deadline: number,
): Promise<CampaignList> {
	const minLiveDate = new Date(from).toISOString();
	let sentAt: number | undefined;
	const records = await byPreviousLastId(
		async (paging) => {
			const qs = { ...filters, minLiveDate, ...paging };
			const envelope = await read(context, '/int/v1/campaign', qs, deadline);
			// A campaign that goes live during paging may be on no page, so the time of the first page counts.
			sentAt ??= envelope.sentAt;
			return toPage(context.getNode(), envelope);
		},
		Infinity,
		failure(context),
	);
	const campaigns = listedIn(records).filter(({ phase }) => phase !== 'notYetLive');
	return { campaigns, sentAt };
}

/** Returns the newest campaigns visible to the caller: one page. @throws NodeApiError */
export async function newestCampaigns(
	context: IPollFunctions,
	deadline: number,
): Promise<CampaignList> {
	const envelope = await read(context, '/int/v1/campaign', { limit: LARGEST_PAGE }, deadline);
	const campaigns = listedIn(toPage(context.getNode(), envelope).records);
	return { campaigns, sentAt: envelope.sentAt };
}

function listedIn(records: IDataObject[]): Listed[] {
	return records.map(listedOf).filter((campaign) => campaign !== undefined);
}

/** Converts one record of the list (status codes: campaign.create in emulator/openapi.yaml). */
function listedOf({
	_id,
	name,
	status,
	liveDate,
	recipientAmount,
}: IDataObject): Listed | undefined {
	if (typeof _id !== 'string') return undefined;
	const campaign: Listed = { id: _id, phase: phaseOf(status) };
	const live = serviceTime(liveDate);
	if (!Number.isNaN(live)) campaign.live = live;
	if (typeof recipientAmount === 'number') campaign.recipients = recipientAmount;
	if (typeof name === 'string') campaign.name = name;
	return campaign;
}

/** Returns the phase of a status. An undocumented status counts as live, because an unnecessary read does no harm. */
function phaseOf(status: unknown): Phase {
	switch (statusName(status)) {
		case 'draft':
		case 'scheduled':
			return 'notYetLive';
		case 'closed':
			return 'closed';
		default:
			return 'live';
	}
}

/** Returns a campaign that is not on the list (campaign.get in emulator/openapi.yaml). @throws NodeApiError */
export async function readCampaign(
	context: IPollFunctions,
	campaignId: string,
	deadline: number,
): Promise<Listed> {
	const campaign = await readRecord(context, '/int/v1/campaign/:campaignId', campaignId, deadline);
	return listedOf({ ...campaign, _id: campaignId }) ?? { id: campaignId };
}

/**
 * Returns the number of recipients in a campaign's report, 0 if the report has no such number (campaign.getReport in
 * emulator/openapi.yaml). @throws NodeApiError
 */
export async function readRecipientsAmount(
	context: IPollFunctions,
	campaignId: string,
	deadline: number,
): Promise<number> {
	const path = '/int/v1/campaign/:campaignId/report';
	const { recipientsAmount } = await readRecord(context, path, campaignId, deadline);
	return typeof recipientsAmount === 'number' ? recipientsAmount : 0;
}

async function readRecord(
	context: IPollFunctions,
	path: string,
	campaignId: string,
	deadline: number,
): Promise<IDataObject> {
	const url = buildPath(path, { campaignId }, failure(context));
	const { data } = await read(context, url, {}, deadline);
	return isDataObject(data) ? data : {};
}

/**
 * Returns the responses to a campaign (survey.getResponses in emulator/openapi.yaml), and whether the service first
 * refused with "too many requests".
 *
 * @throws NodeApiError
 */
export async function readSurvey(
	context: IPollFunctions,
	campaignId: string,
	deadline: number,
): Promise<{ survey: SurveyData; wasLimited: boolean }> {
	const fail = failure(context);
	const path = buildPath('/int/v1/campaign/:campaignId/surveyData', { campaignId }, fail);
	let wasLimited = false;
	const { data } = await read(context, path, {}, deadline, (error) => {
		wasLimited ||= isTooMany(error);
	});
	return { survey: readSurveyData(data, fail), wasLimited };
}

/** Whether the service reported that the campaign is not a survey (survey.getResponses in emulator/openapi.yaml). */
export function isNoSurvey(error: unknown): boolean {
	return error instanceof NodeApiError && /^Campaign is not a survey/i.test(error.message);
}

/**
 * Whether the service reported "not found": the record does not exist, or the caller cannot see it (campaign.get in
 * emulator/openapi.yaml).
 */
export function isNotFound(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return error.httpCode === '404' || /^Not Found\.?$/i.test(error.message);
}

/** Why a poll stops reading. */
export type Stop = 'tooManyRequests' | 'accessRefused';

/**
 * Returns a function that decides whether a failed read ends the poll. The function requests the caller's profile at most
 * once.
 */
export function stopCheck(
	context: IPollFunctions,
	deadline: number,
): (error: unknown) => Promise<Stop | undefined> {
	let refused: Promise<boolean> | undefined;
	return async (error) => {
		if (isTooMany(error)) return 'tooManyRequests';
		if (!isAccessRefusal(error)) return undefined;
		refused ??= isRefusedEverywhere(context, deadline);
		return (await refused) ? 'accessRefused' : undefined;
	};
}

/** Whether the service refuses even the caller's own profile. */
async function isRefusedEverywhere(context: IPollFunctions, deadline: number): Promise<boolean> {
	const outcome = await settle(async () => await read(context, '/int/v1/me', {}, deadline));
	return 'error' in outcome && isAccessRefusal(outcome.error);
}

async function read(
	context: IPollFunctions,
	url: string,
	qs: IDataObject,
	deadline: number,
	onRetry?: (error: unknown) => void,
): Promise<Envelope> {
	return await withRetries(
		async () => {
			const timeout = Math.max(deadline - Date.now(), SHORTEST_TIMEOUT_MS);
			return await apiRequest.call(context, { url, qs, timeout });
		},
		{ tries: TRIES, deadline, onRetry },
	);
}
