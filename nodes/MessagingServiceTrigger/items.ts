import type { INodeExecutionData } from 'n8n-workflow';

import type { SurveyData } from '../MessagingService/shared/surveyData';
import { answerReader, simplifyRow } from '../MessagingService/shared/surveyData';
import type { News } from './diff';

/** One item for each event (node-interface.md, messagingServiceTrigger). */
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
