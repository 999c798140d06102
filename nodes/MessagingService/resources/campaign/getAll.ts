import { categoryFilter, filters } from '../../fields/collections';
import { dateFilter, scopeFilter, textFilter } from '../../../shared/filters';
import { getMany, limit, returnAll } from '../../operations/list';
import type { Operation } from '../../operations/operation';
import { scope } from '../../../shared/scope';
import { byPreviousLastId } from '../../../shared/service/paging';
import { campaignStatusCodes } from '../../../shared/campaignStatus';
import { liveDateFilters } from '../../fields/listFilters';

/** GET /int/v1/campaign: campaigns created by or shared with the caller, newest first. */
export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many campaigns',
	description: 'Get a list of campaigns, newest first',
	execute: getMany({
		path: '/int/v1/campaign',
		read: byPreviousLastId,
		filters: {
			status: textFilter,
			category: textFilter,
			minLiveDate: dateFilter,
			maxLiveDate: dateFilter,
			scope: scopeFilter,
		},
	}),
	fields: [
		returnAll,
		limit,
		filters([
			categoryFilter,
			...liveDateFilters,
			scope,
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: campaignStatusCodes,
				default: '1',
				description: 'State the campaigns are in',
			},
		]),
	],
};
