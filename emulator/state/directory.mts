/** A person with several identifiers. */
export interface Listed {
	readonly _id: string;
	email: string;
	hrId: string;
	username: string;
}

/**
 * Finds people by ID, email (in upper or lower case), HR-system ID or username (openapi.yaml, channelRecipient.add,
 * channelManager.set).
 */
export class Directory<T extends Listed> {
	private readonly byId = new Map<string, T>();
	private readonly inOrder: T[] = [];
	private readonly byEmail = new Map<string, T>();
	private readonly byHrId = new Map<string, T>();
	/** The person with each username, or undefined if several people have this username. */
	private readonly byUsername = new Map<string, T | undefined>();

	get size(): number {
		return this.byId.size;
	}

	get(id: string): T | undefined {
		return this.byId.get(id);
	}

	findByEmail(email: string): T | undefined {
		return this.byEmail.get(email.toLowerCase());
	}

	/** Finds a person by email, record ID, HR-system ID or username. */
	findByReference(reference: string): T | undefined {
		return (
			this.findByEmail(reference) ??
			this.byId.get(reference) ??
			this.byHrId.get(reference) ??
			this.byUsername.get(reference)
		);
	}

	/** Returns all people in the order of their addition. */
	values(): readonly T[] {
		return this.inOrder;
	}

	protected enter(listed: T): T {
		this.byId.set(listed._id, listed);
		this.inOrder.push(listed);
		this.byEmail.set(listed.email.toLowerCase(), listed);
		this.byHrId.set(listed.hrId, listed);
		const { username } = listed;
		this.byUsername.set(username, this.byUsername.has(username) ? undefined : listed);
		return listed;
	}
}

/** Returns the part of an email address before the @. */
export function usernameIn(email: string): string {
	return email.split('@')[0] ?? email;
}
