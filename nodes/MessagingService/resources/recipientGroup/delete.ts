import { deleted, endpoint } from '../../operations/endpoint';
import { recipientGroupId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** DELETE /int/v1/recipientGroup/:id; gives the deleted group. */
export const deleteGroup: Operation = {
	name: 'Delete',
	value: 'delete',
	action: 'Delete a recipient group',
	description: 'Delete a recipient group; its members stay recipients',
	routing: endpoint('DELETE', '/int/v1/recipientGroup/:recipientGroupId', { toItems: deleted }),
	fields: [recipientGroupId],
};
