import { failure, messageOf } from '../../../shared/failure';
import { parseSurveyData, type SurveyData } from '../../../shared/surveyData';
import { fillPath } from '../../../shared/transport/address';
import { fieldsIn } from '../../../shared/values';
import type { Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';

// The requests that read one survey. All take the campaign's ID as returned by `checkedId`.

const CAMPAIGN = '/int/v1/campaign/:campaignId';

/** GET /int/v1/campaign/:id/surveyData. */
export const SURVEY_DATA = `${CAMPAIGN}/surveyData`;

async function readData(item: Item, path: string, campaignId: string): Promise<unknown> {
	return (await callApi(item, { url: fillPath(path, { campaignId }) })).data;
}

/** GET campaign/:id: returns the campaign's status code. */
export async function readStatus(item: Item, campaignId: string): Promise<unknown> {
	return fieldsIn(await readData(item, CAMPAIGN, campaignId)).status;
}

/**
 * GET campaign/:id/surveyData: returns the checked data, and the data as received (`raw`).
 *
 * @throws if the response is not survey data
 */
export async function readSurveyData(item: Item, campaignId: string) {
	const data = await readData(item, SURVEY_DATA, campaignId);
	return { survey: parseSurveyData(data, failure(item)), raw: fieldsIn(data) };
}

/**
 * GET campaign/:id/report: returns the number of recipients, or, if the report fails or has no number, a sentence that
 * says so (`problem`). Never throws, because survey data is useful without the number.
 */
export async function readReportedRecipients(
	item: Item,
	campaignId: string,
): Promise<{ reported?: number; problem?: string }> {
	let reason = 'the report has no number of recipients';
	try {
		const { recipientsAmount } = fieldsIn(await readData(item, `${CAMPAIGN}/report`, campaignId));
		if (typeof recipientsAmount === 'number') return { reported: recipientsAmount };
	} catch (error) {
		reason = messageOf(error).replace(/\.$/, '');
	}
	const problem = `The number of recipients could not be read from the report of campaign ${campaignId}: ${reason}.`;
	return { problem };
}

/**
 * GET campaign/:id/report: returns how many recipients the survey data does not list, or null if nobody knows. If it is not
 * 0, `problem` says so.
 *
 * @param listed how many recipients the survey data lists
 */
export async function readNotListed(
	item: Item,
	campaignId: string,
	{ name = campaignId }: SurveyData,
	listed: number,
): Promise<{ notListed: number | null; problem?: string }> {
	const { reported, problem } = await readReportedRecipients(item, campaignId);
	if (reported === undefined) return { notListed: null, problem };
	const notListed = Math.max(0, reported - listed);
	if (notListed === 0) return { notListed };
	const more = `${notListed} more ${notListed === 1 ? 'recipient' : 'recipients'}`;
	return {
		notListed,
		problem: `The report of the survey “${name}” counts ${more} than the service lists.`,
	};
}
