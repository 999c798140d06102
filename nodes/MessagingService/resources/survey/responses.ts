import type { IDataObject } from 'n8n-workflow';

import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { answerReader, simplifyRow } from '../../../shared/surveyData';
import { withStates } from '../../../shared/surveyTable';

export const WHO = ['submitted', 'notSubmitted', 'everyone'] as const;

export type Who = (typeof WHO)[number];

/** The first `most` rows of those who submitted, of all others, or of everyone. */
export function rowsOf({ result }: SurveyData, who: Who, most: number): SurveyRow[] {
	const wanted = result.filter(
		({ submitted }) => who === 'everyone' || (submitted === true) === (who === 'submitted'),
	);
	return wanted.slice(0, most);
}

/** One item per row, with all answers under the titles of their questions. */
export function responseItems(
	survey: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
): IDataObject[] {
	const answersOf = answerReader(survey);
	return rows.map((row) => withStates(simplifyRow(survey, campaignId, answersOf, row), row));
}
