import type { IdentifyBy, InputRecipient, Recipient } from './readRecipients';

export type Mode = 'add' | 'remove' | 'mirror';

/** The members of a group as the service showed them. */
export type GroupMembers = {
	ids: Set<string>;
	/** False when the service shows fewer members than it says there are (`leads` and `leadsTotal`). */
	complete: boolean;
	/** How many there are, in words for a message. */
	shown: string;
};

/** Recipients of one call that the service took. */
export type Taken = {
	recipients: Recipient[];
	/** How many of them the call changed; undefined when the service's counts do not tell. */
	changed: number | undefined;
};

export type Unknown = { recipient: Recipient; reason: string };

/** Recipients of whom it is not said that the service took them: refused, never sent, or without an answer. */
export type Failed = {
	recipients: Recipient[];
	reason: string;
	/** Set where a call that named them got no answer that tells what became of it: it may have been carried out. */
	lost?: true;
};

/** What came back for a list of recipients; each of them is in one of the three. */
export type Responses = { taken: Taken[]; unknown: Unknown[]; failed: Failed[] };

/** Some addresses and the ids that belong to them, without knowing which is whose. */
export type Owners = { emails: Recipient[]; ids: Set<string> };

/** Who the recipients are, learned from a group of our own; addresses that the service counted nobody for stand apart. */
export type ResolvedRecipients = {
	responses: Responses;
	members: GroupMembers;
	/** The addresses that the service took, beside the ids that it showed for them. */
	owners: Owners[];
	/** Addresses that the service took without counting a person for them. */
	silentlyIgnored: Set<string>;
};

/** What is to be changed. */
export type Plan = {
	/** Whom to add (modes Add and Mirror) or to remove (mode Remove), and how they are named. */
	send: Recipient[];
	by: IdentifyBy;
	/** Ids of the people whom Mirror takes out. */
	surplus: string[];
};

/**
 * Everything that is known about one sync: what was asked for, what was sent, what came back, and the group before and
 * after. Each step adds what it learned; `verdict` alone says what it means.
 */
export type Evidence = {
	mode: Mode;
	identifyBy: IdentifyBy;
	dryRun: boolean;
	/** Whether the output says of each recipient what became of it. */
	perRecipient: boolean;
	input: InputRecipient[];
	/** The group before the first change. */
	before?: GroupMembers;
	resolved?: ResolvedRecipients;
	plan?: Plan;
	/** What the group's answers were to `plan.send`. */
	responses?: Responses;
	/** The group, read after them and before anybody is taken out by Mirror. */
	after?: GroupMembers;
	/** Why Mirror takes nobody out although somebody is too many. */
	nobodyRemoved?: string;
	/** What the group's answers were to `plan.surplus`. */
	removal?: Responses;
	/** The group, read after Mirror took people out. */
	afterRemoval?: GroupMembers;
	/** Addresses in `answers` that the service passes over, by their keys, and those that it was seen to know. */
	silentlyIgnored: Set<string>;
	seenKnown: Set<string>;
	/** Whether the service passes over unknown addresses in silence; undefined when that was not asked or not answered. */
	ignoresSilently?: boolean;
	/** What the builder must know beside the statuses. */
	warnings: string[];
	/** Why the sync did not go on. */
	stopped?: string;
};

/** The recipients of all input items that name one, each once. */
export function recipientsOf(input: InputRecipient[]): Recipient[] {
	return input.flatMap((entry) => ('recipient' in entry ? [entry.recipient] : []));
}

/** Ids in the form in which they are sent. */
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

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const chunks: Item[][] = [];
	for (let start = 0; start < items.length; start += size) {
		chunks.push(items.slice(start, start + size));
	}
	return chunks;
}

/** Adds items to a list without spreading: 200,000 arguments overflow the call stack. */
export function append<Item>(target: Item[], items: Iterable<Item>): void {
	for (const item of items) target.push(item);
}
