import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { readSurveyData, type SurveyData } from '../../../shared/surveyData';
import { idsIn } from '../../../shared/transport/path';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import { isDataObject } from '../../../shared/typeGuards';
import { request, type Item } from '../../runner/item';

/** GET /int/v1/campaign/:id/surveyData. */
export const SURVEY_DATA = '/int/v1/campaign/:campaignId/surveyData';

/** What an operation can read of a survey, a request each. */
export type SurveyReader = {
	campaignId: string;
	/** GET campaign/:id/surveyData, checked and as the service gives it. @throws when it is not survey data */
	readSurvey: () => Promise<{ survey: SurveyData; raw: IDataObject }>;
	/** GET campaign/:id/report: the number of recipients; 0 where it does not say. */
	readRecipientsAmount: () => Promise<number>;
	/** GET campaign/:id: the code of its status. */
	readStatus: () => Promise<unknown>;
};

/** @param own the request of the item for the data of its survey */
export function surveyReader(item: Item, own: ApiRequest): SurveyReader {
	const { url = '', ...options } = own;
	const read = async (path: string): Promise<IDataObject> => {
		const { data } = await request(item, { ...options, url: url.replace(/\/surveyData$/, path) });
		return isDataObject(data) ? data : {};
	};
	return {
		campaignId: idsIn(SURVEY_DATA, url).campaignId ?? '',
		readSurvey: async () => {
			const { data } = await request(item, { ...options, url });
			const survey = readSurveyData(data, failure(item));
			return { survey, raw: isDataObject(data) ? data : {} };
		},
		readRecipientsAmount: async () => {
			const { recipientsAmount } = await read('/report');
			return typeof recipientsAmount === 'number' ? recipientsAmount : 0;
		},
		readStatus: async () => (await read('')).status,
	};
}
