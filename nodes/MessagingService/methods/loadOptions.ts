import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import {
	campaigns,
	dropDownEntries,
	MOST_OPTIONS,
	templates,
	toDropDownOptions,
	type List,
} from '../../shared/lists/list';
import { apiRequest } from '../../shared/transport/apiRequest';
import { failure } from '../../shared/failure';
import { answerColumns, parseSurveyData } from '../../shared/surveyData';
import { managersAt, recipientGroups } from '../lists/locatorLists';
import { onlyEligible } from './eligibleStatuses';
import { dependentOptions } from './dependentLists';

export { getCategories } from '../../shared/lists/dropDowns';

/** The campaign templates. Templates for surveys are marked. */
export const getTemplates = listOptions(templates);

/** The recipient groups that the owner of the access key may view. */
export const getRecipientGroups = listOptions(recipientGroups);

/** The users who manage the selected channel. */
export const getChannelManagers = dependentOptions(
	'/int/v1/channel/:channelId/manager',
	'Choose a user',
	async (context, path) => toDropDownOptions(await dropDownEntries(context, managersAt(path))),
);

/** The questions of the selected survey, named as in the output of Get Summary. */
export const getSurveyQuestions = dependentOptions(
	'/int/v1/campaign/:campaignId/surveyData',
	'Choose a question',
	async (context, url) => {
		const { data } = await apiRequest.call(context, { url });
		const columns = answerColumns(parseSurveyData(data, failure(context)));
		return columns.map(({ name }) => ({ name, value: name }));
	},
);

/** Returns the newest campaigns with which Survey: Launch can continue: drafts, then campaigns in an unknown state. */
export async function getDrafts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const drafts = onlyEligible(await dropDownEntries(this, campaigns), 'survey.launch');
	return toDropDownOptions(drafts.slice(0, MOST_OPTIONS));
}

/** Returns the method of a drop-down list that shows all records of a list. */
function listOptions(list: List) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return toDropDownOptions(await dropDownEntries(this, list));
	};
}
