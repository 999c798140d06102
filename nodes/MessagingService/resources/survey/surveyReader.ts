import type { IDataObject } from 'n8n-workflow';

import { failure, messageOf } from '../../../shared/failure';
import { parseSurveyData, type SurveyData } from '../../../shared/surveyData';
import { fillPath } from '../../../shared/transport/address';
import { fieldsIn } from '../../../shared/values';
import type { Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';

const CAMPAIGN = '/int/v1/campaign/:campaignId';

/** GET /int/v1/campaign/:id/surveyData. */
export const SURVEY_DATA = `${CAMPAIGN}/surveyData`;

/** The functions that read one survey. Each sends one request. */
export type SurveyReader = ReturnType<typeof createSurveyReader>;

/** Returns the functions that read one survey. @param campaignId as returned by `checkedId` */
export function createSurveyReader(item: Item, campaignId: string) {
	/** Reads a path with the parameter `campaignId`. */
	const read = async (path: string): Promise<unknown> => {
		const { data } = await callApi(item, { url: fillPath(path, { campaignId }) });
		return data;
	};
	/**
	 * GET campaign/:id/report: returns the number of recipients, or, if the report fails or has no number, a sentence that
	 * says so (`problem`). Never throws, because survey data is useful without the number.
	 */
	const readRecipientsAmount = async (): Promise<{ reported?: number; problem?: string }> => {
		let reason = 'the report has no number of recipients';
		try {
			const { recipientsAmount } = fieldsIn(await read(`${CAMPAIGN}/report`));
			if (typeof recipientsAmount === 'number') return { reported: recipientsAmount };
		} catch (error) {
			reason = messageOf(error).replace(/\.$/, '');
		}
		const problem = `The number of recipients could not be read from the report of campaign ${campaignId}: ${reason}.`;
		return { problem };
	};
	return {
		campaignId,
		readRecipientsAmount,
		/**
		 * GET campaign/:id/report: returns how many recipients the survey data does not list, or null if nobody knows. If it is
		 * not 0, `problem` says so.
		 *
		 * @param listed how many recipients the survey data lists
		 */
		async readNotListed(
			{ name = campaignId }: SurveyData,
			listed: number,
		): Promise<{ notListed: number | null; problem?: string }> {
			const { reported, problem } = await readRecipientsAmount();
			if (reported === undefined) return { notListed: null, problem };
			const notListed = Math.max(0, reported - listed);
			if (notListed === 0) return { notListed };
			const more = `${notListed} more ${notListed === 1 ? 'recipient' : 'recipients'}`;
			return {
				notListed,
				problem: `The report of the survey “${name}” counts ${more} than the service lists.`,
			};
		},
		/**
		 * GET campaign/:id/surveyData: returns the checked data, and the data as received (`raw`).
		 *
		 * @throws if the response is not survey data
		 */
		async readSurvey(): Promise<{ survey: SurveyData; raw: IDataObject }> {
			const data = await read(SURVEY_DATA);
			const survey = parseSurveyData(data, failure(item));
			return { survey, raw: fieldsIn(data) };
		},
		/** GET campaign/:id: returns the campaign's status code. */
		readStatus: async (): Promise<unknown> => fieldsIn(await read(CAMPAIGN)).status,
	};
}
