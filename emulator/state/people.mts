import type { IdSource } from './ids.mts';

/** Somebody who can receive messages. */
export interface Person {
	readonly _id: string;
	email: string;
	firstName: string;
	lastName: string;
	hrId: string;
	username: string;
	active: boolean;
}

/** What a test gives to make a known recipient; the rest is derived from the email. */
export type NewPerson = { email: string } & Partial<Omit<Person, 'email'>>;

export function displayName(person: { firstName: string; lastName: string }): string {
	return `${person.firstName} ${person.lastName}`.trim();
}

/** Recipients, found by id, email (without case), HR-system id or username (openapi.yaml, channelRecipient.add). */
export class People {
	private readonly byId = new Map<string, Person>();
	private readonly inOrder: Person[] = [];
	private readonly byEmail = new Map<string, Person>();
	private readonly byHrId = new Map<string, Person>();
	private readonly byUsername = new Map<string, Person>();
	private readonly ids: IdSource;

	constructor(ids: IdSource) {
		this.ids = ids;
	}

	get size(): number {
		return this.byId.size;
	}

	/** Adds a person, or gives back the one who has this email. */
	add(given: NewPerson): Person {
		const known = this.findByEmail(given.email);
		if (known !== undefined) return known;
		const username = given.username ?? given.email.split('@')[0] ?? given.email;
		const person: Person = {
			_id: given._id ?? this.ids.next(),
			email: given.email,
			firstName: given.firstName ?? '',
			lastName: given.lastName ?? '',
			hrId: given.hrId ?? `HR${String(this.byId.size + 1).padStart(6, '0')}`,
			username,
			active: given.active ?? true,
		};
		this.byId.set(person._id, person);
		this.inOrder.push(person);
		this.byEmail.set(person.email.toLowerCase(), person);
		this.byHrId.set(person.hrId, person);
		this.byUsername.set(person.username, person);
		return person;
	}

	get(id: string): Person | undefined {
		return this.byId.get(id);
	}

	findByEmail(email: string): Person | undefined {
		return this.byEmail.get(email.toLowerCase());
	}

	/** By email, record id, HR-system id or username. */
	findByReference(reference: string): Person | undefined {
		return (
			this.findByEmail(reference) ??
			this.byId.get(reference) ??
			this.byHrId.get(reference) ??
			this.byUsername.get(reference)
		);
	}

	/** In the order they were added. */
	values(): readonly Person[] {
		return this.inOrder;
	}
}
