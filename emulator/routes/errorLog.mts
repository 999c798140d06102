import type { Switches } from '../switches.mts';

/** One plausible element of `errorLog`; its shape is not shown (openapi.yaml, MembershipResult). */
export function errorLogEntry(
	shape: Switches['errorLogShape'],
	byEmail: boolean,
	value: string,
	index: number,
): object {
	const message = 'Recipient not found in system';
	switch (shape) {
		case 'field':
			return byEmail ? { email: value } : { _id: value };
		case 'recipientField':
			return byEmail ? { recipientEmail: value, message } : { recipientId: value, message };
		case 'valueError':
			return { value, error: message };
		case 'nested':
			return { recipient: byEmail ? { email: value } : { _id: value }, reason: message };
		case 'text':
			return { message: `Recipient ${value} not found in system` };
		case 'index':
			return { index, message };
		case 'opaque':
			return { code: 'RECIPIENT_NOT_FOUND' };
		case 'lowerCase':
			return byEmail ? { email: value.toLowerCase() } : { _id: value.toLowerCase() };
	}
}
