/** A named list of recipients. */
export interface RecipientGroup {
	readonly _id: string;
	name: string;
	exclusive: boolean;
	ownerId: string;
	/** Recipient ids in the order they were added. */
	readonly members: Set<string>;
	readonly createdAt: number;
	changedAt: number;
	version: number;
}
