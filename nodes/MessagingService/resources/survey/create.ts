import { campaignDescription, campaignName } from '../../fields/messageFields';
import { notice } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { surveyContent } from '../campaign/campaignContent';
import { questionsFields } from './questions/questionsInput';
import { sendQuestions } from './questions/questionsOutput';
import { surveySettings } from './surveySettings';

const draftOnly = notice(
	'draftOnly',
	'This operation creates a draft that nobody receives yet. Next, use "Campaign: Add Recipients" and "Campaign: Send". "Survey: Launch" does all this in one step.',
);

/** POST /int/v1/campaign/survey: creates a survey campaign as a draft. */
export const create: Operation = {
	description:
		'Create a survey as a draft. To send it, use "Campaign: Add Recipients" and "Campaign: Send".',
	endpoint: ['POST', '/int/v1/campaign/survey'],
	send: sendQuestions,
	fields: [
		campaignName,
		campaignDescription,
		...questionsFields,
		draftOnly,
		surveyContent,
		surveySettings,
	],
};
