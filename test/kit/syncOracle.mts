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

/** Whether a reason says that the status is not proved. */
const isUnverified = (reason: string) =>
	/does not show whether|neither its counts nor|it is unknown whether|could not be found out/.test(
		reason,
	);

/** What is said of a change whose answer was lost, and at no other time. */
const SAYS_LOST = /may have been carried out/;

/** Said where one reason stands for several recipients. */
const OF_SEVERAL = /^\d+ of \d+ recipients \(unknown which\)/;

/** The names of groups that do not exist. */
export const NEW_GROUPS = ['Nowhere', 'Elsewhere'];

/** Said of an address that the group took and that a group of our own showed to be nobody's. */
const IGNORED = /silently ignored/;

/** The items that name one group, and what became of it: each group is judged by itself first. */
type View = Scenario &
	Pick<Played, 'fixture'> & { id: string; truth: GroupTruth; items: Item[]; extras: IDataObject[] };

/** All claims of the node about a scenario that are not true, and everything that it must not do. */
export function untrueClaims(scenario: Scenario, played: Played): string[] {
	const { result, fixture, truths } = played;
	if (isFailure(result)) return changedAtAll(played);
	const views = viewsOf(scenario, played);
	const found = views.flatMap((view) => untrueAmong(view.items, (item) => untrueClaim(item, view)));
	const items = views.flatMap((view) => view.items);
	const isInDoubt = items.some(({ status, reason }) => isUnverified(reason) && status !== 'failed');
	if (isInDoubt && result.hints.length === 0)
		found.push('something is unverified, and no hint says so');
	found.push(...views.flatMap(wrongMoves), ...wrongPlaces(scenario, played));
	if (scenario.mode === 'mirror') found.push(...views.flatMap(wrongMirror));
	if (scenario.mode === 'mirror') found.push(...wrongRemovals(scenario, played, views));
	if (result.json.length > items.length && scenario.mode !== 'mirror') {
		const extra = result.json.slice(items.length).filter(({ error }) => error === undefined);
		if (extra.length > 0) found.push('there are more items than went in');
	}
	for (const [id, truth] of truths) {
		if (views.some((view) => view.id === id) || !isChanged(truth)) continue;
		found.push('a group that no item names is changed');
	}
	const { groupNames } = fixture;
	if (new Set(groupNames).size < groupNames.length) found.push('a group was created twice');
	return found;
}

/** What a dry run changes or says otherwise than is so. */
export function untrueDryRunClaims(scenario: Scenario, played: Played): string[] {
	if (isFailure(played.result)) return changedAtAll(played);
	const lies = viewsOf(scenario, played).flatMap((view) =>
		untrueAmong(view.items, (item) => untrueDryRunClaim(item, view)),
	);
	return [...changedAtAll(played), ...wrongPlaces(scenario, played), ...lies];
}

/** Whether the run ended before it could say anything of anybody. */
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
			// What was asked of the other groups says nothing of this one.
			fixture: { ...fixture, requests },
			id,
			truth: truths.get(id) ?? new GroupTruth([]),
			items: own,
			extras: json.slice(items.length).filter(({ recipientGroupId }) => recipientGroupId === id),
		};
	});
}

/** One item of the input, and what became of it by the node's word. */
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

/** Items that are said to be of another group than they name, or of one that is not there, and failures without an error. */
function wrongPlaces(scenario: Scenario, { result, fixture }: Played): string[] {
	const isCreating = createsGroups(scenario);
	return scenario.input.flatMap((row, index) => {
		const { status, error, recipientGroupId } = result.json[index] ?? {};
		const isThere = typeof row.group === 'number' || (isCreating && row.group !== '');
		const found = [];
		if (!isThere && /added|Member|removed/.test(String(status))) found.push('its group is missing');
		if (typeof row.group === 'number' && recipientGroupId !== fixture.groupId(row))
			found.push('another group is said');
		if (status === 'failed' && !error) found.push('it has no error');
		return found.map((what) => `item ${index} (${String(status)}): ${what}`);
	});
}

/** Removals of somebody whom an item names for another group that does not hold them, and too many of all groups. */
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
			found.push(`${id} lost a group without a place in ${row.group}`);
		}
	}
	if (removals.length > 0 && !removeDespiteInvalid && input.some(isUnreadable)) {
		found.push('people were removed although an item cannot be read');
	}
	const existing = views.filter(({ items }) => typeof items[0]?.entry.group === 'number');
	const size = existing.reduce((sum, { truth }) => sum + truth.before.size, 0);
	const all = existing.reduce((sum, view) => sum + removedFrom(view), 0);
	if (all * 100 > maxRemovalPercent * size) found.push('the limit of all groups was ignored');
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

/** What is not so of the items: by their input alone where that settles it, by the lie that is looked for elsewhere. */
function untrueAmong(items: Item[], lieOf: (item: Item) => string | undefined): string[] {
	return items.flatMap((item) => {
		const { index, status, reason } = item;
		const settled = settledStatus(item);
		if (status === settled) return [];
		const lie = settled ? `it has to be ${settled}` : lieOf(item);
		return lie ? [`item ${index} is called ${status} (${reason}): ${lie}`] : [];
	});
}

/** What an item has to be called by what the input alone tells; none when the service has a say. */
function settledStatus({ entry, isRepeated }: Item): string | undefined {
	if ('text' in entry) return 'invalid';
	return isRepeated ? 'duplicate' : undefined;
}

function untrueClaim({ status, reason, entry }: Item, view: View): string | undefined {
	if (status === 'failed') {
		return reason ? untrueFailure(reason, entry, view) : 'no reason is given';
	}
	if (status === 'unknown') return untrueUnknown(entry, view);
	const { mode, truth, fixture } = view;
	const id = fixture.id(entry) ?? 'nobody';
	const [was, is] = [truth.before.has(id), truth.has(id)];
	const [cameIn, left] = [truth.moved(id, true), truth.moved(id, false)];
	const [brought, taken] = [truth.moved(id, true, 'others'), truth.moved(id, false, 'others')];
	const isSilent = ignoresSilently(view);
	if (isUnverified(reason)) {
		if (reason.startsWith('In the group now') && !is && !taken && !isSilent) {
			return 'not in the group';
		}
		return status === (mode === 'remove' ? 'notMember' : 'alreadyMember')
			? undefined
			: 'an unverified status with a claim';
	}
	const seen = namesIds(view) ? truth.lastShown : undefined;
	switch (status) {
		case 'added':
			return cameIn && (is || taken) ? undefined : 'not so';
		case 'removed':
			return left && (!is || brought) ? undefined : 'not so';
		case 'alreadyMember':
			// Documented for emails: a call that changes nobody found only members.
			if (mode === 'add' && isSilent) return undefined;
			if (seen && !seen.has(id)) return 'the group did not show them';
			// Counts do not show whom others removed meanwhile, and no address is shown beside an ID.
			if (!seen && taken) return undefined;
			return (was || brought) && (is || taken) ? undefined : 'not so';
		case 'notMember':
			if (seen?.has(id)) return 'the group showed them';
			if (!seen && brought) return undefined;
			return (!was || taken) && (!is || brought) ? undefined : 'not so';
	}
	return 'no status';
}

/** Somebody is unknown who was refused alone, or named in an errorLog. */
function untrueUnknown(entry: Named, { identifyBy, switches, fixture }: View): string | undefined {
	if (wasRefusedAlone(entry, fixture)) return undefined;
	const mode = identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds;
	if (!('stranger' in entry)) return 'the service knows them';
	return mode === 'errorLog' ? undefined : 'never refused alone';
}

/** Whether the service said of somebody alone that it does not know them; sync takes its word for it. */
function wasRefusedAlone(entry: Named, { text, requests }: Fixture): boolean {
	return requests.some((request) => {
		const [name, ...others] = namedIn(request);
		if (name !== text(entry) || others.length > 0 || !isAnsweredWith(false, request)) return false;
		return /^Not all emails/.test(request.response?.message ?? '');
	});
}

/** A change whose response was lost may have been carried out: said where it is so, and nowhere else. */
function untrueFailure(reason: string, entry: Named, view: View): string | undefined {
	const { mode, id: groupId, truth, fixture, locked } = view;
	// A response says what became of them, or the reason that none does.
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
		// A call that counts errors says of nobody that it left them out.
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
		// Mirror adds whom a lost look-up found, without knowing whose the ID is.
		const mayBeSaid = isOfGroup || (mode === 'mirror' && lost.length > 0) || isOfSeveral;
		return mayBeSaid ? undefined : 'no response was lost';
	}
	// Whoever knows the ID may have seen in the group afterwards that nothing was changed.
	if (!isDone && (!isOfGroup || namesIds(view) || IGNORED.test(reason))) return undefined;
	// Nor does it matter to whoever saw it that others had undone it by then.
	if (namesIds(view) && truth.moved(id, mode === 'remove', 'others')) return undefined;
	return lost.length > 0 ? 'the lost response is not told' : undefined;
}

/** Whether the service takes a call with somebody in it whom it counts as an error. */
function isListed({ identifyBy, switches, locked }: Scenario): boolean {
	if (locked.length > 0) return true;
	return (identifyBy === 'email' ? switches.unknownEmails : switches.unknownIds) === 'errorLog';
}

/** The ids that the input names, without those of whom the service said that it does not know them. */
function wantedIn(view: View): Set<string> {
	const { mode, input, fixture } = view;
	const known = input.filter((entry) => {
		if (mode !== 'mirror') return true;
		// Listed before somebody made them one of the people.
		if ('stranger' in entry && isListed(view)) return false;
		return !wasRefusedAlone(entry, fixture);
	});
	return new Set(known.flatMap((entry) => fixture.id(entry) ?? []));
}

/** Changes of the group that the mode of the sync does not allow. */
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
			found.push(`${id} came in and is not wanted`);
		if (went && mode === 'add') found.push(`Add took ${id} out`);
		if (went && mode === 'remove' && !named.has(id)) found.push(`Remove took ${id} out, too`);
		if (went && mode === 'mirror' && isWanted) found.push(`Mirror took ${id} out who is wanted`);
	}
	return found;
}

function wrongMirror(view: View): string[] {
	const { truth, items, extras, meanwhile } = view;
	const wanted = wantedIn(view);
	const found: string[] = [];
	const told = new Map(extras.map(({ recipient, status }) => [recipient, status]));
	let removals = 0;
	for (const id of new Set([...truth.everybody, ...told.keys()].map(String))) {
		const status = told.get(id);
		const isOut = truth.moved(id, false) && (!truth.has(id) || truth.moved(id, true, 'others'));
		if (status === 'removed' && !isOut) found.push(`${id} was not removed`);
		if (!truth.moved(id, false, 'us')) continue;
		removals += 1;
		if (status !== 'removed' && status !== 'failed') {
			found.push(`that ${id} was taken out is not said`);
		}
	}
	const isStopped = items.every(({ status }) => status !== 'added' && status !== 'alreadyMember');
	for (const id of truth.before) {
		const stays = truth.has(id) && !wanted.has(id) && !truth.moved(id, true);
		if (!isStopped && stays && !told.has(id)) found.push(`that ${id} stays is not said`);
	}
	if (removals === 0) return found;
	const atFirst = truth.atFirstRemoval;
	for (const id of wanted) {
		if (atFirst?.has(id) || truth.moved(id, false, 'others')) continue;
		found.push(`people were taken out while ${id} was not in`);
	}
	if (truth.size === 0 && !meanwhile.some((event) => event.do === 'leave')) {
		found.push('the group was emptied');
	}
	return found;
}

function untrueDryRunClaim({ status, reason, entry }: Item, view: View): string | undefined {
	const { mode, truth, fixture } = view;
	if (SAYS_LOST.test(reason)) return 'nothing was asked of the group';
	if (status === 'failed' || isUnverified(reason)) return undefined;
	if (status === 'unknown') return untrueUnknown(entry, view);
	const id = fixture.id(entry);
	const isRemoval = mode === 'remove';
	if (id === undefined && !isRemoval) {
		return ignoresSilently(view) ? undefined : 'the service knows nobody';
	}
	const was = truth.before.has(id ?? 'nobody');
	const allowed = isRemoval ? (was ? 'removed' : 'notMember') : was ? 'alreadyMember' : 'added';
	return status === allowed ? undefined : `not ${allowed}`;
}

/** A service that silently ignores unknown emails, against its own documentation. */
function ignoresSilently({ identifyBy, switches }: Scenario): boolean {
	return identifyBy === 'email' && switches.unknownEmails === 'ignore';
}

/** Whether the sync knows which member is which recipient. */
function namesIds({ identifyBy, mode }: Scenario): boolean {
	return identifyBy === 'id' || mode === 'mirror';
}
