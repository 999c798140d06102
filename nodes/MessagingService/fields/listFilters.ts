import type { INodeProperties } from 'n8n-workflow';

import { conditionsFilter, dateFilter, scopeFilter } from '../../shared/filters';
import { scope } from '../../shared/scope';
import { inQuery } from '../operations/list';

/** Filters by the date of going live, for campaigns and broadcasts. */
export const liveDateFilters: INodeProperties[] = [
	{
		displayName: 'Live After',
		name: 'minLiveDate',
		type: 'dateTime',
		default: '',
		description: 'Only what went or goes live later than this',
		routing: inQuery('minLiveDate', dateFilter),
	},
	{
		displayName: 'Live Before',
		name: 'maxLiveDate',
		type: 'dateTime',
		default: '',
		description: 'Only what went or goes live earlier than this',
		routing: inQuery('maxLiveDate', dateFilter),
	},
];

/** Whose campaigns or broadcasts are listed. */
export const scopeOfList: INodeProperties = { ...scope, routing: inQuery('scope', scopeFilter) };

/** Filter of the lists of people in a channel; which conditions there are is not shown (channelManager.getAll in emulator/openapi.yaml). */
export const conditionsFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Conditions',
			name: 'conditions',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "active": true }',
			description:
				'Only what meets these conditions, as JSON. Which fields the service compares is not documented; those of the output are worth a try.',
			routing: inQuery('conditions', conditionsFilter),
		},
	],
};
