import type { INodeProperties } from 'n8n-workflow';

import { dateField } from '../../shared/fieldTypes';
import { toScopeQuery, scope } from '../../shared/filters';
import { inQuery } from '../engine/conversions';

/** Filters by live date, for campaigns and broadcasts. */
export const liveDateFilters: INodeProperties[] = [
	dateField('minLiveDate', 'Only campaigns or broadcasts that go live after this date'),
	dateField('maxLiveDate', 'Only campaigns or broadcasts that go live before this date'),
];

/** Selects whose campaigns or broadcasts are listed. */
export const scopeFilter: INodeProperties = { ...scope, routing: inQuery('scope', toScopeQuery) };
