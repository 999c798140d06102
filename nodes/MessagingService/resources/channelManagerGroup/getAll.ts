import { getManyOfChannel } from '../channel/getManyOfChannel';

/** GET /int/v1/channel/:id/managerGroup */
export const getAll = getManyOfChannel(
	'managerGroup',
	'Retrieve a list of the console user groups that manage a channel, with their permissions',
);
