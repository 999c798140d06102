import { asRecipients, recipientsOf, type Evidence, type Plan } from './evidence';

/**
 * Says what is to be changed, from the group before and from who the recipients are. Ids that are in the group need not be
 * added; everybody else is sent, because the service then says whom it does not know.
 */
export function planOf({ mode, identifyBy, input, before, resolved: learned }: Evidence): Plan {
	const recipients = recipientsOf(input);
	const members = before?.ids ?? new Set<string>();
	if (mode === 'remove' || (mode === 'add' && identifyBy === 'email')) {
		return { send: recipients, by: identifyBy, surplus: [] };
	}
	const wanted =
		identifyBy === 'email'
			? (learned?.members.ids ?? new Set<string>())
			: new Set(recipients.map(({ key }) => key));
	const missing = [...wanted].filter((id) => !members.has(id));
	const surplus = mode === 'mirror' ? [...members].filter((id) => !wanted.has(id)) : [];
	return { send: asRecipients(missing), by: 'id', surplus };
}
