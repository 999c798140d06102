/** What a sync fills: recipient groups or channels. */
export type Container = {
	/** The word for it in messages. */
	word: 'group' | 'channel';
	/** The parameter with the ID, which is also a field of the output, beside the name (`channelName`). */
	idName: 'recipientGroupId' | 'channelId';
	/**
	 * Whether a recipient is unknown who is refused alone twice while others are accepted, whatever the words. The API of
	 * channels does not say what happens to unknown recipients.
	 */
	isAnyRefusalUnknown?: boolean;
};

export type IdentifyBy = 'email' | 'id';

export type Action = 'add' | 'remove';

const DONE = { added: 0, alreadyMember: 0, removed: 0, notMember: 0 };

/** No recipient of any status, in the order of the summary (docs/sync.md says what each status promises). */
export const NO_COUNTS = { ...DONE, unknown: 0, invalid: 0, duplicate: 0, failed: 0 };

export type Status = keyof typeof NO_COUNTS;

/** The status of one recipient, with its reason, which is never empty. */
export type RecipientStatus = {
	status: Status;
	reason: string;
	/** Whether the service answered about this recipient: it refused them in words, or accepted them and shows nobody. */
	isAnswer?: boolean;
	/** Whether a failed change may have been carried out. */
	mayBeDone?: boolean;
};

/** A recipient to sync. Input items with the same `key` are one recipient. */
export type Recipient = {
	/** Identifies the recipient: the email in lower case, or the ID. */
	key: string;
	/** The email or ID to send, in upper and lower case as in the input. */
	value: string;
};

/** An input item: its recipient, or what is wrong with it. */
export type Row = { itemIndex: number } & (
	| { recipient: Recipient }
	| (RecipientStatus & {
			recipient?: undefined;
			given: string;
			/** Whether the item names nobody. Such an item does not stop removals. */
			isBlank?: boolean;
	  })
);

/** A group or channel that input items name. */
export type NamedTarget = {
	/** Empty if the target does not exist yet or has a `problem`. */
	id: string;
	/**
	 * The name as entered, or undefined if the ID was entered. When the target is read, the name in the service replaces
	 * it.
	 */
	name: string | undefined;
	/** Whether the item names nothing: its rows are invalid. */
	isBlank?: boolean;
	/** Why the target cannot be synced, for example because several have its name or the value is not an ID. */
	problem?: unknown;
};

/** A group or channel of the run, with the rows that name it and their recipients without duplicates. */
export type Target = NamedTarget & { rows: Row[]; recipients: Recipient[] };

/** The members of a target, as one read shows them. */
export type Members = {
	ids: Set<string>;
	/** False if the response has fewer members than it says, or does not say how many there are. */
	complete: boolean;
	/** How many of the members were listed, as text for a message. */
	shown: string;
	name?: string | undefined;
	/**
	 * The record IDs of the members of a channel, by their ID in `ids`. If members are identified by address, several may have
	 * the same address, and those whose address is not shown are not in `ids`.
	 */
	accounts?: ReadonlyMap<string, string[]>;
	/**
	 * Whether a group has `exclusive: true`, or may have it. The meaning is not documented: its members may have to leave
	 * all other groups.
	 */
	exclusive?: boolean;
};

/** The members of a target that does not exist yet. */
export const NO_MEMBERS: Members = { ids: new Set(), complete: true, shown: '0 of 0' };

/** A target with its members before the first change. */
export type ReadTarget = {
	target: Target;
	before: Members;
	/** Why the target is not changed. If this is set, the people whom items name for this target stay in all targets. */
	stopped?: Error | undefined;
};

/** The IDs of a run's recipients. */
export type Identities = {
	/**
	 * The IDs of each accepted address, by key. The list is empty if the service never shows the person. Without `idsOf`, the
	 * key of each recipient is their ID.
	 */
	idsOf?: Map<string, string[]>;
	/** The statuses of unknown and failed recipients, by key. */
	problems: Map<string, RecipientStatus>;
	/** Targets in which there is nothing to do. `idsOf` may lack their recipients. */
	done?: ReadonlySet<Target>;
	/** IDs that may belong to any recipient. Sync neither adds nor removes these IDs. */
	odd?: ReadonlySet<string>;
};

/** The outcome of a row, or of a member whom no row names. */
export type Line = RecipientStatus & { recipient: string };

/** The result of one target. */
export type TargetResult = {
	target: Target;
	/** By `Recipient.key`. */
	statuses: Map<string, RecipientStatus>;
	/** Members whom no row names: Mirror removed them, or reports why not. */
	extras: Line[];
	/** Remarks about the target, as sentences. */
	notes: string[];
	/** Why the target was not synced. */
	stopped?: Error | undefined;
};

/** The response to adding or removing members (recipientGroup.addRecipients in emulator/openapi.yaml). */
export type MembershipChange = {
	/**
	 * How many recipients the call changed. Undefined if the response has no valid count, or if an earlier attempt of the
	 * call may have changed some recipients.
	 */
	changed?: number;
	errorCount: number;
	errorLog: unknown[];
};

/** The requests of a sync about the members of a target. */
export type MembersApi = {
	read: (targetId: string) => Promise<Members>;
	/** Creates a missing target, sets its ID, and returns its first members. Without it, no target is missing. */
	create?: (target: Target) => Promise<Members>;
	/** @throws if the call fails. `isOutcomeUnknown` tells whether the change may have been carried out */
	change: (
		action: Action,
		targetId: string,
		identifyBy: IdentifyBy,
		values: string[],
	) => Promise<MembershipChange>;
};

/** How recipients are added or removed. */
export type Sending = {
	action: Action;
	targetId: string;
	by: IdentifyBy;
	/** Whether the values are IDs that the service itself showed. An ID of this kind is never reported as unknown. */
	isShown?: boolean;
	/** A recipient who is a member already. Shows whether the service accepts others. */
	member?: Recipient | undefined;
};
