import { messageOf } from '../../../../shared/failure';
import {
	recipientsOf,
	sumChanged,
	takenBy,
	type GroupMembers,
	type ResolvedRecipients,
	type Taken,
} from './evidence';
import { refusalIn } from './groupApi';
import type { Recipient } from './readRecipients';
import { sendInChunks } from './sendInChunks';
import { withStaging, type Staging } from './staging';
import type { SyncRun } from './syncRun';

/**
 * Finds out who the recipients are, where that is needed to know what to do: the IDs behind emails for Mirror, and in a
 * dry run whom the service knows. The service offers no look-up (tag recipientGroup in emulator/openapi.yaml), so they go
 * into a staging group, which is read.
 *
 * @param before the group to be synced
 * @returns undefined where the group itself is asked
 * @throws when a staging group cannot be made or read, or is not shown whole
 */
export async function resolveRecipients(
	run: SyncRun,
	before: GroupMembers,
): Promise<ResolvedRecipients | undefined> {
	const byEmail = run.identifyBy === 'email';
	if (!run.dryRun && !(run.mode === 'mirror' && byEmail)) return undefined;
	const all = recipientsOf(run.input);
	// By ID those who would be sent: in the same chunks the service says the same.
	const asked =
		byEmail || run.mode === 'remove' ? all : all.filter(({ key }) => !before.ids.has(key));
	if (asked.length === 0) return undefined;
	return await withStaging(run, async (staging) => {
		const responses = await sendInChunks(run, asked, {
			what: 'Looking people up',
			by: run.identifyBy,
			send: async (values) => await staging.change('add', run.identifyBy, values),
		});
		const members = await staging.read(sumChanged(responses.taken));
		if (!byEmail) return { responses, members, owners: [] };
		if (!members.complete) {
			throw run.refuse(
				`The service shows only ${members.shown} members of a group`,
				'So the IDs of the recipients cannot be found out. Nothing was changed. Identify By "ID" does without.',
			);
		}
		const someIgnored = run.perRecipient && takenBy(responses).length > members.ids.size;
		const ignored = someIgnored
			? await findSilentlyIgnored(run, staging, responses.taken)
			: new Set<Recipient>();
		const told = { ...responses, ...withoutIgnored(responses.taken, ignored) };
		return {
			responses: told,
			members,
			owners: [{ emails: takenBy(told), ids: members.ids }],
		};
	});
}

/** Takes those whom the service silently ignored out of what it took; a count that told of them tells of the rest. */
export function withoutIgnored(
	taken: Taken[],
	found: ReadonlySet<Recipient>,
): { taken: Taken[]; ignored: Recipient[] } {
	return {
		taken: taken.flatMap(({ recipients, ...rest }) => {
			const known = recipients.filter((recipient) => !found.has(recipient));
			return known.length > 0 ? [{ ...rest, recipients: known }] : [];
		}),
		ignored: [...found],
	};
}

/** Addresses that are all in a staging group, or all out of it, and how many the service counted nobody for. */
type Counted = { emails: Recipient[]; inside: boolean; nobody: number };

/**
 * Finds the addresses that a service silently ignores. Put into a group or taken out of it, such an address changes
 * nothing: what `successCount` lacks is their number. Halves are put in and taken out until they stand alone, with one
 * request for each half.
 *
 * @param taken what the group took, each address once; an empty group before
 * @returns the addresses found; not all of them when the requests granted for this are used up or one fails
 */
export async function findSilentlyIgnored(
	run: SyncRun,
	staging: Staging,
	taken: Taken[],
): Promise<Set<Recipient>> {
	const found = new Set<Recipient>();
	try {
		let open: Counted[] = [];
		for (const { recipients: emails, changed } of taken) {
			open.push(
				changed === undefined
					? await turn(emails, true)
					: { emails, inside: true, nobody: emails.length - changed },
			);
		}
		while (open.length > 0) {
			const halved: Counted[] = [];
			for (const { emails, inside, nobody } of open) {
				if (nobody === 0) continue;
				if (nobody === emails.length) {
					for (const email of emails) found.add(email);
					continue;
				}
				const middle = Math.ceil(emails.length / 2);
				const first = await turn(emails.slice(0, middle), inside);
				const second = { emails: emails.slice(middle), inside, nobody: nobody - first.nobody };
				halved.push(first, second);
			}
			open = halved;
		}
	} catch (error) {
		run.log(`Whom the service silently ignores could not be found out: ${messageOf(error)}`);
	}
	return found;

	/** Takes addresses out of the group, or puts them in again, and counts those that this did not change. */
	async function turn(emails: Recipient[], inside: boolean): Promise<Counted> {
		if (run.extraRequests.left === 0) throw run.refuse('It takes too many requests');
		run.extraRequests.left -= 1;
		const values = emails.map(({ value }) => value);
		const change = await staging.change(inside ? 'remove' : 'add', 'email', values);
		const nobody = emails.length - sumChanged([change]);
		if (Number.isNaN(nobody) || change.errorCount > 0) throw run.refuse('The counts do not tell');
		return { emails, inside: !inside, nobody };
	}
}

/**
 * Asks how the service treats an address that nobody has: documented is a refusal. Asked by taking it out of a staging
 * group, which can make nobody up.
 *
 * @returns whether it is silently ignored; true also when the response does not tell
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
