import type { IDataObject } from 'n8n-workflow';

import { failure, messageOf } from '../../../shared/failure';
import { parseSurveyData, type SurveyData } from '../../../shared/surveyData';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { fieldsIn } from '../../../shared/values';
import type { Item } from '../../engine/item';
import { callApi } from '../../engine/sendItem';

/** GET /int/v1/campaign/:id/surveyData. */
export const SURVEY_DATA = '/int/v1/campaign/:campaignId/surveyData';

/** The functions that read one survey. Each sends one request. */
export type SurveyReader = ReturnType<typeof createSurveyReader>;

/**
 * Returns the functions that read one survey.
 *
 * @param dataRequest the item's request for the survey data, whose path has `campaignId`
 */
export function createSurveyReader(item: Item, dataRequest: ApiRequest, { campaignId = '' }) {
	const { url, ...options } = dataRequest;
	/** Reads `campaign/:id` followed by `suffix`. */
	const read = async (suffix: '' | '/report'): Promise<IDataObject> => {
		const readUrl = url.replace(/\/surveyData$/, suffix);
		const { data } = await callApi(item, { ...options, url: readUrl });
		return fieldsIn(data);
	};
	return {
		campaignId,
		/**
		 * GET campaign/:id/surveyData: returns the checked data, and the data as received (`raw`).
		 *
		 * @throws if the response is not survey data
		 */
		async readSurvey(): Promise<{ survey: SurveyData; raw: IDataObject }> {
			const { data } = await callApi(item, dataRequest);
			const survey = parseSurveyData(data, failure(item));
			return { survey, raw: fieldsIn(data) };
		},
		/**
		 * GET campaign/:id/report: returns the number of recipients. If the report fails or has no number, warns and
		 * returns `undefined`. Results are useful without the response rate.
		 *
		 * @param whatIsMissing the last sentence of the warning, which says what the output lacks
		 */
		async readRecipientsAmount(whatIsMissing: string): Promise<number | undefined> {
			let reason = 'the report has no number of recipients';
			try {
				const { recipientsAmount } = await read('/report');
				if (typeof recipientsAmount === 'number') return recipientsAmount;
			} catch (error) {
				reason = messageOf(error).replace(/\.$/, '');
			}
			item.run.warn(
				`The number of recipients could not be read from the report of campaign ${campaignId}: ${reason}. ${whatIsMissing}`,
			);
			return undefined;
		},
		/** GET campaign/:id: returns the campaign's status code. */
		readStatus: async (): Promise<unknown> => (await read('')).status,
	};
}
