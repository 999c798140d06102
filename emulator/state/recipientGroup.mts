/** A named list of recipients. */
export interface RecipientGroup {
	readonly _id: string;
	name: string;
	exclusive: boolean;
	ownerId: string;
	/** Recipient ids in the order they were added. */
	readonly members: Set<string>;
	/** As they were before the last call that changed them. */
	membersBefore?: ReadonlySet<string>;
	readonly createdAt: number;
	changedAt: number;
	version: number;
}
