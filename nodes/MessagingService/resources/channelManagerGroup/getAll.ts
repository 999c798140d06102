import { peopleList } from '../channel/peopleList';

/** GET /int/v1/channel/:id/managerGroup */
export const getAll = peopleList('managerGroup', {
	action: 'Get many channel manager groups',
	description: 'Retrieve a list of the groups that manage a channel, with their permissions',
});
