import type { Context } from '../server/context.mts';
import type { Person } from '../state/people.mts';

/** Returns the message with which the service refuses an unknown recipient. */
export function unknownRecipient({ switches }: Context, documented: string): string {
	const { unknownRecipientSays: says } = switches;
	return says === 'documented' ? documented : says;
}

/** Returns the message with which the service refuses to add a person now, if it does. Counts the refusal. */
export function refusalOf({ refusal }: Person): string | undefined {
	if (!refusal || refusal.times === 0) return undefined;
	refusal.times--;
	return refusal.says;
}

/**
 * Returns the person with an email, ID, HR-system ID or username. A switch determines whether a former email counts.
 *
 * @param find looks up this kind of reference. By default, an email
 */
export function personAt(
	{ state, switches }: Context,
	reference: string,
	find = (given: string) => state.people.findByEmail(given),
): Person | undefined {
	const person = find(reference);
	const isFormer =
		reference.includes('@') && person?.email.toLowerCase() !== reference.toLowerCase();
	return isFormer && switches.formerAddresses === 'unknown' ? undefined : person;
}
