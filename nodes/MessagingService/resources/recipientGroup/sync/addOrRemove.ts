import { messageOf } from '../../../../shared/failure';
import { thingsOf, type ReadGroup } from './identify';
import { lookUp, type KnownAddresses } from './lookUp';
import { createGroup } from './mirror';
import { additionOf, CANCELED, combine, failed, NEVER_SHOWN, NOT_SHOWN } from './outcomes';
import { proved, removalOf, unverified } from './outcomes';
import type { Action, GroupResult, Members, Outcome, Recipient } from './outcomes';
import { repliesIn, sendAll, type Responses } from './send';
import type { SyncRun } from './syncRun';
import type { LookUp, Thing } from './words';

/** A group after its change by email. */
type Changed = ReadGroup & {
	responses: Responses;
	replies: Map<string, Outcome>;
	after: Members | undefined;
	/** The IDs that joined the group (Add) or left it (Remove). */
	changedIds: Set<string>;
	/** Whether the service's counts and the reads agree. */
	isCounted: boolean;
	/** Whether the counts or the size of the group show that somebody whom the service accepted did not change. */
	isContradicted: boolean;
	/** The recipients whose status the counts and reads leave open. */
	open: Recipient[];
	outcomes: Map<string, Outcome>;
};

/** Adds the recipients to their groups, or removes them, and finds out whom this changed (rule 12). */
export async function addOrRemove(
	run: SyncRun,
	groups: ReadGroup[],
	action: Action,
): Promise<GroupResult[]> {
	const open: Changed[] = [];
	const results = await Promise.all(
		groups.map(async (read): Promise<GroupResult> => {
			const { group, stopped } = read;
			const result: GroupResult = { group, outcomes: new Map(), extras: [], notes: [], stopped };
			if (stopped) return result;
			try {
				if (run.identifyBy === 'id') result.outcomes = await changeById(run, read, action);
				else {
					const changed = await changeByEmail(run, read, action);
					result.outcomes = changed.outcomes;
					if (changed.open.length > 0) open.push(changed);
				}
			} catch (error) {
				result.stopped = error instanceof Error ? error : run.fail(String(error));
			}
			return result;
		}),
	);
	if (open.length > 0) await settleOpen(run, open, action);
	return results;
}

async function changeById(
	run: SyncRun,
	read: ReadGroup,
	action: Action,
): Promise<Map<string, Outcome>> {
	const { group, before } = await created(run, read);
	const isMissing = ({ key }: Recipient) => !before.ids.has(key);
	const people = action === 'add' ? group.recipients.filter(isMissing) : group.recipients;
	const sent = await send(run, { group, before }, action, people, ({ ids }, said) =>
		people.every(({ key }) => {
			const { status } = said.get(key) ?? {};
			if (status === 'failed' || status === 'unknown') return true;
			return ids.has(key) === (action === 'add');
		}),
	);
	const { responses, replies, after } = sent;
	// The counts of a removal must agree with the reads: a group may have members whom the service never shows.
	for (const { recipients, changed } of action === 'remove' ? responses.accepted : []) {
		const gone = recipients.filter(({ key }) => before.ids.has(key) && !after?.ids.has(key)).length;
		const agrees = changed === undefined || changed === gone;
		if (!before.complete || !after?.complete) continue;
		for (const { key } of recipients)
			replies.set(key, agrees ? proved('notMember') : unverified('remove'));
	}
	const evidence = { before, after, replyTo: (id: string) => replies.get(id) };
	const outcomeOf = action === 'add' ? additionOf : removalOf;
	return new Map(group.recipients.map(({ key }) => [key, outcomeOf(key, evidence)]));
}

async function changeByEmail(run: SyncRun, read: ReadGroup, action: Action): Promise<Changed> {
	const { group, before } = await created(run, read);
	const changedIn = ({ ids }: Members) => {
		const [from, to] = action === 'add' ? [before.ids, ids] : [ids, before.ids];
		return new Set([...to].filter((id) => !from.has(id)));
	};
	const sent = await send(run, { group, before }, action, group.recipients, (members, _, said) => {
		const sum = sumOf(said);
		return Number.isNaN(sum) || changedIn(members).size === sum;
	});
	const { responses, replies, after } = sent;
	const { accepted, mayBeDone } = responses;
	const isWhole = before.complete && after?.complete === true;
	const changedIds = isWhole ? changedIn(after) : new Set<string>();
	const sum = sumOf(responses);
	const people = accepted.flatMap(({ recipients }) => recipients);
	// Never more alreadyMember than people in both reads.
	const inBoth = [...before.ids].filter((id) => after?.ids.has(id)).length;
	const isPossible = action === 'remove' || people.length - sum <= inBoth;
	const isCounted = isWhole && mayBeDone.size === 0 && sum === changedIds.size && isPossible;
	// If counts and reads agree, only people of requests that changed some, but not all, are open; otherwise all are.
	const isOpen = ({ changed = NaN, recipients }: Responses['accepted'][number]) =>
		!isCounted || (changed !== 0 && changed !== recipients.length);
	const open = isWhole
		? [
				...accepted.flatMap((one) => (isOpen(one) ? one.recipients : [])),
				...(changedIds.size > 0 ? mayBeDone : []),
			]
		: [];
	const outcomes = new Map(replies);
	if (isCounted && !run.perRecipient && action === 'add') {
		// The summary of an Add needs only the counts.
		for (const { recipients, changed: count = 0 } of accepted) {
			for (const [index, { key }] of recipients.entries()) {
				outcomes.set(key, proved(index < count ? 'added' : 'alreadyMember'));
			}
		}
		open.length = 0;
	}
	const isContradicted =
		sum > changedIds.size || (action === 'add' && people.length > (after?.ids.size ?? Infinity));
	return { ...read, ...sent, before, changedIds, isCounted, isContradicted, open, outcomes };
}

/** Creates the group if it is missing. */
async function created(run: SyncRun, { group, before }: ReadGroup): Promise<ReadGroup> {
	return { group, before: group.groupId === '' ? await createGroup(run, group) : before };
}

/** Sends a change and reads the group again. A read that fails does not fail the sync. */
async function send(
	run: SyncRun,
	{ group: { groupId } }: ReadGroup,
	action: Action,
	people: Recipient[],
	isExpected: (after: Members, replies: Map<string, Outcome>, responses: Responses) => boolean,
) {
	const by = run.identifyBy;
	const responses = await sendAll(run, people, { action, groupId, by });
	const replies = repliesIn(responses, action);
	const isShown = (read: Members) => isExpected(read, replies, responses);
	const after = people.length > 0 ? await run.api.readAgain(groupId, isShown) : undefined;
	return { responses, replies, after };
}

/** Returns how many people the requests changed; NaN if the counts do not show it. */
function sumOf({ accepted, mayBeDone }: Responses): number {
	if (mayBeDone.size > 0) return NaN;
	return accepted.reduce((sum, { changed = NaN }) => sum + changed, 0);
}

/** Tells the open people of all groups apart together, and settles their statuses. */
async function settleOpen(
	run: SyncRun,
	groups: Changed[],
	action: Action,
	mayShare = action === 'add',
): Promise<void> {
	const accepted = new Set<string>();
	for (const { responses } of groups) {
		for (const { recipients } of responses.accepted) {
			for (const { key } of recipients) accepted.add(key);
		}
	}
	const known: KnownAddresses = { accepted, problems: new Map() };
	const lists = groups.map(({ open }) => open);
	const things = thingsOf(lists, mayShare);
	const found = run.cancelSignal?.aborted
		? undefined
		: await lookUp(run, things, { known, isRepaired: true }).catch((error: unknown) => {
				run.log(`Who was added or removed could not be found out: ${messageOf(error)}`);
				return undefined;
			});
	const thingOf = new Map<string, Thing>();
	for (const thing of things) for (const { key } of thing.addresses) thingOf.set(key, thing);
	const again: Changed[] = [];
	for (const group of groups) {
		const unclear: Recipient[] = [];
		for (const one of group.open) {
			const { key } = one;
			const thing = thingOf.get(key);
			const outcome =
				found && thing && !known.problems.has(key)
					? outcomeOf(group, thing, found, action)
					: withoutIds(run, group, key, known, action);
			if (outcome) group.outcomes.set(key, outcome);
			else unclear.push(one);
		}
		if (unclear.length > 0) again.push({ ...group, open: unclear });
	}
	// If a group shows several IDs of a shared word, its people get words of their own.
	if (again.length > 0) await settleOpen(run, again, action, false);
}

/** Returns the status of an open recipient whose IDs were looked up; undefined if a shared word leaves it open. */
function outcomeOf(
	group: Changed,
	thing: Thing,
	found: LookUp,
	action: Action,
): Outcome | undefined {
	const { before, after } = group;
	const ids = found.idsOf.get(thing) ?? [];
	if (thing.addresses.length === 1) {
		// The service counted as many changes as the group shows, so nobody else was removed.
		if (group.isCounted && ids.length === 0 && action === 'remove') return unverified(action);
		const evidence = { before, after, replyTo: () => undefined };
		const outcome = action === 'add' ? additionOf : removalOf;
		return combine(
			ids.map((id) => outcome(id, evidence)),
			action,
		);
	}
	// Addresses of several groups share the word, so only one of its IDs may be seen in this group.
	const [only, another] = ids.filter((id) => before.ids.has(id) || after?.ids.has(id));
	if (found.lacking.has(thing) || another !== undefined) return undefined;
	return only === undefined
		? failed(NOT_SHOWN, true)
		: additionOf(only, { before, after, replyTo: () => undefined });
}

/** Returns the status of an open recipient whose IDs could not be looked up. */
function withoutIds(
	run: SyncRun,
	{ replies, isContradicted }: Changed,
	key: string,
	{ problems }: KnownAddresses,
	action: Action,
): Outcome {
	const reply = replies.get(key);
	if (reply?.status === 'failed') {
		const problem = problems.get(key);
		return problem?.status === 'unknown' ? problem : reply;
	}
	if (run.cancelSignal?.aborted) return failed(CANCELED);
	return isContradicted ? failed(NEVER_SHOWN, true) : unverified(action);
}
