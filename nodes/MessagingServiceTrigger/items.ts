import type { INodeExecutionData } from 'n8n-workflow';

import type { Numbering, SurveyData } from '../shared/surveyData';
import { answerReader, simplifyRow } from '../shared/surveyData';
import type { NewEvent } from './dedupe/newEvents';

/**
 * One item for each event (docs/conventions.md, Trigger).
 *
 * @param numbering where the answer keys of the survey begin, as far as it was ever proved
 */
export function eventItems(
	campaignId: string,
	survey: SurveyData,
	news: NewEvent[],
	isRaw: boolean,
	numbering?: Numbering,
): INodeExecutionData[] {
	const answersOf = answerReader(survey, numbering);
	return news.map(({ event, row }) => ({
		json: isRaw
			? { ...row, event, campaignId }
			: { event, ...simplifyRow(survey, campaignId, answersOf, row) },
	}));
}
