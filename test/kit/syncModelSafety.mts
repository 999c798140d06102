import { NO_GROUPS, type Run } from './syncModelWorld.mts';
import type { Event, Group } from './syncModelGroups.mts';
import { accountsOf, plainName, type Row } from './syncModelRows.mts';
import type { SyncModelService } from './syncModelService.mts';
import type { RunResult } from './engine.mts';

/** A run that ended: the input, what the service saw, and the result of the node. */
export type Played = {
	run: Run;
	rows: Row[];
	service: SyncModelService;
	result: RunResult;
	/** The groups that exist at the end and did not at the start. */
	added: Group[];
};

/** Whether a run ended before it had a status for each item. */
export function hasNoStatuses({ rows, result }: Played): boolean {
	return result.json.length < rows.length || result.json[0]?.status === undefined;
}

/** Returns every change that no mode may make, whatever goes wrong. */
export function wrongChanges(played: Played): string[] {
	const { run, rows, service } = played;
	const { mode } = service.scenario;
	const found = [...service.violations.splice(0)];
	for (const event of service.events) {
		const { group, id, isIn, by, via } = event;
		if (group.isStaging) continue;
		const isNamed = rows.some((row) => groupOf(row, played) === group);
		if (by === 'service' && !isIn && via?.isStaging && (isNamed || via.isExclusive)) {
			found.push(`a staging group took ${id} out of ${group.name}`);
		}
		if (by !== 'sync') continue;
		if (run.isDry) found.push(`a dry run changed ${group.name}`);
		const own = rows.filter((row) => groupOf(row, played) === group);
		const wanted = own.filter((row) => accountsOf(row, service).some((one) => one.id === id));
		if (own.length === 0) found.push(`${group.name} was changed, which no item names`);
		else if (isIn && (mode === 'remove' || wanted.length === 0))
			found.push(`${id} came into ${group.name} wrongly`);
		else if (!isIn && (mode === 'add' || (mode === 'remove' && wanted.length === 0)))
			found.push(`${id} was taken out of ${group.name} wrongly`);
		else if (!isIn && mode === 'mirror') found.push(...wrongRemoval(event, played));
	}
	if (mode === 'mirror') found.push(...brokenLimits(played));
	return [...found, ...wrongGroups(played)];
}

/** Returns the group that an item means in the end: one that was there, or the one that was created for it. */
export function groupOf({ group, missing }: Row, { added }: Played): Group | undefined {
	return group ?? added.find((one) => !one.isStaging && plainName(one.name) === missing);
}

/** What Mirror must know and have done before it takes somebody out. */
function wrongRemoval({ at, group, id }: Event, played: Played): string[] {
	const { rows, service } = played;
	const { removeDespiteInvalid, identifyBy, quirks } = service.scenario;
	const found: string[] = [];
	for (const row of rows) {
		const accounts = accountsOf(row, service);
		if (row.given === undefined) {
			if (!row.isBlank && !removeDespiteInvalid)
				found.push(`${id} left despite "${row.recipient}"`);
			continue;
		}
		const isUnknown = identifyBy === 'email' && isProvedUnknown(row.given, at, service);
		if (isUnknown) continue;
		const target = groupOf(row, played);
		if (identifyBy === 'email' && !isAccepted(row.given, at, service))
			found.push(`${id} left ${group.name} before ${row.given} was looked up`);
		const isChanged = service.events.some((one) => one.group === target && one.by === 'sync');
		const isNobody = accounts.every(({ isHidden }) => isHidden);
		if (identifyBy === 'email' && isNobody && isChanged && !removeDespiteInvalid)
			found.push(`${id} left ${group.name} although ${row.given} has no ID`);
		// An address that the service ignored at first has no ID; the option says that people are removed all the same.
		const isIgnored = removeDespiteInvalid && quirks.unknown.how === 'ignore';
		const times = service.scenario.people[accounts[0]?.person ?? -1]?.unknownTimes ?? 0;
		if (!accounts.some((one) => one.id === id) || (isIgnored && times > 0)) continue;
		if (target === group) found.push(`Mirror removed ${id} of ${row.given} from ${group.name}`);
		else if (!target || !isHeld(target, id, at, service))
			found.push(`${id} left ${group.name} without being in ${row.groupText}`);
	}
	return found;
}

/** Whether a person is in a group before a request, or somebody else took them out. */
function isHeld(group: Group, id: string, at: number, service: SyncModelService): boolean {
	if (service.membersAt(group, at).has(id)) return true;
	return service.events.some(
		(event) => event.group === group && event.id === id && !event.isIn && event.by !== 'sync',
	);
}

/** Whether the service called an address unknown each time, at least twice, the last time alone. */
function isProvedUnknown(given: string, at: number, { journal }: SyncModelService): boolean {
	const asked = journal.filter(
		(entry) => entry.at < at && entry.write && entry.named.includes(given),
	);
	const said = asked.filter(({ write }) => write?.unknown.has(given));
	const isAlone = said.at(-1)?.named.length === 1;
	return said.length >= 2 && isAlone && !asked.some(({ write }) => write?.accepted.has(given));
}

function isAccepted(given: string, at: number, { journal }: SyncModelService): boolean {
	return journal.some(
		(entry) => entry.at < at && entry.write?.accepted.has(given) && !entry.write.isRefused,
	);
}

/** Returns the limits that the removals broke: of a group, of all groups, and that nobody is left. */
function brokenLimits(played: Played): string[] {
	const { rows, service } = played;
	const { maxRemovalPercent: limit } = service.scenario;
	const named = new Set(rows.flatMap((row) => groupOf(row, played) ?? []));
	const found: string[] = [];
	let all = 0;
	let size = 0;
	for (const group of named) {
		const left = new Set(
			service.events
				.filter((event) => event.group === group && !event.isIn && event.by === 'sync')
				.map(({ id }) => id),
		);
		const before = beforeOf(group, service);
		size += before.size;
		all += left.size;
		if (left.size === 0) continue;
		const isOne = left.size === 1 && limit > 0;
		if (!isOne && left.size * 100 > limit * before.size)
			found.push(`${group.name}: over its limit`);
		const isByOthers = service.events.some((event) => event.group === group && event.by !== 'sync');
		if (group.members.size === 0 && !isByOthers) found.push(`${group.name} was emptied`);
	}
	if (all > 1 && all * 100 > limit * size) found.push('the limit of all groups was broken');
	return found;
}

/** The members that the first answered read of a group showed; without one, those at the start. */
export function beforeOf(group: Group, { journal }: SyncModelService): ReadonlySet<string> {
	const first = journal.find(
		(entry) =>
			entry.kind === 'read' && entry.group === group && entry.answer === 'success' && entry.shown,
	);
	return first?.shown ?? group.start;
}

/** Returns groups that should not have been created, and staging groups that should not be there. */
function wrongGroups({ run, rows, service, added, result }: Played): string[] {
	const { mode, createMissingGroups, maxNewGroups } = service.scenario;
	const found: string[] = [];
	const missing = new Set(rows.flatMap(({ missing: name }) => name ?? []));
	const mayCreate =
		createMissingGroups && mode !== 'remove' && !run.isDry && missing.size <= maxNewGroups;
	const names = service.journal.flatMap(({ kind, name, answer, group, at }) =>
		kind === 'create' && (group !== undefined || answer === 'none') ? { name, at } : [],
	);
	const real = names.map(({ name }) => name).filter((name) => !/^n8n sync staging /.test(name));
	for (const name of real) {
		if (!mayCreate || !missing.has(plainName(name)) || NO_GROUPS.includes(name.trim()))
			found.push(`"${name}" was created`);
	}
	if (new Set(real.map(plainName)).size < real.length) found.push('a group was created twice');
	for (const group of added) {
		if (!group.isStaging) continue;
		const entries = service.journal.filter((entry) => entry.group === group);
		const isLost = entries.some(({ kind, answer }) => kind === 'create' && answer !== 'success');
		const hasTried = entries.some(({ kind, answer }) => kind === 'delete' && answer !== 'success');
		const isSaid = result.hints.some(({ message }) => message.includes('n8n sync staging'));
		if (!isLost && !hasTried) found.push('a staging group was left without trying to delete it');
		if (!isLost && hasTried && !isSaid && result.status === 'success')
			found.push('no warning names the staging group that is left');
	}
	return found;
}
