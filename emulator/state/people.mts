import { Directory, usernameIn, type Listed } from './directory.mts';
import type { IdSource } from './ids.mts';

/** A person who can receive messages. */
export interface Person extends Listed {
	firstName: string;
	lastName: string;
	active: boolean;
	/** With which message, and how often, the service refuses to add this person to groups and channels. Not documented. */
	refusal?: { says: string; times: number };
}

/** A new recipient. Absent fields get default values. */
export type NewPerson = { email: string } & Partial<Omit<Person, 'email'>>;

export function displayName(person: { firstName: string; lastName: string }): string {
	return `${person.firstName} ${person.lastName}`.trim();
}

/** Recipients of messages. */
export class People extends Directory<Person> {
	constructor(private readonly ids: IdSource) {
		super();
	}

	/** Returns the person with this email. If nobody has the email, adds a person. */
	override add(given: NewPerson): Person {
		return (
			this.findByEmail(given.email) ??
			this.enter({
				_id: given._id ?? this.ids.next(),
				email: given.email,
				firstName: given.firstName ?? '',
				lastName: given.lastName ?? '',
				hrId: given.hrId ?? `HR${String(this.size + 1).padStart(6, '0')}`,
				username: given.username ?? usernameIn(given.email),
				active: given.active ?? true,
			})
		);
	}
}
