import { messageOf } from '../../../../shared/failure';
import type { Taken } from './evidence';
import type { Recipient } from './readRecipients';
import type { SyncRun } from './syncRun';
import { refusalIn } from './groupApi';
import type { Staging } from './staging';

/** Addresses that are all in a staging group, or all out of it, and how many the service counted nobody for. */
type Counted = { emails: Recipient[]; inside: boolean; nobody: number };

/**
 * Finds the addresses that a service passes over in silence. Put into a group or taken out of it, such an address
 * changes nothing: what `successCount` lacks is their number. Halves are put in and taken out until they stand alone,
 * with one request for each half.
 *
 * @param taken what the group took, each address once; an empty group before
 * @returns the keys of the addresses found; not all of them when the requests granted for this are used up or one fails
 */
export async function findSilentlyIgnored(
	run: SyncRun,
	staging: Staging,
	taken: Taken[],
): Promise<Set<string>> {
	const found = new Set<string>();
	try {
		let open: Counted[] = [];
		for (const { recipients: emails, changed } of taken) {
			const told = changed !== undefined && {
				emails,
				inside: true,
				nobody: emails.length - changed,
			};
			open.push(told || (await turn({ emails, inside: true })));
		}
		while (open.length > 0) {
			const halved: Counted[] = [];
			for (const { emails, inside, nobody } of open) {
				if (nobody === 0) continue;
				if (nobody === emails.length) {
					for (const { key } of emails) found.add(key);
					continue;
				}
				const middle = Math.ceil(emails.length / 2);
				const first = await turn({ emails: emails.slice(0, middle), inside });
				const second = { emails: emails.slice(middle), inside, nobody: nobody - first.nobody };
				halved.push(first, second);
			}
			open = halved;
		}
	} catch (error) {
		run.log(`Whom the service passes over could not be found out: ${messageOf(error)}`);
	}
	return found;

	/** Takes addresses out of the group, or puts them in again, and counts those that this did not change. */
	async function turn({ emails, inside }: Omit<Counted, 'nobody'>): Promise<Counted> {
		if (run.extraRequests.left === 0) throw run.refuse('It takes too many requests');
		run.extraRequests.left -= 1;
		const values = emails.map(({ value }) => value);
		const { changed, errorCount } = await staging.change(
			inside ? 'remove' : 'add',
			'email',
			values,
		);
		if (changed === undefined || errorCount > 0) throw run.refuse('The counts do not tell');
		return { emails, inside: !inside, nobody: emails.length - changed };
	}
}

/**
 * Asks how the service treats an address that nobody has: documented is a refusal. Asked by taking it out of a group of
 * our own, which can make nobody up.
 *
 * @returns whether it is passed over in silence; true also when the answer does not tell
 */
export async function ignoresUnknownSilently(staging: Staging): Promise<boolean> {
	// A domain that nobody can have (RFC 2606).
	const nobody = `${crypto.randomUUID()}@nobody.invalid`;
	try {
		const { errorCount } = await staging.change('remove', 'email', [nobody]);
		return errorCount === 0;
	} catch (error) {
		return refusalIn(error) !== 'unknown';
	}
}
