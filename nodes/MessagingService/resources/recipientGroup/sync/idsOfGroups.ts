import { sumChanged, type GroupMembers, type Owners } from './evidence';
import { readWhole } from './locate';
import type { Recipient } from './readRecipients';
import type { Staging } from './staging';
import type { SyncRun } from './syncRun';

/** The recipients that a group's items name: all addresses in lower case, and the IDs found for the accepted addresses. */
export type GroupIds = { keys: Set<string>; ids: Set<string> };

/**
 * Finds the IDs of each group's addresses. At the start, the staging group contains all recipients. For each group:
 *
 * 1. Removes from the staging group the addresses that the group's items name.
 * 2. Adds two kinds of IDs to the staging group: the group's members who are in `known`, and the IDs that are missing from
 *    the staging group because of earlier groups.
 * 3. If each address removed a person and each ID added one, the IDs of the addresses are those of the members added in
 *    step 2, and those that are still missing from the staging group. The staging group is read only if the counts show
 *    that IDs are missing.
 * 4. Otherwise, removes the addresses again and reads the staging group. The addresses belong to the missing IDs.
 *
 * @param known the accepted addresses and all of their IDs, which are in the staging group
 * @param mayHoldOthers whether the staging group may also contain people whose addresses are not in `known`
 * @throws if a request fails, or the counts and the members of the staging group disagree
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
		// If each address removed a person from the staging group, no address belongs to an ID that was already missing there.
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
