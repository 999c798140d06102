import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { buildPath } from '../../../shared/service/path';
import { isDataObject } from '../../../shared/guards';
import { limit, returnAll, wantedRecords } from '../../operations/list';
import { requestSettings } from '../../../shared/service/requestOptions';
import { failure } from '../../../shared/failure';
import { failedItem } from '../../../shared/service/errors';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { answerReader, readSurveyData, simplifyRow } from '../../../shared/surveyData';
import { apiRequest } from '../../../shared/service/transport';

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
					name: 'Raw',
					value: 'raw',
					description:
						'One item with everything as the service gives it, questions included; Return All and Limit do not apply',
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
			displayOptions: { show: { output: ['responses'] } },
			options: [
				{
					displayName: 'Only Submitted',
					name: 'onlySubmitted',
					type: 'boolean',
					default: true,
					description:
						'Whether to leave out recipients who have not submitted the survey. Without this option everybody whom the service lists comes out.',
				},
			],
		},
	],
};

async function getAllResponses(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		try {
			for (const json of await responsesOf(this, itemIndex)) {
				output.push({ json, pairedItem: { item: itemIndex } });
			}
		} catch (error) {
			output.push(failedItem(this, error, itemIndex));
		}
	}
	return [output];
}

async function responsesOf(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const fail = failure(context, itemIndex);
	const parameter = (name: string): unknown =>
		context.getNodeParameter(name, itemIndex, undefined, { extractValue: true });
	const wanted = wantedRecords(context, itemIndex);
	const { data } = await apiRequest.call(context, {
		...requestSettings(context, itemIndex),
		url: buildPath('/int/v1/campaign/:campaignId/surveyData', parameter, fail),
	});
	const survey = readSurveyData(data, fail);
	if (parameter('output') === 'raw' && isDataObject(data)) return [data];

	const options = context.getNodeParameter('options', itemIndex, {});
	const rows = options.onlySubmitted
		? survey.result.filter(({ submitted }) => submitted === true)
		: survey.result;
	const answersOf = answerReader(survey);
	const id = String(parameter('campaignId'));
	return rows.slice(0, wanted).map((row) => ({
		campaignId: id,
		...simplifyRow(survey, answersOf, row),
		read: row.read ?? null,
		responseSubmitted: row.responseSubmitted ?? null,
		submitted: row.submitted ?? null,
	}));
}
