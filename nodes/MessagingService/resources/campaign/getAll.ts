import { categoryFilter, filters } from '../../shared/collections';
import {
	dateFilter,
	getMany,
	limit,
	returnAll,
	scopeFilter,
	textFilter,
} from '../../shared/getMany';
import type { Operation } from '../../shared/operation';
import { byPreviousLastId } from '../../shared/paging';
import { campaignStatusCodes } from '../../shared/status';
import { liveDateFilters, scope } from '../../shared/listFilters';

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
