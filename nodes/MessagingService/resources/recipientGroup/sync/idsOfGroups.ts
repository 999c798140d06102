import { sumChanged, type GroupMembers, type Owners } from './evidence';
import { readWhole } from './locate';
import type { Recipient } from './readRecipients';
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
 * @param known the addresses that the service took, and the IDs of all of them, who are in the staging group
 * @param mayHoldOthers whether a lost call may have put in somebody whose address is not among those taken
 * @throws when a request fails, or the counts and what the group shows do not agree
 */
export async function idsOfGroups(
	run: SyncRun,
	staging: Staging,
	groups: Array<{ recipients: Recipient[]; before: GroupMembers | undefined }>,
	{ known, mayHoldOthers }: { known: Owners; mayHoldOthers: boolean },
): Promise<GroupIds[]> {
	const taken = new Set(known.emails.map(({ key }) => key));
	const everybody = [...known.ids];
	let outside: string[] = [];
	const readOutside = async (count: number) => {
		const { ids } = await readWhole(run, staging, everybody.length - count);
		return everybody.filter((id) => !ids.has(id));
	};

	async function idsBehind(emails: string[], members: GroupMembers | undefined): Promise<string[]> {
		const own = [...(members?.ids ?? [])].filter((id) => known.ids.has(id));
		const out = sumChanged(await staging.changeAll('remove', 'email', emails));
		const returning = [...new Set([...own, ...outside])];
		const back = sumChanged(await staging.changeAll('add', 'id', returning));
		const left = outside.length + out - back;
		// Whoever was outside is none of theirs, when all of theirs were inside.
		if (out === emails.length && back === own.length + outside.length) {
			outside = left === 0 ? [] : await readOutside(left);
			return [...own, ...outside];
		}
		const gone = await staging.changeAll('remove', 'email', emails);
		outside = await readOutside(left + sumChanged(gone));
		return outside;
	}

	const found: GroupIds[] = [];
	for (const { recipients, before } of groups) {
		const keys = new Set(recipients.map(({ key }) => key));
		const emails = recipients.filter(({ key }) => taken.has(key)).map(({ value }) => value);
		const isAll = groups.length === 1 || (emails.length === taken.size && !mayHoldOthers);
		const ids = isAll ? everybody : emails.length === 0 ? [] : await idsBehind(emails, before);
		found.push({ keys, ids: new Set(ids) });
	}
	return found;
}
