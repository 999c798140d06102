import type { Operation } from '../../engine/operation';

/** GET /int/v1/me: the owner of the credential. */
export const get: Operation = {
	action: 'Get profile',
	description: 'Retrieve the owner of the credential',
	endpoint: ['GET', '/int/v1/me'],
	fields: [],
};
