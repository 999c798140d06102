import { deleted } from '../../engine/output';
import { recipientGroupId } from '../../fields/locators';
import type { Operation } from '../../engine/operation';

/** DELETE /int/v1/recipientGroup/:id: returns the deleted group. */
export const deleteGroup: Operation = {
	action: 'Delete recipient group',
	description: 'Delete a recipient group. Its members remain recipients.',
	endpoint: ['DELETE', '/int/v1/recipientGroup/:recipientGroupId'],
	toItems: deleted,
	fields: [recipientGroupId],
};
