import type { INodeProperties } from 'n8n-workflow';

/** Owner and sender of a campaign. Both can only be set on create. */
export const ownerFields: INodeProperties[] = [
	{
		displayName: 'Sender User Email',
		name: 'senderUserEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. ada@example.com',
		description:
			'Console user shown as the sender. Defaults to the owner of the credential. The From address of the email does not change.',
	},
	{
		displayName: 'Owner User Email',
		name: 'ownerUserEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. ada@example.com',
		description: 'Console user who owns the campaign. Defaults to the owner of the credential.',
	},
];
