import type { Switches } from '../switches.mts';

/**
 * Returns an element of `errorLog`, whose shape is undocumented (openapi.yaml, MembershipResult).
 *
 * @param refusal the reason in the element. By default, the element says that the recipient is unknown
 */
export function errorLogEntry(
	shape: Switches['errorLogShape'],
	byEmail: boolean,
	value: string,
	index: number,
	refusal?: string,
): object {
	const message = refusal ?? 'Recipient not found in system';
	const words = refusal === undefined ? {} : { message };
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
			return {
				message: refusal ? `${value}: ${refusal}` : `Recipient ${value} not found in system`,
			};
		case 'message':
			return { message };
		case 'index':
			return { index, message };
		case 'opaque':
			return { code: refusal ?? 'RECIPIENT_NOT_FOUND' };
		case 'lowerCase':
			return { [byEmail ? 'email' : '_id']: value.toLowerCase(), ...words };
	}
}
