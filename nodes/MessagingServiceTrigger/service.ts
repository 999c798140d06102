import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { failure } from '../shared/failure';
import { buildPath } from '../shared/service/path';
import type { Envelope } from '../shared/service/envelope';
import { recordsOf } from '../shared/service/envelope';
import { byPreviousLastId } from '../shared/service/paging';
import { withRetry } from '../shared/service/retry';
import type { SurveyData } from '../shared/surveyData';
import { readSurveyData } from '../shared/surveyData';
import { apiRequest } from '../shared/service/transport';
import type { Listed } from './watchedCampaigns';

/** How often a read is tried when it fails for a passing reason. */
const TRIES = 3;

/** A request gets at least this long, however little is left of the poll's time. */
const SHORTEST_TIMEOUT_MS = 5_000;

/** Status codes of campaigns that nobody has received yet (campaign.create in emulator/openapi.yaml). */
const NOT_YET_LIVE: unknown[] = ['0', '4'];

/**
 * The campaigns that went live since `from`, newest first, over all pages (campaign.getAll in emulator/openapi.yaml).
 *
 * @param filters further query parameters of the list
 * @throws NodeApiError
 */
export async function listCampaigns(
	context: IPollFunctions,
	filters: IDataObject,
	from: number,
	deadline: number,
): Promise<Listed[]> {
	const minLiveDate = new Date(from).toISOString();
	const records = await byPreviousLastId(
		async (paging) => {
			const qs = { ...filters, minLiveDate, ...paging };
			const envelope = await read(context, '/int/v1/campaign', qs, deadline);
			return { records: recordsOf(context.getNode(), envelope) };
		},
		Infinity,
		failure(context),
	);
	const campaigns: Listed[] = [];
	for (const { _id, status, liveDate } of records) {
		if (typeof _id !== 'string' || NOT_YET_LIVE.includes(status)) continue;
		const live = typeof liveDate === 'string' ? Date.parse(liveDate) : NaN;
		campaigns.push(Number.isNaN(live) ? { id: _id } : { id: _id, live });
	}
	return campaigns;
}

/** The responses to a campaign (survey.getResponses in emulator/openapi.yaml). @throws NodeApiError */
export async function readSurvey(
	context: IPollFunctions,
	campaignId: string,
	deadline: number,
): Promise<SurveyData> {
	const fail = failure(context);
	const path = buildPath('/int/v1/campaign/:campaignId/surveyData', () => campaignId, fail);
	const { data } = await read(context, path, {}, deadline);
	return readSurveyData(data, fail);
}

/** Whether the service said that a campaign has no questions, and so never any responses (survey.getResponses in emulator/openapi.yaml). */
export function isNoSurvey(error: unknown): boolean {
	return error instanceof NodeApiError && /^Campaign is not a survey/i.test(error.message);
}

async function read(
	context: IPollFunctions,
	url: string,
	qs: IDataObject,
	deadline: number,
): Promise<Envelope> {
	return await withRetry(
		async () => {
			const timeout = Math.max(deadline - Date.now(), SHORTEST_TIMEOUT_MS);
			return await apiRequest.call(context, { url, qs, timeout });
		},
		{ tries: TRIES, deadline },
	);
}
