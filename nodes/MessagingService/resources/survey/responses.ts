import type { IDataObject } from 'n8n-workflow';

import type { SurveyData, SurveyRow } from '../../../shared/surveyData';
import { answerKeysOf, answerReader, respondentOf, simplifyRow } from '../../../shared/surveyData';
import { isBlank } from '../../../shared/values';
import { cellOf } from './answers';

export const WHO = ['submitted', 'notSubmitted', 'everyone'] as const;

export type Who = (typeof WHO)[number];

/** The first `most` rows of those who submitted, of all others, or of everyone. */
export function rowsOf({ result }: SurveyData, who: Who, most: number): SurveyRow[] {
	const wanted = result.filter(
		({ submitted }) => who === 'everyone' || (submitted === true) === (who === 'submitted'),
	);
	return wanted.slice(0, most);
}

/** Whether a row names its respondent. */
export function namesRespondents({ result }: SurveyData): boolean {
	return result.some(({ userId, userDisplayName, userEmail }) =>
		[userId, userDisplayName, userEmail].some((value) => !isBlank(value)),
	);
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

/**
 * One item per row, with a field for each question after those of the respondent, in the order of the questions. All items
 * have the same fields, so that they fill a table. A title that is taken gets " (2)".
 */
export function tableItems(
	survey: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
): IDataObject[] {
	const aboutRow = (row: SurveyRow): IDataObject =>
		withStates(respondentOf(survey, campaignId, row), row);
	const columns = answerKeysOf(survey, Object.keys(aboutRow({})));
	return rows.map((row) => {
		const item = aboutRow(row);
		for (const { key, name } of columns) item[name] = cellOf(row[key]);
		return item;
	});
}

/** Mutates the item: copying each of 100,000 respondents costs as much as reading them. */
function withStates(
	item: IDataObject,
	{ read, responseSubmitted, submitted }: SurveyRow,
): IDataObject {
	item.read = read ?? null;
	item.responseSubmitted = responseSubmitted ?? null;
	item.submitted = submitted ?? null;
	return item;
}
