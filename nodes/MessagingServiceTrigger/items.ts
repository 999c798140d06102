import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { answerReader, simplifyRow, type Numbering, type SurveyData } from '../shared/surveyData';
import { tableItems } from '../shared/surveyTable';
import type { NewEvent } from './dedupe/newEvents';

/** The forms of an item (docs/conventions.md, Trigger). */
export const OUTPUTS = ['raw', 'simplified', 'table'] as const;

export type Output = (typeof OUTPUTS)[number];

/**
 * One item per event (docs/conventions.md, Trigger).
 *
 * @param numbering where the answer keys begin, as far as any survey has shown it
 */
export function eventItems(
	campaignId: string,
	survey: SurveyData,
	events: NewEvent[],
	output: Output,
	numbering?: Numbering,
): INodeExecutionData[] {
	return jsonOf(campaignId, survey, events, output, numbering).map((json) => ({ json }));
}

function jsonOf(
	campaignId: string,
	survey: SurveyData,
	events: NewEvent[],
	output: Output,
	numbering: Numbering | undefined,
): IDataObject[] {
	if (output === 'raw') return events.map(({ event, row }) => ({ ...row, event, campaignId }));
	if (output === 'table') {
		const rows = events.map(({ row }) => row);
		const items = tableItems(survey, campaignId, rows, ['event'], numbering);
		return items.map((item, index) => ({ event: events[index]?.event ?? null, ...item }));
	}
	const answersOf = answerReader(survey, numbering);
	return events.map(({ event, row }) => ({
		event,
		...simplifyRow(survey, campaignId, answersOf, row),
	}));
}
