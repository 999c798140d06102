import type { IExecuteFunctions } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { requestSettings } from '../../../shared/service/requestOptions';
import { buildPath } from '../../../shared/service/path';
import { apiRequest } from '../../../shared/service/transport';
import type { SurveyData } from '../../../shared/surveyData';
import { readSurveyData } from '../../../shared/surveyData';

/**
 * Reads the survey that one input item names (survey.getResponses in emulator/openapi.yaml).
 *
 * @returns the campaign's id, the service's own object, and what was understood of it
 * @throws NodeApiError; NodeOperationError for an id that is none and for an answer that is no survey
 */
export async function readSurvey(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<{ id: string; data: unknown; survey: SurveyData }> {
	const fail = failure(context, itemIndex);
	const parameter = (name: string): unknown =>
		context.getNodeParameter(name, itemIndex, undefined, { extractValue: true });
	const { data } = await apiRequest.call(context, {
		...requestSettings(context, itemIndex),
		url: buildPath('/int/v1/campaign/:campaignId/surveyData', parameter, fail),
	});
	return { id: String(parameter('campaignId')), data, survey: readSurveyData(data, fail) };
}
