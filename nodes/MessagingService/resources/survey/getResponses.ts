import type { INodeExecutionData } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { fieldAt } from '../../../shared/field';
import { isDataObject } from '../../../shared/typeGuards';
import type { Envelope } from '../../../shared/transport/envelope';
import { readSurveyData } from '../../../shared/surveyData';
import { toChoice } from '../../../shared/values';
import { addedOptions, options } from '../../fields/collections';
import { campaignId } from '../../fields/locators';
import { validateBeforeSend } from '../../operations/body';
import { runOf, type Item } from '../../runner/item';
import { limit, returnAll, wantedRecords } from '../../operations/list';
import type { Operation } from '../../operations/operation';
import { toItems } from '../../operations/output';
import { responseItems, rowsOf, tableItems, WHO, type Who } from './responses';

const OUTPUTS = ['responses', 'table', 'raw'] as const;

/** GET /int/v1/campaign/:id/surveyData: the questions and the responses of a survey, in one response. */
export const getResponses: Operation = {
	name: 'Get Responses',
	value: 'getResponses',
	action: 'Get survey responses',
	description: 'Get one item per respondent, with answers under the question titles',
	endpoint: ['GET', '/int/v1/campaign/:campaignId/surveyData'],
	takes: ['live', 'closed'],
	preSend: [validateBeforeSend(settingsOf)],
	toItems: responsesOf,
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
					description: 'One item per respondent, with answers under the question titles',
				},
				{
					name: 'Table',
					value: 'table',
					description:
						'One item per respondent, with a field for each question: ready for a spreadsheet or a database',
				},
				{
					name: 'Raw',
					value: 'raw',
					description:
						'One item with the service’s own object, questions included; Return All, Limit and Options do not apply',
				},
			],
			default: 'responses',
			description: 'The form of the output items',
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
							description: 'All recipients listed by the service',
						},
						{
							name: 'Not Submitted',
							value: 'notSubmitted',
							description: 'Recipients who have not submitted the survey, for a reminder',
						},
						{
							name: 'Submitted',
							value: 'submitted',
							description: 'Recipients who submitted the survey',
						},
					],
					default: 'submitted',
					description: 'Whose responses to return; without this option, those of submitters only',
				},
			]),
			displayOptions: { show: { output: ['responses', 'table'] } },
		},
	],
};

type Settings = { form: (typeof OUTPUTS)[number]; who: Who; most: number };

/** The settings of an item. @throws for an unknown choice, and a Limit that is not a number */
function settingsOf(item: Item): Settings {
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
	item: Item,
	{ data }: Envelope,
	{ campaignId: id = '' }: Record<string, string>,
): INodeExecutionData[] {
	const { form, who, most } = settingsOf(item);
	const survey = readSurveyData(data, failure(item, item.getItemIndex()));
	if (form === 'raw' && isDataObject(data)) return [{ json: data }];
	if (who === 'notSubmitted' && survey.anonymous) {
		runOf(item).warn(
			`The survey “${survey.name ?? id}” is anonymous: nobody can be named, so these items do not say who has not submitted it. Send a reminder to everybody instead.`,
		);
	}
	const rows = rowsOf(survey, who, most);
	return toItems(form === 'table' ? tableItems(survey, id, rows) : responseItems(survey, id, rows));
}
