import { mapWithConcurrency } from '../../../../shared/concurrency';
import { unprovedIds } from './classify';
import { confirmChanges, locateByKind, readAgain } from './confirm';
import {
	asRecipients,
	leavesOpen,
	type Findings,
	type GroupMembers,
	type Responses,
	type Sent,
} from './evidence';
import { NO_ID } from './groupApi';
import {
	beforeReading,
	beforeRemoving,
	beforeResolving,
	dryRunWarning,
	ifOpen,
	protect,
	openOf,
	planGroups,
	reasonNotToRemove,
	recipientsOfStopped,
	stop,
	wantedIds,
	type GroupsPlan,
	type GroupSync,
	type OpenSync,
} from './plan';
import { unique, type IdentifyBy, type Recipient } from './readRecipients';
import { ownersOf, resolveRecipients, type Resolution } from './resolveRecipients';
import { sendInChunks } from './sendInChunks';
import type { GroupRun, SyncRun } from './syncRun';

/**
 * Syncs the groups of a run in steps: read the groups, resolve the recipients, plan the changes, add people, remove people,
 * and confirm the changes whose responses leave the outcome open. Each step handles all groups before the next step begins.
 * If the sync of one group stops, the others continue.
 *
 * @throws before anything is changed, if the recipients cannot be resolved
 */
export async function syncGroups(run: SyncRun, groups: GroupRun[]): Promise<GroupSync[]> {
	const empty = beforeReading(run, run.fields);
	if (empty) return groups.map((group) => stop({ group }, empty));
	const concurrency = Math.max(1, Math.floor(run.concurrency / groups.length));
	const found = groups.map((group) => ({ ...NOTHING_KNOWN, group: { ...group, concurrency } }));
	const read = await eachGroup(run, found, readGroup);
	if (read.every((sync) => 'stopped' in sync)) return read;

	// Only a dry run and Mirror by email resolve recipients. In other runs, the responses to the changes show whom the service
	// knows.
	const isResolved = run.dryRun || (run.mode === 'mirror' && run.identifyBy === 'email');
	const resolution = isResolved ? await resolveAll(run, read) : undefined;
	const plan = planGroups(run, read, resolution);
	const added = run.dryRun ? plan.syncs : await addToGroups(run, plan);
	const done =
		run.mode === 'mirror'
			? await eachGroup(run, added, async (sync) => await removeFromGroup(sync, plan.all))
			: added;
	// Runs last, so that its requests do not delay the changes.
	return await confirm(run, done, resolution);
}

/** Resolves the recipients of all groups. The stopped groups are treated as one group, at the end of the list. */
async function resolveAll(run: SyncRun, read: GroupSync[]): Promise<Resolution | undefined> {
	const groups = openOf(read).map(({ group: { recipients }, before }) => ({ recipients, before }));
	const recipients = unique(recipientsOfStopped(read));
	const stopped = recipients.length > 0 ? [{ recipients, before: undefined }] : [];
	return await resolveRecipients(run, [...groups, ...stopped]);
}

async function readGroup(sync: OpenSync): Promise<GroupSync> {
	const { group } = sync;
	if (group.problem !== undefined) throw group.problem;
	const empty = group.mode === 'mirror' ? beforeReading(group, group.fields) : undefined;
	if (empty) return stop(sync, empty);
	const before = group.groupId === '' ? NO_MEMBERS : await group.api.read(group.groupId);
	const unseen = beforeResolving(group, before);
	const read = { ...sync, before, group: { ...group, groupName: before.name ?? group.groupName } };
	return unseen ? stop(read, unseen) : read;
}

/**
 * Adds people to all groups, or removes them in mode Remove. Mirror removes people only afterwards, so that a person who
 * moves is always in at least one group.
 */
async function addToGroups(run: SyncRun, plan: GroupsPlan): Promise<GroupSync[]> {
	const { protectedIds } = plan;
	const added = await eachGroup(run, plan.syncs, async (sync) => {
		const existing = await createMissing(sync, plan).catch((error: unknown) => {
			for (const { key } of sync.plan.send) protectedIds.add(key);
			throw error;
		});
		return { ...existing, sent: await sendPlan(existing) };
	});
	if (run.mode !== 'mirror') return added;
	for (const sync of openOf(added)) {
		const wanted = wantedIds(run.identifyBy, sync.group.recipients, sync.resolved);
		for (const id of unprovedIds(sync.group, sync, wanted)) protectedIds.add(id);
	}
	return ifOpen(added, (sync) => protect(sync, protectedIds));
}

async function createMissing(sync: OpenSync, { planGroup }: GroupsPlan): Promise<OpenSync> {
	const { group } = sync;
	const { groupId, groupName = '' } = group;
	if (groupId !== '' || sync.plan.send.length === 0) return sync;
	if (group.cancelSignal?.aborted) throw group.refuse('The execution was canceled');
	const { groupId: newId } = await group.api.create(groupName, true);
	if (newId === undefined) throw group.refuse(NO_ID);
	// The service may add a member to each new group, such as its creator.
	const before = await group.api.read(newId);
	return planGroup({ ...sync, before, group: { ...group, groupId: newId } });
}

/**
 * Adds or removes the planned recipients. Mirror also reads the group again if an addition is not proved, or if it will
 * remove people.
 */
async function sendPlan({ group, before, plan }: OpenSync): Promise<Sent> {
	const action = group.mode === 'remove' ? 'remove' : 'add';
	// Mirror by email sends IDs that the service returned.
	const responses = await changeMembers(group, action, plan.send, {
		by: plan.by,
		known: plan.by !== group.identifyBy,
	});
	const isOpen = group.mode === 'mirror' && (leavesOpen(responses) || plan.surplus.length > 0);
	return { responses, after: isOpen ? await readAgain(group, before, responses) : undefined };
}

/** @param known whether the recipients are IDs that the service itself returned */
async function changeMembers(
	group: GroupRun,
	action: 'add' | 'remove',
	recipients: Recipient[],
	{ by, known }: { by: IdentifyBy; known: boolean },
): Promise<Responses> {
	return await sendInChunks(group, recipients, {
		what: action === 'add' ? 'Adding' : 'Removing',
		by,
		known,
		send: async (values) => await group.api.change(action, group.groupId, by, values),
	});
}

/**
 * Removes the surplus members in mode Mirror, unless a safeguard prevents it. In a dry run, removes nobody, but adds a
 * warning if the real run would remove too many people.
 */
async function removeFromGroup(sync: OpenSync, all: Findings[]): Promise<GroupSync> {
	const { group, plan, removal, sent, resolved } = sync;
	if (plan.surplus.length === 0 || removal) return sync;
	const heldBack =
		group.cancelSignal?.aborted && !group.dryRun
			? 'the execution was canceled'
			: reasonNotToRemove(group, sync);
	if (heldBack !== undefined) return { ...sync, removal: { heldBack } };
	const refusal = beforeRemoving(group, sync);
	if (refusal) return stop(sync, refusal, (sent ?? resolved)?.responses);
	if (group.dryRun) {
		const warning = dryRunWarning(sync, group.maxRemovalPercent, all);
		return { ...sync, warnings: warning === undefined ? [] : [warning] };
	}
	const responses = await changeMembers(group, 'remove', asRecipients(plan.surplus), {
		by: 'id',
		known: true,
	});
	const before = sent?.after ?? sync.before;
	const after = leavesOpen(responses)
		? await readAgain(group, before, responses, 'remove')
		: undefined;
	return { ...sync, removal: { responses, after } };
}

async function confirm(
	run: SyncRun,
	syncs: GroupSync[],
	resolution: Resolution | undefined,
): Promise<GroupSync[]> {
	if (!resolution || run.identifyBy === 'id') {
		return await eachGroup(run, syncs, async (sync) => {
			const { group, before, sent } = sync;
			if (!sent || run.mode === 'mirror' || !leavesOpen(sent.responses)) return sync;
			return { ...sync, sent: await confirmChanges(group, before, sent.responses) };
		});
	}
	if (!run.perRecipient) return syncs;
	const owners = await locateByKind(run, resolution.all.owners, openOf(syncs));
	return ifOpen(syncs, (sync) => {
		const { group, resolved } = sync;
		if (!resolved) return sync;
		const own = ownersOf(owners, new Set(group.recipients.map(({ key }) => key)));
		return { ...sync, resolved: { ...resolved, owners: own } };
	});
}

/** Runs a step for all groups that have not stopped, a few at a time. An error stops only the group in which it occurs. */
async function eachGroup(
	run: SyncRun,
	syncs: GroupSync[],
	step: (sync: OpenSync) => Promise<GroupSync>,
): Promise<GroupSync[]> {
	return await mapWithConcurrency(syncs, run.concurrency, async (sync) => {
		if ('stopped' in sync) return sync;
		try {
			return await step(sync);
		} catch (error) {
			const stopped = error instanceof Error ? error : run.refuse(String(error));
			return { group: sync.group, stopped, responses: undefined };
		}
	});
}

/** The members of a group that does not exist yet. */
const NO_MEMBERS: GroupMembers = { ids: new Set(), complete: true, shown: '0 of 0' };

const NOTHING_KNOWN: Findings = {
	before: NO_MEMBERS,
	resolved: undefined,
	plan: { send: [], by: 'id', surplus: [] },
	sent: undefined,
	removal: undefined,
	warnings: [],
};
