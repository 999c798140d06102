import { additionalFields } from '../../fields/collections';
import { broadcastContentFields, message, title } from '../../fields/broadcastFields';
import { endpoint } from '../../operations/endpoint';
import { channelId } from '../../fields/locators';
import type { Operation } from '../../operations/operation';

/** POST /int/v1/channel/:id/broadcast: sends at once, for it takes no status. Gives the broadcast's id and console URL. */
export const createBroadcast: Operation = {
	name: 'Create Broadcast',
	value: 'createBroadcast',
	action: 'Send a broadcast to a channel',
	description: 'Create a broadcast and send it at once to everybody in a channel',
	routing: endpoint('POST', '/int/v1/channel/:channelId/broadcast'),
	fields: [
		channelId,
		{
			displayName:
				'The broadcast goes out to everybody in the channel as soon as this runs, also when you only test the step, and cannot be taken back. For a draft, use Create of the resource Broadcast.',
			name: 'sendsAtOnce',
			type: 'notice',
			default: '',
		},
		title,
		message,
		additionalFields(broadcastContentFields),
	],
};
