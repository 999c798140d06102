import { broadcastContent, message, title } from '../../fields/broadcastFields';
import type { Operation } from '../../engine/declaration';
import { oneKindOfRecipients, recipientFields } from '../../fields/recipients';
import {
	broadcastHasRecipients,
	sendingTime,
	broadcastStaysDraft,
	groupsHaveMembers,
	messageClaim,
	sendsWhenLive,
} from '../../fields/sending';

/** POST /int/v1/broadcast: creates a broadcast and saves, sends or schedules it. Returns its ID and console URL. */
export const create: Operation = {
	description: 'Create a broadcast, and save, send or schedule it',
	endpoint: ['POST', '/int/v1/broadcast'],
	checks: [oneKindOfRecipients, broadcastHasRecipients, groupsHaveMembers],
	claim: messageClaim('broadcast'),
	sends: sendsWhenLive,
	fields: [
		title,
		message,
		...recipientFields,
		...sendingTime,
		broadcastStaysDraft,
		broadcastContent,
	],
};
