import type { INodeExecutionData } from 'n8n-workflow';

import type { SurveyData } from '../shared/surveyData';
import { answerReader, simplifyRow } from '../shared/surveyData';
import type { News } from './seen/diff';

/** One item for each event (docs/conventions.md, Trigger). */
export function itemsOf(
	campaignId: string,
	survey: SurveyData,
	news: News[],
	isRaw: boolean,
): INodeExecutionData[] {
	const answersOf = answerReader(survey);
	return news.map(({ event, row }) => ({
		json: isRaw
			? { ...row, event, campaignId }
			: { event, campaignId, ...simplifyRow(survey, answersOf, row) },
	}));
}
