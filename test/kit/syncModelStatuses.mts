import type { IDataObject } from 'n8n-workflow';

import { accountsOf, hasTwin, type Row } from './syncModelRows.mts';
import { beforeOf, groupOf, hasNoStatuses, type Played } from './syncModelSafety.mts';
import type { Group } from './syncModelGroups.mts';

/** An item, and its result. */
type Item = { row: Row; index: number; status: string; reason: string; json: IDataObject };

/** The start of a reason that claims no more than that the service accepted a request. */
export const UNVERIFIED = /^Unverified:/;
/** The words of a reason for a change whose outcome is not known. */
const MAYBE = /may have been carried out|unknown which|Unverified|does not show/;

/** Returns the claims of a run that are not true. */
export function untrueClaims(played: Played): string[] {
	const { run, rows, service, result } = played;
	if (run.isSummary || hasNoStatuses(played)) return [];
	const { mode } = service.scenario;
	const items = rows.map((row, index): Item => {
		const json = result.json[index] ?? {};
		return { row, index, status: String(json.status), reason: String(json.reason ?? ''), json };
	});
	const found = items.flatMap((item) => {
		const what = formError(item, played) ?? falseClaim(item, played);
		const of = `item ${item.index} ${item.row.recipient} → ${item.row.groupText}`;
		return what ? [`${of} is ${item.status} (${item.reason}): ${what}`] : [];
	});
	const extras = result.json.slice(rows.length);
	if (mode === 'mirror') return [...found, ...untrueExtras(extras, played)];
	if (extras.some(({ status }) => typeof status === 'string'))
		found.push('there are more items than rows');
	return found;
}

/** Returns what is wrong with an item whatever the service did. */
function formError({ row, status, reason, json }: Item, played: Played): string | undefined {
	if (reason === '') return 'it has no reason';
	if (json.dryRun !== (played.run.isDry ? true : undefined)) return 'it has a wrong dryRun';
	if (status === 'failed' && json.error === undefined) return 'it has no error';
	const group = groupOf(row, played);
	if (group && !played.added.includes(group) && json.recipientGroupId !== group._id)
		return 'it has another group';
	const isValid = row.given !== undefined;
	if (isValid === (status === 'invalid')) return isValid ? 'it is valid' : 'it is invalid';
	if (row.isDuplicate !== (status === 'duplicate')) return 'it is wrong about duplicates';
	if (!isValid && row.isBlank !== reason.startsWith('No address'))
		return 'its reason is of another kind';
	return undefined;
}

function falseClaim(item: Item, played: Played): string | undefined {
	const { row, status, reason } = item;
	const { service, run } = played;
	const { given } = row;
	if (given === undefined || status === 'duplicate') return undefined;
	const writes = service.journal.flatMap((entry) =>
		entry.write && entry.named.includes(given) ? entry : [],
	);
	if (status === 'unknown') {
		const isSaid = writes.some(({ write }) => write?.unknown.has(given));
		return isSaid ? undefined : 'the service did not say so';
	}
	const group = groupOf(row, played);
	if (status === 'failed')
		return group && !run.isDry ? falseFailure(item, group, played) : undefined;
	if (!group) return run.isDry && row.missing !== undefined ? undefined : 'there is no such group';
	if (UNVERIFIED.test(reason)) {
		const isTold = status === 'alreadyMember' || status === 'notMember';
		if (!isTold) return 'it claims something unverified';
		const isAccepted = writes.some(({ write }) => write?.accepted.has(given));
		return isAccepted ? undefined : 'the service accepted no request with it';
	}
	return run.isDry ? falsePrediction(item, group, played) : falseOutcome(item, group, played);
}

/** What the accounts of an item did in a group. */
function historyOf(row: Row, group: Group, { service }: Played) {
	const accounts = accountsOf(row, service);
	const shown = beforeOf(group, service);
	return accounts.map(({ id, isHidden }) => {
		const moves = service.events.filter((event) => event.group === group && event.id === id);
		const has = (isIn: boolean, bySync?: boolean) =>
			moves.some(
				(one) => one.isIn === isIn && (bySync === undefined || (one.by === 'sync') === bySync),
			);
		return {
			isHidden,
			wasShown: shown.has(id),
			was: shown.has(id) || group.start.has(id) || has(true, false),
			is: group.members.has(id),
			hasJoined: has(true) || (group.members.has(id) && !shown.has(id)),
			hasLeft: has(false) || (!group.members.has(id) && shown.has(id)),
			addedBySync: has(true, true),
			removedBySync: has(false, true),
			addedByOthers: has(true, false),
			removedByOthers: has(false, false),
		};
	});
}

function falseOutcome({ row, status }: Item, group: Group, played: Played): string | undefined {
	const { mode, identifyBy, quirks } = played.service.scenario;
	const accounts = historyOf(row, group, played);
	const isIgnored = quirks.unknown.how === 'ignore';
	if (mode !== 'mirror' && hasTwin(row, played.rows, played.service)) return undefined;
	const isChanged = played.service.events.some(
		(event) => event.group === group && event.by === 'sync',
	);
	switch (status) {
		case 'added':
			return accounts.some((one) => one.hasJoined && (one.is || one.removedByOthers))
				? undefined
				: 'not added';
		case 'removed':
			return accounts.some((one) => one.hasLeft && (!one.is || one.addedByOthers))
				? undefined
				: 'not removed';
		case 'alreadyMember': {
			// A service that ignores unknown addresses silently, and accounts that it never shows: see the limits.
			const isById = identifyBy === 'id';
			if (accounts.length === 0 && isIgnored && (mode === 'add' || isById)) return undefined;
			const isHidden = accounts.some((one) => one.isHidden);
			if (mode === 'mirror' && identifyBy === 'email' && isHidden && !isChanged) return undefined;
			return accounts.some((one) => one.was && (one.is || one.removedByOthers))
				? undefined
				: 'not a member before and after';
		}
		case 'notMember':
			return accounts.every(
				// By two reads, somebody whom the service never shows was not there.
				(one) =>
					one.isHidden ||
					isIgnored ||
					(!one.removedBySync && (!one.is || one.addedByOthers || one.removedByOthers)),
			)
				? undefined
				: 'a member before or after';
		default:
			return 'no status';
	}
}

function falsePrediction({ row, status }: Item, group: Group, played: Played): string | undefined {
	const isRemoval = played.service.scenario.mode === 'remove';
	const accounts = historyOf(row, group, played);
	const isIgnored =
		accounts.length === 0 && played.service.scenario.quirks.unknown.how === 'ignore';
	if (isIgnored) return undefined;
	const allowed = new Set(
		accounts.flatMap(({ was, wasShown, isHidden }) => {
			const answers = isRemoval ? ['removed', 'notMember'] : ['alreadyMember', 'added'];
			return was === wasShown && !isHidden ? answers.slice(was ? 0 : 1, was ? 1 : 2) : answers;
		}),
	);
	if (isRemoval && accounts.length === 0) allowed.add('notMember');
	return allowed.has(status) ? undefined : `not ${[...allowed].join()}`;
}

/** A failure that hides a change. */
function falseFailure({ row, reason }: Item, group: Group, played: Played): string | undefined {
	if (MAYBE.test(reason) || accountsOf(row, played.service).length > 1) return undefined;
	const isRemoval = played.service.scenario.mode === 'remove';
	const isDone = historyOf(row, group, played).some((one) =>
		isRemoval ? one.removedBySync && !one.is : one.addedBySync && one.is,
	);
	return isDone ? 'it was changed all the same' : undefined;
}

/** Checks the items about members whom no row names: each removal is shown, each that is missing, too. */
function untrueExtras(extras: IDataObject[], played: Played): string[] {
	const { service, rows, run } = played;
	const found: string[] = [];
	const said = new Map<string, string>();
	for (const { recipient, status, reason, recipientGroupId } of extras) {
		if (typeof status !== 'string') continue;
		said.set(`${String(recipient)} ${String(recipientGroupId)}`, status);
		const isKnown =
			status === 'removed' || (status === 'failed' && /^Not removed/.test(String(reason)));
		if (!isKnown) found.push(`an extra item is ${status} (${String(reason)})`);
	}
	for (const group of new Set(rows.flatMap((row) => groupOf(row, played) ?? []))) {
		const before = beforeOf(group, service);
		const moved = (id: string, by: 'sync' | 'others') =>
			service.events.some(
				(event) =>
					event.group === group &&
					event.id === id &&
					!event.isIn &&
					(event.by === 'sync') === (by === 'sync'),
			);
		for (const id of new Set([
			...before,
			...group.start,
			...service.events.map((event) => event.id),
		])) {
			const status = said.get(`${id} ${group._id}`);
			const isOut = !group.members.has(id) || moved(id, 'others');
			if (!run.isDry && status === 'removed' && !isOut) found.push(`${id} was not removed`);
			if (status === 'removed' && !before.has(id)) found.push(`${id} was no member to remove`);
			if (!moved(id, 'sync')) continue;
			if (status === undefined) found.push(`the removal of ${id} is not shown`);
		}
	}
	return found;
}
