import { optionsField } from '../../../shared/fieldTypes';
import { filters } from '../../fields/collections';
import { limit, list, returnAll } from '../../engine/list';
import { simpleRecord, simplified, simplify } from '../../fields/simplify';
import type { Operation } from '../../engine/declaration';
import { category } from '../../../shared/filters';
import { campaigns } from '../../../shared/lists/lists';
import { campaignStatusCodes, statusName } from '../../../shared/status';
import { liveDateFilters, scopeOfList } from '../../fields/listFilters';

/** GET /int/v1/campaign: campaigns created by or shared with the caller, newest first. */
export const getAll: Operation = {
	description: 'Retrieve a list of campaigns, newest first',
	...list(campaigns, simplified(simpleRecord(statusName))),
	fields: [
		returnAll,
		limit,
		simplify,
		filters([
			optionsField('status', campaignStatusCodes, '1', 'Status of the campaigns'),
			...liveDateFilters,
			category,
			scopeOfList,
		]),
	],
};
