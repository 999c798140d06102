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

/** What one read of a campaign brought. */
type CampaignData = {
	/** As it was before the read. */
	campaign: CampaignState;
	survey: SurveyData;
	/** Whether the service first refused the survey data for too many requests. */
	wasLimited: boolean;
	/** Whether it was closed before its survey data was asked for. */
	isClosed: boolean;
	/** How many recipients its report counts; asked for at its closing alone. */
	reported: number;
};

/** The same after it was compared with what was seen: the survey has the rows of the new events alone. */
export type Processed = CampaignData & {
	news: NewEvent[];
	isHeld: boolean;
	/** The item of its closing. */
	closing?: IDataObject;
	numbering: Numbering | undefined;
};

/** Reads a campaign; if the list does not give its status, its state notes that it is open. @throws NodeApiError */
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
		// The rows first: under a rate limit another request before them could cost this campaign its turn.
		const asked = await settle(async () => await readCampaign(context, id, deadline));
		if ('error' in asked) {
			wasLimited ||= isTooMany(asked.error);
			context.logger.warn(
				`Whether campaign ${id} is closed is not known: ${messageOf(asked.error)}`,
			);
		} else {
			noteOpen(campaign, asked.result.phase, surveyClosed);
			// Its last responses are those of the next reading.
			if (asked.result.phase === 'closed' && campaign.open) foundClosed.add(id);
		}
	}
	const reported =
		isClosed && campaign.open ? await readRecipientsAmount(context, id, deadline) : 0;
	return { campaign, survey: read.survey, wasLimited, isClosed, reported };
}

/**
 * What is new in the survey data of a campaign.
 *
 * @param limits as processSurveyData takes them
 * @throws DamagedRowsError
 */
export function processCampaign(
	id: string,
	data: CampaignData,
	limits: { now: number; most: number },
): Processed {
	const { campaign, survey, isClosed, reported } = data;
	const { isClosing, ...processed } = processSurveyData(campaign, survey, { ...limits, isClosed });
	// The other rows are let go: the items are built after all campaigns are read.
	const result = [...new Set(processed.news.map(({ row }) => row))];
	return {
		...data,
		...processed,
		closing: isClosing ? closingItem(id, survey, reported) : undefined,
		survey: { ...survey, result },
		numbering: numberingOf(survey),
	};
}

/** The error that names the chosen campaigns that are no surveys: nothing would ever come of them. */
export async function refusalOfNoSurveys(
	context: IPollFunctions,
	reads: Map<string, Outcome<Processed>>,
	{ campaigns, listed }: Watched,
	deadline: number,
): Promise<Error | undefined> {
	const names: string[] = [];
	for (const [id, read] of reads) {
		// The service may say so once of a survey that is known.
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
		'Only surveys have responses that the trigger can read. Remove what is none from Campaigns, then publish the workflow again.',
	);
}
