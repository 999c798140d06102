import type { IDataObject } from 'n8n-workflow';

import { toTableCell } from './answers';
import { answerColumns } from './surveyData';
import type { AnswerReader, Numbering, SurveyData, SurveyRow } from './surveyData';
import { isBlank } from './values';

/** Returns one row in the simplified form (docs/development/conventions.md, Output), without `event`. */
export function simplifyRow(
	survey: SurveyData,
	campaignId: string,
	readAnswers: AnswerReader,
	row: SurveyRow,
): IDataObject {
	// The same item, because copying would take time (`addFlags`).
	return Object.assign(itemWithoutAnswers(survey, campaignId, row), { answers: readAnswers(row) });
}

/**
 * Returns one item per row: the respondent's fields, then one field per question, in order. All items have the same
 * fields, so that they fit into a table. A duplicate title gets " (2)".
 *
 * @param usedNames names of the fields that the caller adds to the items
 * @param provenElsewhere the numbering that other surveys prove
 */
export function tableItems(
	survey: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
	usedNames: string[] = [],
	provenElsewhere?: Numbering,
): IDataObject[] {
	const withoutAnswers = (row: SurveyRow): IDataObject =>
		addFlags(itemWithoutAnswers(survey, campaignId, row), row);
	const ownNames = Object.keys(withoutAnswers({}));
	const columns = answerColumns(survey, [...usedNames, ...ownNames], provenElsewhere);
	return rows.map((row) => {
		const item = withoutAnswers(row);
		for (const { key, name } of columns) item[name] = toTableCell(row[key]);
		return item;
	});
}

/**
 * Adds what the recipient did (read, responded, submitted) to the item, and returns the same item: copying 100,000 items
 * takes as long as reading the rows.
 */
export function addFlags(
	item: IDataObject,
	{ read, responseSubmitted, submitted }: SurveyRow,
): IDataObject {
	item.read = read ?? null;
	item.responseSubmitted = responseSubmitted ?? null;
	item.submitted = submitted ?? null;
	return item;
}

/**
 * Returns one row in the simplified form, without `event` and answers. A value that the service omits is null. In an
 * anonymous survey, the respondent's ID, name and email are null, even if the service returns them.
 */
function itemWithoutAnswers(survey: SurveyData, campaignId: string, row: SurveyRow): IDataObject {
	const { userId, userDisplayName, userEmail }: SurveyRow = survey.anonymous === true ? {} : row;
	return {
		campaignId,
		campaignName: survey.name ?? null,
		anonymous: survey.anonymous ?? false,
		userId: userId ?? null,
		userDisplayName: userDisplayName ?? null,
		userEmail: userEmail ?? null,
		submittedDate: row.submittedDate ?? null,
		responseDuration: row.responseDuration ?? null,
	};
}

/** Warns if a survey is anonymous, but the service names its respondents, and the output "Raw" therefore does, too. */
export function warnIfRawHasNames(
	{ anonymous, name }: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
	warn: (message: string) => void,
): void {
	const isNamed = ({ userId, userDisplayName, userEmail }: SurveyRow) =>
		[userId, userDisplayName, userEmail].some((value) => !isBlank(value));
	if (!anonymous || !rows.some(isNamed)) return;
	warn(
		`The survey “${name ?? campaignId}” is anonymous, but the service returns the names of the respondents, and Raw contains them. To hide the names, choose another Output.`,
	);
}
