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
	type Stopped,
	type SyncRequest,
} from './evidence';
import type { IdentifyBy, Recipient } from './readRecipients';
import type { Resolution } from './resolveRecipients';
import type { GroupRun, SyncRun } from './syncRun';

/** Why a sync stops: the problem and the advice. */
export type Refusal = { message: string; description: string };

/** A group of a run, and what is known about its sync. */
export type GroupSync = { group: GroupRun; evidence: Evidence };

/** The same, if nothing stopped it. */
export type OpenSync = { group: GroupRun; evidence: Findings };

export type GroupsPlan = {
	/** The groups with their plans, or with the reason why they stop. */
	syncs: GroupSync[];
	/** What was planned for the open groups, before the safeguards stopped any. */
	all: Findings[];
	/** IDs of people who stay where they are: nothing proves that they are in the group that an item names. */
	unplaced: Set<string>;
	/** Plans a group again. */
	planGroup: (sync: OpenSync) => OpenSync;
};

/**
 * Plans all groups and checks the safeguards of each.
 *
 * @param read the groups, with their members before the first change
 * @param resolution who the recipients are: of the open groups, then of all stopped ones together
 */
export function planGroups(
	run: SyncRun,
	read: GroupSync[],
	resolution: Resolution | undefined,
): GroupsPlan {
	const open = openOf(read);
	// Whom items name for a group that is stopped must not lose the others.
	const lost = resolution?.groups[open.length];
	const unplaced = wantedIds(run.identifyBy, recipientsOfStopped(read), lost);
	const heldBack = unresolvedRecipients(run, resolution?.all);
	const planGroup = ({ group, evidence }: OpenSync): OpenSync => {
		const plan = planOf(group, evidence.before, evidence.resolved);
		const isHeldBack = heldBack !== undefined && plan.surplus.length > 0;
		const removal = isHeldBack ? { heldBack } : undefined;
		return { group, evidence: keepIn({ ...evidence, plan, removal }, unplaced) };
	};
	let place = 0;
	const planned = ifOpen(read, ({ group, evidence }) => {
		const resolved = resolution?.groups[place++];
		return planGroup({ group, evidence: { ...evidence, resolved } });
	});
	const all = openOf(planned).map(({ evidence }) => evidence);
	for (const findings of all) {
		if (!beforeChanging({ dryRun: false }, findings, run.maxRemovalPercent, all)) continue;
		for (const { key } of findings.plan.send) unplaced.add(key);
	}
	const isCancelled = run.cancelled();
	const syncs = ifOpen(planned, ({ group, evidence }) => {
		const refusal =
			beforeChanging(run, evidence, run.maxRemovalPercent, all) ??
			(isCancelled ? EXECUTION_CANCELLED : undefined);
		if (refusal) return { group, evidence: stop(run, refusal, evidence.resolved?.responses) };
		return { group, evidence: keepIn(evidence, unplaced) };
	});
	return { syncs, all, unplaced, planGroup };
}

export function openOf(syncs: GroupSync[]): OpenSync[] {
	return syncs.flatMap(({ group, evidence }) =>
		'stopped' in evidence ? [] : [{ group, evidence }],
	);
}

/** Does a step of the open groups; the stopped ones stay as they are. */
export function ifOpen(syncs: GroupSync[], step: (sync: OpenSync) => GroupSync): GroupSync[] {
	return syncs.map((sync) => openOf([sync]).map(step)[0] ?? sync);
}

/** Everybody whom items name for a stopped group, each once. */
export function recipientsOfStopped(syncs: GroupSync[]): Recipient[] {
	const found = syncs.flatMap(({ group, evidence }) =>
		'stopped' in evidence ? group.recipients : [],
	);
	return [...new Map(found.map((recipient) => [recipient.key, recipient])).values()];
}

/** Keeps people in a group whom Mirror would remove. */
export function keepIn(findings: Findings, ids: ReadonlySet<string>): Findings {
	return findings.removal ? findings : { ...findings, plan: keep(findings.plan, ids) };
}

export function stop(
	run: SyncRun,
	{ message, description }: Refusal,
	responses?: Responses,
): Stopped {
	return { stopped: run.refuse(message, description), responses };
}

const EXECUTION_CANCELLED: Refusal = {
	message: 'The execution was cancelled',
	description: 'Nothing was changed.',
};

/**
 * Plans the changes, from the group before the sync and the resolved recipients. IDs in the group are not added again.
 * All others are sent, so that the service reports unknown ones.
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

/** The known IDs of the people that the input items name. */
export function wantedIds(
	identifyBy: IdentifyBy,
	recipients: Recipient[],
	resolved: ResolvedRecipients | undefined,
): Set<string> {
	return new Set(identifyBy === 'email' ? resolved?.members.ids : recipients.map(({ key }) => key));
}

/**
 * Stops a sync before anything is sent if no input item has a recipient, or if all recipients are addresses although
 * IDs are expected, because the service would refuse each with a separate request.
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

/** Stops a sync after the group was read incompletely, because a dry run and Mirror need all members. */
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
 * What stops Mirror of a group before the first change to any: nobody would be left, or too many would be removed; the
 * latter only warns in a dry run.
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
		'Nothing was changed. If you want this, raise Maximum Removal (%). Otherwise, check the source of the input items.';
	return message === undefined ? undefined : { message, description };
}

/**
 * Why Mirror cannot know whom to remove: somebody whose ID could not be found out may be among them.
 *
 * @returns undefined when it can
 */
export function unresolvedRecipients(
	{ mode, identifyBy, input, removeDespiteInvalid }: SyncRequest,
	resolved: ResolvedRecipients | undefined,
): string | undefined {
	if (mode !== 'mirror') return undefined;
	const unreadable = input.filter((entry) => 'status' in entry && entry.unreadable).length;
	if (unreadable > 0 && !removeDespiteInvalid) {
		const rows = unreadable === 1 ? '1 item names' : `${unreadable} items name`;
		return `${rows} somebody in an invalid form`;
	}
	if (identifyBy !== 'email' || !resolved) return undefined;
	const { responses, members } = resolved;
	const [failed] = responses.failed;
	if (failed) return `the IDs of some recipients could not be found out: ${failed.reason}`;
	const nobody = takenBy(responses).length + responses.ignored.length - members.ids.size;
	if (nobody === 0) return undefined;
	return `the service silently ignored ${nobody} of the recipients, so their IDs are not known`;
}

/**
 * Leaves people in a group whom Mirror would remove.
 *
 * @param ids whom items name for a group where they have no proved place: they must not end up in none
 */
function keep(plan: Plan, ids: ReadonlySet<string>): Plan {
	const kept = plan.surplus.filter((id) => ids.has(id));
	if (kept.length === 0) return plan;
	const surplus = plan.surplus.filter((id) => !ids.has(id));
	return { ...plan, surplus, kept: [...(plan.kept ?? []), ...kept] };
}

/** What a dry run says where a sync would stop. */
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
 * Why Mirror, having added people, removes nobody: an addition is not proved, or the group was not seen whole since.
 *
 * @returns undefined when it may
 */
export function reasonNotToRemove(request: SyncRequest, findings: Findings): string | undefined {
	const unproved = unprovedAddition(request, findings);
	if (unproved !== undefined) return unproved;
	const after = findings.sent?.after;
	if (request.dryRun || after?.complete) return undefined;
	if (!after) return 'the group could not be read again';
	return `the service then showed only ${after.shown} members of the group`;
}

/**
 * Stops Mirror if the service knows none of the people who should stay, because removing the others would empty the
 * group.
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
 * Why Mirror removes too many. One person may leave a group however small it is, unless nobody may, or all groups together
 * lose too many: then none of them loses anybody.
 */
function tooManyRemovals(
	{ plan, before }: Findings,
	maxRemovalPercent: number,
	all: Findings[],
): string | undefined {
	const excess = (removals: number, size: number, where: string) => {
		if (removals * 100 <= maxRemovalPercent * size) return undefined;
		// Rounded up, so that it never reads like the limit itself.
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
