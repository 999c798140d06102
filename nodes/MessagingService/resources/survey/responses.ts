import type { IDataObject } from 'n8n-workflow';

import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { answerReader, simplifyRow } from '../../../shared/surveyData';
import { withStates } from '../../../shared/surveyTable';

export const WHO = ['submitted', 'notSubmitted', 'everyone'] as const;

export type Who = (typeof WHO)[number];

/** Returns the rows that `who` selects, at most the first `most` of them. */
export function rowsOf({ result }: SurveyData, who: Who, most: number): SurveyRow[] {
	const wanted = result.filter(
		({ submitted }) => who === 'everyone' || (submitted === true) === (who === 'submitted'),
	);
	return wanted.slice(0, most);
}

/** Returns one item per row, with the answers under the titles of their questions. */
export function responseItems(
	survey: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
): IDataObject[] {
	const answersOf = answerReader(survey);
	return rows.map((row) => withStates(simplifyRow(survey, campaignId, answersOf, row), row));
}
