import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { participationOf } from '../shared/surveyData';
import type { Numbering, SurveyData } from '../shared/surveyData';
import { surveyItems, warnIfRawHasNames } from '../shared/surveyItems';
import { EVENTS, SURVEY_CLOSED } from './events';
import type { NewEvent } from './news';
import type { Api } from './schedule';

/** `time` is the date of the event in milliseconds since the epoch, or 0 without a date. */
export type DatedItem = { item: INodeExecutionData; time: number };

/**
 * Returns one item per event, in the same order (docs/trigger.md). Warns if the output is Raw and names the respondents of an
 * anonymous survey.
 *
 * @param numbering whether answer keys count from 0 or 1, if any survey has shown it
 */
export function eventItems(
	{ context: { logger }, settings: { output } }: Api,
	campaignId: string,
	survey: SurveyData,
	events: NewEvent[],
	numbering?: Numbering,
): DatedItem[] {
	const rows = events.map(({ row }) => row);
	if (output === 'raw')
		warnIfRawHasNames(survey, campaignId, rows, (message) => logger.warn(message));
	const isTable = output === 'table';
	// The name of the field `event` is taken, so a question with this title gets another one.
	const items =
		output === 'raw' ? [] : surveyItems(survey, campaignId, rows, isTable, ['event'], numbering);
	return events.map(({ event: number, row, time }, index) => {
		const event = EVENTS[number];
		const json = output === 'raw' ? { ...row, event, campaignId } : { event, ...items[index] };
		return { item: { json }, time: time || 0 };
	});
}

/**
 * Builds the item of a closed survey, the same for every output format (docs/trigger.md).
 *
 * @param survey absent if it cannot be read. The numbers are then null, never 0
 * @param reported the number of recipients in the campaign's report. If it is unknown, `recipients` and `responseRate`
 *   are null
 */
export function closingItem(
	campaignId: string,
	name: string | undefined,
	survey?: SurveyData,
	reported?: number,
): IDataObject {
	const noNumbers = { recipients: null, submitted: null, responseRate: null };
	const numbers = survey ? participationOf(survey, reported) : noNumbers;
	return { event: SURVEY_CLOSED, campaignId, campaignName: name ?? null, ...numbers };
}
