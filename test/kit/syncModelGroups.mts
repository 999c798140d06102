import { errorLogEntry } from '../../emulator/emulator.mts';
import {
	BARE,
	MEANS_OTHER,
	MEANS_UNKNOWN,
	type Change,
	type Scenario,
	type Unknown,
} from './syncModelWorld.mts';

/** A group, with the members at the start of the run and those before each change. */
export type Group = {
	_id: string;
	name: string;
	isStaging: boolean;
	/** Whether the key created the group. */
	isOwn: boolean;
	isExclusive: boolean;
	members: Set<string>;
	start: ReadonlySet<string>;
	past: Array<ReadonlySet<string>>;
	reads: number;
};

/** A change of a membership, and who caused it: the sync, others, or the service of its own accord. */
export type Event = {
	at: number;
	group: Group;
	id: string;
	isIn: boolean;
	by: 'sync' | 'others' | 'service';
	/** The group that was written to. */
	via: Group | undefined;
};

/** What a request did with its recipients, in lower case; those called unknown, and those taken as known. */
export type Write = { unknown: Set<string>; accepted: Set<string>; isRefused: boolean };

const KINDS = { group: 0, account: 1, second: 2, other: 3, nobody: 9 };
export const idOf = (kind: keyof typeof KINDS, number: number) =>
	`64f1c0ffee0000000000${KINDS[kind]}${String(number).padStart(3, '0')}`;
export const addressOf = (person: number, suffix = '') => `p${person}${suffix}@people.example`;
export const groupName = (number: number) => `Team ${'ABC'[number] ?? number}`;

/** What the service's message about an unknown recipient proves: that, perhaps that, or nothing. */
export function meaning({ how, says, shape }: Unknown): 'unknown' | 'maybe' | 'nothing' {
	const isSaid = MEANS_UNKNOWN.includes(says);
	if (how === 'refuse') return isSaid ? 'unknown' : 'nothing';
	if (how === 'ignore' || MEANS_OTHER.includes(says)) return 'nothing';
	if (['index', 'opaque'].includes(shape)) return 'maybe';
	return isSaid || (BARE.includes(says) && shape !== 'text') ? 'unknown' : 'maybe';
}

/** The people and groups of a scenario, and everything that happens to them. */
export class SyncModelGroups {
	readonly accounts: Array<{ id: string; addresses: string[]; isHidden: boolean; person: number }>;
	readonly groups = new Map<string, Group>();
	readonly events: Event[] = [];
	/** The number of requests so far. */
	now = 0;
	private nextGroup = 0;
	private readonly timesAsked = new Map<number, number>();

	/** @param count notes that something odd happened, by its name */
	constructor(
		readonly scenario: Scenario,
		protected readonly count: (what: string) => void,
	) {
		const { people, groups, quirks } = scenario;
		this.accounts = people.flatMap(({ secondAddress, secondAccount, isHidden }, person) => {
			const more = secondAddress === 'none' ? [] : [addressOf(person, '.two')];
			const addresses = [addressOf(person)];
			const account = { id: idOf('account', person), addresses, isHidden, person };
			const second = { ...account, id: idOf('second', person), isHidden: false };
			const first = { ...account, addresses: [...addresses, ...more] };
			return secondAccount === 'none' ? [first] : [first, second];
		});
		for (let number = 0; number < groups; number++) {
			this.add(groupName(number), false, quirks.exclusive === 'first' && number === 0);
		}
		for (const [person, { was, secondAccount }] of people.entries()) {
			const id = idOf(secondAccount === 'member' ? 'second' : 'account', person);
			for (const number of was) this.group(number).members.add(id);
		}
		if (quirks.hasAlikeGroup) this.add(groupName(0).toUpperCase(), false, false);
	}

	/** Returns the group of this number; numbers repeat where there are fewer groups. */
	group(number: number): Group {
		const found = this.groups.get(idOf('group', number % this.scenario.groups));
		if (!found) throw new Error(`There is no group ${number}`);
		return found;
	}

	/** Returns the accounts that a recipient names, known to the service at the moment or not. */
	accountsOf(recipient = 'nobody') {
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
		const { mostGroups, exclusive } = this.scenario.quirks;
		const isFull = [...this.groups.values()].filter(({ isOwn }) => isOwn).length >= mostGroups;
		if (isFull) this.count('no more groups');
		const group = isFull ? undefined : this.add(name, true, exclusive === 'new');
		if (group) this.creatorComes('created', group);
		return group;
	}

	private add(name: string, isOwn: boolean, isExclusive: boolean): Group {
		const [isStaging, _id] = [
			name.startsWith('n8n sync staging '),
			idOf('group', this.nextGroup++),
		];
		const sets = { members: new Set<string>(), start: new Set<string>(), past: [], reads: 0 };
		const group: Group = { _id, name, isStaging, isOwn, isExclusive, ...sets };
		this.groups.set(_id, group);
		return group;
	}

	/** Returns a group as a response shows it. */
	protected shape({ _id, name, isExclusive }: Group, members: ReadonlySet<string>) {
		const hidden = new Set(this.accounts.flatMap(({ id, isHidden }) => (isHidden ? id : [])));
		const leads = [...members].filter((id) => !hidden.has(id));
		const { leadsTotal } = this.scenario.quirks;
		const total = leads.length + { right: 0, missing: 0, tooMany: 1, tooFew: -1 }[leadsTotal];
		const counted = leadsTotal === 'missing' ? {} : { leadsTotal: Math.max(0, total) };
		return { _id, name, exclusive: isExclusive, leads, ownerId: idOf('other', 1), ...counted };
	}

	/** Adds recipients to a group, or removes them; returns what happened, and the response: data, or a refusal. */
	protected write(
		group: Group,
		recipients: string[],
		isIn: boolean,
	): { write: Write; data?: object; message: string } {
		const { unknown: quirk, mostRecipients } = this.scenario.quirks;
		const write: Write = { unknown: new Set(), accepted: new Set(), isRefused: false };
		const refuse = (message: string) => ({ write: { ...write, isRefused: true }, message });
		if (recipients.length > mostRecipients) {
			this.count('list too long');
			return refuse('The list of recipients is too long');
		}
		const found: Array<{ id: string; isHidden: boolean }> = [];
		const errorLog: object[] = [];
		const asked = new Map<number, boolean>();
		for (const [index, given] of recipients.entries()) {
			const recipient = given.toLowerCase();
			const accounts = this.accountsOf(recipient).filter(({ person }) => this.knows(person, asked));
			const locked = accounts.flatMap(
				({ person }) => this.scenario.people[person]?.locked ?? [],
			)[0];
			if (locked === undefined && (accounts.length > 0 || quirk.how === 'ignore')) {
				if (accounts.length === 0) this.count('unknown, ignored');
				write.accepted.add(recipient);
				found.push(...accounts);
				continue;
			}
			const says = locked ?? quirk.says.replace('*', given);
			this.count(locked === undefined ? `unknown, ${quirk.how} "${quirk.says}"` : 'locked');
			const isNamed = quirk.how === 'log' || recipients.length === 1 || says.includes(given);
			if (locked === undefined && isNamed && meaning(quirk) !== 'nothing')
				write.unknown.add(recipient);
			if (quirk.how === 'refuse') return refuse(says);
			errorLog.push(errorLogEntry(quirk.shape, given.includes('@'), given, index, says));
		}
		const successCount = this.change(group, found, isIn);
		const errorCount = errorLog.length;
		const data = { successCount, errorCount, ...(errorCount > 0 ? { errorLog } : {}) };
		return { write, data, message: '' };
	}

	/** Whether the service knows a person in this request; `asked` has the answers so far. */
	private knows(person: number, asked: Map<number, boolean>): boolean {
		const times = this.timesAsked.get(person) ?? 0;
		const isKnown = asked.get(person) ?? times >= (this.scenario.people[person]?.unknownTimes ?? 0);
		if (!asked.has(person)) this.timesAsked.set(person, times + 1);
		if (!isKnown) this.count('unknown for a moment');
		asked.set(person, isKnown);
		return isKnown;
	}

	private change(
		group: Group,
		accounts: Array<{ id: string; isHidden: boolean }>,
		isIn: boolean,
	): number {
		group.past.push(new Set(group.members));
		let changed = 0;
		for (const { id, isHidden } of accounts) {
			if (group.members.has(id) === isIn) continue;
			changed += 1;
			if (isHidden) this.count('hidden account');
			this.move(group, id, isIn, 'sync', group);
			if (isIn) this.leaveOthers(group, id);
		}
		this.creatorComes('everyWrite', group);
		if (group.past.length === 1) this.creatorComes('firstWrite', group);
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

	private creatorComes(when: 'created' | 'firstWrite' | 'everyWrite' | 'late', group: Group): void {
		const { creator } = this.scenario.quirks;
		if (creator?.comes !== when) return;
		if (!group.isOwn && !(creator.isEverywhere && when === 'everyWrite')) return;
		const isNamed = creator.person !== null && creator.person < this.scenario.people.length;
		const id = isNamed ? idOf('account', creator.person ?? 0) : idOf('other', 1);
		if (group.members.has(id)) return;
		this.count(`creator, ${when}${isNamed ? ', a person' : ''}`);
		this.move(group, id, true, 'service', group);
	}

	/** Notes a read; a late creator comes with the second one. */
	protected noteRead(group: Group): void {
		group.reads += 1;
		if (group.reads === 2) this.creatorComes('late', group);
	}

	protected othersDo(change: Change): void {
		if (change.do === 'deleteStaging') {
			const staging = [...this.groups.values()].find(({ isStaging }) => isStaging);
			if (staging && this.groups.delete(staging._id)) this.count('others: deleteStaging');
			return;
		}
		const [group, id] = [this.group(change.group), idOf('account', change.person)];
		const isIn = change.do === 'join';
		if (change.person >= this.scenario.people.length || group.members.has(id) === isIn) return;
		this.count(`others: ${change.do}`);
		group.past.push(new Set(group.members));
		this.move(group, id, isIn, 'others', undefined);
	}

	private move(group: Group, id: string, isIn: boolean, by: Event['by'], via?: Group): void {
		if (isIn) group.members.add(id);
		else group.members.delete(id);
		this.events.push({ at: this.now, group, id, isIn, by, via });
	}
}
