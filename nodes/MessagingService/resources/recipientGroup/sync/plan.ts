import { EMAIL } from '../../../../shared/values';
import { idOutcome, unprovedAddition } from './classify';
import {
	asRecipients,
	takenBy,
	type Evidence,
	type Findings,
	type GroupMembers,
	type Plan,
	type ResolvedRecipients,
	type Responses,
	type SyncRequest,
} from './evidence';
import type { IdentifyBy, Recipient } from './readRecipients';
import type { Resolution } from './resolveRecipients';
import type { GroupRun, SyncRun } from './syncRun';

/** The problem that stops a sync, and the advice for it. */
export type Refusal = { message: string; description: string };

/** A group of a run, with the evidence about its sync. */
export type GroupSync = { group: GroupRun } & Evidence;

/** A group whose sync was not stopped ("open"). */
export type OpenSync = { group: GroupRun } & Findings;

export type GroupsPlan = {
	/** The groups with their plans, or with the reason why they stop. */
	syncs: GroupSync[];
	/** The plans of all open groups, before the safeguards stopped any of them. */
	all: Findings[];
	/**
	 * IDs of people whom Mirror must not remove from any group: an item names a group for them, but it is not proved that
	 * they are in it.
	 */
	protectedIds: Set<string>;
	/** Plans a group again, after it was created. */
	planGroup: (sync: OpenSync) => OpenSync;
};

/**
 * Plans all groups and checks the safeguards of each.
 *
 * @param read the groups, with their members before the first change
 * @param resolution the resolved recipients of each open group, followed by those of all stopped groups together
 */
export function planGroups(
	run: SyncRun,
	read: GroupSync[],
	resolution: Resolution | undefined,
): GroupsPlan {
	const open = openOf(read);
	// People in the input items of a stopped group must not be removed from the other groups.
	const ofStopped = resolution?.groups[open.length];
	const protectedIds = wantedIds(run.identifyBy, recipientsOfStopped(read), ofStopped);
	const heldBack = unresolvedRecipients(run, resolution?.all);
	const planGroup = (sync: OpenSync): OpenSync => {
		const plan = planOf(sync.group, sync.before, sync.resolved);
		const isHeldBack = heldBack !== undefined && plan.surplus.length > 0;
		return protect({ ...sync, plan, removal: isHeldBack ? { heldBack } : undefined }, protectedIds);
	};
	let place = 0;
	const planned = ifOpen(read, (sync) =>
		planGroup({ ...sync, resolved: resolution?.groups[place++] }),
	);
	const all = openOf(planned);
	for (const findings of all) {
		if (!beforeChanging({ dryRun: false }, findings, run.maxRemovalPercent, all)) continue;
		for (const { key } of findings.plan.send) protectedIds.add(key);
	}
	const isCanceled = run.cancelSignal?.aborted;
	const syncs = ifOpen(planned, (sync) => {
		const refusal =
			beforeChanging(run, sync, run.maxRemovalPercent, all) ??
			(isCanceled ? EXECUTION_CANCELED : undefined);
		return refusal ? stop(sync, refusal, sync.resolved?.responses) : protect(sync, protectedIds);
	});
	return { syncs, all, protectedIds, planGroup };
}

export function openOf(syncs: GroupSync[]): OpenSync[] {
	return syncs.filter((sync): sync is OpenSync => !('stopped' in sync));
}

/** Applies a step to the open groups and returns the stopped ones unchanged. */
export function ifOpen(syncs: GroupSync[], step: (sync: OpenSync) => GroupSync): GroupSync[] {
	return syncs.map((sync) => ('stopped' in sync ? sync : step(sync)));
}

/** Returns the recipients in the input items of stopped groups. */
export function recipientsOfStopped(syncs: GroupSync[]): Recipient[] {
	return syncs.flatMap((sync) => ('stopped' in sync ? sync.group.recipients : []));
}

/**
 * Excludes people from the planned removals of a Mirror. Changes nothing if all its removals were already ruled out.
 *
 * @param ids people whom Mirror must not remove from any group (`GroupsPlan.protectedIds`)
 */
export function protect(sync: OpenSync, ids: ReadonlySet<string>): OpenSync {
	const { plan, removal } = sync;
	const kept = plan.surplus.filter((id) => ids.has(id));
	if (removal || kept.length === 0) return sync;
	const surplus = plan.surplus.filter((id) => !ids.has(id));
	return { ...sync, plan: { ...plan, surplus, kept: [...(plan.kept ?? []), ...kept] } };
}

/** Marks the sync of a group as stopped, for the given reason. */
export function stop(
	{ group }: { group: GroupRun },
	{ message, description }: Refusal,
	responses?: Responses,
): GroupSync {
	return { group, stopped: group.refuse(message, description), responses };
}

const EXECUTION_CANCELED: Refusal = {
	message: 'The execution was canceled',
	description: 'Nothing was changed.',
};

/**
 * Plans the changes to a group, given the resolved recipients and the members before the sync. Remove sends all recipients,
 * and so does Add by email. Add by ID and Mirror send only the IDs that are not in the group yet.
 */
export function planOf(
	{ mode, identifyBy, recipients }: SyncRequest,
	{ ids: members }: GroupMembers,
	resolved: ResolvedRecipients | undefined,
): Plan {
	if (mode === 'remove' || (mode === 'add' && identifyBy === 'email')) {
		return { send: recipients, by: identifyBy, surplus: [] };
	}
	const wanted = wantedIds(identifyBy, recipients, resolved);
	const missing = [...wanted].filter((id) => !members.has(id));
	const surplus = mode === 'mirror' ? [...members].filter((id) => !wanted.has(id)) : [];
	return { send: asRecipients(missing), by: 'id', surplus };
}

/** Returns the known IDs of the people that the input items name. */
export function wantedIds(
	identifyBy: IdentifyBy,
	recipients: Recipient[],
	resolved: ResolvedRecipients | undefined,
): Set<string> {
	return new Set(identifyBy === 'email' ? resolved?.members.ids : recipients.map(({ key }) => key));
}

/**
 * Returns why a sync must stop before anything is sent: no input item has a recipient, or all recipients are addresses
 * although IDs are expected. Without the check for addresses, Sync would need a separate request to find each refused
 * address.
 *
 * @param fields the names of the first item's fields
 */
export function beforeReading(
	{ mode, identifyBy, input, recipients }: SyncRequest,
	fields: string[],
): Refusal | undefined {
	if (recipients.length > 0) {
		const areEmails = identifyBy === 'id' && recipients.every(({ value }) => EMAIL.test(value));
		return areEmails ? EMAILS_AS_IDS : undefined;
	}
	if (input.length === 0) return undefined;
	const seen = fields.length > 0 ? `the fields ${fields.join(', ')}` : 'no fields';
	return {
		message:
			mode === 'mirror'
				? 'There is no valid recipient to mirror'
				: 'No input item has a valid recipient',
		description: `Nothing was changed. Check the source of the input items and the Recipient parameter. The first item has ${seen}.`,
	};
}

/** Returns why a dry run or a Mirror must stop if the group was read incompletely: both need all members. */
export function beforeResolving(
	{ mode, dryRun }: SyncRequest,
	before: GroupMembers,
): Refusal | undefined {
	if (before.complete || (mode !== 'mirror' && !dryRun)) return undefined;
	return {
		message: `The service shows only ${before.shown} members of the group`,
		description:
			mode === 'mirror'
				? 'Mirror must see all members to know whom to remove. Nothing was changed. The modes Add and Remove work with this group.'
				: 'A dry run therefore cannot predict the changes. Nothing was changed.',
	};
}

/**
 * Returns why Mirror must not change a group: nobody would be left in it, or too many people would be removed. In a dry run,
 * too many removals only cause a warning. Called before the first change to any group.
 *
 * @param all the groups of the run that Mirror may change
 */
export function beforeChanging(
	{ dryRun }: Pick<SyncRequest, 'dryRun'>,
	findings: Findings,
	maxRemovalPercent: number,
	all = [findings],
): Refusal | undefined {
	const { plan, before, removal } = findings;
	if (plan.surplus.length === 0 || removal) return undefined;
	if (before.ids.size - plan.surplus.length + plan.send.length === 0) return NOBODY_KNOWN;
	const message = dryRun ? undefined : tooManyRemovals(findings, maxRemovalPercent, all);
	const description =
		'Nothing was changed. If these removals are intended, raise Maximum Removal (%). Otherwise, check the source of the input items.';
	return message === undefined ? undefined : { message, description };
}

/**
 * Checks whether Mirror can know which people to remove. If the ID of a recipient is not known, any member of the group may
 * be that recipient.
 *
 * @returns the reason if Mirror cannot know; otherwise undefined
 */
export function unresolvedRecipients(
	{ mode, identifyBy, input, removeDespiteInvalid }: SyncRequest,
	resolved: ResolvedRecipients | undefined,
): string | undefined {
	if (mode !== 'mirror') return undefined;
	const unreadable = input.filter((entry) => 'status' in entry && entry.unreadable).length;
	if (unreadable > 0 && !removeDespiteInvalid) {
		const rows = unreadable === 1 ? '1 item names' : `${unreadable} items name`;
		return `${rows} a recipient that is not valid`;
	}
	if (identifyBy !== 'email' || !resolved) return undefined;
	const { responses, members } = resolved;
	const [failed] = responses.failed;
	if (failed) return `the IDs of some recipients could not be determined: ${failed.reason}`;
	const nobody = takenBy(responses).length + responses.ignored.length - members.ids.size;
	if (nobody === 0) return undefined;
	return `the service silently ignored ${nobody} of the recipients, so their IDs are not known`;
}

/** Returns the warning of a dry run if the same sync without Dry Run would remove too many people. */
export function dryRunWarning(
	findings: Findings,
	maxRemovalPercent: number,
	all = [findings],
): string | undefined {
	const message = findings.removal ? undefined : tooManyRemovals(findings, maxRemovalPercent, all);
	const what = all.length > 1 ? 'not change this group' : 'stop here and change nothing';
	return message && `${message}. Without Dry Run, Mirror would ${what}.`;
}

/**
 * Checks whether Mirror may remove people after its additions. All additions must be proved. Except in a dry run, the group
 * must also have been read completely after the additions.
 *
 * @returns the reason if Mirror may not remove anybody; otherwise undefined
 */
export function reasonNotToRemove(request: SyncRequest, findings: Findings): string | undefined {
	const unproved = unprovedAddition(request, findings);
	if (unproved !== undefined) return unproved;
	const after = findings.sent?.after;
	if (request.dryRun || after?.complete) return undefined;
	if (!after) return 'the group could not be read again';
	return `after the additions, the service showed only ${after.shown} members of the group`;
}

/**
 * Returns why Mirror must stop: the service knows none of the people who should stay, so removing the others would empty
 * the group.
 */
export function beforeRemoving(request: SyncRequest, findings: Findings): Refusal | undefined {
	const { plan, before } = findings;
	if (plan.surplus.length === 0 || before.ids.size > plan.surplus.length) return undefined;
	const outcomeOf = idOutcome(request, findings);
	return plan.send.some(({ key }) => outcomeOf(key).status === 'added') ? undefined : NOBODY_KNOWN;
}

const EMAILS_AS_IDS: Refusal = {
	message: 'The recipients are email addresses, but Identify By is ID',
	description: 'Nothing was changed. Set Identify By to Email, or enter the IDs in Recipient.',
};

const NOBODY_KNOWN: Refusal = {
	message: 'The service knows none of the recipients',
	description:
		'Mirror would empty the group, so nothing was changed. Check the source of the input items and the Recipient parameter.',
};

/**
 * Returns an error message if Mirror would remove too many people. With several groups, each group may lose one person even
 * if this exceeds the limit, unless the limit is 0 %. If all groups together exceed the limit, no group loses anybody.
 */
function tooManyRemovals(
	{ plan, before }: Findings,
	maxRemovalPercent: number,
	all: Findings[],
): string | undefined {
	const excess = (removals: number, size: number, where: string) => {
		if (removals * 100 <= maxRemovalPercent * size) return undefined;
		// Rounded up, so that the percentage shown never equals the limit.
		const percent = Math.ceil((removals * 1000) / size) / 10;
		return `Mirror would remove ${removals} of the ${size} people in ${where} (${percent} %), more than the ${maxRemovalPercent} % allowed`;
	};
	const removing = all.filter(({ removal }) => !removal);
	const sumOf = (sizeOf: (one: Findings) => number) =>
		removing.reduce((sum, one) => sum + sizeOf(one), 0);
	const total = excess(
		sumOf((one) => one.plan.surplus.length),
		sumOf((one) => one.before.ids.size),
		'all groups together',
	);
	const own = excess(plan.surplus.length, before.ids.size, 'the group');
	const isOneAllowed = all.length > 1 && plan.surplus.length === 1 && maxRemovalPercent > 0;
	return own && !isOneAllowed ? own : total;
}
