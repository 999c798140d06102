import { stringField } from '../../../shared/fieldTypes';
import { bySkip } from '../../../shared/transport/paging';
import { filters } from '../../fields/collections';
import { getMany } from '../../fields/getMany';
import { channelId } from '../../fields/locators';
import type { Operation } from '../../engine/declaration';

const conditions = filters([
	stringField(
		'conditions',
		'Return only records that meet these conditions. The service does not document which fields you can use. Try a field of the output items, for example { "active": true } for recipients.',
		{ type: 'json', default: '{}', placeholder: 'e.g. { "active": true }' },
	),
]);

/**
 * Creates the operation Get Many for the managers, manager groups or recipients of a channel. The API does not document the
 * available conditions (channelManager.getAll in emulator/openapi.yaml).
 *
 * @param part the last part of the path
 */
export const getManyOfChannel = (
	part: 'manager' | 'managerGroup' | 'recipient',
	description: string,
): Operation =>
	getMany({ path: `/int/v1/channel/:channelId/${part}`, read: bySkip }, description, {
		above: [channelId],
		filters: conditions,
	});
