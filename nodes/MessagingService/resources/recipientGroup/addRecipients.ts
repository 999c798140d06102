import { options } from '../../fields/collections';
import { recipientGroupId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';
import { switchInBody } from '../../operations/body';
import { memberFields, oneKindOfMembers } from './memberFields';

/** POST /int/v1/recipientGroup/:id/recipients: gives successCount, errorCount and, when there are errors, errorLog. */
export const addRecipients: Operation = {
	name: 'Add Recipients',
	value: 'addRecipients',
	action: 'Add recipients to a recipient group',
	description: 'Add recipients to a group; those already in it stay as they are',
	endpoint: ['POST', '/int/v1/recipientGroup/:recipientGroupId/recipients'],
	preSend: [oneKindOfMembers],
	fields: [
		recipientGroupId,
		...memberFields,
		options([
			{
				displayName: 'Reset',
				name: 'reset',
				type: 'boolean',
				default: false,
				description:
					'Whether to remove everybody who is in the group now before adding. If adding then fails, the group may stay empty.',
				routing: switchInBody('reset'),
			},
		]),
	],
};
