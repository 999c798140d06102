import { endpoint } from '../../shared/endpoint';
import { recipientGroupId } from '../../shared/locators';
import type { Operation } from '../../shared/operation';

/** GET /int/v1/recipientGroup/:id; an unknown id is answered with a plain-text 404 (service-api.md, Errors 3). */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get a recipient group',
	description: 'Get one recipient group with the IDs of its members',
	routing: endpoint('GET', '/int/v1/recipientGroup/:recipientGroupId'),
	fields: [recipientGroupId],
};
