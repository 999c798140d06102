import type { IDataObject } from 'n8n-workflow';

import { participationOf, type SurveyData } from '../shared/surveyData';
import { SURVEY_CLOSED } from './events';

/**
 * Builds the item of a closed survey, the same for every output format (docs/conventions.md, Trigger).
 *
 * @param reported the number of recipients in the campaign's report; survey data may list fewer
 */
export function closingItem(campaignId: string, survey: SurveyData, reported: number): IDataObject {
	return {
		event: SURVEY_CLOSED,
		campaignId,
		campaignName: survey.name ?? null,
		...participationOf(survey, reported),
	};
}
