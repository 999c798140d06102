import { recipientGroupId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';
import { memberFields, oneKindOfMembers } from './memberFields';
import { dataWithWarning } from './refusedMembers';

/**
 * DELETE /int/v1/recipientGroup/:id/recipients with a JSON body: returns successCount, errorCount and, if there are errors,
 * errorLog.
 */
export const removeRecipients: Operation = {
	action: 'Remove recipients from recipient group',
	description: 'Remove recipients from a group',
	endpoint: ['DELETE', '/int/v1/recipientGroup/:recipientGroupId/recipients'],
	checks: [oneKindOfMembers],
	toItems: dataWithWarning,
	fields: [recipientGroupId, ...memberFields],
};
