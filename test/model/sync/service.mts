import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { errorLogEntry } from '../../../emulator/emulator.mts';
import { meaning, type Disturbance, type Scenario } from './world.mts';
import { startServer } from '../../kit/testServer.mts';
import { isObject } from '../../kit/typed.mts';

/**
 * A group. `start` contains the members at the start of the run. `past` contains the members before each request that
 * changes the group, and before each change by other users.
 */
export type Group = {
	_id: string;
	name: string;
	isTemporary: boolean;
	/** Whether the access key of the runs created the group. */
	isOwn: boolean;
	isExclusive: boolean;
	members: Set<string>;
	start: ReadonlySet<string>;
	past: Array<ReadonlySet<string>>;
	/** The members after each change, with its time. Reads of a late group show an older state. */
	history: Array<{ at: number; members: ReadonlySet<string> }>;
};

/** One person joins or leaves a group. `by` tells who caused this: the sync, other users, or the service itself. */
export type Event = {
	at: number;
	group: Group;
	id: string;
	isIn: boolean;
	by: 'sync' | 'others' | 'service';
	/** The group of the request that caused the change, or undefined for a change by other users. */
	via: Group | undefined;
};

/** A request, and what the service did with the request. Recipients are in lower case. */
export type Entry = {
	at: number;
	kind: 'list' | 'read' | 'create' | 'delete' | 'add' | 'remove';
	/** The group in the path, or the group that the request created. */
	group?: Group | undefined;
	/** The name of the group to create, or empty text for other requests. */
	name: string;
	named: string[];
	answer: 'success' | 'refusal' | 'none';
	/** The recipients that the service called unknown, and the recipients that the service accepted. */
	unknown: Set<string>;
	accepted: Set<string>;
	/**
	 * The members that a complete read showed. Undefined for other requests, and if the disturbance `cut` shortened
	 * the list.
	 */
	shown?: ReadonlySet<string>;
};

type Account = { id: string; addresses: string[]; isHidden: boolean; person: number };
type Reply = { status: number; body: unknown; headers?: Record<string, string> };

const KINDS = { group: 0, account: 1, second: 2, other: 3, nobody: 9 };
export const idOf = (kind: keyof typeof KINDS, number: number) =>
	`64f1c0ffee0000000000${KINDS[kind]}${String(number).padStart(3, '0')}`;
/** A person whom no item names. If the creator of the groups is nobody from the scenario, it is this person. */
export const STRANGER = idOf('other', 1);
export const addressOf = (person: number, suffix = '') => `p${person}${suffix}@people.example`;
/** The number that the HR system gives a person. The service accepts it, but never shows it. */
export const hrNumberOf = (person: number) => `00${person}`;
export const groupName = (number: number) => `Team ${'ABC'[number] ?? number}`;

const PATH = /^\/int\/v1\/recipientGroup(?:\/([^/]+)(\/recipients)?)?$/;
const PAGE: Reply = { status: 200, body: '<html>Please sign in</html>' };
const success = (data: object, total = {}): Reply => ({
	status: 200,
	body: { success: true, data, ...total },
});
const refusal = (message: string, status = 200): Reply => ({
	...{ status, body: { success: false, message } },
	headers: status > 428 ? { 'retry-after': '0' } : {},
});

/** The response to a disturbed request. If `isDone` is true, the service still carries out the request. */
type Fault = { reply: Reply | 'drop'; isDone?: boolean };
const FAULTS: Partial<Record<Disturbance['what'], Fault>> = {
	busy: { reply: refusal('Too many requests', 429) },
	unavailable: { reply: refusal('Unavailable', 503) },
	lost: { reply: refusal('Unavailable', 503), isDone: true },
	dropped: { reply: 'drop' },
	droppedAfter: { reply: 'drop', isDone: true },
	page: { reply: PAGE },
	pageAfter: { reply: PAGE, isDone: true },
	forbidden: { reply: refusal('No permission', 403) },
	refusedGroup: { reply: refusal('Group not found') },
	refusedUnknown: { reply: refusal('Not all emails founded as recipient in system') },
	refused: { reply: refusal('The recipients of this group cannot be changed at the moment') },
};

/**
 * A service that has only recipient groups. Unlike the emulator, this service can have accounts that share an address, and
 * accounts that no read shows. Groups can get their creator as a member, and members of exclusive groups leave all other
 * groups. Any request can go wrong.
 */
export class SyncModelService {
	readonly accounts: Account[];
	readonly groups = new Map<string, Group>();
	readonly events: Event[] = [];
	readonly journal: Entry[] = [];
	/** Requests to delete a group that is not a temporary group. */
	readonly violations: string[] = [];
	/** The number of requests so far. */
	private now = 0;
	private nextGroup = 0;
	private reads = 0;
	private readonly timesAsked = new Map<number, number>();
	private disturbances: Disturbance[] = [];
	private downUntil = -Infinity;

	constructor(readonly scenario: Scenario) {
		const { people, groups, quirks } = scenario;
		this.accounts = people.flatMap(({ secondAddress, secondAccount, isHidden }, person) => {
			const addresses = [addressOf(person)];
			const second = { id: idOf('second', person), addresses, isHidden: false, person };
			const more = secondAddress === 'none' ? [] : [addressOf(person, '.two')];
			const first = { id: idOf('account', person), addresses: [...addresses, ...more], isHidden };
			return [{ ...first, person }, ...(secondAccount === 'none' ? [] : [second])];
		});
		for (let number = 0; number < groups; number++)
			this.add(groupName(number), false, quirks.exclusive === 'first' && number === 0);
		for (const [person, { was, secondAccount }] of people.entries()) {
			const id = idOf(secondAccount === 'member' ? 'second' : 'account', person);
			for (const number of was) this.group(number).members.add(id);
		}
		if (quirks.hasAlikeGroup) this.add(groupName(0).toUpperCase(), false, false);
		if (quirks.exclusive !== 'others') return;
		// Who is in it is in no other group at the start.
		const { members } = this.add('Works Council', false, true);
		for (const [person, { was }] of people.entries())
			if (was.length === 0 || person % 5 === 4) members.add(idOf('account', person));
		for (const group of this.groups.values())
			for (const id of group.members === members ? [] : members) group.members.delete(id);
	}

	/** Prepares the service for the next run. A calm run has no disturbances. */
	begin(isCalm: boolean): void {
		this.journal.length = 0;
		this.events.length = 0;
		this.downUntil = -Infinity;
		this.reads = 0;
		this.disturbances = isCalm ? [] : structuredClone(this.scenario.disturbances);
		for (const group of this.groups.values()) {
			group.start = new Set(group.members);
			// The clock of the next run begins again.
			group.history.length = 0;
		}
	}

	/** Returns the accounts with this ID or address, including those that the service does not know yet. */
	accountsOf(recipient = 'nobody'): Account[] {
		const given = recipient.toLowerCase();
		return this.accounts.filter(
			({ id, addresses, person }) =>
				id === given ||
				addresses.includes(given) ||
				(hrNumberOf(person) === given && id === idOf('account', person)),
		);
	}

	/** Whether the service shows an ID or address in exactly this form. */
	isShownAs(written: string): boolean {
		return written.includes('@') || this.accounts.some(({ id }) => id === written);
	}

	/**
	 * Returns the reply to a request. For `drop`, the server closes the connection instead of replying.
	 *
	 * @throws for a request that is not documented
	 */
	answer(method: string, url: string, body: unknown): Reply | 'drop' {
		const { pathname, searchParams } = new URL(url, 'http://service');
		const [found, id, members] = PATH.exec(pathname) ?? [];
		if (found === undefined) throw new Error(`${method} ${url} is not documented`);
		const { recipientEmails, recipientIds, name } = isObject(body) ? body : {};
		const list = recipientEmails ?? recipientIds;
		const recipients = Array.isArray(list) ? list.map(String) : [];
		const entry: Entry = {
			...{ at: this.now++, kind: kindOf(method, id, members), answer: 'none' },
			...{ group: this.groups.get(id ?? ''), name: String(name ?? '') },
			named: recipients.map((recipient) => recipient.toLowerCase()),
			...{ unknown: new Set(), accepted: new Set() },
		};
		// A new group whose name was cut may be deleted.
		const isCut = entry.group?.isOwn === true && this.scenario.quirks.cutsNames;
		if (entry.kind === 'delete' && entry.group?.isTemporary === false && !isCut)
			this.violations.push(`${entry.group.name} must not be deleted`);
		this.journal.push(entry);
		const met = this.disturbancesOf(entry);
		for (const one of met) this.disturb(one);
		if (!this.groups.has(id ?? '')) entry.group = undefined;

		const isDown = Date.now() < this.downUntil;
		const what = isDown ? 'unavailable' : met.find((one) => FAULTS[one.what])?.what;
		const fault = what && FAULTS[what];
		const isDone = !fault || fault.isDone;
		const own = isDone ? this.carryOut(entry, searchParams, recipients, met) : PAGE;
		const reply = fault?.reply ?? own;
		if (reply === 'drop' || reply.status > 428 || !isObject(reply.body)) return reply;
		entry.answer = reply.body.success === true ? 'success' : 'refusal';
		if (what === 'refusedUnknown' && entry.named.length === 1) entry.unknown = new Set(entry.named);
		return reply;
	}

	/** Returns the disturbances that a request meets. */
	private disturbancesOf({ kind, group }: Entry): Disturbance[] {
		const isWrite = kind === 'add' || kind === 'remove';
		const where = group?.isTemporary ? 'temporary' : 'real';
		const kinds = ['any', kind, ...(isWrite ? ['write', `${where}Write`] : [])];
		if (kind === 'read') kinds.push(`${where}Read`);
		return this.disturbances.filter((one) => {
			if (!kinds.includes(one.on) || one.skip-- > 0) return false;
			// A 429 occurs at most four times, because an endless 429 would advance the fake clock by minutes. Other
			// users change a group only once per disturbance.
			if (one.what === 'busy') one.times = Math.min(one.times, 4);
			if (one.what === 'join' || one.what === 'leave') one.times = Math.min(one.times, 1);
			return one.times-- > 0;
		});
	}

	/**
	 * Applies a disturbance that does not replace the response: begins an outage, or acts as other users.
	 */
	private disturb({ what, size, person, group: number }: Disturbance): void {
		if (what === 'outage') this.downUntil = Date.now() + (size + 1) * 10_000;
		else if (what === 'deleteTemporary') {
			const temporary = [...this.groups.values()].find(({ isTemporary }) => isTemporary);
			if (temporary) this.groups.delete(temporary._id);
		} else if (what === 'join' || what === 'leave') {
			const [group, id] = [this.group(number), idOf('account', person)];
			const isIn = what === 'join';
			if (person >= this.scenario.people.length || group.members.has(id) === isIn) return;
			group.past.push(new Set(group.members));
			this.move(group, id, isIn, 'others');
		}
	}

	private carryOut(
		entry: Entry,
		query: URLSearchParams,
		recipients: string[],
		met: Disturbance[],
	): Reply {
		const { kind, group } = entry;
		if (kind === 'list') {
			const all = [...this.groups.values()].filter(({ isOwn }) => isOwn || !query.has('own'));
			const skip = Number(query.get('skip') ?? 0);
			const page = all.slice(skip, skip + Number(query.get('limit') ?? 20));
			const { exclusiveInLists } = this.scenario.quirks;
			const records = page.map(({ _id, name, isExclusive: exclusive }) => {
				return { _id, name, ...(exclusiveInLists ? { exclusive } : {}) };
			});
			return success(records, { total: all.length });
		}
		if (kind === 'create') {
			const own = [...this.groups.values()].filter(({ isOwn }) => isOwn).length;
			if (own >= this.scenario.quirks.mostGroups) return refusal('Limit of groups reached');
			entry.group = this.add(entry.name, true, this.scenario.quirks.exclusive === 'new');
			this.creatorComes('created', entry.group);
			return success(this.shape(entry.group, entry.group.members));
		}
		if (!group)
			return kind === 'read'
				? { status: 404, body: 'Not Found' }
				: refusal('Object does not exist');
		if (kind === 'read') return this.read(entry, group, met);
		if (kind === 'delete') {
			if (!this.scenario.quirks.mayDelete) return refusal('No permission to delete groups');
			this.groups.delete(group._id);
			return success(this.shape(group, group.members));
		}
		return this.write(entry, group, recipients);
	}

	private read(entry: Entry, group: Group, met: Disturbance[]): Reply {
		if (this.reads++ >= (this.scenario.quirks.creator?.after ?? Infinity))
			this.creatorComes('late', group);
		const of = (what: string) => met.find((one) => one.what === what)?.size;
		const behind = Math.min(of('stale') ?? 0, group.past.length);
		const past = behind > 0 ? group.past.at(-behind) : undefined;
		const shape = this.shape(group, past ?? this.lateMembers(group));
		const most = Math.min(of('cut') ?? Infinity, this.scenario.quirks.mostLeads);
		if (shape.leads.length > most) {
			const leadsTotal = shape.leads.length;
			return success({ ...shape, leads: shape.leads.slice(0, most), leadsTotal });
		}
		entry.shown = new Set(shape.leads);
		return success(shape);
	}

	/** Returns the members that a read of a group shows at the earliest: those of some seconds ago. */
	private lateMembers({ _id, isTemporary, history, members, start }: Group): ReadonlySet<string> {
		const { late, lagMs } = this.scenario.quirks;
		const delay = lagMs + (isTemporary ? late * (Number(_id.slice(-3)) % 5) : 0);
		if (delay === 0 || history.length === 0) return members;
		return history.findLast(({ at }) => at <= Date.now() - delay)?.members ?? start;
	}

	/** Adds recipients to a group, or removes them. */
	private write(entry: Entry, group: Group, given: string[]): Reply {
		const { unknown: quirk, mostRecipients, strips } = this.scenario.quirks;
		const isStripped = strips === (entry.kind === 'add' ? 'POST' : 'DELETE');
		const recipients = isStripped ? [] : given;
		if (recipients.length > mostRecipients)
			return refusal('The list of recipients is too long', quirk.http);
		const known: Account[] = [];
		const errorLog: object[] = [];
		for (const [index, given] of recipients.entries()) {
			const all = this.accountsOf(given);
			const accounts = all[0] && this.knows(all[0].person) ? all : [];
			const [locked] = accounts.flatMap(({ person }) => this.scenario.people[person]?.locked ?? []);
			if (locked === undefined && (accounts.length > 0 || quirk.how === 'ignore')) {
				entry.accepted.add(given.toLowerCase());
				known.push(...accounts);
				continue;
			}
			const says = (locked ?? quirk.says).replace('*', given);
			const isNamed = quirk.how === 'log' || recipients.length === 1 || says.includes(given);
			if (locked === undefined && isNamed && meaning(quirk) !== 'nothing')
				entry.unknown.add(given.toLowerCase());
			if (quirk.how === 'refuse') {
				entry.accepted.clear();
				return refusal(says, quirk.http);
			}
			errorLog.push(errorLogEntry(quirk.shape, given.includes('@'), given, index, says));
		}
		const changed = this.change(group, known, entry.kind === 'add');
		// Wrong counts occur only in a world with complete reads, because Sync must rely on counts if reads are
		// incomplete.
		const { counts, total, mostLeads } = this.scenario.quirks;
		const isShown =
			total === 0 && mostLeads === Infinity && this.scenario.disturbances.length === 0;
		const counted = { changed, accepted: entry.accepted.size, nobody: 0 };
		const successCount = counted[isShown ? counts : 'changed'];
		const errorCount = errorLog.length;
		return success({ successCount, errorCount, ...(errorCount > 0 ? { errorLog } : {}) });
	}

	/** Counts a request for a person. Returns whether the service knows the person by now. */
	private knows(person: number): boolean {
		const times = this.timesAsked.get(person) ?? 0;
		this.timesAsked.set(person, times + 1);
		return times >= (this.scenario.people[person]?.unknownTimes ?? 0);
	}

	/**
	 * Adds accounts to a group or removes them, then makes the changes that the service makes by itself. Returns how many
	 * accounts were added or removed.
	 */
	private change(group: Group, accounts: Account[], isIn: boolean): number {
		group.past.push(new Set(group.members));
		let changed = 0;
		for (const { id } of accounts) {
			if (group.members.has(id) === isIn) continue;
			changed += 1;
			this.move(group, id, isIn, 'sync', group);
			for (const other of isIn ? this.groups.values() : []) {
				const isLeft = other !== group && (group.isExclusive || other.isExclusive);
				if (isLeft && other.members.has(id)) this.move(other, id, false, 'service', group);
			}
		}
		this.creatorComes('everyWrite', group);
		if (group.past.length === 1) this.creatorComes('firstWrite', group);
		return changed;
	}

	private creatorComes(when: 'created' | 'firstWrite' | 'everyWrite' | 'late', group: Group): void {
		const { creator } = this.scenario.quirks;
		if (creator?.comes !== when) return;
		if (!group.isOwn && !(creator.isEverywhere && when === 'everyWrite')) return;
		const isNamed = creator.person !== null && creator.person < this.scenario.people.length;
		const id = isNamed ? idOf('account', creator.person ?? 0) : STRANGER;
		if (!group.members.has(id)) this.move(group, id, true, 'service', group);
	}

	private move(group: Group, id: string, isIn: boolean, by: Event['by'], via?: Group): void {
		if (isIn) group.members.add(id);
		else group.members.delete(id);
		group.history.push({ at: Date.now(), members: new Set(group.members) });
		this.events.push({ at: this.now - 1, group, id, isIn, by, via });
	}

	/** Returns the group with this number. After the last group, the numbers start again at the first group. */
	private group(number: number): Group {
		const found = this.groups.get(idOf('group', number % this.scenario.groups));
		if (!found) throw new Error(`There is no group ${number}`);
		return found;
	}

	private add(name: string, isOwn: boolean, isExclusive: boolean): Group {
		const [_id, isTemporary] = [idOf('group', this.nextGroup++), /^n8n sync staging /.test(name)];
		const sets = { members: new Set<string>(), start: new Set<string>(), past: [], history: [] };
		const isCut = isOwn && !isTemporary && this.scenario.quirks.cutsNames;
		const shownName = isCut ? name.slice(0, 5) : name;
		const group: Group = { _id, name: shownName, isTemporary, isOwn, isExclusive, ...sets };
		this.groups.set(_id, group);
		return group;
	}

	private shape({ _id, name, isExclusive }: Group, members: ReadonlySet<string>) {
		const hidden = new Set(this.accounts.flatMap(({ id, isHidden }) => (isHidden ? id : [])));
		const leads = [...members].filter((id) => !hidden.has(id));
		const { total } = this.scenario.quirks;
		const counted = total === null ? {} : { leadsTotal: Math.max(0, leads.length + total) };
		return { _id, name, exclusive: isExclusive, leads, ...counted };
	}
}

function kindOf(method: string, id?: string, members?: string): Entry['kind'] {
	if (members !== undefined) return method === 'POST' ? 'add' : 'remove';
	if (id !== undefined) return method === 'GET' ? 'read' : 'delete';
	return method === 'GET' ? 'list' : 'create';
}

/** Starts a server on loopback. The server answers for the service that `use` was last called with. */
export async function serveSyncModel() {
	let current: SyncModelService | undefined;
	const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
		const body: unknown = JSON.parse((await text(incoming)) || '{}');
		const reply = current?.answer(incoming.method ?? '', incoming.url ?? '', body) ?? 'drop';
		if (reply === 'drop') return void incoming.socket.destroy();
		const isText = typeof reply.body === 'string';
		const type = isText ? 'text/html' : 'application/json';
		response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
		response.end(isText ? reply.body : JSON.stringify(reply.body));
	};
	const server = await startServer((incoming, response) => void handle(incoming, response));
	const use = (service: SyncModelService) => (current = service);
	return { url: server.url, stop: async () => await server.stop(), use };
}
