import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { statusName } from '../shared/status';
import { settle } from '../shared/concurrency';
import { failure, messageOf } from '../shared/failure';
import { readSurveyData, type SurveyData } from '../shared/surveyData';
import { apiRequest, type Envelope } from '../shared/transport/apiRequest';
import { byPreviousLastId, toPage } from '../shared/transport/paging';
import { buildPath } from '../shared/transport/address';
import { isTooMany, isTransient, withRetries } from '../shared/transport/retry';
import { isDataObject } from '../shared/values';
import { timeOf } from './rows';
import type { Settings } from './settings';

/** Attempts per read, including the first. */
const TRIES = 3;

/** The shortest timeout of a request. It applies even if less time is left until the poll's deadline. */
const SHORTEST_TIMEOUT_MS = 5_000;

/** The largest page of the campaign list (campaign.getAll in emulator/openapi.yaml). */
const LARGEST_PAGE = 1000;

const DAY_MS = 24 * 60 * 60_000;

/** A difference between two clocks below this one counts as none, because the Date header has whole seconds. */
const EXACT_MS = 2_000;

/** How much earlier than now a campaign counts as watched: an early time costs nothing, a late one loses answers. */
const EARLIER_MS = 5 * 60_000;

/** The service's clock and n8n's, during one poll. Times are in milliseconds since the epoch. */
export class Clock {
	/** How far the service's clock is ahead, once any response of the poll has a Date header. */
	private aheadMs: number | undefined;

	/** @param startedAt the start of the poll, by n8n's clock */
	constructor(readonly startedAt: number) {}

	/** Takes the time at which a response was sent. */
	note(sentAt: number | undefined): void {
		if (sentAt === undefined || this.aheadMs !== undefined) return;
		const aheadMs = sentAt - Date.now();
		this.aheadMs = Math.abs(aheadMs) < EXACT_MS ? 0 : aheadMs;
	}

	/** The start of the poll: by the service's clock if it is known, otherwise by n8n's. */
	get now(): number {
		return this.serviceNow ?? this.startedAt;
	}

	/** The start of the poll by the service's clock; `undefined` if it is not known. */
	get serviceNow(): number | undefined {
		return this.aheadMs === undefined ? undefined : this.startedAt + this.aheadMs;
	}

	/** Since when a campaign is watched that this poll begins to watch: the earlier of both clocks, less five minutes. */
	get since(): number {
		return Math.min(this.startedAt, this.now) - EARLIER_MS;
	}
}

/** One poll's access to the service. */
export type Api = {
	context: IPollFunctions;
	clock: Clock;
	/** The time at which the poll's requests end, in milliseconds since the epoch by n8n's clock. */
	deadline: number;
};

/** The status of a campaign; `undefined` if it is missing or not documented. */
export type Status = 'draft' | 'live' | 'closed' | undefined;

/** A campaign on the list. */
export type Listed = {
	id: string;
	status: Status;
	/** When it went live, in milliseconds since the epoch; absent if the service does not say it. */
	live?: number;
	/** The number of recipients, if known. */
	recipients?: number;
	name?: string;
};

/**
 * Lists the campaigns of All Campaigns that went live within the days of the settings. For Selected Campaigns, returns the
 * newest ones: one page.
 *
 * @throws NodeApiError, or NodeOperationError if reading takes longer than the poll
 */
export async function listCampaigns(
	api: Api,
	{ watch }: Pick<Settings, 'watch'>,
): Promise<Listed[]> {
	if ('selected' in watch) {
		const envelope = await read(api, '/int/v1/campaign', { limit: LARGEST_PAGE });
		return listedIn(toPage(api.context.getNode(), envelope).records);
	}
	const { clock } = api;
	const asked = clock.now;
	const records = await listSince(api, watch.all, asked - watch.liveWithinDays * DAY_MS);
	// n8n's clock is over a day off: the list is asked for again by the service's clock.
	if (Math.abs(clock.now - asked) <= DAY_MS) return listedIn(records);
	return listedIn(await listSince(api, watch.all, clock.now - watch.liveWithinDays * DAY_MS));
}

async function listSince(api: Api, filters: IDataObject, from: number): Promise<IDataObject[]> {
	const fail = failure(api.context);
	const minLiveDate = new Date(Math.max(from, 0)).toISOString();
	let pages = 0;
	return await byPreviousLastId(
		async (paging) => {
			if (pages++ > 0 && Date.now() >= api.deadline)
				throw fail(
					'The list of campaigns takes longer than a poll may take',
					'Set filters to get fewer campaigns. The next poll tries again.',
				);
			const qs = { ...filters, minLiveDate, ...paging };
			return toPage(api.context.getNode(), await read(api, '/int/v1/campaign', qs));
		},
		Infinity,
		fail,
	);
}

function listedIn(records: IDataObject[]): Listed[] {
	return records.flatMap((record) => {
		const { _id, name, status, liveDate, recipientAmount } = record;
		if (typeof _id !== 'string') return [];
		const listed: Listed = { id: _id, status: statusOf(status) };
		const live = timeOf(liveDate);
		if (!Number.isNaN(live)) listed.live = live;
		if (typeof recipientAmount === 'number') listed.recipients = recipientAmount;
		if (typeof name === 'string') listed.name = name;
		return [listed];
	});
}

/** Converts a status code, as text or number. */
function statusOf(code: unknown): Status {
	const name = statusName(typeof code === 'number' ? String(code) : code);
	if (name === 'draft' || name === 'scheduled') return 'draft';
	return name === 'live' || name === 'closed' ? name : undefined;
}

/** Returns the status and name of one campaign (campaign.get in emulator/openapi.yaml). @throws NodeApiError */
export async function readCampaign(
	api: Api,
	id: string,
): Promise<{ status: Status; name?: string }> {
	const { status, name } = await readRecord(api, '/int/v1/campaign/:campaignId', id);
	return { status: statusOf(status), ...(typeof name === 'string' && { name }) };
}

/**
 * Returns the number of recipients in a campaign's report (campaign.getReport in emulator/openapi.yaml); `undefined`, with
 * a warning, if the report fails or has no such number.
 */
export async function readRecipientsAmount(api: Api, id: string): Promise<number | undefined> {
	const outcome = await settle(
		async () => await readRecord(api, '/int/v1/campaign/:campaignId/report', id),
	);
	const amount = 'result' in outcome ? outcome.result.recipientsAmount : undefined;
	if (typeof amount === 'number') return amount;
	const reason = 'error' in outcome ? messageOf(outcome.error) : 'it has no number';
	api.context.logger.warn(
		`The recipients of campaign ${id} are unknown, because its report cannot be used: ${reason}`,
	);
	return undefined;
}

async function readRecord(api: Api, path: string, campaignId: string): Promise<IDataObject> {
	const url = buildPath(path, { campaignId }, failure(api.context));
	const { data } = await read(api, url);
	return isDataObject(data) ? data : {};
}

/** Returns the responses to a campaign (survey.getResponses in emulator/openapi.yaml). @throws NodeApiError */
export async function readSurvey(api: Api, campaignId: string): Promise<SurveyData> {
	const fail = failure(api.context);
	const path = buildPath('/int/v1/campaign/:campaignId/surveyData', { campaignId }, fail);
	const { data } = await read(api, path);
	return readSurveyData(data, fail);
}

/** Whether the service said that the campaign is not a survey (survey.getResponses in emulator/openapi.yaml). */
export function isNoSurvey(error: unknown): boolean {
	return error instanceof NodeApiError && /^Campaign is not a survey/i.test(error.message);
}

/** Whether the service said "not found": the record does not exist, or the caller cannot see it. */
export function isNotFound(error: unknown): boolean {
	if (!(error instanceof NodeApiError)) return false;
	return error.httpCode === '404' || /^Not Found\.?$/i.test(error.message);
}

/** Sends one read. "Too many requests" is not repeated: it ends this poll's reads. */
async function read(
	{ context, clock, deadline }: Api,
	url: string,
	qs: IDataObject = {},
): Promise<Envelope> {
	return await withRetries(
		async () => {
			const timeout = Math.max(deadline - Date.now(), SHORTEST_TIMEOUT_MS);
			const envelope = await apiRequest.call(context, { url, qs, timeout });
			clock.note(envelope.sentAt);
			return envelope;
		},
		{ tries: TRIES, deadline, isRetryable: (error) => isTransient(error) && !isTooMany(error) },
	);
}
