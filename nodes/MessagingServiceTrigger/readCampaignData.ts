import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { failure, messageOf } from '../shared/failure';
import { settle, type Outcome } from '../shared/concurrency';
import { numberingOf, type Numbering, type SurveyData } from '../shared/surveyData';
import { isTooMany } from '../shared/transport/retry';
import { isNoSurvey, readCampaign, readRecipientsAmount, readSurvey } from './api/reads';
import { processSurveyData } from './campaigns/processSurveyData';
import { noteOpen, type Watched } from './campaigns/watchedCampaigns';
import { closingItem } from './closingItem';
import type { NewEvent } from './dedupe/newEvents';
import type { Settings } from './settings';
import type { CampaignState } from './state/savedState';

/** The data of one campaign. */
type CampaignData = {
	/** The state of the campaign before the read. */
	campaign: CampaignState;
	survey: SurveyData;
	/** Whether the service refused a request with "too many requests", even if a retry succeeded. */
	wasLimited: boolean;
	/** Whether the campaign was closed before its survey data was requested. */
	isClosed: boolean;
	/** The number of recipients in the campaign's report. Read only when the campaign closes. */
	reported: number;
};

/** The campaign's data and its new events; the survey keeps only the rows with new events. */
export type Processed = CampaignData & {
	newEvents: NewEvent[];
	isHeld: boolean;
	/** The item for the closing of the campaign. */
	closing?: IDataObject;
	numbering: Numbering | undefined;
};

/**
 * Reads the survey data of a campaign. With Survey Closed, also requests the campaign's status if it is not known from the
 * list. @throws NodeApiError
 */
export async function readCampaignData(
	context: IPollFunctions,
	{ campaigns, listed, foundClosed }: Watched,
	id: string,
	{ events, surveyClosed }: Settings,
	deadline: number,
): Promise<CampaignData> {
	const campaign = campaigns.get(id) ?? { events };
	const phase = listed.get(id)?.phase;
	const isListed = phase !== undefined && phase !== 'takenForLive';
	const isClosed = phase === 'closed' || (!isListed && foundClosed.has(id));
	const read = await readSurvey(context, id, deadline);
	let { wasLimited } = read;
	if (surveyClosed && !isListed && !isClosed) {
		// The status is requested after the rows, so that the rows are read even if the rate limit allows only one request.
		const asked = await settle(async () => await readCampaign(context, id, deadline));
		if ('error' in asked) {
			wasLimited ||= isTooMany(asked.error);
			context.logger.warn(
				`It is unknown whether campaign ${id} is closed: ${messageOf(asked.error)}`,
			);
		} else {
			noteOpen(campaign, asked.result.phase, surveyClosed);
			// The closing is emitted after the next read, which returns the campaign's last responses.
			if (asked.result.phase === 'closed' && campaign.open) foundClosed.add(id);
		}
	}
	const reported =
		isClosed && campaign.open ? await readRecipientsAmount(context, id, deadline) : 0;
	return { campaign, survey: read.survey, wasLimited, isClosed, reported };
}

/**
 * Finds the new events in the survey data of a campaign.
 *
 * @param limits see processSurveyData
 * @throws DamagedRowsError
 */
export function processCampaign(
	id: string,
	data: CampaignData,
	limits: { now: number; most: number },
): Processed {
	const { campaign, survey, isClosed, reported } = data;
	const { isClosing, ...processed } = processSurveyData(campaign, survey, { ...limits, isClosed });
	// Keeps only the rows with new events, to save memory: items are built only after all campaigns are read.
	const result = [...new Set(processed.newEvents.map(({ row }) => row))];
	return {
		...data,
		...processed,
		closing: isClosing ? closingItem(id, survey, reported) : undefined,
		survey: { ...survey, result },
		numbering: numberingOf(survey),
	};
}

/** Returns an error that names the selected campaigns that are not surveys; `undefined` if there are none. */
export async function refusalOfNoSurveys(
	context: IPollFunctions,
	reads: Map<string, Outcome<Processed>>,
	{ campaigns, listed }: Watched,
	deadline: number,
): Promise<Error | undefined> {
	const names: string[] = [];
	for (const [id, read] of reads) {
		// A campaign with known rows is a survey, even if the service denies it now.
		const isRefused = 'error' in read && isNoSurvey(read.error) && !campaigns.get(id)?.rows;
		if (!isRefused) continue;
		const known = listed.get(id)?.name;
		const asked = await settle(async () =>
			known === undefined ? await readCampaign(context, id, deadline) : { name: known },
		);
		names.push(`"${('result' in asked && asked.result.name) || id}"`);
	}
	if (names.length === 0) return undefined;
	return failure(context)(
		names.length === 1 ? `${names.join()} is not a survey` : `${names.join(', ')} are not surveys`,
		'Only surveys have responses that the trigger can read. Select only surveys in Campaigns, then publish the workflow again.',
	);
}
