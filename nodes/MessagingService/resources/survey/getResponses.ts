import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { fieldAt } from '../../../shared/field';
import { isDataObject } from '../../../shared/guards';
import { failedItem } from '../../../shared/service/errors';
import { toChoice } from '../../../shared/values';
import { campaignId } from '../../fields/locators';
import { limit, returnAll, wantedRecords } from '../../operations/list';
import type { Operation } from '../../operations/operation';
import { readSurvey } from './readSurvey';
import { responseItems, rowsOf, tableItems, WHO } from './responses';

const OUTPUTS = ['responses', 'table', 'raw'] as const;

/** GET /int/v1/campaign/:id/surveyData: the questions and the responses of a survey, in one answer. */
export const getResponses: Operation = {
	name: 'Get Responses',
	value: 'getResponses',
	action: 'Get the responses of a survey',
	description: 'Get one item per respondent with the answers under the titles of the questions',
	// A function of its own, because a survey may have more rows than a declarative operation can join (see getMany).
	execute: getAllResponses,
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
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			displayOptions: { show: { output: ['responses', 'table'] } },
			options: [
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
			],
		},
	],
};

async function getAllResponses(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const warnings = new Set<string>();
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		try {
			const items = await responsesOf(this, itemIndex, (message) => warnings.add(message));
			for (const json of items) output.push({ json, pairedItem: { item: itemIndex } });
		} catch (error) {
			output.push(failedItem(this, error, itemIndex));
		}
	}
	for (const message of warnings) {
		this.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	return [output];
}

async function responsesOf(
	context: IExecuteFunctions,
	itemIndex: number,
	warn: (message: string) => void,
): Promise<IDataObject[]> {
	const form = toChoice(
		context.getNodeParameter('output', itemIndex),
		OUTPUTS,
		fieldAt(context, 'output', itemIndex),
	);
	const { who: chosen = 'submitted' } = context.getNodeParameter('options', itemIndex, {});
	const who = toChoice(chosen, WHO, fieldAt(context, 'who', itemIndex));
	const most = wantedRecords(context, itemIndex);
	const { id, data, survey } = await readSurvey(context, itemIndex);
	if (form === 'raw' && isDataObject(data)) return [data];
	if (who === 'notSubmitted' && survey.anonymous) {
		warn(
			`The survey “${survey.name ?? id}” is anonymous: nobody can be named, so these items do not say who has not submitted it. A reminder can only go to everybody.`,
		);
	}
	const rows = rowsOf(survey, who, most);
	return form === 'table' ? tableItems(survey, id, rows) : responseItems(survey, id, rows);
}
