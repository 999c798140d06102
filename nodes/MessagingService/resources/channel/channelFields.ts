import type { INodeProperties } from 'n8n-workflow';

import { commentVisibilities } from '../../fields/messageFields';
import { fieldInBody, type WhenEmptied } from '../../engine/conversions';

/** The name of a channel. */
export const channelName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. New joiners in Oslo',
	description: 'Name in the console',
};

const texts: INodeProperties[] = [
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Welcome to Oslo!',
		description: 'Headline that recipients see',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		description: 'Purpose of the channel',
	},
];

/** The default settings of a channel's messages, sent as `defaults`. */
const defaults: INodeProperties[] = [
	{
		displayName: 'Template Name or ID',
		name: 'template',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getTemplates' },
		default: '',
		description:
			'Default template of the channel\'s campaigns. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Enable Email',
		name: 'enableEmail',
		type: 'boolean',
		default: true,
		description: 'Whether to send messages of the channel by email',
	},
	{
		displayName: 'Enable App Notification',
		name: 'enableAppNotification',
		type: 'boolean',
		default: true,
		description: 'Whether to notify recipients on their phone',
	},
	{
		displayName: 'Enable SMS',
		name: 'enableSms',
		type: 'boolean',
		default: true,
		description: 'Whether to send messages of the channel by SMS',
	},
	{
		displayName: 'Enable Comments',
		name: 'enableComment',
		type: 'boolean',
		default: true,
		description: 'Whether recipients can comment on messages of the channel',
	},
	{
		displayName: 'Comment Visibility',
		name: 'commentVisibility',
		type: 'options',
		options: commentVisibilities,
		default: '1',
		description: 'Who sees comments, if comments are enabled',
	},
];

/**
 * Returns the optional fields of a channel, including the default settings of its messages (channel.create in
 * emulator/openapi.yaml). The node sends only the defaults that the user adds. The API does not document whether an update
 * keeps the other defaults.
 */
export function channelFields(whenEmptied: WhenEmptied): INodeProperties[] {
	const sent = defaults.map((field) => ({
		...field,
		...(whenEmptied === 'clear' && { hint: OTHER_DEFAULTS }),
		routing: fieldInBody(field, whenEmptied, `defaults.${field.name}`),
	}));
	return [...texts, ...sent];
}

const OTHER_DEFAULTS =
	"A default of the channel. The API does not document whether defaults that you don't add keep their values. Check them afterwards, or add all of them.";
