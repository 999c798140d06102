import {
	BARE,
	MEANS_OTHER,
	MEANS_UNKNOWN,
	type Change,
	type Scenario,
	type Unknown,
} from './syncModelWorld.mts';

/** An account of the service, which its ID names, and each of its addresses. */
export type Account = { id: string; addresses: string[]; isHidden: boolean; person: number };

export type Group = {
	_id: string;
	name: string;
	isStaging: boolean;
	/** Whether the key created the group. */
	isOwn: boolean;
	isExclusive: boolean;
	members: Set<string>;
	/** The members at the start of the run. */
	start: Set<string>;
	/** The members before each change. */
	past: Array<ReadonlySet<string>>;
	writes: number;
	reads: number;
};

/** A change of a membership, and who caused it: the sync, others, or the service of its own accord. */
export type Event = {
	at: number;
	group: Group;
	id: string;
	isIn: boolean;
	by: 'sync' | 'others' | 'service';
	/** The group that was written to; another one takes people out of exclusive groups. */
	via: Group | undefined;
};

/** What a request did with its recipients, in lower case. */
export type Write = { unknown: Set<string>; accepted: Set<string>; isRefused: boolean };

const STAGING = /^n8n sync staging /;
const TOO_MANY = 'The list of recipients is too long';

export const idOf = (kind: 'group' | 'account' | 'second' | 'other' | 'nobody', number: number) =>
	`64f1c0ffee0000000000${{ group: 0, account: 1, second: 2, other: 3, nobody: 9 }[kind]}${String(number).padStart(3, '0')}`;
export const addressOf = (person: number, which: 'first' | 'second' = 'first') =>
	which === 'first' ? `p${person}@people.example` : `p${person}.two@people.example`;
export const groupName = (number: number) => `Team ${'ABC'[number] ?? number}`;

/** What a message about an unknown recipient proves: that the recipient is unknown, perhaps, or nothing. */
export function meaning({ how, says, shape }: Unknown): 'unknown' | 'maybe' | 'nothing' {
	const isSaid = MEANS_UNKNOWN.includes(says);
	if (how === 'refuse') return isSaid ? 'unknown' : 'nothing';
	if (how === 'ignore' || MEANS_OTHER.includes(says)) return 'nothing';
	if (shape === 'index' || shape === 'opaque' || says === '') return 'maybe';
	if (shape === 'text') return isSaid ? 'unknown' : 'maybe';
	return isSaid || BARE.includes(says) ? 'unknown' : 'maybe';
}

/** The people and groups of a scenario, and everything that happens to them. */
export class SyncModelGroups {
	readonly accounts: Account[];
	readonly groups = new Map<string, Group>();
	/** All groups that were created in this world, the deleted ones, too. */
	readonly created: Group[] = [];
	readonly events: Event[] = [];
	/** The number of requests so far. */
	now = 0;
	protected isCalm = true;
	private nextGroup = 0;
	private readonly timesUnknown = new Map<number, number>();

	/** @param count notes that something odd happened, by its name */
	constructor(
		readonly scenario: Scenario,
		protected readonly count: (what: string) => void,
	) {
		const { people, groups, quirks } = scenario;
		this.accounts = people.flatMap(({ secondAddress, secondAccount, isHidden }, person) => {
			const addresses = [addressOf(person)];
			if (secondAddress !== 'none') addresses.push(addressOf(person, 'second'));
			const account = { id: idOf('account', person), addresses, isHidden, person };
			if (secondAccount === 'none') return [account];
			const second = {
				id: idOf('second', person),
				addresses: [addressOf(person)],
				isHidden: false,
				person,
			};
			return [account, second];
		});
		for (let number = 0; number < groups; number++) {
			this.add(groupName(number), false, quirks.exclusive === 'first' && number === 0);
		}
		for (const [person, { was, secondAccount }] of people.entries()) {
			const id = idOf(secondAccount === 'member' ? 'second' : 'account', person);
			for (const number of was) this.group(number).members.add(id);
		}
		if (quirks.hasAlikeGroup) this.add(groupName(0).toUpperCase(), false, false);
		this.created.length = 0;
	}

	/** Returns the group of this number; numbers repeat when there are fewer groups. */
	group(number: number): Group {
		const found = this.groups.get(idOf('group', number % this.scenario.groups));
		if (!found) throw new Error(`There is no group ${number}`);
		return found;
	}

	/** Returns the accounts that a recipient names, as the service sees it, known or not. */
	accountsOf(recipient: string): Account[] {
		const given = recipient.toLowerCase();
		return this.accounts.filter(({ id, addresses }) => id === given || addresses.includes(given));
	}

	/** Returns the members of a group just before the request of a number. */
	membersAt(group: Group, at: number): Set<string> {
		const members = new Set(group.start);
		for (const event of this.events) {
			if (event.group !== group || event.at >= at) continue;
			if (event.isIn) members.add(event.id);
			else members.delete(event.id);
		}
		return members;
	}

	protected create(name: string): Group | undefined {
		const { mostGroups, exclusive, creator } = this.scenario.quirks;
		if (this.created.filter(({ _id }) => this.groups.has(_id)).length >= mostGroups) {
			this.count('no more groups');
			return undefined;
		}
		const group = this.add(name, true, exclusive === 'new');
		if (creator?.comes === 'created') this.creatorComes(group);
		return group;
	}

	private add(name: string, isOwn: boolean, isExclusive: boolean): Group {
		const members = new Set<string>();
		const _id = idOf('group', this.nextGroup++);
		const more = { isStaging: STAGING.test(name), isOwn, isExclusive, writes: 0, reads: 0 };
		const group: Group = { _id, name, members, start: new Set(), past: [], ...more };
		this.groups.set(_id, group);
		this.created.push(group);
		return group;
	}

	/** Returns the group as a response shows it. */
	protected shape({ _id, name, isExclusive }: Group, members: ReadonlySet<string>) {
		const hidden = new Set(this.accounts.flatMap(({ id, isHidden }) => (isHidden ? id : [])));
		const leads = [...members].filter((id) => !hidden.has(id));
		const { leadsTotal } = this.scenario.quirks;
		const total = leads.length + { right: 0, missing: 0, tooMany: 1, tooFew: -1 }[leadsTotal];
		return {
			...{ _id, name, exclusive: isExclusive, leads, ownerId: idOf('other', 1), __v: 0 },
			...(leadsTotal === 'missing' ? {} : { leadsTotal: Math.max(0, total) }),
		};
	}

	/** Adds recipients to a group, or removes them. `message` is a refusal of the whole request. */
	protected write(
		group: Group,
		recipients: string[],
		isIn: boolean,
	): { write: Write; data: object; message?: string } {
		const { unknown: quirk, mostRecipients } = this.scenario.quirks;
		const write: Write = { unknown: new Set(), accepted: new Set(), isRefused: false };
		const refuse = (message: string) => ({
			write: { ...write, isRefused: true },
			message,
			data: {},
		});
		if (recipients.length > mostRecipients) {
			this.count('list too long');
			return refuse(TOO_MANY);
		}
		const found: Account[] = [];
		const errorLog: unknown[] = [];
		const asked = new Set<number>();
		for (const [index, given] of recipients.entries()) {
			const recipient = given.toLowerCase();
			const accounts = this.accountsOf(recipient).filter(({ person }) =>
				this.isKnown(person, asked),
			);
			const locked = accounts.flatMap(
				({ person }) => this.scenario.people[person]?.locked ?? [],
			)[0];
			if (locked === undefined && (accounts.length > 0 || quirk.how === 'ignore')) {
				if (accounts.length === 0) this.count('unknown: ignored');
				write.accepted.add(recipient);
				found.push(...accounts);
				continue;
			}
			const says = (locked ?? quirk.says).replace('*', given);
			this.count(locked === undefined ? `unknown: ${quirk.how} "${quirk.says}"` : 'locked');
			const proves = locked === undefined && meaning(quirk) !== 'nothing';
			if (quirk.how === 'refuse') {
				if (proves && (recipients.length === 1 || says.includes(given)))
					write.unknown.add(recipient);
				write.accepted.clear();
				return refuse(says);
			}
			if (proves) write.unknown.add(recipient);
			errorLog.push(logLine(quirk.shape, given, index, says));
		}
		const successCount = this.change(group, found, isIn);
		const errorCount = errorLog.length;
		return { write, data: { successCount, errorCount, ...(errorCount > 0 ? { errorLog } : {}) } };
	}

	/** Whether the service knows a person in this request; `asked` has the people whom it named before. */
	private isKnown(person: number, asked: Set<number>): boolean {
		const { unknownTimes = 0 } = this.scenario.people[person] ?? {};
		const times = this.timesUnknown.get(person) ?? 0;
		if (!asked.has(person)) this.timesUnknown.set(person, times + 1);
		asked.add(person);
		if (times >= unknownTimes) return true;
		this.count('unknown for a moment');
		return false;
	}

	private change(group: Group, accounts: Account[], isIn: boolean): number {
		const { creator } = this.scenario.quirks;
		group.past.push(new Set(group.members));
		group.writes += 1;
		let changed = 0;
		for (const { id, isHidden } of accounts) {
			if (group.members.has(id) === isIn) continue;
			changed += 1;
			if (isHidden) this.count('hidden account');
			this.move(group, id, isIn, 'sync', group);
			if (isIn) this.leaveOthers(group, id);
		}
		const isNew = group.isOwn || creator?.isEverywhere === true;
		if (creator?.comes === 'everyWrite' && isNew) this.creatorComes(group);
		if (creator?.comes === 'firstWrite' && group.isOwn && group.writes === 1)
			this.creatorComes(group);
		return changed;
	}

	/** An exclusive group takes people out of all others; others take people out of exclusive ones. */
	private leaveOthers(group: Group, id: string): void {
		for (const other of this.groups.values()) {
			if (other === group || !other.members.has(id)) continue;
			if (!group.isExclusive && !other.isExclusive) continue;
			this.count('exclusive group took somebody out');
			this.move(other, id, false, 'service', group);
		}
	}

	private creatorComes(group: Group): void {
		const { creator } = this.scenario.quirks;
		const { person } = creator ?? { person: null };
		const isKnown = person !== null && person < this.scenario.people.length;
		const id = isKnown ? idOf('account', person) : idOf('other', 1);
		if (group.members.has(id)) return;
		this.count(`creator ${creator?.comes}${isKnown ? ', of the rows' : ''}`);
		this.move(group, id, true, 'service', group);
	}

	protected lateCreator(group: Group): void {
		group.reads += 1;
		const isLate = this.scenario.quirks.creator?.comes === 'late';
		if (isLate && group.isOwn && group.reads === 2) this.creatorComes(group);
	}

	protected othersDo(change: Change): void {
		this.count(`others: ${change.do}`);
		if (change.do === 'deleteStaging') {
			const staging = [...this.groups.values()].find(({ isStaging }) => isStaging);
			if (staging) this.groups.delete(staging._id);
			return;
		}
		const group = this.group(change.group);
		const id = idOf('account', change.person);
		if (change.person >= this.scenario.people.length) return;
		if (group.members.has(id) === (change.do === 'join')) return;
		group.past.push(new Set(group.members));
		this.move(group, id, change.do === 'join', 'others', undefined);
	}

	private move(
		group: Group,
		id: string,
		isIn: boolean,
		by: Event['by'],
		via: Group | undefined,
	): void {
		if (isIn) group.members.add(id);
		else group.members.delete(id);
		this.events.push({ at: this.now, group, id, isIn, by, via });
	}
}

function logLine(shape: Unknown['shape'], value: string, index: number, message: string): unknown {
	const key = value.includes('@') ? 'email' : '_id';
	const words = message === '' ? {} : { message };
	switch (shape) {
		case 'field':
			return { [key]: value, ...words };
		case 'recipientField':
			return { [key === 'email' ? 'recipientEmail' : 'recipientId']: value, ...words };
		case 'valueError':
			return { value, error: message };
		case 'nested':
			return { recipient: { [key]: value }, reason: message };
		case 'text':
			return { message: `${value}: ${message}` };
		case 'index':
			return { index, ...words };
		case 'opaque':
			return { code: message || 'E1' };
		case 'lowerCase':
			return { [key]: value.toLowerCase(), ...words };
	}
}
