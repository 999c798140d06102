import type { IdentifyBy, InputRecipient, Recipient } from './readRecipients';

export type Mode = 'add' | 'remove' | 'mirror';

/** What is asked of one group. */
export type SyncRequest = {
	mode: Mode;
	identifyBy: IdentifyBy;
	dryRun: boolean;
	/** Whether Mirror removes people although items hold addresses that cannot be read. */
	removeDespiteInvalid: boolean;
	/** Whether the output has an item for each recipient. */
	perRecipient: boolean;
	/** What the input items name. */
	input: InputRecipient[];
	/** Everybody whom they name, each once. */
	recipients: Recipient[];
};

/** The members of a group as the service showed them. */
export type GroupMembers = {
	ids: Set<string>;
	/** False when the service shows fewer members than it says there are (`leads` and `leadsTotal`). */
	complete: boolean;
	/** How many there are, in words for a message. */
	shown: string;
	/** The name of the group, where the service showed it. */
	name?: string | undefined;
};

/** Recipients of one call that the service took. */
export type Taken = {
	recipients: Recipient[];
	/** How many of them the call changed; undefined when the service's counts do not tell. */
	changed: number | undefined;
	/** Set where those whom it left as they were may be unknown to the service. */
	unverified?: boolean;
};

export type Unknown = { recipient: Recipient; reason: string };

/** Recipients that no response confirms: refused, never sent, or without a response. */
export type Failed = {
	recipients: Recipient[];
	reason: string;
	/** Set where a call that named them may have been carried out, although no response says so. */
	lost?: true;
};

/** What came back for a list of recipients; each of them is in one of the four. */
export type Responses = {
	taken: Taken[];
	unknown: Unknown[];
	failed: Failed[];
	/** Addresses that the service took without counting a person for them. */
	ignored: Recipient[];
};

/** Some addresses and the IDs that belong to them, without knowing which is whose. */
export type Owners = { emails: Recipient[]; ids: Set<string> };

/** Who the recipients are, found out in a staging group. */
export type ResolvedRecipients = {
	responses: Responses;
	/** Whom the staging group then showed. */
	members: GroupMembers;
	/** By email: the addresses that the service took, beside their IDs. */
	owners: Owners[];
};

/** What is to be changed. */
export type Plan = {
	/** Whom to add (modes Add and Mirror) or to remove (mode Remove), and how they are named. */
	send: Recipient[];
	by: IdentifyBy;
	/** IDs of the people whom Mirror removes. */
	surplus: string[];
	/** IDs of those whom it would remove, were they not named for another group without a proved place there. */
	kept?: string[];
};

/** What the group's responses were to `Plan.send`, and the group read after them where they leave something open. */
export type Sent = { responses: Responses; after: GroupMembers | undefined };

/** What became of `Plan.surplus`: removed as `Sent` says, or nobody was, and why. */
export type Removal = Sent | { heldBack: string };

/** A sync that ended before it changed anything, with what the service had said of the recipients by then. */
export type Stopped = { stopped: Error; responses: Responses | undefined };

/** What each step of a sync found out, from its beginning to its end. */
export type Findings = {
	/** The group before the first change. */
	before: GroupMembers;
	/** None where the group itself is asked. */
	resolved: ResolvedRecipients | undefined;
	plan: Plan;
	/** None in a dry run. */
	sent: Sent | undefined;
	/** None in a dry run, unless nobody would be removed. */
	removal: Removal | undefined;
	/** What the builder must know beside the statuses. */
	warnings: string[];
};

/** Everything that is known about one sync; `classify` alone says what it means. */
export type Evidence = Stopped | Findings;

/** IDs in the form in which they are sent. */
export function asRecipients(ids: Iterable<string>): Recipient[] {
	return Array.from(ids, (id) => ({ key: id, value: id }));
}

/** Whether somebody is among the members; undefined when the group was not read, or not shown whole. */
export function isAmong(members: GroupMembers | undefined, id: string): boolean | undefined {
	if (members?.ids.has(id)) return true;
	return members?.complete ? false : undefined;
}

/** Whether a call changed everybody it named. */
export function changedAll({ recipients, changed }: Taken): boolean {
	return changed === recipients.length;
}

/** Everybody whom the service took. */
export function takenBy({ taken }: Pick<Responses, 'taken'>): Recipient[] {
	return taken.flatMap(({ recipients }) => recipients);
}

/** How many calls changed; NaN when one of them does not tell. */
export function sumChanged(calls: Array<{ changed?: number | undefined }>): number {
	return calls.reduce((sum, { changed = NaN }) => sum + changed, 0);
}

/**
 * Reads a group, once more when it does not show so many as expected: a read may be one write behind.
 *
 * @param size how many the counts of the calls tell; NaN when they do not
 */
export async function readCounted(
	read: () => Promise<GroupMembers>,
	size: number,
): Promise<GroupMembers> {
	const members = await read();
	return Number.isNaN(size) || members.ids.size === size ? members : await read();
}

/** Adds items to a list without spreading: 200,000 arguments overflow the call stack. */
export function append<Item>(target: Item[], items: Iterable<Item>): void {
	for (const item of items) target.push(item);
}
