import { choices, optionsField } from '../../shared/fieldTypes';
import { toList } from '../../shared/values';
import { inBody, required } from '../engine/conversions';

/**
 * Permissions of a channel's managers. The API documentation names only some permissions, so the field accepts others too
 * (channelManager.set in emulator/openapi.yaml).
 */
export const permissions = optionsField(
	'permissions',
	choices({
		channel_recipient_add: ['Add Recipients'],
		channel_admin: ['Channel Admin'],
		channel_recipient_edit: ['Edit Recipients'],
	}),
	'',
	"What the channel's managers may do. An expression can also return other permissions that appear in the output of Get Many.",
	{
		type: 'multiOptions',
		allowArbitraryValues: true,
		default: [],
		required: true,
		routing: inBody(
			'permissions',
			required(
				toList,
				'Choose at least one, or check the expression. To revoke all permissions, use Remove. Nothing was sent.',
			),
		),
	},
);
