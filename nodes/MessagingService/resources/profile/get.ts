import type { Operation } from '../../engine/declaration';

/** GET /int/v1/me: the owner of the credential. */
export const get: Operation = {
	description: 'Retrieve the user who owns the key in the credential',
	endpoint: ['GET', '/int/v1/me'],
	fields: [],
};
