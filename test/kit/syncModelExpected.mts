import { meaning, type Group } from './syncModelGroups.mts';
import { accountsOf, hasTwin, type Row } from './syncModelRows.mts';
import { groupOf, hasNoStatuses, type Played } from './syncModelSafety.mts';
import type { SyncModelService } from './syncModelService.mts';
import type { Scenario } from './syncModelWorld.mts';

/** The right result of a sync in a plain world; undefined where any is right. */
export type Expected = {
	statuses: Array<string | undefined>;
	/** The IDs that an item of its own calls removed, or not removed, each with the ID of the group. */
	removed: string[];
	kept: string[];
	/** The members of each group afterwards. */
	members: Map<Group, string[]>;
	/** The number of members of each missing group that must be created, by its plain name. */
	created: Map<string, number>;
};

/** Whether people, keys and groups of a scenario are what the documentation describes, and nothing odd besides. */
export function isPlain({ people, quirks }: Scenario): boolean {
	const { creator, exclusive, mostGroups, mostRecipients, leadsTotal, unknown } = quirks;
	const isUsual = people.every(
		(person) =>
			person.secondAccount === 'none' &&
			!person.isHidden &&
			person.unknownTimes === 0 &&
			person.locked === null,
	);
	return (
		isUsual &&
		meaning(unknown) === 'unknown' &&
		(creator === null || (creator.comes === 'created' && creator.person === null)) &&
		[mostGroups, mostRecipients].every((most) => most === Infinity) &&
		exclusive === 'none' &&
		leadsTotal === 'right'
	);
}

/** Returns what a sync of these items must do in a plain world; undefined if a group is stopped. */
export function expectedOf(rows: Row[], service: SyncModelService): Expected | undefined {
	const { scenario } = service;
	const { mode, createMissingGroups, maxNewGroups, removeDespiteInvalid } = scenario;
	if (rows.every(({ given }) => given === undefined)) return undefined;
	const missing = new Set(rows.flatMap((row) => row.missing ?? []));
	const isCreating = createMissingGroups && mode !== 'remove' && missing.size <= maxNewGroups;
	const isOpen = (row: Row) => row.group !== undefined || (row.missing !== undefined && isCreating);
	if (!rows.some(isOpen)) return undefined;
	const idsOf = (some: Row[]) =>
		some.flatMap((row) => accountsOf(row, service).map(({ id }) => id));
	const keptIds = new Set(idsOf(rows.filter((row) => !isOpen(row))));
	const isHeld =
		!removeDespiteInvalid && rows.some((row) => row.given === undefined && !row.isBlank);
	const expected: Expected = {
		...{ statuses: [], removed: [], kept: [] },
		...{ members: new Map<Group, string[]>(), created: new Map<string, number>() },
	};
	let [all, size] = [0, 0];
	for (const group of new Set(rows.flatMap((row) => row.group ?? []))) {
		const wanted = new Set(idsOf(rows.filter((row) => row.group === group)));
		const now = [...group.members];
		const surplus = mode === 'mirror' ? now.filter((id) => !wanted.has(id)) : [];
		const leaving = new Set(isHeld ? [] : surplus.filter((id) => !keptIds.has(id)));
		if (isOver(surplus.length, now.length, scenario) || (mode === 'mirror' && wanted.size === 0))
			return undefined;
		all += surplus.length;
		size += now.length;
		expected.removed.push(...[...leaving].map((id) => `${id} ${group._id}`));
		const stay = surplus.filter((id) => !leaving.has(id));
		expected.kept.push(...stay.map((id) => `${id} ${group._id}`));
		const after =
			mode === 'remove'
				? now.filter((id) => !wanted.has(id))
				: [...new Set([...now, ...wanted])].filter((id) => !leaving.has(id));
		expected.members.set(group, after.sort());
	}
	if (isOver(all, size, scenario)) return undefined;
	for (const name of isCreating ? missing : []) {
		const wanted = new Set(idsOf(rows.filter((row) => row.missing === name)));
		if (wanted.size === 0) return undefined;
		expected.created.set(name, wanted.size);
	}
	expected.statuses = rows.map((row) => {
		if (row.given === undefined) return 'invalid';
		if (row.isDuplicate) return 'duplicate';
		if (!isOpen(row)) return 'failed';
		const [account] = accountsOf(row, service);
		if (!account) return 'unknown';
		if (mode !== 'mirror' && hasTwin(row, rows, service)) return undefined;
		const was = row.group?.members.has(account.id) === true;
		if (mode === 'remove') return was ? 'removed' : 'notMember';
		return was ? 'alreadyMember' : 'added';
	});
	return expected;
}

function isOver(
	removals: number,
	size: number,
	{ maxRemovalPercent: limit, mode }: Scenario,
): boolean {
	if (mode !== 'mirror' || removals === 0) return false;
	return limit === 0 || removals === size || (removals > 1 && removals * 100 > limit * size);
}

/** Returns how a run differs from what it must do. */
export function deviations(expected: Expected, played: Played): string[] {
	const { run, rows, result, service } = played;
	const found: string[] = [];
	if (run.isSummary) return found;
	if (hasNoStatuses(played)) return [`no statuses: ${String(result.json[0]?.error)}`];
	for (const [index, status] of expected.statuses.entries()) {
		const { status: got, reason } = result.json[index] ?? {};
		if (status === undefined || got === status) continue;
		found.push(`item ${index} must be ${status}, not ${String(got)} (${String(reason)})`);
	}
	for (const status of ['removed', 'failed']) {
		const got = result.json
			.slice(rows.length)
			.filter((item) => item.status === status)
			.map(({ recipient, recipientGroupId }) => `${String(recipient)} ${String(recipientGroupId)}`);
		const must = status === 'removed' ? expected.removed : expected.kept;
		if (got.sort().join() !== must.sort().join())
			found.push(`${status}: ${got.join()}, not ${must.join()}`);
	}
	if (run.isDry) return found;
	for (const [group, members] of expected.members) {
		if ([...group.members].sort().join() !== members.join())
			found.push(`wrong members in ${group.name}`);
	}
	for (const [name, size] of expected.created) {
		const row = rows.find(({ missing }) => missing === name);
		const creators = service.scenario.quirks.creator ? 1 : 0;
		const made = row && groupOf(row, played);
		if (made?.members.size !== size + creators) found.push(`"${name}" has wrong members`);
	}
	return found;
}
