import type { INodeProperties } from 'n8n-workflow';

import { commentVisibilities } from '../../fields/messageFields';
import type { WhenEmptied } from '../../operations/conversions';
import { choiceInBody, switchInBody, textInBody } from '../../operations/conversions';

/** The name of a channel. */
export function channelName(whenEmptied: WhenEmptied): INodeProperties {
	return {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. New joiners in Oslo',
		description: 'Name in the console',
		routing: textInBody('name', whenEmptied),
	};
}

/** What a channel is besides its name, and what its messages are like unless they say otherwise; all of it optional (channel.create in emulator/openapi.yaml). */
export function channelFields(whenEmptied: WhenEmptied): INodeProperties[] {
	const fields: INodeProperties[] = [
		{
			displayName: 'Comment Visibility',
			name: 'commentVisibility',
			type: 'options',
			options: commentVisibilities,
			default: '1',
			description: 'Who sees comments, if comments are enabled',
			routing: choiceInBody('defaults.commentVisibility', commentVisibilities),
		},
		{
			displayName: 'Description',
			name: 'description',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			description: 'Purpose of the channel',
			routing: textInBody('description', whenEmptied),
		},
		{
			displayName: 'Enable App Notification',
			name: 'enableAppNotification',
			type: 'boolean',
			default: true,
			description: 'Whether to notify recipients on their phone',
			routing: switchInBody('defaults.enableAppNotification'),
		},
		{
			displayName: 'Enable Comments',
			name: 'enableComment',
			type: 'boolean',
			default: true,
			description: 'Whether recipients can comment on messages of the channel',
			routing: switchInBody('defaults.enableComment'),
		},
		{
			displayName: 'Enable Email',
			name: 'enableEmail',
			type: 'boolean',
			default: true,
			description: 'Whether to send messages of the channel by email',
			routing: switchInBody('defaults.enableEmail'),
		},
		{
			displayName: 'Enable SMS',
			name: 'enableSms',
			type: 'boolean',
			default: true,
			description: 'Whether to send messages of the channel by SMS',
			routing: switchInBody('defaults.enableSms'),
		},
		{
			displayName: 'Template Name or ID',
			name: 'template',
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getTemplates' },
			default: '',
			description:
				'Default template of the channel\'s campaigns. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			routing: textInBody('defaults.template', whenEmptied),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. Welcome to Oslo!',
			description: 'Headline that recipients see',
			routing: textInBody('title', whenEmptied),
		},
	];
	return whenEmptied === 'omit' ? fields : fields.map(withDefaultsHint);
}

/** Only the defaults that were added are sent; whether an update keeps the others is not shown (channel.update in emulator/openapi.yaml). */
function withDefaultsHint(field: INodeProperties): INodeProperties {
	const isDefault = field.routing?.send?.property?.startsWith('defaults.') === true;
	return isDefault ? { ...field, hint: OTHER_DEFAULTS } : field;
}

const OTHER_DEFAULTS =
	"A default of the channel. The API does not document whether defaults that you don't add keep their values: check them afterwards, or add them all.";
