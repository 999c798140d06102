import type { INodeProperties } from 'n8n-workflow';

import { requiredTextInBody } from '../engine/conversions';
import { additionalFields } from './collections';

/** Title of a broadcast. */
export const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Invitation to the summer party',
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
	placeholder: 'e.g. Please read it and respond by Friday.',
	description: 'Text that recipients see',
	routing: requiredTextInBody('message'),
};

/** The optional content of a broadcast to recipients or to a channel (broadcast.create in emulator/openapi.yaml). */
export const broadcastContent = additionalFields([
	{
		displayName: 'Action Link',
		name: 'actionLink',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/invitation',
		description: 'Web address that the button below the message opens',
	},
	{
		displayName: 'Action Link Text',
		name: 'actionLinkText',
		type: 'string',
		default: '',
		placeholder: 'e.g. Read and respond',
		description: 'Text of the button. Defaults to "More Detail".',
	},
	{
		displayName: 'Image URL',
		name: 'imageUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/invitation.png',
		description:
			'Public URL of an image. The URL in the output of Upload is only a path, which may not be public.',
	},
	{
		displayName: 'Emoji',
		name: 'emoji',
		type: 'string',
		default: '',
		placeholder: 'e.g. 📣',
		description: 'Emoji next to the title. Defaults to a bell.',
	},
	{
		displayName: 'Require Confirmation',
		name: 'requiredConfirm',
		type: 'boolean',
		default: true,
		description:
			'Whether recipients must confirm that they read the broadcast. Off unless you add this field.',
	},
	{
		displayName: 'Content in Email',
		name: 'contentInEmail',
		type: 'boolean',
		default: true,
		description: 'Whether the email contains the message itself. Off unless you add this field.',
	},
]);
