import { getManyOfChannel } from '../channel/getManyOfChannel';

/** GET /int/v1/channel/:id/recipient */
export const getAll = getManyOfChannel(
	'recipient',
	'Retrieve a list of the recipients of a channel',
);
