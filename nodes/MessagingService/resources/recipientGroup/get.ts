import { recipientGroupId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

/**
 * GET /int/v1/recipientGroup/:id. The response for an unknown ID is a plain-text 404 (recipientGroup.get in
 * emulator/openapi.yaml).
 */
export const get: Operation = {
	description: 'Retrieve a recipient group. In the output, "leads" has the IDs of the members.',
	endpoint: ['GET', '/int/v1/recipientGroup/:recipientGroupId'],
	fields: [recipientGroupId],
};
