import { broadcastContent, message, title } from '../../fields/broadcastFields';
import { sendingNotice } from '../../fields/notice';
import { channelId } from '../../fields/locators';
import { messageClaim } from '../../fields/sending';
import type { Operation } from '../../engine/declaration';

/**
 * POST /int/v1/channel/:id/broadcast sends a broadcast immediately, and returns the broadcast's ID and console URL. The API
 * documents no field `status` for this request (channel.createBroadcast in emulator/openapi.yaml).
 */
export const createBroadcast: Operation = {
	name: 'Send Broadcast',
	action: 'Send broadcast to channel',
	description: 'Create a broadcast in a channel and send it right away',
	endpoint: ['POST', '/int/v1/channel/:channelId/broadcast'],
	claim: messageClaim('broadcast'),
	sends: sendingNotice(
		'The broadcast goes out to the channel',
		undefined,
		' This operation cannot save drafts or schedule broadcasts.',
	),
	fields: [channelId, title, message, broadcastContent],
};
