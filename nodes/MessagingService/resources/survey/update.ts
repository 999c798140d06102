import { surveyId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';
import { questionsFields } from './questions/questionsInput';
import { sendQuestions } from './questions/questionsOutput';
import { surveySettings } from './surveySettings';

/**
 * PUT /int/v1/campaign/survey/:id: replaces the questions of a draft's first survey section, or adds that section. The API
 * does not document the response. If the response has no data, the output has the ID.
 */
export const update: Operation = {
	description:
		'Set the questions of a survey or other campaign that is still a draft. New questions usually replace the existing questions.',
	endpoint: ['PUT', '/int/v1/campaign/survey/:campaignId'],
	acceptsStatus: ['draft'],
	send: sendQuestions,
	fields: [surveyId, ...questionsFields, surveySettings],
};
