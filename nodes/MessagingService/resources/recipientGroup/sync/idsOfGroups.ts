import { sumChanged, type GroupMembers, type Owners } from './evidence';
import { readWhole } from './locate';
import type { Recipient } from './readRecipients';
import type { Staging } from './staging';
import type { SyncRun } from './syncRun';

/** The recipients whom a group's items name: addresses in lower case, and the IDs of the known ones. */
export type GroupIds = { keys: Set<string>; ids: Set<string> };

/**
 * Finds the IDs of each group's addresses. The staging group holds everybody. Removing a group's addresses removes their IDs;
 * then its members are added again: if the counts equal the numbers of addresses and members, they are the same people.
 * So an unchanged group costs two requests, and one that people only join a third, to read who is still missing. Otherwise
 * the addresses are removed once more, and the missing IDs are theirs.
 *
 * @param known the addresses that the service took, and the IDs of all of them, who are in the staging group
 * @param mayHoldOthers whether a lost call may have added somebody whose address is not in `known`
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
		// All of theirs were inside, so nobody who was outside is one of them.
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
