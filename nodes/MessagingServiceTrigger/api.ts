import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { statusName } from '../shared/statusCodes';
import { settle } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { parseSurveyData, type SurveyData } from '../shared/surveyData';
import { apiRequest, type Envelope } from '../shared/transport/apiRequest';
import { byPreviousLastId, LARGEST_PAGE, toPage, type Page } from '../shared/transport/paging';
import { buildPath } from '../shared/transport/address';
import { isTimeout, isRateLimited, isTransient, withRetries } from '../shared/transport/retry';
import { parseServiceDate } from '../shared/serviceDate';
import { fieldsIn, trimmed } from '../shared/values';
import { timeoutOf, type Api } from './schedule';

/** Attempts per read, including the first. */
const TRIES = 3;

/** A campaign as the list shows it. */
export type ListedCampaign = {
	id: string;
	/** The name of the status, or `undefined` if the status is missing or not documented. */
	status: string | undefined;
	/** When it went live, in milliseconds since the epoch. Absent if the service does not return the date. */
	liveAt?: number;
	/** The number of recipients: 0 if the list does not say it, and absent if the campaign was read by its ID. */
	recipients?: number;
	name?: string;
};

/** The campaigns of a list, by ID. */
export type CampaignList = Map<string, ListedCampaign>;

/**
 * Lists the campaigns of All Campaigns. For Selected Campaigns, returns only the newest ones, in one page. The trigger asks
 * for the statuses of campaigns that are not on the list.
 *
 * @param liveSince with All Campaigns, lists those that went live after this time, in milliseconds since the epoch. 0 lists
 *   all
 * @throws NodeApiError, or NodeOperationError if reading takes longer than the poll
 */
export async function listCampaigns(api: Api, liveSince = 0): Promise<CampaignList> {
	const { watch } = api.settings;
	if ('selected' in watch) return campaignsById(await readPage(api, { limit: LARGEST_PAGE }));
	const fail = failure(api.context);
	const minLiveDate = new Date(liveSince).toISOString();
	let pages = 0;
	const listing = await byPreviousLastId(async (paging) => {
		// Paging ends when the time of the poll is over.
		if (pages++ > 0 && Date.now() >= api.deadline)
			throw fail('The list of campaigns takes too long', 'Set filters to get fewer campaigns.');
		return await readPage(api, { ...watch.all, minLiveDate, ...paging });
	});
	if (listing.problem) api.context.logger.warn(listing.problem);
	return campaignsById(listing);
}

async function readPage(api: Api, qs: IDataObject): Promise<Page> {
	return toPage(api.context.getNode(), await read(api, '/int/v1/campaign', qs));
}

/** Leaves out records without an ID. */
function campaignsById({ records }: Pick<Page, 'records'>): CampaignList {
	const list: CampaignList = new Map();
	for (const { _id: id, name, status, liveDate, recipientAmount } of records) {
		if (typeof id !== 'string') continue;
		const liveAt = parseServiceDate(liveDate) || undefined;
		const recipients = typeof recipientAmount === 'number' ? recipientAmount : 0;
		list.set(id, { id, status: statusName(status), liveAt, recipients, name: trimmed(name) });
	}
	return list;
}

/** Whether this status means that a campaign has not been sent yet. An unknown status (`undefined`) does not. */
export function isUnsent(status: string | undefined): boolean {
	return status === 'draft' || status === 'scheduled';
}

/** Returns a campaign with its status and name (campaign.get in emulator/openapi.yaml). @throws NodeApiError */
export async function readCampaign(api: Api, id: string): Promise<ListedCampaign> {
	const { status, name } = fieldsIn(await readData(api, '/int/v1/campaign/:campaignId', id));
	return { id, status: statusName(status), name: trimmed(name) };
}

/**
 * Returns the number of recipients in a campaign's report (campaign.getReport in emulator/openapi.yaml). If the report
 * fails or has no number, warns and returns `undefined`.
 */
export async function readRecipientsAmount(api: Api, id: string): Promise<number | undefined> {
	const report = await settle(() => readData(api, '/int/v1/campaign/:campaignId/report', id));
	const { recipientsAmount } = fieldsIn('result' in report ? report.result : undefined);
	if (typeof recipientsAmount === 'number') return recipientsAmount;
	const reason = 'error' in report ? messageOf(report.error) : 'its report has no number';
	api.context.logger.warn(`The recipients of campaign ${id} are unknown: ${reason}`);
	return undefined;
}

/**
 * Returns the questions and responses of a survey (survey.getResponses in emulator/openapi.yaml).
 *
 * @throws NodeApiError, or NodeOperationError if the response is not survey data
 */
export async function readSurvey(api: Api, id: string): Promise<SurveyData> {
	const data = await readData(api, '/int/v1/campaign/:campaignId/surveyData', id);
	return parseSurveyData(data, failure(api.context));
}

async function readData(api: Api, path: string, campaignId: string): Promise<unknown> {
	const url = buildPath(path, { campaignId }, failure(api.context));
	return (await read(api, url)).data;
}

/**
 * Sends one read. After "too many requests", it is repeated twice at most, if the service asks for a wait that ends in the
 * first half minute of the poll. Otherwise, this ends all reads of the poll. It is not repeated after a timeout: the next
 * poll tries again, after the other campaigns.
 */
async function read(api: Api, url: string, qs: IDataObject = {}): Promise<Envelope> {
	const { context, deadline } = api;
	let refusals = 0;
	const send = async (): Promise<Envelope> => {
		const timeout = timeoutOf(api);
		const sent = await settle(() => apiRequest.call(context, { url, qs, timeout }));
		if ('error' in sent) {
			const askedMs = sent.error instanceof NodeApiError && sent.error.context.retryAfterMs;
			const endsAt = Date.now() + (Number(askedMs) || Infinity);
			// n8n waits for the first poll when it publishes.
			const latest = Math.min(deadline, api.startedAt + 30_000);
			api.isRateLimited ||= isRateLimited(sent.error) && (++refusals === TRIES || endsAt > latest);
			throw sent.error;
		}
		api.serviceNow ??= sent.result.sentAt;
		return sent.result;
	};
	const isRetryable = (error: unknown): boolean =>
		isTransient(error) && api.isRateLimited !== true && !isTimeout(error);
	return await withRetries(send, { maxTries: TRIES, deadline, isRetryable });
}
