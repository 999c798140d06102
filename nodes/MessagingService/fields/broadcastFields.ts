import type { INodeProperties } from 'n8n-workflow';

import { requiredTextInBody, switchInBody, textInBody } from '../operations/body';
import { additionalFields } from './collections';

/** Title of a broadcast. */
export const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. The canteen is closed today',
	description: 'Headline that recipients see',
	routing: requiredTextInBody('title'),
};

/** Text of a broadcast. */
export const message: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	required: true,
	placeholder: 'e.g. Lunch is served in the lobby from 12 to 2.',
	description: 'What you tell the recipients',
	routing: requiredTextInBody('message'),
};

/** What a broadcast can hold besides its title and message (broadcast.create in emulator/openapi.yaml), in a channel and without. */
export const broadcastContent = additionalFields([
	{
		displayName: 'Action Link',
		name: 'actionLink',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/canteen',
		description: 'Address that a button under the message opens',
		routing: textInBody('actionLink', 'omit'),
	},
	{
		displayName: 'Action Link Text',
		name: 'actionLinkText',
		type: 'string',
		default: '',
		placeholder: 'e.g. See the menu',
		description: 'What the button says; "More Detail" when left out',
		routing: textInBody('actionLinkText', 'omit'),
	},
	{
		displayName: 'Content in Email',
		name: 'contentInEmail',
		type: 'boolean',
		default: true,
		description: 'Whether the email holds the message itself; it does not when left out',
		routing: switchInBody('contentInEmail'),
	},
	{
		displayName: 'Emoji',
		name: 'emoji',
		type: 'string',
		default: '',
		placeholder: 'e.g. 📣',
		description: 'Emoji shown with the title; a bell when left out',
		routing: textInBody('emoji', 'omit'),
	},
	{
		displayName: 'Image URL',
		name: 'imageUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/canteen.png',
		description: 'Address of a picture that everybody can open without signing in',
		routing: textInBody('imageUrl', 'omit'),
	},
	{
		displayName: 'Require Confirmation',
		name: 'requiredConfirm',
		type: 'boolean',
		default: true,
		description: 'Whether recipients must confirm that they read it; they need not when left out',
		routing: switchInBody('requiredConfirm'),
	},
]);
