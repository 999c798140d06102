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
	const field = byEmail ? 'email' : '_id';
	const shapes: Record<typeof shape, object> = {
		field: { [field]: value, ...words },
		recipientField: { [byEmail ? 'recipientEmail' : 'recipientId']: value, message },
		valueError: { value, error: message },
		nested: { recipient: { [field]: value }, reason: message },
		text: { message: refusal ? `${value}: ${refusal}` : `Recipient ${value} not found in system` },
		message: { message },
		index: { index, message },
		opaque: { code: refusal ?? 'RECIPIENT_NOT_FOUND' },
		lowerCase: { [field]: value.toLowerCase(), ...words },
	};
	return shapes[shape];
}
