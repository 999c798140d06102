import { inBody, required } from '../../engine/conversions';
import { loadedField, stringField } from '../../../shared/fieldTypes';
import { toEmail } from '../../../shared/email';
import { toId } from '../../../shared/values';

/** The manager, by any of the four identifiers that the service accepts. */
export const user = stringField('user', 'Email, username, service ID or HR system ID', {
	required: true,
	placeholder: 'e.g. ada@example.com',
	routing: inBody(
		'user',
		required((value, field) => {
			const line = toId(value, field);
			return /[@<]/.test(line) ? toEmail(line, field) : line;
		}, 'Enter an email, an ID or a username, or check the expression. Nothing was sent.'),
	),
});

/** The same parameter, with the current managers of the channel as options. */
export const currentManager = loadedField(
	'options',
	'user',
	'User',
	'getChannelManagers',
	'The manager to remove from the channel. An expression can return an ID, an email or a username.',
	{
		required: true,
		typeOptions: {
			loadOptionsMethod: 'getChannelManagers',
			loadOptionsDependsOn: ['channelId.value'],
		},
		routing: user.routing,
	},
);
