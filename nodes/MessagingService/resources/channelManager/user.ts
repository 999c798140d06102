import type { INodeProperties } from 'n8n-workflow';

import { convertedInBody } from '../../engine/conversions';
import { toText } from '../../../shared/values';

/** The manager, by any of the four identifiers that the service accepts. */
export const user: INodeProperties = {
	displayName: 'User',
	name: 'user',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. ada@example.com',
	description: 'Email, record ID, HR-system ID or username of a console user',
	routing: convertedInBody('user', (value, field) => {
		const reference = toText(value, field).trim();
		if (reference !== '') return reference;
		throw field.fail(
			'User is empty',
			'Enter an email, an ID or a username, or check the expression. Nothing was sent.',
		);
	}),
};

/** The same field, with the current managers of the channel as options. */
export const managingUser: INodeProperties = {
	...user,
	displayName: 'User Name or ID',
	type: 'options',
	typeOptions: {
		loadOptionsMethod: 'getChannelManagers',
		loadOptionsDependsOn: ['channelId.value'],
	},
	placeholder: undefined,
	description:
		'A user who manages the channel above. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
