import type { Operation } from '../../engine/declaration';
import { deleted } from '../../engine/output';
import { recipientGroupId } from '../../fields/locators';

/** DELETE /int/v1/recipientGroup/:id: returns the deleted group. */
export const deleteGroup: Operation = {
	description: 'Delete a recipient group. The service probably does not delete the members.',
	endpoint: ['DELETE', '/int/v1/recipientGroup/:recipientGroupId'],
	toItems: deleted,
	fields: [recipientGroupId],
};
