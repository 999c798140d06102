import { bySkip } from '../../../shared/transport/paging';
import { filters } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import { limit, list, returnAll } from '../../operations/list';
import type { Operation } from '../../operations/operation';

const conditions = filters([
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "active": true }',
		description:
			'Only records that meet these conditions, as JSON. The API does not document which fields it compares: try those of the output.',
	},
]);

/**
 * Get Many of the people in a channel: managers, manager groups and recipients are listed alike. Which conditions there are
 * is not shown (channelManager.getAll in emulator/openapi.yaml).
 *
 * @param part what the path of the list ends with
 * @param words what the list is called on the screen
 */
export const peopleList = (
	part: 'manager' | 'managerGroup' | 'recipient',
	words: Pick<Operation, 'action' | 'description'>,
): Operation => ({
	...words,
	...list({ path: `/int/v1/channel/:channelId/${part}`, read: bySkip }),
	fields: [channelId, returnAll, limit, conditions],
});
