import { toTitle } from '../../../shared/values';
import { additionalFields } from '../../fields/collections';
import { inBody, optional } from '../../engine/conversions';
import type { Operation } from '../../engine/declaration';
import { channelFields, channelName } from './channelFields';

/** POST /int/v1/channel returns the new channel. */
export const create: Operation = {
	description: 'Create a channel for campaigns and broadcasts',
	endpoint: ['POST', '/int/v1/channel'],
	// The service expects a JSON object, even if it is empty.
	body: {},
	fields: [
		{
			...channelName,
			hint: 'Optional, but a channel without a name is hard to find',
			routing: inBody('name', optional(toTitle, 'omit')),
		},
		additionalFields(channelFields('omit')),
	],
};
