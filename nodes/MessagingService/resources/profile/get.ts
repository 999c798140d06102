import type { Operation } from '../../engine/declaration';

/** GET /int/v1/me: the owner of the credential. */
export const get: Operation = {
	description: "Retrieve the profile of the key's owner",
	endpoint: ['GET', '/int/v1/me'],
	fields: [],
};
