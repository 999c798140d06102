export interface ChannelDefaults {
	template: string;
	enableEmail: boolean;
	enableSms: boolean;
	enableAppNotification: boolean;
	enableComment: boolean;
	commentVisibility: '0' | '1';
}

export interface ChannelRecipientEntry {
	/** ID of the link between channel and person (`oppo._id`). */
	readonly linkId: string;
	readonly personId: string;
	/** The address by which the person was added, if it was an address. */
	readonly addedAs?: string | undefined;
}

export interface Channel {
	readonly _id: string;
	status: '1' | '3';
	name: string;
	title: string;
	description: string;
	paused: boolean;
	pinned: boolean;
	sharedUserIds: string[];
	sharedGroups: string[];
	adminIds: string[];
	defaults: ChannelDefaults;
	ownerId: string;
	readonly createdAt: number;
	changedAt: number;
	/** Permissions by console user ID. */
	readonly managers: Map<string, string[]>;
	/** Permissions by console user group ID. */
	readonly managerGroups: Map<string, string[]>;
	/** The recipients by person ID. */
	readonly recipients: Map<string, ChannelRecipientEntry>;
}

/** Defaults of POST channel (openapi.yaml, channel.create). */
export const channelDefaults: ChannelDefaults = {
	template: '',
	enableEmail: true,
	enableSms: true,
	enableAppNotification: true,
	enableComment: false,
	commentVisibility: '1',
};
