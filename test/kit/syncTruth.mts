import type { RecordedRequest } from '../../emulator/emulator.mts';
import { isObject } from './typed.mts';
import type { Service } from './service.mts';

/** A change that others make during a sync. `before` is the number of the next request, counted from 0. */
export type Meanwhile =
	| { before: number; do: 'join' | 'leave'; person: number; group: number }
	/** An unknown person becomes known to the service. */
	| { before: number; do: 'hire'; unknownPerson: number };

/** Consecutive reads of groups: the number of the first read, and how many reads there are. */
type Reads = { from: number; reads: number };

/** Disturbances during a sync. */
export type Surroundings = {
	/** Reads that show only the first `leads` members. */
	shown: (Reads & { leads: number }) | null;
	/** Reads that show a group as it was before its last change. */
	stale: Reads | null;
	/** From request `before` on, the service responds with 503 for this many seconds of the fake clock. */
	outage: { before: number; seconds: number; retryAfter: number } | null;
	meanwhile: Meanwhile[];
};

/** A change of a person's membership in a group, and who caused it. */
type Move = { id: string; by: 'us' | 'others'; into: boolean };

/** A person whom the sync removed from a group, and the IDs of the groups that still contained them. */
export type Removal = { id: string; from: string; heldBy: string[] };

/** A read of the group, with the number of `moves` before it. */
type Read = { request: RecordedRequest; isWhole: boolean; ids: ReadonlySet<string>; moves: number };

/** The actual membership of a group over time, independent of what the node reports. */
export class GroupTruth {
	/** Everyone who was a member just before or just after the first removal by the sync. */
	atFirstRemoval: ReadonlySet<string> | undefined;
	private readonly begin: Omit<Read, 'request' | 'isWhole'>;
	private members: Set<string>;
	private readonly moves: Move[] = [];
	private readonly reads: Read[] = [];

	/** @param now the IDs of the members */
	constructor(now: Iterable<string>) {
		this.members = new Set(now);
		this.begin = { ids: new Set(this.members), moves: 0 };
	}

	/** Records the changes by the sync since the last call, and returns the people it removed. */
	observe(now: ReadonlySet<string>): string[] {
		const before = this.members;
		this.members = new Set(now);
		for (const id of now) if (!before.has(id)) this.moves.push({ id, by: 'us', into: true });
		const left = [...before].filter((id) => !now.has(id));
		if (left.length > 0) this.atFirstRemoval ??= new Set([...before, ...now]);
		for (const id of left) this.moves.push({ id, by: 'us', into: false });
		return left;
	}

	othersMove(id: string, into: boolean): void {
		if (this.members.has(id) === into) return;
		if (into) this.members.add(id);
		else this.members.delete(id);
		this.moves.push({ id, by: 'others', into });
	}

	/**
	 * @param isWhole whether the read shows all members (only relevant if the service responds)
	 * @param shown all members that a complete read would show
	 */
	read(request: RecordedRequest, isWhole: boolean, shown: ReadonlySet<string>): void {
		const ids = new Set(shown);
		this.reads.push({ request, isWhole, ids, moves: this.moves.length });
	}

	/** The members at the first successful read; without one, the members at the start. */
	get before(): ReadonlySet<string> {
		return this.firstRead.ids;
	}

	/** The members at the last complete read; undefined if the last read failed. */
	get lastShown(): ReadonlySet<string> | undefined {
		const last = this.reads.at(-1);
		if (last && !isAnswered(last.request)) return undefined;
		return this.reads.findLast(({ request, isWhole }) => isWhole && isAnswered(request))?.ids;
	}

	has(id: string): boolean {
		return this.members.has(id);
	}

	get size(): number {
		return this.members.size;
	}

	/** Everybody who was a member at any time. */
	get everybody(): Set<string> {
		return new Set([...this.begin.ids, ...this.moves.map(({ id }) => id)]);
	}

	/**
	 * Whether a person joined (if `into` is true) or left (if false) since the first read. With `by`, only changes by the
	 * sync ('us') or only changes by others count.
	 */
	moved(id: string, into: boolean, by?: Move['by']): boolean {
		return this.moves
			.slice(this.firstRead.moves)
			.some((move) => move.id === id && move.into === into && (by ?? move.by) === move.by);
	}

	private get firstRead() {
		return this.reads.find(({ request }) => isAnswered(request)) ?? this.begin;
	}
}

/** Returns the recipients that a request names, in lower case. */
export function namedIn({ body }: RecordedRequest): string[] {
	const { recipientEmails, recipientIds } = isObject(body) ? body : {};
	const named: unknown = recipientEmails ?? recipientIds;
	return Array.isArray(named) ? named.map((name) => String(name).toLowerCase()) : [];
}

/** Whether the outcome of the change is unknown: after a 5xx, a web page, or no response. */
export function isUncertain({ status, fault }: RecordedRequest): boolean {
	return status === 0 || status >= 500 || fault === 'html' || fault === PAGE_AFTER;
}

function isAnswered({ status, fault }: RecordedRequest): boolean {
	return status === 200 && fault === undefined;
}

/** A fault, as the request log names it: the service makes the change, but responds with a web page and status 200. */
const PAGE_AFTER = 'status 200';

/** Whether the service itself responded, with this `success`. */
export function isAnsweredWith(
	success: boolean,
	{ status, response: answer, fault }: RecordedRequest,
): boolean {
	if (fault !== undefined && fault !== 'refuse') return false;
	return (status === 200 || status === 400) && answer?.success === success;
}

/** Whether the read with this number is one of `reads`. */
const isAmong = (read: number, reads: Reads | null) =>
	reads !== null && read >= reads.from && read < reads.from + reads.reads;

const STAGING = 'n8n sync staging ';

/** Applies the disturbances while a sync runs, and tracks the membership of all groups. */
export function watchGroups(
	{ emulator }: Pick<Service, 'emulator'>,
	{ meanwhile, shown, stale, outage }: Surroundings,
	others: { idOf: (person: number) => string; hire: (unknownPerson: number) => void },
) {
	const { switches, faults } = emulator;
	const truths = new Map<string, GroupTruth>();
	const removals: Removal[] = [];
	const groups = () =>
		[...emulator.state.recipientGroups.values()].filter(({ name }) => !name.startsWith(STAGING));
	const existing = groups();

	/** Records what the sync has changed since this function was last called. */
	function look(): void {
		const left = groups().flatMap(({ _id: from, members }) => {
			const truth = truths.get(from);
			if (!truth) truths.set(from, new GroupTruth(members));
			return (truth?.observe(members) ?? []).map((id) => ({ id, from }));
		});
		for (const { id, from } of left) {
			const heldBy = [...truths].flatMap(([key, truth]) => (truth.has(id) ? key : []));
			removals.push({ id, from, heldBy });
		}
	}

	look();
	let count = 0;
	let reads = 0;
	let downUntil = -Infinity;
	let comeUp: (() => void) | undefined;
	const endWatch = emulator.onRequest((request) => {
		const { method, path } = request;
		if (!path.includes('/recipientGroup')) return;
		look();
		for (const event of meanwhile) {
			if (event.before !== count) continue;
			if (event.do === 'hire') {
				others.hire(event.unknownPerson);
				continue;
			}
			const group = existing[event.group];
			const id = others.idOf(event.person);
			if (event.do === 'join') group?.members.add(id);
			else group?.members.delete(id);
			truths.get(group?._id ?? '')?.othersMove(id, event.do === 'join');
		}
		if (outage && count === outage.before) {
			downUntil = Date.now() + outage.seconds * 1000;
			const action = { status: 503, headers: { 'retry-after': String(outage.retryAfter) } };
			comeUp = faults.add({ match: { path: /recipientGroup/ }, times: Infinity, action });
		}
		if (Date.now() >= downUntil) comeUp?.();
		count += 1;
		const [, groupId = ''] = /recipientGroup\/([^/]+)$/.exec(path) ?? [];
		if (method !== 'GET' || groupId === '') return;
		const group = emulator.state.recipientGroups.get(groupId);
		const isBehind = isAmong(reads, stale);
		const isCut = isAmong(reads, shown);
		reads += 1;
		switches.groupReads = isBehind ? 'oneCallBehind' : 'current';
		switches.leadsTruncated = isCut ? (shown?.leads ?? null) : null;
		const members = (isBehind && group?.membersBefore) || group?.members;
		if (!members) return;
		const isWhole = !isCut || members.size <= (shown?.leads ?? 0);
		truths.get(groupId)?.read(request, isWhole, members);
	});
	const stop = () => {
		endWatch();
		look();
		Object.assign(switches, { groupReads: 'current', leadsTruncated: null });
	};
	return { truths, removals, stop };
}
