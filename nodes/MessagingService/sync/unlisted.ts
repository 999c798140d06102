import { readAgain } from './readAgain';
import { sendInChunks } from './sendInChunks';
import { isFailedOrUnknown, STATUSES, UNVERIFIED } from './status';
import type { SyncRun } from './parameters';
import type { TargetPlan } from './removals';
import { countHidden } from './types';
import type { Identities, Members, RecipientStatus } from './types';

/*
 * A channel may show a person under another address than an item has. So a recipient whom the service accepts and the list
 * does not show is *unlisted*: any member of this channel may be this person.
 */

/** How many further requests a channel may need to remove recipients whom the list does not show. Two more find a proof. */
const UNLISTED_BUDGET = 18;

const MAY_BE_MEMBER: RecipientStatus = {
	...STATUSES.add.unchanged,
	reason: `${UNVERIFIED} the channel does not show whether the person is a member under another address`,
};

const ASKED_TO_REMOVE: RecipientStatus = {
	...STATUSES.remove.unchanged,
	reason: `${UNVERIFIED} the service was asked to remove it; the list does not show this address`,
};

/**
 * Sets the statuses of the unlisted recipients among those who were sent to be added. If the target shows as many new
 * people, these are the recipients.
 */
export function recordUnlisted(plan: TargetPlan, { mayBeAlias }: Identities): void {
	const { before, afterAdding, added, namedIds } = plan;
	if (!mayBeAlias || !afterAdding) return;
	const accepted = [...added].filter(([, reply]) => !isFailedOrUnknown(reply));
	const unlisted = accepted.filter(([key]) => !afterAdding.ids.has(key) && mayBeAlias(key));
	const joined = [...afterAdding.ids].filter((id) => !before.ids.has(id) && !namedIds.has(id));
	const withoutAddress = countHidden(afterAdding) - countHidden(before);
	const isProved = before.complete && afterAdding.complete;
	const areAdded = isProved && joined.length + withoutAddress === unlisted.length;
	for (const [key] of unlisted)
		plan.unlisted.set(key, areAdded ? STATUSES.add.changed : MAY_BE_MEMBER);
}

/**
 * Asks the service to remove recipients whom the list does not show. Only the response says what becomes of them.
 *
 * @param isUnlisted whether this is such a recipient, by key
 */
export async function removeUnlisted(
	run: SyncRun,
	{ target, removed, unlisted }: TargetPlan,
	isUnlisted: (key: string) => boolean | undefined,
): Promise<void> {
	const people = target.recipients.filter(({ key }) => isUnlisted(key));
	const [value] = [...removed].find(([, reply]) => !isFailedOrUnknown(reply)) ?? [];
	const knownMember = value === undefined ? undefined : { targetId: target.id, value };
	const options = { action: 'remove', targetId: target.id, identifyBy: 'id', knownMember } as const;
	const budget = { granted: UNLISTED_BUDGET, remaining: UNLISTED_BUDGET };
	const { replies } = await sendInChunks({ ...run, budget }, people, options);
	for (const [key, reply] of replies) {
		const failed = { ...reply, reason: `Not removed for certain: ${reply.reason}` };
		const refused = reply.status === 'failed' ? failed : reply;
		unlisted.set(key, isFailedOrUnknown(reply) ? refused : ASKED_TO_REMOVE);
	}
}

/**
 * After removals in spite of unlisted recipients: adds these once more. Who comes back was removed, although an item names
 * them under another address.
 */
export async function addUnlistedAgain(run: SyncRun, plan: TargetPlan): Promise<void> {
	const { target, unlisted, removed, afterRemoving } = plan;
	const again = target.recipients.filter(({ key }) => unlisted.has(key));
	if (again.length === 0) return;
	const options = { action: 'add', targetId: target.id, identifyBy: 'id' } as const;
	const { replies } = await sendInChunks(run, again, options);
	for (const [key, reply] of replies) if (isFailedOrUnknown(reply)) unlisted.set(key, reply);
	const gone = [...removed.keys()].filter((id) => afterRemoving && !afterRemoving.ids.has(id));
	const backIn = ({ ids }: Members) => gone.filter((id) => ids.has(id));
	plan.afterRemoving = await readAgain(run, target.id, (one) => backIn(one).length >= again.length);
	plan.cameBack = new Set(plan.afterRemoving && backIn(plan.afterRemoving));
}
