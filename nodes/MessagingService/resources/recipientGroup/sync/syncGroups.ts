import { mapWithConcurrency } from '../../../../shared/concurrency';
import { withoutPlace } from './classify';
import { confirmChanges, locateByKind, readAgain } from './confirm';
import {
	asRecipients,
	leavesOpen,
	type Findings,
	type GroupMembers,
	type Plan,
	type Sent,
} from './evidence';
import { NO_ID } from './groupApi';
import {
	beforeReading,
	beforeRemoving,
	beforeResolving,
	dryRunWarning,
	ifOpen,
	keepIn,
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
import { unique } from './readRecipients';
import { ownersOf, resolveRecipients, type Resolution } from './resolveRecipients';
import { sendInChunks } from './sendInChunks';
import type { GroupRun, SyncRun } from './syncRun';

/**
 * Syncs the groups of a run. Each step handles all groups: reads them, resolves the recipients, plans, adds, removes, and
 * confirms what the responses leave open. If the sync of one group stops, the others continue.
 *
 * @throws if the recipients cannot be resolved; nothing has been changed then
 */
export async function syncGroups(run: SyncRun, groups: GroupRun[]): Promise<GroupSync[]> {
	const empty = beforeReading(run, run.fields);
	if (empty) return groups.map((group) => ({ group, evidence: stop(run, empty) }));
	const concurrency = Math.max(1, Math.floor(run.concurrency / groups.length));
	const found = groups.map((group) => ({
		group: { ...group, concurrency },
		evidence: NOTHING_KNOWN,
	}));
	const read = await eachGroup(run, found, readGroup);
	if (read.every(({ evidence }) => 'stopped' in evidence)) return read;

	// In all other cases, the responses for the groups themselves show which recipients the service knows.
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

/** Resolves the recipients of the open groups, followed by those of all stopped groups as if these were one group. */
async function resolveAll(run: SyncRun, read: GroupSync[]): Promise<Resolution | undefined> {
	const groups = openOf(read).map(({ group: { recipients }, evidence: { before } }) => {
		return { recipients, before };
	});
	const lost = unique(recipientsOfStopped(read));
	const nowhere = lost.length > 0 ? [{ recipients: lost, before: undefined }] : [];
	return await resolveRecipients(run, [...groups, ...nowhere]);
}

async function readGroup({ group, evidence }: OpenSync): Promise<GroupSync> {
	if (group.problem !== undefined) throw group.problem;
	const empty = group.mode === 'mirror' ? beforeReading(group, group.fields) : undefined;
	if (empty) return { group, evidence: stop(group, empty) };
	const before = group.groupId === '' ? NO_MEMBERS : await group.api.read(group.groupId);
	const unseen = beforeResolving(group, before);
	const named = { ...group, groupName: before.name ?? group.groupName };
	return { group: named, evidence: unseen ? stop(group, unseen) : { ...evidence, before } };
}

/**
 * Adds to all groups, or removes in mode Remove. Mirror removes only afterwards, so that a person who moves is always in at
 * least one group.
 */
async function addToGroups(run: SyncRun, plan: GroupsPlan): Promise<GroupSync[]> {
	const { unplaced } = plan;
	const added = await eachGroup(run, plan.syncs, async (sync) => {
		const { group, evidence } = await createMissing(sync, plan).catch((error: unknown) => {
			for (const { key } of sync.evidence.plan.send) unplaced.add(key);
			throw error;
		});
		const sent = await sendPlan(group, evidence.before, evidence.plan);
		return { group, evidence: { ...evidence, sent } };
	});
	if (run.mode !== 'mirror') return added;
	for (const { group, evidence } of openOf(added)) {
		const wanted = wantedIds(group.identifyBy, group.recipients, evidence.resolved);
		for (const id of withoutPlace(group, evidence, wanted)) unplaced.add(id);
	}
	return ifOpen(added, ({ group, evidence }) => ({ group, evidence: keepIn(evidence, unplaced) }));
}

async function createMissing(
	{ group, evidence }: OpenSync,
	{ planGroup }: GroupsPlan,
): Promise<OpenSync> {
	const { groupId, groupName = '' } = group;
	if (groupId !== '' || evidence.plan.send.length === 0) return { group, evidence };
	if (group.cancelSignal?.aborted) throw group.refuse('The execution was cancelled');
	const { groupId: newId } = await group.api.create(groupName, true);
	if (newId === undefined) throw group.refuse(NO_ID);
	const created = { ...group, groupId: newId };
	// The service may add a member to each new group, such as its creator.
	const before = await group.api.read(created.groupId);
	return planGroup({ group: created, evidence: { ...evidence, before } });
}

/**
 * Adds or removes the planned recipients. Reads the group again for Mirror if an addition is not proved or people are to be
 * removed.
 */
async function sendPlan(run: GroupRun, before: GroupMembers, plan: Plan): Promise<Sent> {
	const action = run.mode === 'remove' ? 'remove' : 'add';
	const responses = await sendInChunks(run, plan.send, {
		what: action === 'add' ? 'Adding' : 'Removing',
		by: plan.by,
		// Mirror by email has these IDs from the service.
		known: plan.by !== run.identifyBy,
		send: async (values) => await run.api.change(action, run.groupId, plan.by, values),
	});
	const isOpen = run.mode === 'mirror' && (leavesOpen(responses) || plan.surplus.length > 0);
	return { responses, after: isOpen ? await readAgain(run, before, responses) : undefined };
}

/**
 * Removes the surplus members in mode Mirror.
 *
 * @param before the group, read after the additions
 */
async function removeSurplus(
	run: GroupRun,
	before: GroupMembers,
	{ surplus }: Plan,
): Promise<Sent> {
	const responses = await sendInChunks(run, asRecipients(surplus), {
		what: 'Removing',
		by: 'id',
		known: true,
		send: async (values) => await run.api.change('remove', run.groupId, 'id', values),
	});
	const after = leavesOpen(responses)
		? await readAgain(run, before, responses, 'remove')
		: undefined;
	return { responses, after };
}

/** Removes the surplus members in mode Mirror, unless a safeguard prevents it. In a dry run, only collects the warning. */
async function removeFromGroup({ group, evidence }: OpenSync, all: Findings[]): Promise<GroupSync> {
	const { plan, before, removal, sent, resolved } = evidence;
	if (plan.surplus.length === 0 || removal) return { group, evidence };
	const heldBack =
		group.cancelSignal?.aborted && !group.dryRun
			? 'the execution was cancelled'
			: reasonNotToRemove(group, evidence);
	if (heldBack !== undefined) return { group, evidence: { ...evidence, removal: { heldBack } } };
	const refusal = beforeRemoving(group, evidence);
	if (refusal) return { group, evidence: stop(group, refusal, (sent ?? resolved)?.responses) };
	if (group.dryRun) {
		const warning = dryRunWarning(evidence, group.maxRemovalPercent, all);
		return { group, evidence: { ...evidence, warnings: warning === undefined ? [] : [warning] } };
	}
	const removed = await removeSurplus(group, sent?.after ?? before, plan);
	return { group, evidence: { ...evidence, removal: removed } };
}

async function confirm(
	run: SyncRun,
	syncs: GroupSync[],
	resolution: Resolution | undefined,
): Promise<GroupSync[]> {
	if (!resolution || run.identifyBy === 'id') {
		return await eachGroup(run, syncs, async ({ group, evidence }) => {
			const { before, sent } = evidence;
			if (!sent || run.mode === 'mirror' || !leavesOpen(sent.responses)) return { group, evidence };
			const confirmed = await confirmChanges(group, before, sent.responses);
			return { group, evidence: { ...evidence, sent: confirmed } };
		});
	}
	if (!run.perRecipient) return syncs;
	const owners = await locateByKind(run, resolution.all.owners, openOf(syncs));
	return ifOpen(syncs, ({ group, evidence }) => {
		const { resolved } = evidence;
		if (!resolved) return { group, evidence };
		const own = ownersOf(owners, new Set(group.recipients.map(({ key }) => key)));
		return { group, evidence: { ...evidence, resolved: { ...resolved, owners: own } } };
	});
}

/** Runs a step for all open groups, a few at a time. An error stops only its own group. */
async function eachGroup(
	run: SyncRun,
	syncs: GroupSync[],
	step: (sync: OpenSync) => Promise<GroupSync>,
): Promise<GroupSync[]> {
	return await mapWithConcurrency(syncs, run.concurrency, async ({ group, evidence }) => {
		if ('stopped' in evidence) return { group, evidence };
		try {
			return await step({ group, evidence });
		} catch (error) {
			const stopped = error instanceof Error ? error : run.refuse(String(error));
			return { group, evidence: { stopped, responses: undefined } };
		}
	});
}

/** A group that does not exist yet. */
const NO_MEMBERS: GroupMembers = { ids: new Set(), complete: true, shown: '0 of 0' };

const NOTHING_KNOWN: Findings = {
	before: NO_MEMBERS,
	resolved: undefined,
	plan: { send: [], by: 'id', surplus: [] },
	sent: undefined,
	removal: undefined,
	warnings: [],
};
