/** A named list of recipients. */
export interface RecipientGroup {
	readonly _id: string;
	name: string;
	exclusive: boolean;
	ownerId: string;
	/** Recipient IDs in the order of their addition. */
	readonly members: Set<string>;
	/** The members before the last call that changed them. */
	membersBefore?: ReadonlySet<string>;
	readonly createdAt: number;
	changedAt: number;
	version: number;
}
