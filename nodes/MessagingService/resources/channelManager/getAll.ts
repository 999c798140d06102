import { peopleList } from '../channel/peopleList';

/** GET /int/v1/channel/:id/manager */
export const getAll = peopleList(
	'manager',
	'Retrieve a list of the users who manage a channel, with their permissions',
);
