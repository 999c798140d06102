import { optionsField } from '../../../shared/fieldTypes';
import { category } from '../../../shared/filters';
import { campaigns } from '../../../shared/lists/list';
import { campaignStatusCodes } from '../../../shared/statusCodes';
import { filters } from '../../fields/collections';
import { getMany } from '../../fields/getMany';
import { liveDateFilters, scopeFilter } from '../../fields/listFilters';
import { simplifyMessage } from '../../fields/simplify';

/** GET /int/v1/campaign: campaigns created by or shared with the caller, newest first. */
export const getAll = getMany(campaigns, 'Retrieve a list of campaigns, newest first', {
	simplifier: simplifyMessage,
	filters: filters([
		optionsField('status', campaignStatusCodes, '1', 'Only campaigns with this status'),
		...liveDateFilters,
		category,
		scopeFilter,
	]),
});
