import { getManyOfChannel } from '../channel/getManyOfChannel';

/** GET /int/v1/channel/:id/manager */
export const getAll = getManyOfChannel(
	'manager',
	"Retrieve a list of a channel's managers, with their permissions",
);
