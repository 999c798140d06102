import type { Operation } from '../../engine/declaration';
import { deleted } from '../../engine/output';
import { recipientGroupId } from '../../fields/locators';

/** DELETE /int/v1/recipientGroup/:id: returns the deleted group. */
export const deleteGroup: Operation = {
	description: "Delete a recipient group. The group's members probably remain in the service.",
	endpoint: ['DELETE', '/int/v1/recipientGroup/:recipientGroupId'],
	toItems: deleted,
	fields: [recipientGroupId],
};
