import type { INodeExecutionData } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { fieldAt } from '../../../shared/field';
import { isDataObject } from '../../../shared/typeGuards';
import type { Envelope } from '../../../shared/transport/envelope';
import { readSurveyData } from '../../../shared/surveyData';
import { toChoice } from '../../../shared/values';
import { addedOptions, options } from '../../fields/collections';
import { campaignId } from '../../fields/locators';
import { validateBeforeSend, endpoint } from '../../operations/endpoint';
import { runOf, type Item, type ItemContext } from '../../runner/itemContext';
import { limit, returnAll, wantedRecords } from '../../operations/list';
import type { Operation } from '../../operations/operation';
import { toItems } from '../../runner/itemRequest';
import { responseItems, rowsOf, tableItems, WHO, type Who } from './responses';

const OUTPUTS = ['responses', 'table', 'raw'] as const;

/** GET /int/v1/campaign/:id/surveyData: the questions and the responses of a survey, in one answer. */
export const getResponses: Operation = {
	name: 'Get Responses',
	value: 'getResponses',
	action: 'Get the responses of a survey',
	description: 'Get one item per respondent with the answers under the titles of the questions',
	routing: endpoint('GET', '/int/v1/campaign/:campaignId/surveyData', {
		preSend: [validateBeforeSend(wantedBy)],
		toItems: responsesOf,
	}),
	fields: [
		campaignId,
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{
					name: 'Responses',
					value: 'responses',
					description: 'One item per respondent, answers under the titles of the questions',
				},
				{
					name: 'Table',
					value: 'table',
					description:
						'One item per respondent, each question a field of its own: ready for a spreadsheet or a database',
				},
				{
					name: 'Raw',
					value: 'raw',
					description:
						'One item with everything as the service gives it, questions included; Return All, Limit and Options do not apply',
				},
			],
			default: 'responses',
			description: 'What comes out of the node',
		},
		returnAll,
		limit,
		{
			...options([
				{
					displayName: 'Who',
					name: 'who',
					type: 'options',
					options: [
						{
							name: 'Everyone',
							value: 'everyone',
							description: 'All recipients whom the service lists',
						},
						{
							name: 'Not Submitted',
							value: 'notSubmitted',
							description: 'Those who have not sent in their answers, for a reminder',
						},
						{
							name: 'Submitted',
							value: 'submitted',
							description: 'Those who sent in their answers',
						},
					],
					default: 'submitted',
					description:
						'Whose responses come out. Without this option only of those who submitted the survey.',
				},
			]),
			displayOptions: { show: { output: ['responses', 'table'] } },
		},
	],
};

type Wanted = { form: (typeof OUTPUTS)[number]; who: Who; most: number };

/** What a builder asked for. @throws for what is none of the choices, and for a Limit that is no number */
function wantedBy(item: Item): Wanted {
	const index = item.getItemIndex();
	const added = addedOptions(item);
	const who = 'who' in added ? added.who : 'submitted';
	return {
		form: toChoice(item.getNodeParameter('output'), OUTPUTS, fieldAt(item, 'output', index)),
		who: toChoice(who, WHO, fieldAt(item, 'who', index)),
		most: wantedRecords(item),
	};
}

function responsesOf(
	sender: ItemContext,
	{ data }: Envelope,
	{ campaignId: id = '' }: Record<string, string>,
): INodeExecutionData[] {
	const { form, who, most } = wantedBy(sender);
	const survey = readSurveyData(data, failure(sender, sender.getItemIndex()));
	if (form === 'raw' && isDataObject(data)) return [{ json: data }];
	if (who === 'notSubmitted' && survey.anonymous) {
		runOf(sender).warn(
			`The survey “${survey.name ?? id}” is anonymous: nobody can be named, so these items do not say who has not submitted it. A reminder can only go to everybody.`,
		);
	}
	const rows = rowsOf(survey, who, most);
	return toItems(form === 'table' ? tableItems(survey, id, rows) : responseItems(survey, id, rows));
}
