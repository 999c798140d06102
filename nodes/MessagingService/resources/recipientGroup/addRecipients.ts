import { switchedOff } from '../../../shared/fieldTypes';
import { options } from '../../fields/collections';
import { recipientGroupIdOrNew } from '../../fields/locators';
import { switchInBody, type Operation } from '../../engine/declaration';
import { memberFields, oneKindOfMembers } from './memberFields';

/** POST /int/v1/recipientGroup/:id/recipients: returns successCount, errorCount and, if there are errors, errorLog. */
export const addRecipients: Operation = {
	action: 'Add recipients to recipient group',
	description: 'Add recipients to a group. Existing members stay unless Reset is on.',
	endpoint: ['POST', '/int/v1/recipientGroup/:recipientGroupId/recipients'],
	checks: [oneKindOfMembers],
	fields: [
		recipientGroupIdOrNew,
		...memberFields,
		options([
			switchedOff(
				'reset',
				'Whether to remove all current members before adding. If adding fails, the group may remain empty.',
				{ routing: switchInBody('reset') },
			),
		]),
	],
};
