import { getManyOfChannel } from '../channel/getManyOfChannel';

/** GET /int/v1/channel/:id/manager */
export const getAll = getManyOfChannel(
	'manager',
	'Retrieve a list of the users who manage a channel, with their permissions',
);
