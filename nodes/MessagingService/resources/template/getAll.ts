import { category } from '../../../shared/filters';
import { templates } from '../../../shared/lists/list';
import { filters } from '../../fields/collections';
import { getMany } from '../../fields/getMany';

/** GET /int/v1/template */
export const getAll = getMany(templates, 'Retrieve a list of campaign templates', {
	filters: filters([category]),
});
