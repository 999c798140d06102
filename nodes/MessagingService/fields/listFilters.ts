import type { INodeProperties } from 'n8n-workflow';

import { scopeFilter, scope } from '../../shared/filters';
import { convertedInQuery } from '../engine/declaration';

/** Filters by live date, for campaigns and broadcasts. */
export const liveDateFilters: INodeProperties[] = [
	{
		displayName: 'Live After',
		name: 'minLiveDate',
		type: 'dateTime',
		default: '',
		description: 'Only records whose live date is after this date',
	},
	{
		displayName: 'Live Before',
		name: 'maxLiveDate',
		type: 'dateTime',
		default: '',
		description: 'Only records whose live date is before this date',
	},
];

/** Selects whose campaigns or broadcasts are listed. */
export const scopeOfList: INodeProperties = {
	...scope,
	routing: convertedInQuery('scope', scopeFilter),
};
