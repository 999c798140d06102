import { getManyOfChannel } from '../channel/getManyOfChannel';

/** GET /int/v1/channel/:id/managerGroup */
export const getAll = getManyOfChannel(
	'managerGroup',
	"Retrieve a list of the groups of console users that manage a channel, with each group's permissions",
);
