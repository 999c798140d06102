import { filters } from '../../shared/collections';
import { getMany, limit, returnAll, switchFilter } from '../../shared/getMany';
import type { Operation } from '../../shared/operation';
import { bySkip } from '../../shared/paging';

/** GET /int/v1/recipientGroup: groups the caller may view. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many recipient groups',
	description: 'Get a list of the recipient groups you may view',
	execute: getMany({
		path: '/int/v1/recipientGroup',
		read: bySkip,
		filters: { own: switchFilter },
	}),
	fields: [
		returnAll,
		limit,
		filters([
			{
				displayName: 'Own',
				name: 'own',
				type: 'boolean',
				default: true,
				description: 'Whether to list only groups that belong to the owner of the credential',
			},
		]),
	],
};
