import type { GenericValue, IDataObject } from 'n8n-workflow';

import { switchedOff } from '../../../shared/fieldTypes';
import { uniqueName } from '../../../shared/surveyData';
import { isDataObject, toSwitch } from '../../../shared/values';
import type { Item } from '../../engine/item';
import { readAddedOption } from '../../fields/collections';

/** Matches a text that a spreadsheet would run as a formula. The last four signs are full-width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

export const spreadsheetOption = switchedOff(
	'safeForSpreadsheets',
	"Whether to put an apostrophe (') before texts that Excel or Google Sheets might run as a formula",
);

/** Reads the option Safe For Spreadsheets. @throws for a value that is no switch */
export function isForSpreadsheets(item: Item): boolean {
	return readAddedOption(item, 'safeForSpreadsheets', false, toSwitch);
}

/**
 * Returns an item in which no text and no name of a field is a formula for a spreadsheet: such a text gets a `'` in front.
 * Numbers, also as text ("-5"), stay.
 */
export function safeForSpreadsheets(item: IDataObject): IDataObject {
	const names = new Set<string>();
	return Object.fromEntries(
		Object.entries(item).map(([name, value]) => [
			uniqueName(safeText(name), names),
			safeValue(value),
		]),
	);
}

function safeValue(value: GenericValue): GenericValue {
	if (typeof value === 'string') return safeText(value);
	if (!Array.isArray(value)) return isDataObject(value) ? safeForSpreadsheets(value) : value;
	const list: GenericValue[] = value;
	return list.map(safeValue);
}

const safeText = (text: string): string =>
	FORMULA.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
