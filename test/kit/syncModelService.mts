import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { startServer } from './testServer.mts';
import { isObject } from './typed.mts';
import { SyncModelGroups, type Group, type Write } from './syncModelGroups.mts';
import type { Fault, Scenario } from './syncModelWorld.mts';

/** A request, and what the service did with it. */
export type Entry = {
	at: number;
	kind: 'list' | 'read' | 'create' | 'delete' | 'add' | 'remove';
	/** The group in the path, or the one that was created. */
	group: Group | undefined;
	/** The name of the group to create. */
	name: string;
	/** The recipients, in lower case. */
	named: string[];
	isCarriedOut: boolean;
	answer: 'success' | 'refusal' | 'none';
	/** What the service did with the recipients. */
	write: Write | undefined;
	/** The members that a read showed; undefined if they are incomplete by their total. */
	shown: ReadonlySet<string> | undefined;
	fault: Fault['what'] | undefined;
};

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

const PATH = /^\/int\/v1\/recipientGroup(?:\/([^/]+)(\/recipients)?)?$/;
const success = (data: unknown, total?: number): Reply => ({
	status: 200,
	body: { success: true, data, ...(total === undefined ? {} : { total }) },
});
const refusal = (message: string, status = 200): Reply => ({
	status,
	body: { success: false, message },
});
/** What a fault answers. A fault whose name ends with "After" or is "lost" answers when the request is carried out. */
const FAULT_REPLIES: Record<Fault['what'], Reply | 'drop'> = {
	busy: { ...refusal('Too many requests', 429), headers: { 'retry-after': '0' } },
	unavailable: { ...refusal('Unavailable', 503), headers: { 'retry-after': '0' } },
	lost: { ...refusal('Unavailable', 503), headers: { 'retry-after': '0' } },
	dropped: 'drop',
	droppedAfter: 'drop',
	page: { status: 200, body: '<html>Please sign in</html>' },
	pageAfter: { status: 200, body: '<html>Please sign in</html>' },
	forbidden: refusal('No permission', 403),
	refusedGroup: refusal('Group not found'),
	refusedUnknown: refusal('Not all emails founded as recipient in system'),
	refused: refusal('The recipients of this group cannot be changed at the moment'),
};
const AFTER: ReadonlyArray<Fault['what']> = ['lost', 'droppedAfter', 'pageAfter'];

/**
 * A small service with recipient groups alone, over HTTP. It knows more ways to be odd than the emulator: accounts that
 * share an address, hidden ones, creators, exclusive groups, and everything that may go wrong with a request.
 */
export class SyncModelService extends SyncModelGroups {
	readonly journal: Entry[] = [];
	/** Requests that the documentation of the service does not allow. */
	readonly violations: string[] = [];
	/** Stops the execution; set by the run. */
	cancel: () => void = () => {};
	private reads = 0;
	private downUntil = -Infinity;
	private faults: Fault[] = [];

	/** @param isCalm whether the next run has no disturbances */
	begin(isCalm: boolean): void {
		this.journal.length = 0;
		this.events.length = 0;
		this.isCalm = isCalm;
		this.reads = 0;
		this.downUntil = -Infinity;
		this.faults = isCalm ? [] : this.scenario.disturbances.faults.map((fault) => ({ ...fault }));
		for (const { members, start } of this.groups.values()) {
			start.clear();
			for (const id of members) start.add(id);
		}
	}

	/** Answers one request; `drop` closes the connection instead. */
	answer(method: string, url: string, body: unknown): Reply | 'drop' {
		const { pathname, searchParams } = new URL(url, 'http://service');
		const [found, id, members] = PATH.exec(pathname) ?? [];
		const kind = kindOf(method, id, members);
		if (found === undefined || kind === undefined) return refusal('Not Found.', 404);
		const { recipientEmails, recipientIds, name, reset, leads } = isObject(body) ? body : {};
		const entry: Entry = {
			at: this.now,
			kind,
			group: this.groups.get(id ?? ''),
			name: String(name ?? ''),
			named: textsOf(recipientEmails ?? recipientIds).map((one) => one.toLowerCase()),
			isCarriedOut: false,
			answer: 'none',
			write: undefined,
			shown: undefined,
			fault: undefined,
		};
		if (kind === 'add' || kind === 'remove') {
			const isOne = (recipientEmails === undefined) !== (recipientIds === undefined);
			if (!isOne || entry.named.length === 0) this.violations.push(JSON.stringify(body));
			if (reset !== undefined) this.violations.push('reset');
		}
		if (leads !== undefined) this.violations.push('leads of a new group');
		if (kind === 'delete' && entry.group?.isStaging === false)
			this.violations.push(`DELETE ${url}`);
		this.disturb();
		this.journal.push(entry);
		const reply = this.withFault(entry, () =>
			this.carryOut(entry, searchParams, textsOf(recipientEmails ?? recipientIds)),
		);
		this.now += 1;
		return reply;
	}

	/** Lets others change groups, stops the execution, and begins or ends an outage. */
	private disturb(): void {
		const number = this.journal.length;
		const { changes, outage, cancelAt } = this.scenario.disturbances;
		if (this.isCalm) return;
		for (const change of changes) if (change.before === number) this.othersDo(change);
		if (cancelAt === number) {
			this.count('canceled');
			this.cancel();
		}
		if (outage?.before === number) this.downUntil = Date.now() + outage.seconds * 1000;
	}

	private withFault(entry: Entry, carryOut: () => Reply): Reply | 'drop' {
		const isDown = Date.now() < this.downUntil;
		const what = isDown ? 'unavailable' : this.faultFor(entry);
		if (what !== undefined) this.count(isDown ? 'outage' : `${what} ${entry.kind}`);
		entry.fault = what;
		if (what === undefined || AFTER.includes(what)) {
			const reply = carryOut();
			entry.isCarriedOut = entry.write?.isRefused !== true;
			if (what === undefined) {
				const isSuccess = isObject(reply.body) && reply.body.success === true;
				entry.answer = isSuccess ? 'success' : 'refusal';
				return reply;
			}
		}
		const reply = FAULT_REPLIES[what];
		if (reply === 'drop') return reply;
		if (isObject(reply.body) && reply.status < 429) entry.answer = 'refusal';
		if (what === 'refusedUnknown' && entry.named.length === 1) {
			entry.write = { unknown: new Set(entry.named), accepted: new Set(), isRefused: true };
		}
		return reply;
	}

	private faultFor(entry: Entry): Fault['what'] | undefined {
		for (const fault of this.faults) {
			if (!isMeant(fault.on, entry)) continue;
			if (fault.skip-- > 0) continue;
			// An endless 429 would be waited out for minutes of the fake clock.
			if (fault.what === 'busy') fault.times = Math.min(fault.times, 4);
			if (fault.times-- > 0) return fault.what;
		}
		return undefined;
	}

	private carryOut(entry: Entry, query: URLSearchParams, recipients: string[]): Reply {
		const { kind, group } = entry;
		if (kind === 'list') return this.list(query);
		if (kind === 'create') {
			const made = this.create(entry.name);
			if (made) entry.group = made;
			return made ? success(this.shape(made, made.members)) : refusal('Limit of groups reached');
		}
		if (!group || !this.groups.has(group._id)) {
			if (kind === 'read') return { status: 404, body: 'Not Found' };
			return refusal('Object does not exist');
		}
		if (kind === 'read') return this.read(entry, group);
		if (kind === 'delete') {
			this.groups.delete(group._id);
			return success(this.shape(group, group.members));
		}
		const { write, data, message } = this.write(group, recipients, kind === 'add');
		entry.write = write;
		return message === undefined
			? success(data)
			: refusal(message, this.scenario.quirks.unknown.http);
	}

	private list(query: URLSearchParams): Reply {
		const { listTotal, leadsInLists } = this.scenario.quirks;
		const all = [...this.groups.values()].filter(
			({ isOwn }) => query.get('own') !== 'true' || isOwn,
		);
		const skip = Number(query.get('skip') ?? 0);
		const page = all.slice(skip, skip + Number(query.get('limit') ?? 20)).map((group) => {
			const { leads, ...rest } = this.shape(group, group.members);
			return leadsInLists ? { ...rest, leads } : rest;
		});
		return success(page, listTotal ? all.length : undefined);
	}

	private read(entry: Entry, group: Group): Reply {
		const { stale, cut } = this.scenario.disturbances;
		const number = this.reads++;
		const isMet = (reads: typeof stale | typeof cut) =>
			!this.isCalm &&
			reads !== null &&
			number >= reads.from &&
			number < reads.from + reads.reads &&
			(reads.of === 'any' || (reads.of === 'staging') === group.isStaging);
		this.lateCreator(group);
		const isStale = stale !== null && isMet(stale) && group.past.length > 0;
		const members =
			(isStale && group.past.at(-Math.min(stale.behind, group.past.length))) || group.members;
		if (isStale) this.count('stale read');
		const shape = this.shape(group, members);
		if (cut !== null && isMet(cut) && shape.leads.length > cut.leads) {
			this.count('cut read');
			return success({
				...shape,
				leads: shape.leads.slice(0, cut.leads),
				leadsTotal: shape.leads.length,
			});
		}
		entry.shown = new Set(shape.leads);
		return success(shape);
	}
}

function kindOf(method: string, id?: string, members?: string): Entry['kind'] | undefined {
	if (members !== undefined) return method === 'POST' ? 'add' : 'remove';
	if (id !== undefined) return method === 'GET' ? 'read' : 'delete';
	return method === 'GET' ? 'list' : 'create';
}

function isMeant(on: Fault['on'], { kind, group }: Entry): boolean {
	const isWrite = kind === 'add' || kind === 'remove';
	const isStaging = group?.isStaging === true;
	switch (on) {
		case 'any':
			return true;
		case 'write':
			return isWrite;
		case 'realWrite':
			return isWrite && !isStaging;
		case 'stagingWrite':
			return isWrite && isStaging;
		case 'stagingRead':
			return kind === 'read' && isStaging;
		default:
			return on === kind;
	}
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

/** Starts a server that answers for the service in `current`. */
export async function serveSyncModel() {
	let current: SyncModelService | undefined;
	const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
		const sent = await text(incoming);
		const body: unknown = sent === '' ? undefined : JSON.parse(sent);
		const reply = current?.answer(incoming.method ?? '', incoming.url ?? '', body) ?? 'drop';
		if (reply === 'drop') {
			incoming.socket.destroy();
			return;
		}
		const isText = typeof reply.body === 'string';
		const type = isText ? 'text/html' : 'application/json';
		response.writeHead(reply.status, { 'content-type': type, ...reply.headers });
		response.end(isText ? reply.body : JSON.stringify(reply.body));
	};
	const { url, stop } = await startServer((incoming, response) => void handle(incoming, response));
	return { url, stop, use: (service: SyncModelService) => (current = service) };
}

export type { Scenario };
