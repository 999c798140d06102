import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { SyncModelGroups, type Group, type Write } from './syncModelGroups.mts';
import type { Fault } from './syncModelWorld.mts';
import { startServer } from './testServer.mts';
import { isObject } from './typed.mts';

/** A request, and what the service did with it. */
export type Entry = {
	at: number;
	kind: 'list' | 'read' | 'create' | 'delete' | 'add' | 'remove';
	/** The group in the path, or the one that was created. */
	group?: Group;
	/** The name of the group to create. */
	name: string;
	/** The recipients, in lower case. */
	named: string[];
	answer: 'success' | 'refusal' | 'none';
	/** What the service did with the recipients. */
	write?: Write;
	/** The members that a read showed; undefined if they are incomplete by their total. */
	shown?: ReadonlySet<string>;
};

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

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

/** The response to a request that a fault meets. */
const FAULT_REPLIES: Record<Fault['what'], Reply | 'drop'> = {
	busy: refusal('Too many requests', 429),
	...{ unavailable: refusal('Unavailable', 503), lost: refusal('Unavailable', 503) },
	...{ dropped: 'drop', droppedAfter: 'drop', page: PAGE, pageAfter: PAGE },
	forbidden: refusal('No permission', 403),
	refusedGroup: refusal('Group not found'),
	refusedUnknown: refusal('Not all emails founded as recipient in system'),
	refused: refusal('The recipients of this group cannot be changed at the moment'),
};
/** Faults of the response alone: the request is carried out. */
const AFTER: ReadonlyArray<Fault['what'] | undefined> = [
	undefined,
	'lost',
	'droppedAfter',
	'pageAfter',
];

/**
 * A service with recipient groups alone. It knows more ways to be odd than the emulator: accounts that share an address,
 * hidden ones, creators, exclusive groups, and everything that may go wrong with a request.
 */
export class SyncModelService extends SyncModelGroups {
	readonly journal: Entry[] = [];
	/** Requests that the documentation of the service does not allow. */
	readonly violations: string[] = [];
	/** Stops the execution; set by the run. */
	cancel: () => void = () => {};
	private isCalm = true;
	private reads = 0;
	private downUntil = -Infinity;
	private faults: Fault[] = [];

	/** Begins a run. */
	begin(isCalm: boolean): void {
		Object.assign(this, { isCalm, reads: 0, downUntil: -Infinity });
		this.journal.length = 0;
		this.events.length = 0;
		this.faults = isCalm ? [] : structuredClone(this.scenario.disturbances.faults);
		for (const group of this.groups.values()) group.start = new Set(group.members);
	}

	/** Answers a request; `drop` closes the connection instead. */
	answer(method: string, url: string, body: unknown): Reply | 'drop' {
		const { pathname, searchParams } = new URL(url, 'http://service');
		const [found, id, members] = PATH.exec(pathname) ?? [];
		if (found === undefined) throw new Error(`${method} ${url} is not documented`);
		const { recipientEmails, recipientIds, name, ...rest } = isObject(body) ? body : {};
		const list = recipientEmails ?? recipientIds;
		const recipients = Array.isArray(list) ? list.map(String) : [];
		const entry: Entry = {
			...{ at: this.now, kind: kindOf(method, id, members), answer: 'none' },
			...{ group: this.groups.get(id ?? ''), name: String(name ?? '') },
			named: recipients.map((recipient) => recipient.toLowerCase()),
		};
		const isWrite = entry.kind === 'add' || entry.kind === 'remove';
		const isLacking = isWrite && (recipients.length === 0 || (recipientEmails && recipientIds));
		const isForbidden = entry.kind === 'delete' && entry.group?.isStaging === false;
		if (isLacking || isForbidden || Object.keys(rest).length > 0)
			this.violations.push(`${method} ${url} ${JSON.stringify(body)}`);
		if (!this.isCalm) this.disturb();
		this.journal.push(entry);
		const reply = this.withFault(entry, () => this.carryOut(entry, searchParams, recipients));
		this.now += 1;
		return reply;
	}

	/** Lets others change groups, stops the execution, and begins an outage. */
	private disturb(): void {
		const number = this.journal.length;
		const { changes, outage, cancelAt } = this.scenario.disturbances;
		for (const change of changes) if (change.before === number) this.othersDo(change);
		if (outage?.before === number) this.downUntil = Date.now() + outage.seconds * 1000;
		if (cancelAt !== number) return;
		this.count('canceled');
		this.cancel();
	}

	private withFault(entry: Entry, carryOut: () => Reply): Reply | 'drop' {
		const isDown = Date.now() < this.downUntil;
		const what = isDown ? 'unavailable' : this.faultFor(entry);
		if (what !== undefined) this.count(isDown ? 'outage' : `${what}, ${entry.kind}`);
		const own = AFTER.includes(what) ? carryOut() : undefined;
		const reply = what === undefined ? (own ?? PAGE) : FAULT_REPLIES[what];
		if (reply === 'drop' || reply.status > 428 || !isObject(reply.body)) return reply;
		entry.answer = reply.body.success === true ? 'success' : 'refusal';
		if (what === 'refusedUnknown' && entry.named.length === 1)
			entry.write = { unknown: new Set(entry.named), accepted: new Set(), isRefused: true };
		return reply;
	}

	private faultFor({ kind, group }: Entry): Fault['what'] | undefined {
		const isWrite = kind === 'add' || kind === 'remove';
		const staging = isWrite ? 'stagingWrite' : 'stagingRead';
		const met = ['any', kind, isWrite && 'write'];
		if (isWrite || kind === 'read') met.push(group?.isStaging ? staging : isWrite && 'realWrite');
		for (const fault of this.faults) {
			if (!met.includes(fault.on) || fault.skip-- > 0) continue;
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
			entry.group = this.create(entry.name);
			if (!entry.group) return refusal('Limit of groups reached');
			return success(this.shape(entry.group, entry.group.members));
		}
		if (!group)
			return kind === 'read'
				? { status: 404, body: 'Not Found' }
				: refusal('Object does not exist');
		if (kind === 'read') return this.read(entry, group);
		if (kind === 'delete') {
			this.groups.delete(group._id);
			return success(this.shape(group, group.members));
		}
		const {
			write,
			data,
			message = '',
		} = { data: undefined, ...this.write(group, recipients, kind === 'add') };
		entry.write = write;
		return data ? success(data) : refusal(message, this.scenario.quirks.unknown.http);
	}

	private list(query: URLSearchParams): Reply {
		const { listTotal, leadsInLists } = this.scenario.quirks;
		const isOwn = query.get('own') === 'true';
		const all = [...this.groups.values()].filter((group) => !isOwn || group.isOwn);
		const skip = Number(query.get('skip') ?? 0);
		const page = all.slice(skip, skip + Number(query.get('limit') ?? 20)).map((group) => {
			const { leads, ...rest } = this.shape(group, group.members);
			return leadsInLists ? { ...rest, leads } : rest;
		});
		return success(page, listTotal ? { total: all.length } : {});
	}

	private read(entry: Entry, group: Group): Reply {
		const number = this.reads++;
		const meets = <Reads extends { from: number; reads: number; of: string }>(
			reads: Reads | null,
		) => {
			if (!reads || this.isCalm || number < reads.from || number >= reads.from + reads.reads)
				return;
			return reads.of === 'any' || (reads.of === 'staging') === group.isStaging ? reads : undefined;
		};
		this.noteRead(group);
		const { stale, cut } = this.scenario.disturbances;
		const past = group.past.at(-Math.min(meets(stale)?.behind ?? 0, group.past.length));
		const isStale = meets(stale) !== undefined && past !== undefined;
		if (isStale) this.count('stale read');
		const shape = this.shape(group, isStale ? past : group.members);
		const { length } = shape.leads;
		const most = meets(cut)?.leads ?? length;
		if (length <= most) {
			entry.shown = new Set(shape.leads);
			return success(shape);
		}
		this.count('cut read');
		return success({ ...shape, leads: shape.leads.slice(0, most), leadsTotal: length });
	}
}

function kindOf(method: string, id?: string, members?: string): Entry['kind'] {
	if (members !== undefined) return method === 'POST' ? 'add' : 'remove';
	if (id !== undefined) return method === 'GET' ? 'read' : 'delete';
	return method === 'GET' ? 'list' : 'create';
}

/** Starts a server on loopback that answers for one service after another. */
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
	const { url, stop } = await startServer((incoming, response) => void handle(incoming, response));
	const use = (service: SyncModelService) => (current = service);
	return { url, stop, use };
}
