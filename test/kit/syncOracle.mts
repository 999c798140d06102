import type { IDataObject } from 'n8n-workflow';

import type { RunResult } from './engine.mts';
import {
	createsGroups,
	isUnreadable,
	type Fixture,
	type Named,
	type Played,
	type Row,
	type Scenario,
} from './syncScenario.mts';
import { GroupTruth, isAnsweredWith, isUncertain, namedIn } from './syncTruth.mts';

/** Whether a reason states that the status is unverified. */
const isUnverified = (reason: string) =>
	/does not show whether|neither its counts nor|it is unknown whether|could not be determined/.test(
		reason,
	);

/** A text that a reason contains if, and only if, the response to a change was lost. */
const SAYS_LOST = /may have been carried out/;

/** The start of a reason that covers several recipients. */
const OF_SEVERAL = /^\d+ of \d+ recipients \(unknown which\)/;

/** The names of groups that do not exist at the start of a scenario. */
export const NEW_GROUPS = ['Nowhere', 'Elsewhere'];

/** A text that a reason contains if a staging group showed that the service silently ignored an address. */
const IGNORED = /silently ignored/;

/** The items that name one group, and the history of that group. */
type View = Scenario &
	Pick<Played, 'fixture'> & { id: string; truth: GroupTruth; items: Item[]; extras: IDataObject[] };

/** Returns the false claims of the node about a scenario, and its forbidden changes. */
export function untrueClaims(scenario: Scenario, played: Played): string[] {
	const { result, fixture, truths } = played;
	if (isFailure(result)) return changedAtAll(played);
	const views = viewsOf(scenario, played);
	const found = views.flatMap((view) => untrueAmong(view.items, (item) => untrueClaim(item, view)));
	const items = views.flatMap((view) => view.items);
	const isInDoubt = items.some(({ status, reason }) => isUnverified(reason) && status !== 'failed');
	if (isInDoubt && result.hints.length === 0)
		found.push('a status is unverified, but no hint mentions it');
	found.push(...views.flatMap(wrongMoves), ...wrongPlaces(scenario, played));
	if (scenario.mode === 'mirror') found.push(...views.flatMap(wrongMirror));
	if (scenario.mode === 'mirror') found.push(...wrongRemovals(scenario, played, views));
	if (result.json.length > items.length && scenario.mode !== 'mirror') {
		const extra = result.json.slice(items.length).filter(({ error }) => error === undefined);
		if (extra.length > 0) found.push('there are more output items than input items');
	}
	for (const [id, truth] of truths) {
		if (views.some((view) => view.id === id) || !isChanged(truth)) continue;
		found.push('a group that no item names was changed');
	}
	const { groupNames } = fixture;
	if (new Set(groupNames).size < groupNames.length) found.push('a group was created twice');
	return found;
}

/** Returns what a dry run changed, and its false claims. */
export function untrueDryRunClaims(scenario: Scenario, played: Played): string[] {
	if (isFailure(played.result)) return changedAtAll(played);
	const falseClaims = viewsOf(scenario, played).flatMap((view) =>
		untrueAmong(view.items, (item) => untrueDryRunClaim(item, view)),
	);
	return [...changedAtAll(played), ...wrongPlaces(scenario, played), ...falseClaims];
}

/** Whether the run failed before it had a status for any recipient. */
function isFailure({ json: [first, ...others] }: RunResult): boolean {
	return others.length === 0 && first?.status === undefined && first?.error !== undefined;
}

function changedAtAll({ truths, fixture }: Played): string[] {
	const isNew = fixture.groupNames.some((name) => NEW_GROUPS.includes(name));
	return isNew || [...truths.values()].some(isChanged) ? ['it changed a group'] : [];
}

function isChanged(truth: GroupTruth): boolean {
	return [...truth.everybody].some((id) =>
		[true, false].some((into) => truth.moved(id, into, 'us')),
	);
}

function viewsOf(scenario: Scenario, { result: { json }, truths, fixture }: Played): View[] {
	const items = itemsOf(scenario, json);
	return [...new Set(scenario.input.map(({ group }) => group))].map((group) => {
		const isOwn = ({ entry }: Item) => entry.group === group;
		const own = items.filter(isOwn);
		const id = fixture.groupId({ group }) ?? 'no group';
		const others = [...truths.keys()].filter((other) => other !== id);
		const requests = fixture.requests.filter(
			({ path }) => !others.some((other) => path.includes(other)),
		);
		return {
			...scenario,
			input: own.map(({ entry }) => entry),
			// Requests to other groups are irrelevant to this one.
			fixture: { ...fixture, requests },
			id,
			truth: truths.get(id) ?? new GroupTruth([]),
			items: own,
			extras: json.slice(items.length).filter(({ recipientGroupId }) => recipientGroupId === id),
		};
	});
}

/** One input item, and its outcome as the node reports it. */
type Item = {
	entry: Row;
	index: number;
	status: string;
	reason: string;
	isRepeated: boolean;
};

function itemsOf({ input }: Scenario, json: IDataObject[]): Item[] {
	const seen = new Set<string>();
	return input.map((entry, index) => {
		const { status, reason } = json[index] ?? {};
		const key = JSON.stringify({ ...entry, upperCase: false });
		const isRepeated = !('text' in entry) && seen.has(key);
		seen.add(key);
		return { entry, index, status: String(status), reason: String(reason ?? ''), isRepeated };
	});
}

/** Returns items reported for a wrong or missing group, and failed items without an error. */
function wrongPlaces(scenario: Scenario, { result, fixture }: Played): string[] {
	const isCreating = createsGroups(scenario);
	return scenario.input.flatMap((row, index) => {
		const { status, error, recipientGroupId } = result.json[index] ?? {};
		const isThere = typeof row.group === 'number' || (isCreating && row.group !== '');
		const found = [];
		if (!isThere && /added|Member|removed/.test(String(status)))
			found.push('its group does not exist');
		if (typeof row.group === 'number' && recipientGroupId !== fixture.groupId(row))
			found.push('it reports another group');
		if (status === 'failed' && !error) found.push('it has no error');
		return found.map((what) => `item ${index} (${String(status)}): ${what}`);
	});
}

/**
 * Returns removals that break one of these rules. A person leaves a group only after joining all other groups that the
 * items name for this person. An invalid item prevents all removals, unless an option allows them. No limit is exceeded.
 */
function wrongRemovals(
	{ input, maxRemovalPercent, removeDespiteInvalid }: Scenario,
	{ truths, removals, fixture }: Played,
	views: View[],
): string[] {
	const found: string[] = [];
	for (const { id, from, heldBy } of removals) {
		for (const row of input) {
			const other = fixture.groupId(row);
			if (fixture.id(row) !== id || other === from) continue;
			const isHeld = other !== undefined && heldBy.includes(other);
			if (isHeld || truths.get(other ?? '')?.moved(id, false, 'others')) continue;
			found.push(`${id} was removed from a group without being in ${row.group}`);
		}
	}
	if (removals.length > 0 && !removeDespiteInvalid && input.some(isUnreadable)) {
		found.push('people were removed although an item is invalid');
	}
	const existing = views.filter(({ items }) => typeof items[0]?.entry.group === 'number');
	const size = existing.reduce((sum, { truth }) => sum + truth.before.size, 0);
	const all = existing.reduce((sum, view) => sum + removedFrom(view), 0);
	if (all * 100 > maxRemovalPercent * size) found.push('the total limit was ignored');
	for (const view of existing) {
		const removed = removedFrom(view);
		const isOneAllowed = views.length > 1 && maxRemovalPercent > 0 && removed === 1;
		if (isOneAllowed || removed * 100 <= maxRemovalPercent * view.truth.before.size) continue;
		found.push('the limit was ignored');
	}
	return found;
}

function removedFrom({ truth }: View): number {
	return [...truth.before].filter((id) => truth.moved(id, false, 'us')).length;
}

/** Returns the false claims among the items. `falseClaimOf` checks only items whose status depends on the service. */
function untrueAmong(items: Item[], falseClaimOf: (item: Item) => string | undefined): string[] {
	return items.flatMap((item) => {
		const { index, status, reason } = item;
		const settled = settledStatus(item);
		if (status === settled) return [];
		const falseClaim = settled ? `it must be ${settled}` : falseClaimOf(item);
		return falseClaim ? [`item ${index} is reported as ${status} (${reason}): ${falseClaim}`] : [];
	});
}

/** Returns the status that the input alone determines; undefined if the status depends on the service. */
function settledStatus({ entry, isRepeated }: Item): string | undefined {
	if ('text' in entry) return 'invalid';
	return isRepeated ? 'duplicate' : undefined;
}

function untrueClaim({ status, reason, entry }: Item, view: View): string | undefined {
	if (status === 'failed') {
		return reason ? untrueFailure(reason, entry, view) : 'it has no reason';
	}
	if (status === 'unknown') return untrueUnknown(entry, view);
	const { mode, truth, fixture } = view;
	const id = fixture.id(entry) ?? 'nobody';
	const [was, is] = [truth.before.has(id), truth.has(id)];
	const [joined, left] = [truth.moved(id, true), truth.moved(id, false)];
	const [addedByOthers, removedByOthers] = [
		truth.moved(id, true, 'others'),
		truth.moved(id, false, 'others'),
	];
	const isSilent = ignoresSilently(view);
	if (isUnverified(reason)) {
		if (reason.startsWith('In the group now') && !is && !removedByOthers && !isSilent) {
			return 'not in the group';
		}
		return status === (mode === 'remove' ? 'notMember' : 'alreadyMember')
			? undefined
			: 'the status claims something unverified';
	}
	const seen = namesIds(view) ? truth.lastShown : undefined;
	switch (status) {
		case 'added':
			return joined && (is || removedByOthers) ? undefined : 'not added';
		case 'removed':
			return left && (!is || addedByOthers) ? undefined : 'not removed';
		case 'alreadyMember':
			// By the documentation, the service refuses unknown emails. If a call succeeds and adds nobody, Sync concludes
			// that all recipients in the call are members.
			if (mode === 'add' && isSilent) return undefined;
			if (seen && !seen.has(id)) return 'the group did not show this person';
			// Sync cannot see whom others removed: responses contain only counts, and groups list IDs without addresses.
			if (!seen && removedByOthers) return undefined;
			return (was || addedByOthers) && (is || removedByOthers) ? undefined : 'not a member';
		case 'notMember':
			if (seen?.has(id)) return 'the group showed this person';
			if (!seen && addedByOthers) return undefined;
			return (!was || removedByOthers) && (!is || addedByOthers) ? undefined : 'a member';
	}
	return 'no status';
}

/** Checks the status "unknown": the recipient must have been refused in a call of its own, or named in an errorLog. */
function untrueUnknown(entry: Named, { identifyBy, switches, fixture }: View): string | undefined {
	if (wasRefusedAlone(entry, fixture)) return undefined;
	const mode = identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds;
	if (!('unknownPerson' in entry)) return 'the service knows this recipient';
	return mode === 'errorLog' ? undefined : 'never refused alone';
}

/**
 * Whether the service refused a call that named only this recipient, and said that it does not know the recipient. Sync
 * accepts this refusal as proof.
 */
function wasRefusedAlone(entry: Named, { text, requests }: Fixture): boolean {
	return requests.some((request) => {
		const [name, ...others] = namedIn(request);
		if (name !== text(entry) || others.length > 0 || !isAnsweredWith(false, request)) return false;
		return /^Not all emails/.test(request.response?.message ?? '');
	});
}

/** Checks that a failure mentions a lost response if, and only if, one was lost. */
function untrueFailure(reason: string, entry: Named, view: View): string | undefined {
	const { mode, id: groupId, truth, fixture, locked } = view;
	// The reason already says that the status is unverified, or it quotes a response of the service.
	if (isUnverified(reason) || locked.some(({ says }) => reason.endsWith(says))) return undefined;
	const id = fixture.id(entry) ?? 'nobody';
	const names = [fixture.text(entry), id];
	const lost = fixture.requests.filter(
		(request) => isUncertain(request) && namedIn(request).some((name) => names.includes(name)),
	);
	const isOfGroup = lost.some(({ path }) => path.endsWith(`/${groupId}/recipients`));
	const isDone = truth.moved(id, mode !== 'remove', 'us');
	if (OF_SEVERAL.test(reason)) return undefined;
	if (SAYS_LOST.test(reason)) {
		// A response that only counts errors does not show which recipients the service left out.
		const isOfSeveral =
			isListed(view) &&
			fixture.requests.some((request) => {
				const named = namedIn(request);
				return (
					isAnsweredWith(true, request) &&
					named.length > 1 &&
					named.some((name) => names.includes(name))
				);
			});
		// Mirror looks up emails with a staging group. If the response to a look-up is lost, Mirror adds the IDs in the
		// staging group to the synced group, without knowing whose they are.
		const mayBeSaid = isOfGroup || (mode === 'mirror' && lost.length > 0) || isOfSeveral;
		return mayBeSaid ? undefined : 'no response was lost';
	}
	// If Sync knows the recipient's ID, a later read of the group may have shown that nothing changed.
	if (!isDone && (!isOfGroup || namesIds(view) || IGNORED.test(reason))) return undefined;
	// Others may have undone the change before that read.
	if (namesIds(view) && truth.moved(id, mode === 'remove', 'others')) return undefined;
	return lost.length > 0 ? 'the lost response is not mentioned' : undefined;
}

/** Whether the service carries out a call although it refuses some of the recipients, and counts these as errors. */
function isListed({ identifyBy, switches, locked }: Scenario): boolean {
	if (locked.length > 0) return true;
	return (identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds) === 'errorLog';
}

/** Returns the IDs that the input names; for Mirror, without recipients that the service reported as unknown. */
function wantedIn(view: View): Set<string> {
	const { mode, input, fixture } = view;
	const known = input.filter((entry) => {
		if (mode !== 'mirror') return true;
		// The service may have reported the recipient as unknown before the event `hire` made the person known.
		if ('unknownPerson' in entry && isListed(view)) return false;
		return !wasRefusedAlone(entry, fixture);
	});
	return new Set(known.flatMap((entry) => fixture.id(entry) ?? []));
}

/** Returns changes of the group that the sync mode does not allow. */
function wrongMoves(view: View): string[] {
	const { mode, truth, fixture, input } = view;
	const named = new Set(input.map((entry) => fixture.id(entry)));
	const wanted = wantedIn(view);
	const found: string[] = [];
	for (const id of truth.everybody) {
		const isWanted = wanted.has(id);
		const came = truth.moved(id, true, 'us');
		const went = truth.moved(id, false, 'us');
		if (came && (mode === 'remove' || !named.has(id)))
			found.push(`${id} was added but is not wanted`);
		if (went && mode === 'add') found.push(`Add removed ${id}`);
		if (went && mode === 'remove' && !named.has(id)) found.push(`Remove also removed ${id}`);
		if (went && mode === 'mirror' && isWanted) found.push(`Mirror removed ${id}, who is wanted`);
	}
	return found;
}

function wrongMirror(view: View): string[] {
	const { truth, items, extras, meanwhile } = view;
	const wanted = wantedIn(view);
	const found: string[] = [];
	const reported = new Map(extras.map(({ recipient, status }) => [recipient, status]));
	let removals = 0;
	for (const id of new Set([...truth.everybody, ...reported.keys()].map(String))) {
		const status = reported.get(id);
		const isOut = truth.moved(id, false) && (!truth.has(id) || truth.moved(id, true, 'others'));
		if (status === 'removed' && !isOut) found.push(`${id} was not removed`);
		if (!truth.moved(id, false, 'us')) continue;
		removals += 1;
		if (status !== 'removed' && status !== 'failed') {
			found.push(`the removal of ${id} is not reported`);
		}
	}
	const isStopped = items.every(({ status }) => status !== 'added' && status !== 'alreadyMember');
	for (const id of truth.before) {
		const stays = truth.has(id) && !wanted.has(id) && !truth.moved(id, true);
		if (!isStopped && stays && !reported.has(id)) found.push(`${id} stays, which is not reported`);
	}
	if (removals === 0) return found;
	const atFirst = truth.atFirstRemoval;
	for (const id of wanted) {
		if (atFirst?.has(id) || truth.moved(id, false, 'others')) continue;
		found.push(`people were removed before ${id} was added`);
	}
	if (truth.size === 0 && !meanwhile.some((event) => event.do === 'leave')) {
		found.push('the group was emptied');
	}
	return found;
}

function untrueDryRunClaim({ status, reason, entry }: Item, view: View): string | undefined {
	const { mode, truth, fixture } = view;
	if (SAYS_LOST.test(reason)) return 'the dry run sent no change';
	if (status === 'failed' || isUnverified(reason)) return undefined;
	if (status === 'unknown') return untrueUnknown(entry, view);
	const id = fixture.id(entry);
	const isRemoval = mode === 'remove';
	if (id === undefined && !isRemoval) {
		return ignoresSilently(view) ? undefined : 'the service does not know this recipient';
	}
	const was = truth.before.has(id ?? 'nobody');
	const allowed = isRemoval ? (was ? 'removed' : 'notMember') : was ? 'alreadyMember' : 'added';
	return status === allowed ? undefined : `not ${allowed}`;
}

/** Whether the service silently ignores unknown emails, contrary to its documentation. */
function ignoresSilently({ identifyBy, switches }: Scenario): boolean {
	return identifyBy === 'email' && switches.unknownEmails === 'ignore';
}

/** Whether the sync knows the IDs of the recipients. */
function namesIds({ identifyBy, mode }: Scenario): boolean {
	return identifyBy === 'id' || mode === 'mirror';
}
