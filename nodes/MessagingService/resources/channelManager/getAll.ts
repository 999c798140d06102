import { peopleList } from '../channel/peopleList';

/** GET /int/v1/channel/:id/manager */
export const getAll = peopleList('manager', {
	action: 'Get many channel managers',
	description: 'Retrieve a list of the users who manage a channel, with their permissions',
});
