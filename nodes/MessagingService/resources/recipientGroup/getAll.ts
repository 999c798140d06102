import { switchedOn } from '../../../shared/fieldTypes';
import { recipientGroups } from '../../lists/locatorLists';
import { bySkip } from '../../../shared/transport/paging';
import { filters } from '../../fields/collections';
import { getMany } from '../../fields/getMany';

const own = switchedOn(
	'own',
	'Whether to list only groups that belong to the owner of the access key',
);

/** GET /int/v1/recipientGroup: the groups that the owner of the access key may view. */
export const getAll = getMany(
	// Unlike the editor's list, this operation reads no large pages, so that it reads only as many groups as the user
	// asked for.
	{ path: recipientGroups.path, read: bySkip },
	'Retrieve a list of the recipient groups that the owner of the access key can view',
	{ filters: filters([own]) },
);
