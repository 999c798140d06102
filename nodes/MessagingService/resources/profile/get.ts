import type { Operation } from '../../operations/operation';

/** GET /int/v1/me: the person behind the credential. */
export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get the profile',
	description: 'Get the person that the credential belongs to',
	endpoint: ['GET', '/int/v1/me'],
	fields: [],
};
