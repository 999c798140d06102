import { booleanField } from '../../../shared/fieldTypes';
import { filters } from '../../fields/collections';
import { limit, list, returnAll } from '../../engine/list';
import type { Operation } from '../../engine/declaration';
import { recipientGroups } from '../../../shared/lists/lists';
import { bySkip } from '../../../shared/transport/paging';

/** GET /int/v1/recipientGroup: the groups that the owner of the credential may view. */
export const getAll: Operation = {
	description: 'Retrieve a list of the recipient groups that you can view',
	// Unlike the editor's list, this operation reads no large pages, so that it reads only as many groups as the user
	// asked for.
	...list({ path: recipientGroups.path, read: bySkip }),
	fields: [
		returnAll,
		limit,
		filters([
			booleanField('own', 'Whether to list only groups that belong to the owner of the credential'),
		]),
	],
};
