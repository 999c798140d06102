import { messageOf } from '../../../../shared/failure';
import {
	sumChanged,
	takenBy,
	type GroupMembers,
	type Owners,
	type ResolvedRecipients,
	type Responses,
	type Taken,
} from './evidence';
import { idsOfGroups, type GroupIds } from './idsOfGroups';
import { unique, type Recipient } from './readRecipients';
import { sendInChunks } from './sendInChunks';
import { withStaging, type Staging } from './staging';
import type { SyncRun } from './syncRun';

/**
 * The recipients for one group, and its members `before` the sync; or the recipients for all stopped groups together, with
 * `before` undefined.
 */
export type ReadGroup = { recipients: Recipient[]; before: GroupMembers | undefined };

/** The resolved recipients of all groups. */
export type Resolution = {
	all: ResolvedRecipients;
	/**
	 * The resolved recipients of each group. If recipients are identified by email, `members` are only the people that the
	 * group's items name.
	 */
	groups: ResolvedRecipients[];
};

/**
 * Resolves the recipients: finds the IDs of email addresses and, in a dry run, which recipients the service knows. The
 * service offers no look-up (tag recipientGroup in emulator/openapi.yaml), so the recipients of all groups are added to a
 * staging group, and its members are read.
 *
 * @returns undefined if nobody has to be looked up
 * @throws if the staging group cannot be created or read; also if its list of members is incomplete and recipients are
 *   identified by email
 */
export async function resolveRecipients(
	run: SyncRun,
	groups: ReadGroup[],
): Promise<Resolution | undefined> {
	const byEmail = run.identifyBy === 'email';
	const toResolve = byEmail || run.mode === 'remove' ? run.recipients : notMembers(groups);
	if (toResolve.length === 0) return undefined;
	return await withStaging(run, async (staging) => {
		const responses = await sendInChunks(run, toResolve, {
			what: 'Looking people up',
			by: run.identifyBy,
			send: async (values) => await staging.change('add', run.identifyBy, values),
		});
		const members = await staging.read(sumChanged(responses.taken));
		if (!byEmail) {
			const all = { responses, members, owners: [] };
			return {
				all,
				groups: groups.map(({ recipients }) => {
					const keys = new Set(recipients.map(({ key }) => key));
					const own = { ...responsesFor(responses, keys), taken: responses.taken };
					return { ...all, responses: own };
				}),
			};
		}
		if (!members.complete) {
			throw run.refuse(
				`The service shows only ${members.shown} members of the staging group`,
				'Sync therefore cannot find out the IDs of the recipients. Nothing was changed. With Identify By "ID", Sync does not need to look up IDs.',
			);
		}
		const someIgnored = run.perRecipient && takenBy(responses).length > members.ids.size;
		const ignored = someIgnored
			? await findSilentlyIgnored(run, staging, responses.taken)
			: new Set<Recipient>();
		const corrected = { ...responses, ...withoutIgnored(responses.taken, ignored) };
		const known = { emails: takenBy(corrected), ids: members.ids };
		// The search for ignored addresses has removed people from the staging group. idsOfGroups needs all of them in the group.
		if (someIgnored && groups.length > 1) await staging.changeAll('add', 'id', [...members.ids]);
		const mayHoldOthers = responses.failed.some(({ lost }) => lost === true);
		const of = await idsOfGroups(run, staging, groups, { known, mayHoldOthers });
		const owners = byGroups(known, of);
		return {
			all: { responses: corrected, members, owners },
			groups: of.map(({ keys, ids }) => ({
				responses: groups.length === 1 ? corrected : responsesFor(corrected, keys),
				members: { ...members, ids },
				owners: ownersOf(owners, keys),
			})),
		};
	});
}

/**
 * Returns the IDs that a real run would add. A dry run looks up only these IDs, so that the service responds as it would
 * to the real run.
 */
function notMembers(groups: ReadGroup[]): Recipient[] {
	const missing = groups.flatMap(({ recipients, before }) =>
		recipients.filter(({ key }) => before && !before.ids.has(key)),
	);
	return unique(missing);
}

/**
 * Divides addresses and IDs into parts, one for each combination of groups that they are in. The IDs of a part belong to the
 * addresses of the same part.
 */
function byGroups({ emails, ids }: Owners, groups: GroupIds[]): Owners[] {
	const placesOf = (lists: Array<Set<string>>) => {
		const places = new Map<string, string>();
		for (const [place, list] of lists.entries()) {
			for (const one of list) places.set(one, `${places.get(one) ?? ''} ${place}`);
		}
		return (one: string) => places.get(one) ?? '';
	};
	const placesOfEmail = placesOf(groups.map(({ keys }) => keys));
	const placesOfId = placesOf(groups.map((group) => group.ids));
	const parts = new Map<string, Owners>();
	for (const email of emails) {
		const places = placesOfEmail(email.key);
		const part = parts.get(places);
		if (part) part.emails.push(email);
		else parts.set(places, { emails: [email], ids: new Set() });
	}
	for (const id of ids) parts.get(placesOfId(id))?.ids.add(id);
	return [...parts.values()];
}

/** Returns the entries of `owners` whose addresses are in `keys`. */
export function ownersOf(owners: Owners[], keys: ReadonlySet<string>): Owners[] {
	return owners.filter(({ emails: [first] }) => first && keys.has(first.key));
}

/** Returns the responses for the recipients of one group, without `taken`: the group's IDs show who was accepted. */
function responsesFor(
	{ unknown, failed, ignored }: Responses,
	keys: ReadonlySet<string>,
): Responses {
	const own = (recipients: Recipient[]) => recipients.filter(({ key }) => keys.has(key));
	return {
		taken: [],
		unknown: unknown.filter(({ recipient }) => keys.has(recipient.key)),
		failed: failed.flatMap(({ recipients, ...rest }) => {
			const named = own(recipients);
			return named.length > 0 ? [{ ...rest, recipients: named }] : [];
		}),
		ignored: own(ignored),
	};
}

/**
 * Moves the silently ignored recipients from `taken` to `ignored`. `changed` stays the same, because it never counts
 * ignored recipients.
 */
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

/**
 * Addresses that were all added to a staging group or all removed from it, and how many of them the service did not count.
 */
type Counted = { emails: Recipient[]; inside: boolean; ignoredCount: number };

/**
 * Finds the addresses that the service silently ignores. Such an address changes nothing when it is added or removed, so
 * `successCount` is too small by the number of such addresses. The search splits the addresses into halves, and each
 * request removes or adds one half. A part is done when all of its addresses are ignored, or none.
 *
 * @param taken the addresses that the service accepted into the empty staging group, without duplicates
 * @returns the ignored addresses; only some of them if the search ends early, for example because a request fails
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
					? await toggle(emails, true)
					: { emails, inside: true, ignoredCount: emails.length - changed },
			);
		}
		while (open.length > 0) {
			const halved: Counted[] = [];
			for (const { emails, inside, ignoredCount } of open) {
				if (ignoredCount === 0) continue;
				if (ignoredCount === emails.length) {
					for (const email of emails) found.add(email);
					continue;
				}
				const middle = Math.ceil(emails.length / 2);
				const first = await toggle(emails.slice(0, middle), inside);
				const second = {
					emails: emails.slice(middle),
					inside,
					ignoredCount: ignoredCount - first.ignoredCount,
				};
				halved.push(first, second);
			}
			open = halved;
		}
	} catch (error) {
		run.log(
			`The recipients that the service silently ignores could not be determined: ${messageOf(error)}`,
		);
	}
	return found;

	/** Removes addresses from the staging group or adds them again, and counts the ignored ones. */
	async function toggle(emails: Recipient[], inside: boolean): Promise<Counted> {
		if (run.extraRequests.left === 0) throw run.refuse('Too many requests would be needed');
		run.extraRequests.left -= 1;
		const values = emails.map(({ value }) => value);
		const change = await staging.change(inside ? 'remove' : 'add', 'email', values);
		const ignoredCount = emails.length - sumChanged([change]);
		if (Number.isNaN(ignoredCount) || change.errorCount > 0)
			throw run.refuse('The counts in the response are inconclusive');
		return { emails, inside: !inside, ignoredCount };
	}
}
