/** A named list of recipients. */
export interface RecipientGroup {
	readonly _id: string;
	name: string;
	ownerId: string;
	/** No operation of the service makes a group exclusive. */
	exclusive: boolean;
	/** Recipient IDs in the order of their addition. */
	readonly members: Set<string>;
	readonly createdAt: number;
	changedAt: number;
	version: number;
}
