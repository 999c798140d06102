import type { IDataObject } from 'n8n-workflow';

import { accountsOf, beforeOf, groupOf, groupsOf, hasNoStatuses } from './rows.mts';
import { idsOf, isMiscounted, mayCreate, plainName, type Played, type Row } from './rows.mts';
import { STRANGER, type Entry, type Event, type Group } from './service.mts';
import type { SyncModelService } from './service.mts';
import { NO_GROUPS, type Scenario } from './world.mts';

/** Matches a reason that claims only that the service accepted a request. */
export const UNVERIFIED = /^Unverified:/;
/** Begins a sentence about what Sync must do, but did not. */
export const TOO_CAREFUL = 'not done: ';
/** After this time without a change, Sync accepts groups that show too few people (`readInRounds` in `temporaryGroups.ts`). */
const SHORT_MAY_DO_MS = 4_000;
/** Matches a reason that says that the outcome of a change is unknown. */
const MAYBE = /may have been carried out|unknown which|Unverified|does not show/;

/** Returns a sentence for each promise that a run broke. */
export const brokenPromises = (played: Played): string[] => [
	...played.service.violations.splice(0),
	...wrongChanges(played),
	...brokenLimits(played),
	...wrongGroups(played),
	...untrueClaims(played),
	...untrueExtras(played),
	...(played.service.scenario.isUsual ? undone(played).map((what) => TOO_CAREFUL + what) : []),
];

/** Returns the keys of `wrong` whose value is true, each after the text `of`. */
const allOf = (of: string, wrong: Record<string, boolean | undefined>) =>
	Object.entries(wrong).flatMap(([what, is]) => (is ? `${of}: ${what}` : []));

const rowsIn = (group: Group, played: Played) =>
	played.rows.filter((row) => groupOf(row, played) === group);

const isChanged = (group: Group | undefined, { events }: SyncModelService) =>
	events.some((one) => one.group === group && one.by === 'sync');

/** Returns the changes that the mode never allows, whatever goes wrong. */
function wrongChanges(played: Played): string[] {
	const { run, service } = played;
	const { mode } = service.scenario;
	const isToReal = service.journal.some(
		({ group, named }) => group?.isTemporary === false && named.some((one) => one.includes('@')),
	);
	const sent = allOf('Mirror', { 'an address to a real group': mode === 'mirror' && isToReal });
	const changed = service.events.flatMap((event): string[] => {
		const { group, id, isIn, by, via } = event;
		if (group.isTemporary || by === 'others') return [];
		const own = rowsIn(group, played);
		const isWanted = idsOf(service, own).has(id);
		const isBySync = by === 'sync';
		const found = allOf(`${id} ${isIn ? 'into' : 'out of'} ${group.name}`, {
			'by a temporary group': !isBySync && !isIn && via?.isTemporary,
			'in a dry run': isBySync && run.isDry,
			'which no item names': isBySync && own.length === 0,
			'who is not to be added': isBySync && isIn && (mode === 'remove' || !isWanted),
			'in the mode Add': isBySync && !isIn && mode === 'add',
			'who is not to be removed': isBySync && !isIn && mode === 'remove' && !isWanted,
		});
		const isMirrored = isBySync && !isIn && mode === 'mirror';
		return isMirrored ? [...found, ...wrongRemoval(event, played)] : found;
	});
	return [...sent, ...changed];
}

/** Returns the conditions that Mirror did not meet before it removed a person. */
function wrongRemoval({ at, group, id }: Event, played: Played): string[] {
	const { rows, service } = played;
	const { removeDespiteInvalid, identifyBy } = service.scenario;
	return rows.flatMap((row) => {
		const { given } = row;
		const of = `${id} left ${group.name} despite "${row.recipient}" in ${row.groupText}`;
		if (given === undefined) return row.isBlank || removeDespiteInvalid ? [] : of;
		const asked = service.journal.filter((one) => one.at < at && one.named.includes(given));
		const isAccepted = asked.some(({ accepted }) => accepted.has(given));
		// The recipient is certainly unknown if no request accepted it, at least two called it unknown, and the last of
		// these named nobody else.
		const said = asked.filter(({ unknown }) => unknown.has(given));
		if (said.length >= 2 && said.at(-1)?.named.length === 1 && !isAccepted) return [];
		const accounts = accountsOf(service, [row]);
		const isOwn = accounts.some((one) => one.id === id);
		const isNobody = accounts.every(({ isHidden }) => isHidden);
		const target = groupOf(row, played);
		const last = service.events
			.filter((one) => one.group === target && one.id === id && one.at < at)
			.at(-1);
		const isInTarget = last ? last.isIn : target?.start.has(id);
		// If the service shows an address too late, Sync knows no ID for it. The same holds for the number of an HR system that
		// the service accepts as an ID. With `removeDespiteInvalid`, Sync removes people nevertheless.
		const isIgnored =
			removeDespiteInvalid &&
			(service.scenario.quirks.late > SHORT_MAY_DO_MS || !service.isShownAs(given));
		// The option also lifts a refusal in words: the person stays unknown to Sync, and may be removed.
		const isRefused =
			removeDespiteInvalid &&
			asked.some(
				({ answer, named, accepted }) =>
					!accepted.has(given) &&
					(answer === 'success' || (answer === 'refusal' && named.length === 1)),
			);
		const isByEmail = identifyBy === 'email';
		return allOf(of, {
			'not looked up': isByEmail && !isAccepted && !isRefused,
			'no ID': isByEmail && isNobody && !removeDespiteInvalid && isChanged(target, service),
			'not in that group':
				isOwn && !isIgnored && (isAccepted || !isRefused) && (target === group || !isInTarget),
		});
	});
}

function isOver(removals: number, size: number, { maxRemovalPercent: limit }: Scenario): boolean {
	return (removals !== 1 || limit === 0) && removals * 100 > limit * size;
}

/**
 * Returns the rules that the removals broke: the limit for a group, the limit for all groups, or "a group is never
 * emptied".
 */
function brokenLimits(played: Played): string[] {
	const { service } = played;
	const removals = (group?: Group) => {
		const removed = service.events.filter(
			(one) =>
				!one.group.isTemporary && !one.isIn && one.by === 'sync' && (!group || one.group === group),
		);
		return new Set(removed.map((one) => `${one.id} ${one.group._id}`)).size;
	};
	const groups = [...groupsOf(played)];
	const size = groups.reduce((sum, group) => sum + beforeOf(group, service).size, 0);
	if (service.scenario.mode !== 'mirror') return [];
	return [
		...allOf('all groups', {
			'over the limit': removals() > 1 && isOver(removals(), size, service.scenario),
		}),
		...groups.flatMap((group) =>
			allOf(group.name, {
				'over the limit': isOver(removals(group), beforeOf(group, service).size, service.scenario),
				emptied: removals(group) > 0 && group.members.size === 0,
			}),
		),
	];
}

/**
 * Returns the groups that Sync should not have created, and the temporary groups that it left without trying to delete
 * them or without a warning.
 */
function wrongGroups(played: Played): string[] {
	const { run, rows, service, added, result } = played;
	const created = service.journal.flatMap(({ kind, name, answer, group }) => {
		const isCreated = kind === 'create' && (group ?? answer === 'none');
		return isCreated && !/^n8n sync staging /.test(name) ? name : [];
	});
	const isNamed = (name: string) => rows.some((row) => row.missing === plainName(name));
	const found = created.flatMap((name) =>
		allOf(`"${name}" was created`, {
			'not allowed': run.isDry || !mayCreate(played),
			'not named': !isNamed(name) || NO_GROUPS.includes(name.trim()),
			twice: created.filter((other) => plainName(other) === plainName(name)).length > 1,
		}),
	);
	const left = added.flatMap((group) => {
		const has = (what: Entry['kind']) =>
			service.journal.some(
				(one) => one.group === group && one.kind === what && one.answer !== 'success',
			);
		const isSaid = result.hints.some(({ message }) => message.includes('n8n sync staging'));
		if (!group.isTemporary || has('create')) return [];
		return allOf('a temporary group was left', {
			'no deletion was tried': !has('delete'),
			'no warning names it': has('delete') && !isSaid && result.status === 'success',
		});
	});
	const refused = service.journal.findIndex(
		({ kind, answer, group }) => kind === 'delete' && answer === 'refusal' && group,
	);
	const later = refused < 0 ? [] : service.journal.slice(refused);
	const isMore = later.some(({ kind, group }) => kind === 'create' && group?.isTemporary);
	const more = allOf('the key may not delete', { 'and Sync created more groups': isMore });
	return [...found, ...left, ...more];
}

/** Returns a sentence for each output item that has wrong fields or a false status. */
function untrueClaims(played: Played): string[] {
	const { rows, result } = played;
	if (hasNoStatuses(played)) return [];
	return rows.flatMap((row, index) => {
		const json = result.json[index] ?? {};
		const what = formError(row, json, played) ?? falseClaim(row, json, played);
		const of = `item ${index} ${row.recipient} → ${row.groupText}`;
		return what ? [`${of} is ${String(json.status)} (${String(json.reason)}): ${what}`] : [];
	});
}

/** Returns the first field of an output item that the input alone proves to be wrong. */
function formError(row: Row, json: IDataObject, played: Played): string | undefined {
	const { status, reason } = json;
	const isValid = row.given !== undefined;
	// If the list of groups cannot be read, nobody knows the ID of a name.
	const { journal } = played.service;
	const firstOther = journal.findIndex(({ kind }) => kind !== 'list');
	const pages = firstOther < 0 ? journal : journal.slice(0, firstOther);
	const isListed = pages.at(-1)?.answer === 'success';
	const mayLackId = json.recipientGroupId === null && !isListed;
	return allOf('it is wrong', {
		reason: !reason,
		dryRun: json.dryRun !== (played.run.isDry ? true : undefined),
		error: status === 'failed' && json.error === undefined,
		group: row.group && json.recipientGroupId !== row.group._id && !mayLackId,
		invalid: (isValid && (row.groupText !== '' || row.isDuplicate)) === (status === 'invalid'),
		// If the list of groups cannot be read, an ID and a name may be the same group.
		duplicate: row.isDuplicate !== (status === 'duplicate') && (status !== 'failed' || isListed),
		blank: !isValid && row.isBlank !== String(reason).startsWith('No address'),
	})[0];
}

/** Returns what really happened to an account in a group. */
function truthOf(id: string, isHidden: boolean, group: Group, service: SyncModelService) {
	const moves = service.events.filter((one) => one.group === group && one.id === id);
	const did = (isIn: boolean, isBySync: boolean) =>
		moves.some((one) => one.isIn === isIn && (one.by === 'sync') === isBySync);
	const [added, removed] = [did(true, true), did(false, true)];
	const [cameAlone, wentAlone] = [did(true, false), did(false, false)];
	const [wasShown, is] = [beforeOf(group, service).has(id), group.members.has(id)];
	const was = wasShown || group.start.has(id) || cameAlone;
	const joined = added || cameAlone || (is && !wasShown);
	const left = removed || wentAlone || (!is && wasShown);
	return { isHidden, wasShown, was, is, joined, left, cameAlone, wentAlone, added, removed };
}

/** Returns why the status of an item is false, or undefined if no check contradicts the status. */
function falseClaim(row: Row, { status, reason }: IDataObject, played: Played): string | undefined {
	const { service, run } = played;
	const { mode, identifyBy, quirks } = service.scenario;
	const { given } = row;
	if (given === undefined || status === 'duplicate') return undefined;
	if (status === 'unknown') {
		const isSaid = service.journal.some(({ unknown }) => unknown.has(given));
		const isNobody = service.accountsOf(given).length === 0;
		return isSaid || isNobody ? undefined : 'the service did not call the recipient unknown';
	}
	const group = groupOf(row, played);
	if (!group) {
		const isPredicted = run.isDry && row.missing !== undefined;
		const isKnown = status === 'failed' || (status === 'invalid' && row.groupText === '');
		return isKnown || isPredicted ? undefined : 'this group does not exist';
	}
	const accounts = accountsOf(service, [row]).map(({ id, isHidden }) =>
		truthOf(id, isHidden, group, service),
	);
	if (status === 'failed') {
		// If Sync changed the person, the status must not be failed.
		const isTwin = accounts.length > 1 || isMiscounted(row, played);
		if (run.isDry || MAYBE.test(String(reason)) || isTwin) return undefined;
		const isDone = accounts.some((one) =>
			mode === 'remove' ? one.removed && !one.is : one.added && one.is,
		);
		return isDone ? 'the person was changed nevertheless' : undefined;
	}
	if (UNVERIFIED.test(String(reason))) {
		if (status !== 'alreadyMember' && status !== 'notMember') return 'it claims too much';
		const isAccepted = service.journal.some(
			({ accepted, named, answer }) =>
				accepted.has(given) ||
				(quirks.strips !== 'none' && answer === 'success' && named.includes(given)),
		);
		return isAccepted ? undefined : 'the service accepted no request with this recipient';
	}
	const is = String(status);
	// Sync cannot recognize an address that the service silently ignores, nor an account that the service never shows.
	const isIgnored = accounts.length === 0 && quirks.unknown.how === 'ignore';
	const isNeverShown = isIgnored || accounts.some(({ isHidden }) => isHidden);
	if (run.isDry) {
		// A dry run does not look up IDs.
		if (identifyBy === 'id' && (!service.isShownAs(row.recipient) || isNeverShown))
			return undefined;
		const isVague = accounts.some((one) => one.was !== one.wasShown);
		const isMember = accounts.some(({ was }) => was);
		const isStranger = accounts.some(({ was }) => !was);
		const would: Record<string, boolean> = {
			...{ added: isStranger, alreadyMember: isMember || isNeverShown },
			...{ removed: isMember, notMember: isStranger || accounts.length === 0 || isNeverShown },
		};
		return would[is] || isVague ? undefined : 'not what would happen';
	}
	if (mode !== 'mirror' && isMiscounted(row, played)) return undefined;
	const isByEmail = identifyBy === 'email';
	const isLimit =
		mode === 'mirror' && isByEmail ? isNeverShown && !isChanged(group, service) : false;
	const isTrue: Record<string, boolean> = {
		added: accounts.some((one) => one.joined && (one.is || one.wentAlone)),
		removed: accounts.some((one) => one.left && (!one.is || one.cameAlone)),
		alreadyMember: isLimit || accounts.some((one) => one.was && (one.is || one.wentAlone)),
		// If the service never shows a person, or shows them under another ID, the reads before and after the change both lack
		// this person.
		notMember: accounts.every(
			(one) =>
				one.isHidden ||
				!service.isShownAs(row.recipient) ||
				(!one.removed && (!one.is || one.cameAlone || one.wentAlone)),
		),
	};
	return isTrue[is] ? undefined : 'not true';
}

/**
 * Checks the items about members whom no row names. Each removed member must have an item, and the status of each item
 * must be true.
 */
function untrueExtras(played: Played): string[] {
	const { service, rows, run, result } = played;
	if (hasNoStatuses(played)) return [];
	const extras = result.json.slice(rows.length).filter(({ status }) => typeof status === 'string');
	if (service.scenario.mode !== 'mirror') return extras.map(() => 'an item without a row');
	const isKnown = ({ status, reason }: IDataObject) =>
		status === 'removed' ||
		(status === 'failed' && /^(Not|Would not be) removed/.test(String(reason)));
	const found = extras.flatMap((one) =>
		isKnown(one) ? [] : `an extra item is ${String(one.status)}`,
	);
	for (const group of groupsOf(played)) {
		const about = (id: string) =>
			extras.find((one) => one.recipient === id && one.recipientGroupId === group._id)?.status;
		const ids = [...beforeOf(group, service), ...service.events.map(({ id }) => id)];
		for (const id of new Set([...ids, ...group.start])) {
			const { is, wentAlone, wasShown, removed } = truthOf(id, false, group, service);
			const isSaid = about(id) === 'removed';
			const wrong = {
				'not removed': !run.isDry && isSaid && is && !wentAlone,
				'no member to remove': isSaid && !wasShown,
				'removed, which no item shows': removed && about(id) === undefined,
			};
			found.push(...allOf(`${id} in ${group.name}`, wrong));
		}
	}
	return found;
}

/** Returns what Sync failed to do in a usual scenario. */
function undone(played: Played): string[] {
	const { run, rows, service, result } = played;
	const { mode, removeDespiteInvalid, maxRemovalPercent } = service.scenario;
	const isOpen = (row: Row) => row.group ?? (row.missing !== undefined && mayCreate(played));
	const closed = rows.filter((row) => !isOpen(row));
	const isEmpty = rows.every(({ given }) => given === undefined) || closed.length === rows.length;
	const kept = idsOf(service, closed);
	const isHeld =
		rows.some((row) => row.given === undefined && !row.isBlank) && !removeDespiteInvalid;
	const groups = Array.from(groupsOf(played), (group) => {
		const wanted = idsOf(service, rowsIn(group, played));
		const start = [...group.start];
		const surplus = start.filter((id) => mode === 'mirror' && !wanted.has(id));
		return { group, wanted, start, surplus };
	});
	type Change = (typeof groups)[number];
	/** Members who leave a group if these groups are not changed. Nobody leaves whom an item names for one of these. */
	const leaving = ({ surplus }: Change, stopped: Change[]) =>
		surplus.filter(
			(id) => !isHeld && !kept.has(id) && !stopped.some(({ wanted }) => wanted.has(id)),
		);
	const emptied = groups.filter(
		({ wanted, start }) => mode === 'mirror' && wanted.size === 0 && start.length > 0,
	);
	const counted = groups
		.filter((one) => !emptied.includes(one))
		.map((one) => ({ one, removals: leaving(one, emptied).length, size: one.start.length }));
	const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
	const isOverInAll = isOver(
		sum(counted.map(({ removals }) => removals)),
		sum(counted.map(({ size }) => size)),
		service.scenario,
	);
	const over = counted.filter(
		({ removals, size }) =>
			removals > 0 && (isOverInAll || isOver(removals, size, service.scenario)),
	);
	const stopped = [...emptied, ...over.map(({ one }) => one)];
	if (isEmpty || (isHeld && maxRemovalPercent < 100)) return [];
	if (hasNoStatuses(played)) return [`no statuses: ${String(result.json[0]?.error)}`];
	const found = rows.flatMap((row, index) => {
		const { status, reason } = result.json[index] ?? {};
		const isKnown = accountsOf(service, [row]).length > 0;
		const isStopped = stopped.some(({ group }) => group === groupOf(row, played));
		const proved = isKnown ? PROVED : ['unknown'];
		const predicted = run.isDry ? [...PROVED, 'failed', 'unknown'] : ['failed', 'unknown'];
		const must = isStopped ? predicted : isOpen(row) ? proved : ['failed', 'invalid'];
		const isRight = must.includes(String(status)) && !UNVERIFIED.test(String(reason));
		const isChecked = row.given !== undefined && !row.isDuplicate;
		return isRight || !isChecked ? [] : `item ${index} is ${String(status)} (${String(reason)})`;
	});
	for (const one of groups) {
		const { group, wanted, start } = one;
		const isStopped = stopped.includes(one);
		const gone = isStopped ? [] : leaving(one, stopped);
		const members = new Set(start.filter((id) => !gone.includes(id)));
		for (const id of isStopped ? [] : wanted) members[mode === 'remove' ? 'delete' : 'add'](id);
		const removed = result.json
			.slice(rows.length)
			.filter(
				({ status, recipientGroupId }) => status === 'removed' && recipientGroupId === group._id,
			);
		const now = [...group.members].filter((id) => id !== STRANGER);
		const isSame = (some: unknown[], others: string[]) =>
			some.sort().join() === others.sort().join();
		const wrong = {
			'wrong removals': !isSame(
				removed.map(({ recipient }) => recipient),
				gone,
			),
			'wrong members': !run.isDry && !isSame(now, [...members]),
		};
		found.push(...allOf(group.name, wrong));
	}
	return found;
}

const PROVED = ['added', 'alreadyMember', 'removed', 'notMember'];
