import { Directory, usernameIn, type Listed } from './directory.mts';
import type { IdSource } from './ids.mts';
import { displayName } from './people.mts';

/** A user of the admin console, who owns tokens, sends messages and manages channels. */
export interface ConsoleUser extends Listed {
	firstName: string;
	lastName: string;
	sfUserId: string;
	active: boolean;
	activeConsole: boolean;
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

/** All users of the console. */
export class ConsoleUsers extends Directory<ConsoleUser> {
	constructor(private readonly ids: IdSource) {
		super();
	}

	override add(given: NewConsoleUser): ConsoleUser {
		const number = this.size + 1;
		return this.enter({
			hrId: `CU${String(number).padStart(5, '0')}`,
			username: usernameIn(given.email),
			sfUserId: `SF${String(number).padStart(6, '0')}`,
			active: true,
			activeConsole: true,
			...given,
			_id: this.ids.next(),
		});
	}
}

/** Returns the user summary for `sender` and `sharedUsers`. */
export function userSummary(user: ConsoleUser): object {
	const { _id, email, firstName, lastName } = user;
	return { _id, email, firstName, lastName, displayName: displayName(user) };
}
