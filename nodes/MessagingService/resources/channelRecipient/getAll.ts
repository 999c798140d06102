import { peopleList } from '../channel/peopleList';

/** GET /int/v1/channel/:id/recipient */
export const getAll = peopleList('recipient', 'Retrieve a list of the recipients of a channel');
