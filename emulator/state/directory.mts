import { OrderedStore, type Identified } from './orderedStore.mts';

/** A person with several identifiers. */
export interface Listed extends Identified {
	email: string;
	hrId: string;
	username: string;
}

/**
 * Finds people by ID, email (in upper or lower case), HR-system ID or username (openapi.yaml, channelRecipient.add,
 * channelManager.set).
 */
export class Directory<T extends Listed> extends OrderedStore<T> {
	private readonly byEmail = new Map<string, T>();
	private readonly byHrId = new Map<string, T>();
	/** The person with each username, or undefined if several people have this username. */
	private readonly byUsername = new Map<string, T | undefined>();

	findByEmail(email: string): T | undefined {
		return this.byEmail.get(email.toLowerCase());
	}

	/** Gives a person another email. The former one still finds them. */
	rename(listed: T, email: string): void {
		listed.email = email;
		this.byEmail.set(email.toLowerCase(), listed);
	}

	/** Finds a person by email, record ID, HR-system ID or username. */
	findByReference(reference: string): T | undefined {
		return (
			this.findByEmail(reference) ??
			this.get(reference) ??
			this.byHrId.get(reference) ??
			this.byUsername.get(reference)
		);
	}

	protected override enter(listed: T): T {
		super.enter(listed);
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
