import type { IdentifyBy, InputRecipient, Recipient } from './readRecipients';

export type Mode = 'add' | 'remove' | 'mirror';

/** The sync request for one group. */
export type SyncRequest = {
	mode: Mode;
	identifyBy: IdentifyBy;
	dryRun: boolean;
	/** Whether Mirror removes people even if items have invalid recipients. */
	removeDespiteInvalid: boolean;
	/** Whether the output has an item for each recipient. */
	perRecipient: boolean;
	/** The input items of the group, each with its recipient or its problem. */
	input: InputRecipient[];
	/** The recipients of the input items, without duplicates. */
	recipients: Recipient[];
};

/** The members of a group, as read from the service. */
export type GroupMembers = {
	ids: Set<string>;
	/** False if the service lists fewer members (`leads`) than it counts (`leadsTotal`), or does not count them. */
	complete: boolean;
	/** How many of the members were listed, as text for a message. */
	shown: string;
	/** The name of the group, if the service returned it. */
	name?: string | undefined;
};

/** The accepted recipients of one call. */
export type Taken = {
	recipients: Recipient[];
	/** How many of the recipients the call changed; undefined if the service's counts do not show it. */
	changed: number | undefined;
	/** Set if nothing proves that the service knows the recipients whom the call did not change. */
	unverified?: boolean;
};

export type Unknown = { recipient: Recipient; reason: string };

/** Recipients that no response confirms: refused, never sent, or without a response. */
export type Failed = {
	recipients: Recipient[];
	reason: string;
	/** Set if a call may have changed these recipients: its response was lost, or did not say which ones it accepted. */
	lost?: true;
};

/** The responses for some recipients, each of whom is in exactly one of the four lists. */
export type Responses = {
	taken: Taken[];
	unknown: Unknown[];
	failed: Failed[];
	/** Addresses that the service accepted but silently ignored. */
	ignored: Recipient[];
};

/** Addresses and their IDs, without a mapping between the two. */
export type Owners = { emails: Recipient[]; ids: Set<string> };

/** The recipients as resolved in a staging group. */
export type ResolvedRecipients = {
	responses: Responses;
	/** The members of the staging group after the recipients were added to it. */
	members: GroupMembers;
	/** The accepted addresses and their IDs; empty if recipients are identified by ID. */
	owners: Owners[];
};

/** The planned changes. */
export type Plan = {
	/** The recipients to add (modes Add and Mirror) or to remove (mode Remove), and how they are identified. */
	send: Recipient[];
	by: IdentifyBy;
	/** IDs of the people whom Mirror removes. */
	surplus: string[];
	/**
	 * IDs that Mirror does not remove, because an item names the person for another group, and it is not proved that the
	 * person is in that other group.
	 */
	kept?: string[];
};

/** The responses to `Plan.send`, and the members of the group afterwards if they were read again. */
export type Sent = { responses: Responses; after: GroupMembers | undefined };

/** The removal of `Plan.surplus`: its responses, or the reason why nobody was removed. */
export type Removal = Sent | { heldBack: string };

/** A sync that stopped before it changed any members, with the service's responses so far. */
export type Stopped = { stopped: Error; responses: Responses | undefined };

/** The evidence that each step of a sync collected, in order. */
export type Findings = {
	/** The group before the first change. */
	before: GroupMembers;
	/** Undefined if the recipients need no look-up in a staging group. */
	resolved: ResolvedRecipients | undefined;
	plan: Plan;
	/** Undefined in a dry run. */
	sent: Sent | undefined;
	/** Undefined if there is nobody to remove. In a dry run, set only if the evidence forbids removals. */
	removal: Removal | undefined;
	/** Additional warnings for the user. */
	warnings: string[];
};

/** All evidence about one sync. Only classify.ts turns it into statuses. */
export type Evidence = Stopped | Findings;

/** Returns IDs as recipients. */
export function asRecipients(ids: Iterable<string>): Recipient[] {
	return Array.from(ids, (id) => ({ key: id, value: id }));
}

/** Whether a call changed all of its recipients. */
export function changedAll({ recipients, changed }: Taken): boolean {
	return changed === recipients.length;
}

/** Whether the responses leave the outcome of any recipient open. */
export function leavesOpen({ failed, taken }: Responses): boolean {
	return failed.length > 0 || !taken.every(changedAll);
}

/** Returns all recipients that the service accepted. */
export function takenBy({ taken }: Pick<Responses, 'taken'>): Recipient[] {
	return taken.flatMap(({ recipients }) => recipients);
}

/** Returns the number of people that the calls changed; NaN if a call returned no count. */
export function sumChanged(calls: Array<{ changed?: number | undefined }>): number {
	return calls.reduce((sum, { changed = NaN }) => sum + changed, 0);
}
