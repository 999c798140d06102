import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failure } from '../../../shared/failure';
import { failedItem } from '../../../shared/service/errors';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { readSurvey } from './readSurvey';
import { summarise } from './summary';

/** What the option stands at until it is added. */
const MINIMUM_RESPONSES = 5;

/** GET /int/v1/campaign/:id/surveyData: the responses of a survey, summed up by question. */
export const getSummary: Operation = {
	name: 'Get Summary',
	value: 'getSummary',
	action: 'Get a summary of a survey',
	description:
		'Get one item per question with its answers counted, averages and eNPS, and the response rate of the survey',
	execute: getSummaries,
	fields: [
		campaignId,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [
				{
					displayName: 'Minimum Responses',
					name: 'minimumResponses',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: MINIMUM_RESPONSES,
					description:
						'How many must have answered a question before anything of their answers is shown, so that nobody can be recognized. Answers in words come out as they were written, however many there are.',
				},
			],
		},
	],
};

async function getSummaries(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		try {
			for (const json of await summaryOf(this, itemIndex)) {
				output.push({ json, pairedItem: { item: itemIndex } });
			}
		} catch (error) {
			output.push(failedItem(this, error, itemIndex));
		}
	}
	return [output];
}

async function summaryOf(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const { minimumResponses: given = MINIMUM_RESPONSES } = context.getNodeParameter(
		'options',
		itemIndex,
		{},
	);
	// A blank or wrong minimum must not show what few people answered.
	const minimumResponses =
		typeof given === 'number' || typeof given === 'string' ? Number(given) : 0;
	if (!Number.isInteger(minimumResponses) || minimumResponses < 1) {
		throw failure(context, itemIndex)(
			'Minimum Responses must be a whole number of 1 or more',
			'Enter a number, or remove the option to use 5.',
		);
	}
	const { id, survey } = await readSurvey(context, itemIndex);
	return summarise(survey, id, minimumResponses);
}
