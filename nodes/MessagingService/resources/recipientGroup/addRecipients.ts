import { switchedOff } from '../../../shared/fieldTypes';
import { options } from '../../fields/collections';
import { recipientGroupId } from '../../fields/locators';
import { fieldsIn, toSwitch } from '../../../shared/values';
import { inBody } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { memberFields, oneKindOfMembers } from './memberFields';
import { dataWithWarning } from './refusedMembers';

/** POST /int/v1/recipientGroup/:id/recipients: returns successCount, errorCount and, if there are errors, errorLog. */
export const addRecipients: Operation = {
	action: 'Add recipients to recipient group',
	description: 'Add recipients to a group',
	endpoint: ['POST', '/int/v1/recipientGroup/:recipientGroupId/recipients'],
	checks: [oneKindOfMembers],
	claim: (_item, { url, body }) =>
		fieldsIn(body).reset === true
			? {
					key: url,
					allFail: true,
					message: (count) =>
						`${count} items would reset the same group, each undoing the one before`,
					advice:
						'Put all members into the list of one item, or use the operation Sync with Mode "Mirror", which takes all items at once.',
				}
			: undefined,
	toItems: dataWithWarning,
	fields: [
		recipientGroupId,
		...memberFields,
		options([
			switchedOff(
				'reset',
				'Whether the new members replace all current members. If adding the new members fails, the group may be empty.',
				{ routing: inBody('reset', toSwitch) },
			),
		]),
	],
};
