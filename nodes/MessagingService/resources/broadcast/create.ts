import { additionalFields } from '../../shared/collections';
import { broadcastContentFields, message, title } from '../../shared/broadcastFields';
import { endpoint } from '../../shared/endpoint';
import type { Operation } from '../../shared/operation';
import { oneKindOfRecipients, recipientFields } from '../../shared/recipients';
import { sendingFields } from '../../shared/status';

/** POST /int/v1/broadcast: creates a broadcast and saves, sends or schedules it. Gives its id and console URL. */
export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a broadcast',
	description: 'Create a broadcast and save, send or schedule it',
	routing: endpoint('POST', '/int/v1/broadcast', { preSend: [oneKindOfRecipients] }),
	fields: [
		title,
		message,
		...sendingFields,
		...recipientFields,
		additionalFields(broadcastContentFields),
	],
};
