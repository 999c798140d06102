import type { Operation } from '../../engine/declaration';

/** GET /int/v1/me: the owner of the credential. */
export const get: Operation = {
	description: 'Retrieve the profile of the owner of the access key',
	endpoint: ['GET', '/int/v1/me'],
	fields: [],
};
