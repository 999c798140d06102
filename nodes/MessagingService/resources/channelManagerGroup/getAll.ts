import { peopleList } from '../channel/peopleList';

/** GET /int/v1/channel/:id/managerGroup */
export const getAll = peopleList(
	'managerGroup',
	'Retrieve a list of the groups that manage a channel, with their permissions',
);
