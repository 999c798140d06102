import { atLeastOneField, updateFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import { updateMayReplace } from '../../fields/notice';
import type { Operation } from '../../engine/declaration';
import { channelFields, channelName } from './channelFields';

/** PUT /int/v1/channel/:id updates the given fields and returns the channel. */
export const update: Operation = {
	description: 'Update a channel, including the defaults for its messages',
	endpoint: ['PUT', '/int/v1/channel/:channelId'],
	checks: [atLeastOneField],
	fields: [channelId, updateFields([channelName, ...channelFields('clear')]), updateMayReplace()],
};
