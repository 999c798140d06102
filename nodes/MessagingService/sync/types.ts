import type { Meaning } from '../../shared/serviceMessages';

/** What the targets of a sync are: recipient groups or channels. */
export type TargetKind = {
	/** What messages call a target. */
	word: 'group' | 'channel';
	/** The parameter with the ID, which is also a field of the output, beside the name (`channelName`). */
	idName: 'recipientGroupId' | 'channelId';
	/** The documented refusal of a request with an unknown recipient. For channels, it is the refusal of any request. */
	refusal: Meaning;
};

export type IdentifyBy = 'email' | 'id';

export type Action = 'add' | 'remove';

const ZERO_DONE = { added: 0, alreadyMember: 0, removed: 0, notMember: 0 };
/** The statuses of recipients with whom nothing was done, each with the count 0. */
export const ZERO_NOT_DONE = { unknown: 0, invalid: 0, duplicate: 0, failed: 0 };

/** All statuses in the order of a summary, each with the count 0. docs/sync.md says what each status promises. */
export const ZERO_COUNTS = { ...ZERO_DONE, ...ZERO_NOT_DONE };

export type Status = keyof typeof ZERO_COUNTS;

/** The status of one recipient, with its reason, which is never empty. */
export type RecipientStatus = {
	status: Status;
	reason: string;
	/** Whether a failure is about this recipient: the service's answer, or an invalid value. Otherwise, a request failed. */
	isAboutRecipient?: boolean;
	/**
	 * Whether the service refused this ID for certain: twice, or by name, while it accepted others. If a list shows IDs of
	 * this form, the ID is that of no other member, so a failure usually does not stop Mirror's removals.
	 */
	isNobodyElse?: boolean;
	/** The error of the request that failed, if a failure has one. */
	error?: Error | undefined;
	/** Whether a failed change may have been carried out. */
	mayBeDone?: boolean;
};

/** What is known about recipients, by `Recipient.key`. */
export type Statuses = ReadonlyMap<string, RecipientStatus>;

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
			/** The value as in the input or, for a duplicate, only its address or ID. */
			given: string;
			/** Whether the item names nobody. Such an item does not stop removals. */
			isBlank?: boolean;
	  })
);

/** A group or channel that input items name. */
export type NamedTarget = {
	/** Empty if the target does not exist yet, or if it has a `problem`. */
	id: string;
	/** The name as entered, until a read shows the name in the service. Undefined as long as only the ID is known. */
	name: string | undefined;
	/** Whether the item names nothing: its rows are invalid. */
	isBlank?: boolean;
	/** Whether no target has this name. It has a `problem`, unless it may be created. */
	isMissing?: boolean;
	/** The error if the item does not name one target: several have its name, for example, or the value is no ID. */
	problem?: unknown;
};

/** A group or channel of the run, with the rows that name it and their recipients without duplicates. */
export type Target = NamedTarget & { rows: Row[]; recipients: Recipient[] };

/** The members of a target that one read shows. */
export type Members = {
	ids: Set<string>;
	/** Whether these are surely all members: the response says how many there are, and lists as many. */
	complete: boolean;
	/** How many members the response lists, for a message: "3 of 5". */
	shown: string;
	name?: string | undefined;
	/**
	 * Only for channels: the record IDs of the accounts behind each entry of `ids`, because several accounts may have the
	 * same address. The key NO_ADDRESS has the accounts whose address is not shown. `ids` lacks this key.
	 */
	accounts?: ReadonlyMap<string, string[]>;
	/** Only for groups: whether this is an exclusive group. Undefined if the group was not read. */
	exclusive?: boolean | undefined;
};

/** The key of members whose address the list does not show, or shows in a form that no item can name. */
export const NO_ADDRESS = '';

/** Returns how many members of a channel have no address. */
export function countHidden({ accounts }: Members): number {
	return accounts?.get(NO_ADDRESS)?.length ?? 0;
}

/** Whether a target certainly has no members. */
export function isEmpty({ complete, ids, accounts }: Members): boolean {
	return complete && (accounts ?? ids).size === 0;
}

/** The members of a target that does not exist yet. */
export const NO_MEMBERS: Members = {
	ids: new Set(),
	complete: true,
	shown: '0 of 0',
};

/** A target with its members before the first change. */
export type ReadTarget = {
	target: Target;
	before: Members;
	/** The error because of which the target is not changed. The people whom items name for it then stay in all targets. */
	stoppedBy?: Error | undefined;
};

/** Which IDs the recipients of a run have. */
export type Identities = {
	/**
	 * The IDs of each accepted address, by `Recipient.key`. The list is empty if the service never shows the person. Absent
	 * if the key of each recipient is already the ID.
	 */
	idsByKey?: Map<string, string[]>;
	/** The statuses of unknown and failed recipients, by `Recipient.key`. */
	problems: Map<string, RecipientStatus>;
	/** Targets that need no change. `idsByKey` may lack their recipients. */
	unchanged?: ReadonlySet<Target>;
	/**
	 * Whether the list of a channel may show the person of a key under another key: of any address, and of an ID in another
	 * form than the list shows. Absent for groups.
	 */
	mayBeAlias?: (key: string) => boolean;
	/** IDs that may belong to any recipient, and why. Sync neither adds nor removes these IDs. */
	unassigned?: ReadonlyMap<string, string>;
};

/** What a report says about a row, or about a member whom no row names. */
export type ReportLine = RecipientStatus & { recipient: string };

/** The result of one target. */
export type TargetResult = Pick<ReadTarget, 'target' | 'stoppedBy'> & {
	/** By `Recipient.key`. */
	statuses: Map<string, RecipientStatus>;
	/** Members whom no row names: Mirror removed them, or reports why not. */
	surplus: ReportLine[];
	/** Remarks about the target, as sentences. */
	notes: string[];
};

/** The response to adding or removing members (recipientGroup.addRecipients in emulator/openapi.yaml). */
export type MembershipChange = {
	/** How many people the request changed. Undefined if the response does not say it reliably. */
	changedCount?: number;
	errorCount: number;
	errorLog: unknown[];
};

/** The requests of a sync about the members of a target. */
export type MembersApi = {
	readMembers: (targetId: string) => Promise<Members>;
	/** Creates a missing target, sets its ID, and returns its first members. Channels are never created. */
	createTarget?: (target: Target) => Promise<Members>;
	/** Adds or removes members. @throws if the request fails; `isOutcomeUnknown` tells whether it may have been carried out */
	changeMembers: (options: ChangeOptions, values: string[]) => Promise<MembershipChange>;
};

/** Whether members are added or removed, of which target, and whether the values are emails or IDs. */
export type ChangeOptions = { action: Action; targetId: string; identifyBy: IdentifyBy };

/** How recipients are added or removed. */
export type SendOptions = ChangeOptions & {
	/** Whether the service itself showed the IDs that are sent. Such an ID is never reported as unknown. */
	areShownIds?: boolean;
	/** A member to send again to their target. If the service refuses even this one, it refuses everybody. */
	knownMember?: { targetId: string; value: string } | undefined;
	/** Whether the target has no members, so that none can be sent again. */
	isTargetEmpty?: boolean;
};
