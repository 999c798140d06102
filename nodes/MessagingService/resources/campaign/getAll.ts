import { choiceFilter } from '../../../shared/filters';
import { categoryFilter, filters } from '../../fields/collections';
import { inQuery } from '../../operations/conversions';
import { limit, list, returnAll } from '../../operations/list';
import { simplified, simplify } from '../../fields/simplify';
import type { Operation } from '../../operations/operation';
import { campaigns } from '../../../shared/lists/lists';
import { campaignStatusCodes, statusName } from '../../../shared/campaignStatus';
import { liveDateFilters, scopeOfList } from '../../fields/listFilters';

/** GET /int/v1/campaign: campaigns created by or shared with the caller, newest first. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'Retrieve a list of campaigns, newest first',
	...list(campaigns, simplified(statusName)),
	fields: [
		returnAll,
		limit,
		simplify,
		filters([
			categoryFilter,
			...liveDateFilters,
			scopeOfList,
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: campaignStatusCodes,
				default: '1',
				description: 'Status of the campaigns',
				routing: inQuery(
					'status',
					choiceFilter(campaignStatusCodes.map(({ value }) => String(value))),
				),
			},
		]),
	],
};
