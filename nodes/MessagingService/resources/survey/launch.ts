import { fieldInfo } from '../../../shared/field';
import { loadedField, switchedOff } from '../../../shared/fieldTypes';
import { fieldsIn, toId, toSwitch } from '../../../shared/values';
import { addedOptions, options } from '../../fields/collections';
import { campaignDescription, campaignName } from '../../fields/messageFields';
import { notice, sendingNotice } from '../../fields/notice';
import { groupsHaveMembers, messageClaim } from '../../fields/sending';
import { oneKindOfRequiredRecipients, requiredRecipientFields } from '../../fields/recipients';
import type { ApiRequest } from '../../../shared/transport/apiRequest';
import type { Check, Claim, Operation } from '../../engine/declaration';
import type { Item } from '../../engine/item';
import { outputItems } from '../../engine/output';
import { surveyContent } from '../campaign/campaignContent';
import { launchSurvey, type LaunchSettings } from './launchSurvey';
import { questionsFields } from './questions/questionsInput';
import { surveySettings } from './surveySettings';

/**
 * POST /int/v1/campaign/survey, PUT /int/v1/campaign/:id/addRecipients and, with Send Now, PUT /int/v1/campaign/:id, in one
 * operation.
 */
export const launch: Operation = {
	description: 'Create a survey with questions and recipients, and optionally send it right away',
	builderHint:
		'Use this operation instead of create, addRecipients and send. Set questionsInput to text and write the questions in questionsText.',
	endpoint: ['POST', '/int/v1/campaign/survey'],
	checks: [oneKindOfRequiredRecipients, groupsHaveMembersNow],
	send: async (item, { body }) =>
		outputItems([await launchSurvey(item, fieldsIn(body), readLaunchSettings(item))]),
	claim: launchClaim,
	sends: sendingNotice('The survey goes out to the recipients above', { sendNow: [true] }),
	acceptsStatus: ['draft'],
	fields: [
		campaignName,
		campaignDescription,
		...questionsFields,
		...requiredRecipientFields,
		switchedOff(
			'sendNow',
			'Whether to send the survey right away. If off, the survey stays a draft. You can send the draft with "Campaign: Send".',
		),
		notice(
			'staysDraft',
			'The node creates a draft that nobody receives yet. Review it in the console, then send it with "Campaign: Send".',
			{ sendNow: [false] },
		),
		surveyContent,
		options([
			loadedField(
				'options',
				'draftId',
				'Continue With Draft',
				'getDrafts',
				'If Launch created a draft and then failed, select this draft. The node adds the recipients above to those of the draft, and ignores all other fields except Send Now.',
			),
		]),
		surveySettings,
	],
};

/** Reads Send Now and Continue With Draft. @throws if Send Now is invalid or the draft ID is empty */
function readLaunchSettings(item: Item): LaunchSettings {
	const sendNow = toSwitch(item.getNodeParameter('sendNow', false), fieldInfo(item, 'sendNow'));
	const added = addedOptions(item);
	if (!('draftId' in added)) return { sendNow };
	const field = { ...fieldInfo(item, 'draftId'), label: 'Continue With Draft' };
	const draftId = toId(added.draftId, field);
	if (draftId !== '') return { sendNow, draftId };
	// Without the ID, the operation would create and send a second survey.
	throw field.fail(
		'Continue With Draft is empty',
		'Choose the draft. To create a new survey, remove the option. Nothing was sent.',
	);
}

/** With Send Now, the groups must have members (`groupsHaveMembers`). @throws the errors of `readLaunchSettings`, too */
async function groupsHaveMembersNow(...[item, body, fail]: Parameters<Check>): Promise<void> {
	if (readLaunchSettings(item).sendNow) await groupsHaveMembers(item, body, fail);
}

/** Items may not send the same survey twice, nor continue with the same draft. */
function launchClaim(item: Item, request: ApiRequest): Claim | undefined {
	const { sendNow, draftId } = readLaunchSettings(item);
	if (draftId === undefined) return sendNow ? messageClaim('survey')(item, request, {}) : undefined;
	return {
		key: draftId,
		message: (count) => `${count} items would continue with the same draft "${draftId}"`,
		advice:
			'Launch each draft with one item: switch on Execute Once, on the Settings tab of the node, and put all recipients into one list.',
	};
}
