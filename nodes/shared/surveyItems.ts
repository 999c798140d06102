import type { IDataObject } from 'n8n-workflow';

import { toTableCell } from './answers';
import { answerColumns } from './surveyData';
import type { Numbering, SurveyData, SurveyRow } from './surveyData';
import { isBlank } from './values';

/**
 * Returns one item per row: the respondent's fields, then the answers under the titles of the questions, in order
 * (`answerColumns`). In the simplified form (docs/development/conventions.md, Output), they are the object `answers`. In a
 * table, each question is a field, behind what the recipient did (`addFlags`), and all items have the same fields.
 *
 * @param usedNames names of the fields that the caller adds to the items of a table
 * @param provenElsewhere the numbering that other surveys prove
 */
export function surveyItems(
	survey: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
	isTable: boolean,
	usedNames: string[] = [],
	provenElsewhere?: Numbering,
): IDataObject[] {
	// A poll without new events need not scan all rows for their columns.
	if (rows.length === 0) return [];
	const tableFields = Object.keys(addFlags(itemWithoutAnswers(survey, campaignId, {}), {}));
	const taken = isTable ? [...usedNames, ...tableFields] : [];
	const columns = answerColumns(survey, taken, provenElsewhere);
	return rows.map((row) => {
		const item = itemWithoutAnswers(survey, campaignId, row);
		const answers = isTable ? addFlags(item, row) : {};
		for (const { key, name, question } of columns) {
			if (isTable) answers[name] = toTableCell(row[key]);
			else if (question || Object.hasOwn(row, key)) answers[name] = row[key] ?? null;
		}
		return isTable ? item : Object.assign(item, { answers });
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
