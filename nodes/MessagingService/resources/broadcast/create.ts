import { broadcastContent, message, title } from '../../fields/broadcastFields';
import { endpoint } from '../../operations/endpoint';
import type { Operation } from '../../operations/operation';
import { oneKindOfRecipients, recipientFields } from '../../fields/recipients';
import { sendingFields } from '../../fields/sending';

/** POST /int/v1/broadcast: creates a broadcast and saves, sends or schedules it. Gives its id and console URL. */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a broadcast',
	description: 'Create a broadcast and save, send or schedule it',
	routing: endpoint('POST', '/int/v1/broadcast', { preSend: [oneKindOfRecipients] }),
	fields: [title, message, ...sendingFields, ...recipientFields, broadcastContent],
};
