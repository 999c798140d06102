import { Directory, usernameIn, type Listed } from './directory.mts';
import type { IdSource } from './ids.mts';

/** Somebody who can receive messages. */
export interface Person extends Listed {
	firstName: string;
	lastName: string;
	active: boolean;
}

/** What a test gives to make a known recipient; the rest is derived from the email. */
export type NewPerson = { email: string } & Partial<Omit<Person, 'email'>>;

export function displayName(person: { firstName: string; lastName: string }): string {
	return `${person.firstName} ${person.lastName}`.trim();
}

/** Recipients of messages. */
export class People extends Directory<Person> {
	constructor(private readonly ids: IdSource) {
		super();
	}

	/** Adds a person, or gives back the one who has this email. */
	add(given: NewPerson): Person {
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
