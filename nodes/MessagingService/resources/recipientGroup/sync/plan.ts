import { EMAIL } from '../../../../shared/values';
import {
	asRecipients,
	recipientsOf,
	takenBy,
	type Findings,
	type GroupMembers,
	type Plan,
	type ResolvedRecipients,
	type SyncRequest,
} from './evidence';
import { idOutcome, unprovedAddition } from './classify';

/** Why a sync does not go on: what is wrong, and what to do. */
export type Refusal = { message: string; description: string };

/**
 * Says what is to be changed, from the group before and from who the recipients are. IDs that are in the group need not be
 * added; everybody else is sent, because the service then says whom it does not know.
 */
export function planOf(
	{ mode, identifyBy, input }: SyncRequest,
	{ ids: members }: GroupMembers,
	resolved: ResolvedRecipients | undefined,
): Plan {
	if (mode === 'remove' || (mode === 'add' && identifyBy === 'email')) {
		return { send: recipientsOf(input), by: identifyBy, surplus: [] };
	}
	const wanted = wantedIds({ identifyBy, input }, resolved);
	const missing = [...wanted].filter((id) => !members.has(id));
	const surplus = mode === 'mirror' ? [...members].filter((id) => !wanted.has(id)) : [];
	return { send: asRecipients(missing), by: 'id', surplus };
}

/** The IDs of those whom the input items name, as far as they are known. */
export function wantedIds(
	{ identifyBy, input }: Pick<SyncRequest, 'identifyBy' | 'input'>,
	resolved: ResolvedRecipients | undefined,
): Set<string> {
	return new Set(
		identifyBy === 'email' ? resolved?.members.ids : recipientsOf(input).map(({ key }) => key),
	);
}

/**
 * What stops a sync before anything is sent: that no input item has a recipient, or that all of them are addresses where
 * IDs are asked for, which would take the service a request each to deny.
 *
 * @param fields the names of the first item's fields
 */
export function beforeReading(
	{ mode, identifyBy, input }: SyncRequest,
	fields: string[],
): Refusal | undefined {
	const recipients = recipientsOf(input);
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
		description: `Nothing was changed. Check where the input items come from, and the Recipient parameter; the first item has ${seen}.`,
	};
}

/** What stops a sync after the group was read: a dry run and Mirror have to see all of it. */
export function beforeResolving(
	{ mode, dryRun }: SyncRequest,
	before: GroupMembers,
): Refusal | undefined {
	if (before.complete || (mode !== 'mirror' && !dryRun)) return undefined;
	return {
		message: `The service shows only ${before.shown} members of the group`,
		description:
			mode === 'mirror'
				? 'Mirror has to see them all to know whom to remove. Nothing was changed. The modes Add and Remove work with this group.'
				: 'So a dry run cannot tell what would change. Nothing was changed.',
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
		'Nothing was changed. If this is what you want, raise Maximum Removal (%); if not, check where the input items come from.';
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
		return `${rows} somebody in a form that cannot be read`;
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
export function keep(plan: Plan, ids: ReadonlySet<string>): Plan {
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

/** What stops Mirror when the service knows nobody of those who are to stay, so that removing the others would empty the group. */
export function beforeRemoving(request: SyncRequest, findings: Findings): Refusal | undefined {
	const { plan, before } = findings;
	if (plan.surplus.length === 0 || before.ids.size > plan.surplus.length) return undefined;
	const outcomeOf = idOutcome(request, findings);
	return plan.send.some(({ key }) => outcomeOf(key).status === 'added') ? undefined : NOBODY_KNOWN;
}

const EMAILS_AS_IDS: Refusal = {
	message: 'The recipients are email addresses, but Identify By is ID',
	description: 'Nothing was changed. Set Identify By to Email, or let Recipient give the IDs.',
};

const NOBODY_KNOWN: Refusal = {
	message: 'The service knows none of the recipients',
	description:
		'Mirror would leave the group empty, so nothing was changed. Check where the input items come from, and the Recipient parameter.',
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
