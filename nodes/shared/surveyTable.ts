import type { IDataObject } from 'n8n-workflow';

import { cellOf } from './answers';
import {
	answerColumns,
	respondentOf,
	type Numbering,
	type SurveyData,
	type SurveyRow,
} from './surveyData';

/**
 * Returns one item per row: the respondent's fields, then one field per question, in order. All items have the same fields,
 * so that they fit into a table. A duplicate title gets " (2)".
 *
 * @param usedNames names of fields that the caller adds. No question may get one of these names
 * @param known the numbering that other surveys have shown
 */
export function tableItems(
	survey: SurveyData,
	campaignId: string,
	rows: SurveyRow[],
	usedNames: string[] = [],
	known?: Numbering,
): IDataObject[] {
	const aboutRow = (row: SurveyRow): IDataObject =>
		addFlags(respondentOf(survey, campaignId, row), row);
	const columns = answerColumns(survey, [...usedNames, ...Object.keys(aboutRow({}))], known);
	return rows.map((row) => {
		const item = aboutRow(row);
		for (const { key, name } of columns) item[name] = cellOf(row[key]);
		return item;
	});
}

/** Adds the row's flags to the item without copying it: copying 100,000 items takes as long as reading the rows. */
export function addFlags(
	item: IDataObject,
	{ read, responseSubmitted, submitted }: SurveyRow,
): IDataObject {
	item.read = read ?? null;
	item.responseSubmitted = responseSubmitted ?? null;
	item.submitted = submitted ?? null;
	return item;
}
