import type { INodeExecutionData } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import type { Envelope } from '../../../shared/transport/envelope';
import { readSurveyData } from '../../../shared/surveyData';
import { toNumber } from '../../../shared/values';
import { addedOptions, options } from '../../fields/collections';
import { campaignId } from '../../fields/locators';
import { validateBeforeSend } from '../../operations/body';
import type { Item } from '../../runner/item';
import type { Operation } from '../../operations/operation';
import { summarise } from './summary';

const MINIMUM_RESPONSES = 5;

/** GET /int/v1/campaign/:id/surveyData: the responses of a survey, summarized by question. */
export const getSummary: Operation = {
	name: 'Get Summary',
	value: 'getSummary',
	action: 'Get survey summary',
	description:
		'Retrieve one item per question with counts, averages and eNPS, and the response rate of the survey',
	endpoint: ['GET', '/int/v1/campaign/:campaignId/surveyData'],
	takes: ['live', 'closed'],
	preSend: [validateBeforeSend(minimumFor)],
	toItems: summaryOf,
	fields: [
		campaignId,
		options([
			{
				displayName: 'Minimum Responses',
				name: 'minimumResponses',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: MINIMUM_RESPONSES,
				description:
					'How many people must have answered a question before its answers are shown, so that nobody can be recognized. Text answers are shown as they were written.',
			},
		]),
	],
};

/** @throws when it is not a number: the answers of a few people must not be shown by mistake */
function minimumFor(item: Item): number {
	const { minimumResponses: given = MINIMUM_RESPONSES } = addedOptions(item);
	const minimum = toNumber(given);
	if (Number.isInteger(minimum) && minimum >= 1) return minimum;
	throw failure(item, item.getItemIndex())(
		'Minimum Responses must be a whole number of 1 or more',
		'Enter a number, or remove the option to use 5.',
	);
}

function summaryOf(
	item: Item,
	{ data }: Envelope,
	{ campaignId: id = '' }: Record<string, string>,
): INodeExecutionData[] {
	const survey = readSurveyData(data, failure(item, item.getItemIndex()));
	return summarise(survey, id, minimumFor(item)).map((json) => ({ json }));
}
