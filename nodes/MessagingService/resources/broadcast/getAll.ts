import { broadcasts } from '../../lists/locatorLists';
import { filters } from '../../fields/collections';
import { getMany } from '../../fields/getMany';
import { liveDateFilters, scopeFilter } from '../../fields/listFilters';
import { simplifyMessage } from '../../fields/simplify';

/** GET /int/v1/broadcast: broadcasts created by or shared with the caller, newest first. */
export const getAll = getMany(broadcasts, 'Retrieve a list of broadcasts, newest first', {
	simplifier: simplifyMessage,
	filters: filters([...liveDateFilters, scopeFilter]),
});
