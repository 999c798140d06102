import type { IdSource } from './ids.mts';
import { OrderedStore } from './orderedStore.mts';
import { displayName } from './people.mts';

/** Somebody who works in the admin console: owners of tokens, senders, managers of channels. */
export interface ConsoleUser {
	readonly _id: string;
	email: string;
	firstName: string;
	lastName: string;
	hrId: string;
	username: string;
	sfUserId: string;
	active: boolean;
	activeConsole: boolean;
	superUser: boolean;
}

export interface ConsoleUserGroup {
	readonly _id: string;
	name: string;
	desc: string;
	deleted: boolean;
	default: boolean;
	roles: string[];
	createdAt: number;
	changedAt: number;
}

export type NewConsoleUser = Pick<ConsoleUser, 'email' | 'firstName' | 'lastName'> &
	Partial<Omit<ConsoleUser, '_id'>>;

export class ConsoleUsers {
	readonly store = new OrderedStore<ConsoleUser>();
	private readonly byEmail = new Map<string, ConsoleUser>();
	private readonly ids: IdSource;

	constructor(ids: IdSource) {
		this.ids = ids;
	}

	add(given: NewConsoleUser): ConsoleUser {
		const number = this.store.size + 1;
		const user: ConsoleUser = {
			hrId: `CU${String(number).padStart(5, '0')}`,
			username: given.email.split('@')[0] ?? given.email,
			sfUserId: `SF${String(number).padStart(6, '0')}`,
			active: true,
			activeConsole: true,
			superUser: false,
			...given,
			_id: this.ids.next(),
		};
		this.byEmail.set(user.email.toLowerCase(), user);
		return this.store.add(user);
	}

	get(id: string): ConsoleUser | undefined {
		return this.store.get(id);
	}

	findByEmail(email: string): ConsoleUser | undefined {
		return this.byEmail.get(email.toLowerCase());
	}

	/** By record id, email, HR-system id or username (openapi.yaml, channelManager.set). */
	findByReference(reference: string): ConsoleUser | undefined {
		return (
			this.store.get(reference) ??
			this.findByEmail(reference) ??
			this.store.find((user) => user.hrId === reference || user.username === reference)
		);
	}

	values(): readonly ConsoleUser[] {
		return this.store.values();
	}
}

/** The user summary of `sender` and `sharedUsers`. */
export function userSummary(user: ConsoleUser): {
	_id: string;
	email: string;
	firstName: string;
	lastName: string;
	displayName: string;
} {
	return {
		_id: user._id,
		email: user.email,
		firstName: user.firstName,
		lastName: user.lastName,
		displayName: displayName(user),
	};
}
