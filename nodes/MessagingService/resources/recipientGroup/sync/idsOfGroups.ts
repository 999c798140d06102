import { recipientsOf, sumChanged, type GroupMembers, type Owners } from './evidence';
import { readWhole } from './locate';
import type { InputRecipient } from './readRecipients';
import type { Staging } from './staging';
import type { SyncRun } from './syncRun';

/** Whom a group's items name: the addresses in lower case, and the IDs behind those that the service knows. */
export type GroupIds = { keys: Set<string>; ids: Set<string> };

/**
 * Finds out the IDs behind each group's addresses. Taken out of a staging group that holds everybody, a group's addresses
 * take its IDs along. Then its members are put back: when as many come in as there are addresses and members, they are the
 * same people. So a group in which nothing changes costs two requests, one that people only join a third, for a look at
 * who is still missing. Otherwise the addresses are taken out once more, and whoever is missing then is theirs.
 *
 * @param known the addresses that the service took, and the IDs of all of them
 * @param inside those of the IDs that the staging group holds
 * @throws when a request fails, or the counts and what the group shows do not agree
 */
export async function idsOfGroups(
	run: SyncRun,
	staging: Staging,
	groups: Array<{ input: InputRecipient[]; before: GroupMembers | undefined }>,
	{ known, inside }: { known: Owners; inside: ReadonlySet<string> },
): Promise<GroupIds[]> {
	const taken = new Set(known.emails.map(({ key }) => key));
	const everybody = [...known.ids];
	/** Where the service silently ignored addresses, nobody knows how many of a group's. */
	const isEachKnown = known.emails.length === known.ids.size;
	let outside = everybody.filter((id) => !inside.has(id));
	const missingFrom = async (expected: number) => {
		const size = isEachKnown ? everybody.length - expected : NaN;
		const { ids } = await readWhole(run, staging, size);
		return everybody.filter((id) => !ids.has(id));
	};

	async function idsBehind(emails: string[], members: GroupMembers | undefined): Promise<string[]> {
		const own = [...(members?.ids ?? [])].filter((id) => known.ids.has(id));
		const out = sumChanged(await staging.changeAll('remove', 'email', emails));
		const back = await staging.changeAll('add', 'id', [...new Set([...own, ...outside])]);
		// Whoever was outside is none of theirs, when all of theirs were inside.
		const ownBack = out === emails.length ? sumChanged(back) - outside.length : NaN;
		if (ownBack === own.length) {
			const joining = emails.length - own.length;
			outside = joining === 0 ? [] : await missingFrom(joining);
			return [...own, ...outside];
		}
		await staging.changeAll('remove', 'email', emails);
		outside = await missingFrom(emails.length);
		return outside;
	}

	const found: GroupIds[] = [];
	for (const { input, before } of groups) {
		const recipients = recipientsOf(input);
		const keys = new Set(recipients.map(({ key }) => key));
		const emails = recipients.filter(({ key }) => taken.has(key)).map(({ value }) => value);
		const isAll = emails.length === taken.size;
		const ids = isAll ? everybody : emails.length === 0 ? [] : await idsBehind(emails, before);
		found.push({ keys, ids: new Set(ids) });
	}
	return found;
}
