import type { IDataObject } from 'n8n-workflow';

import { participationOf, type SurveyData } from '../shared/surveyData';
import { SURVEY_CLOSED } from './events';

/**
 * The item of a survey that was closed, the same in every output (docs/conventions.md, Trigger).
 *
 * @param reported how many recipients the campaign's report counts; survey data may list fewer
 */
export function closingItem(campaignId: string, survey: SurveyData, reported: number): IDataObject {
	return {
		event: SURVEY_CLOSED,
		campaignId,
		campaignName: survey.name ?? null,
		...participationOf(survey, reported),
	};
}
