import { endpoint } from '../../operations/endpoint';
import { campaignId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { questionsFields } from './questionsInput';
import { surveySettings } from './surveySettings';

/**
 * PUT /int/v1/campaign/survey/:id: puts questions on a draft, in place of those of its first survey section when it has
 * one. The answer is not shown: its data is given when there is some, else the id that was worked on.
 */
export const update: Operation = {
	name: 'Update',
	value: 'update',
	action: 'Update a survey',
	description: 'Replace the questions of a draft survey, or add questions to a draft campaign',
	routing: endpoint('PUT', '/int/v1/campaign/survey/:campaignId'),
	fields: [campaignId, ...questionsFields, surveySettings],
};
