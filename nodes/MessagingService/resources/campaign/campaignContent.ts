import type { INodeProperties } from 'n8n-workflow';

import { switchedOn, loadedField, optionsField, stringField } from '../../../shared/fieldTypes';
import { toList, toSwitch } from '../../../shared/values';
import { additionalFields, options, readAddedOption } from '../../fields/collections';
import { commentVisibilitiesOfCampaign } from '../../fields/messageFields';
import { choiceAmong, inBody, optional, type WhenEmptied } from '../../engine/conversions';

/**
 * Returns the optional fields of a campaign.
 *
 * @param whenEmptied `omit` for Create, `clear` for Update
 * @param commentVisibility the last field
 */
export function campaignContentFields(
	whenEmptied: WhenEmptied,
	commentVisibility = commentVisibilityOfCampaign(whenEmptied),
): INodeProperties[] {
	return [
		campaignTitle,
		...templateFields,
		stringField(
			'imageUrl',
			'Public web address of the campaign image. Not the path that "Campaign File: Upload" returns. Without this field, a new campaign has the image of its template.',
			{ placeholder: 'e.g. https://example.com/picnic.png' },
		),
		loadedField(
			'multiOptions',
			'categories',
			'Category',
			'getCategories',
			'Categories of the campaign. The list shows the categories of your templates and campaigns. Without this field, a new campaign has the categories of its template.',
			{
				routing: inBody('categories', (value, field, item, saved) => {
					const list = optional(toList, whenEmptied)(value, field, item, saved);
					const isText = readAddedOption(item, 'categoriesAsText', false, toSwitch);
					return list && isText ? JSON.stringify(list) : list;
				}),
			},
		),
		switchedOn('enableEmail', 'Whether to send the campaign by email'),
		switchedOn('enableMobileNotification', 'Whether to send a notification to phones'),
		stringField('emailReplyTo', 'Address that receives replies to the email', {
			placeholder: 'e.g. hr@example.com',
		}),
		commentVisibility,
	];
}

function commentVisibilityOfCampaign(whenEmptied: WhenEmptied): INodeProperties {
	return optionsField(
		'commentVisibility',
		commentVisibilitiesOfCampaign,
		'0',
		'Who sees comments. Nobody can comment on a new campaign unless you add this field. If you choose Disabled in an update, the service may refuse the update.',
		{
			routing: inBody('commentVisibility', (value, field) => {
				const chosen = choiceAmong(commentVisibilitiesOfCampaign)(value, field);
				// The API documents only the values 0 and 1. Disabled is the default of a new campaign.
				return chosen === 'disabled' && whenEmptied === 'omit' ? undefined : chosen;
			}),
		},
	);
}

/** Owner and sender of a campaign. Both can only be set on create. */
export const ownerFields = [
	stringField(
		'senderUserEmail',
		'Email of the console user who is shown as the sender. Defaults to the owner of the access key. This field does not change the From address of the email.',
		{ placeholder: 'e.g. ada@example.com' },
	),
	stringField(
		'ownerUserEmail',
		'Email of the console user who owns the campaign. Defaults to the owner of the access key.',
		{ placeholder: 'e.g. ada@example.com' },
	),
];

/** The template of a campaign or survey, and its data. */
const templateFields: INodeProperties[] = [
	loadedField('options', 'templateId', 'Template', 'getTemplates'),
	stringField(
		'templateData',
		'Values for the placeholders in the template, as JSON. For example, { "city": "Oslo" } replaces &lt;%= city %&gt; with Oslo.',
		{ type: 'json', default: '{}' },
	),
];

/** The headline of a campaign or survey. */
const campaignTitle = stringField('title', 'Headline of the campaign', {
	placeholder: 'e.g. Come to our picnic!',
});

/** The optional fields of a survey (survey.create in emulator/openapi.yaml). */
export const surveyContent = additionalFields([campaignTitle, ...templateFields]);

/**
 * Selects how Categories are sent: the API documents the type "text", but the content "category array" (campaign.create in
 * emulator/openapi.yaml).
 */
export const categoriesAsText = options([
	switchedOn(
		'categoriesAsText',
		'Whether to send the categories as a JSON string instead of an array. Try this if the service refuses the categories.',
	),
]);
