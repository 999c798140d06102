import { campaignDescription, campaignName } from '../../fields/messageFields';
import { notice } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { surveyContent } from '../campaign/campaignContent';
import { questionsFields } from './questions/questionsInput';
import { sendQuestions } from './questions/questionsOutput';
import { surveySettings } from './surveySettings';

const draftOnly = notice(
	'draftOnly',
	'This operation creates a draft that nobody receives yet. To send the draft, use "Campaign: Add Recipients" and then "Campaign: Send". "Survey: Launch" can do all this in one step.',
);

/** POST /int/v1/campaign/survey: creates a survey campaign as a draft. */
export const create: Operation = {
	description: 'Create a survey with questions but without recipients',
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
