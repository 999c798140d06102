import type { Switches } from '../switches.mts';

/**
 * Returns an element of `errorLog`, whose shape is undocumented (openapi.yaml, MembershipResult).
 *
 * @param said the message for a known recipient
 */
export function errorLogEntry(
	shape: Switches['errorLogShape'],
	byEmail: boolean,
	value: string,
	index: number,
	said?: string,
): object {
	const message = said ?? 'Recipient not found in system';
	const words = said === undefined ? {} : { message };
	switch (shape) {
		case 'field':
			return { [byEmail ? 'email' : '_id']: value, ...words };
		case 'recipientField':
			return byEmail ? { recipientEmail: value, message } : { recipientId: value, message };
		case 'valueError':
			return { value, error: message };
		case 'nested':
			return { recipient: byEmail ? { email: value } : { _id: value }, reason: message };
		case 'text':
			return { message: said ? `${value}: ${said}` : `Recipient ${value} not found in system` };
		case 'index':
			return { index, message };
		case 'opaque':
			return { code: said ?? 'RECIPIENT_NOT_FOUND' };
		case 'lowerCase':
			return { [byEmail ? 'email' : '_id']: value.toLowerCase(), ...words };
	}
}
