import { additionalFields } from '../../fields/collections';
import { endpoint } from '../../operations/endpoint';
import { description, name } from '../../fields/messageFields';
import type { Operation } from '../../operations/operation';
import { templateFields, title } from '../campaign/contentFields';
import { questionsFields } from './questionsInput';
import { surveySettings } from './surveySettings';

/**
 * POST /int/v1/campaign/survey: creates a survey campaign, always as a draft. Gives its id and console URL; adding
 * recipients and sending it are operations of the campaign.
 */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a survey',
	description:
		'Create a survey as a draft; to send it, use Campaign: Add Recipients and Campaign: Update',
	routing: endpoint('POST', '/int/v1/campaign/survey'),
	fields: [
		name,
		description,
		...questionsFields,
		surveySettings,
		additionalFields([...templateFields('leaveOut'), title('leaveOut')]),
	],
};
