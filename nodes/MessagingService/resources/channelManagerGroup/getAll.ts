import { getManyOfChannel } from '../channel/getManyOfChannel';

/** GET /int/v1/channel/:id/managerGroup */
export const getAll = getManyOfChannel(
	'managerGroup',
	"Retrieve a list of the groups that manage a channel, with their permissions. Each group consists of console users (users of the service's website).",
);
