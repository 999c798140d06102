import type { RecordedRequest } from '../../emulator/emulator.mts';
import { isObject } from './typed.mts';
import type { Service } from './service.mts';

/** What others do in the service while a sync runs, before the request with this number (from 0) is carried out. */
export type Meanwhile =
	| { before: number; do: 'join' | 'leave'; person: number; group: number }
	/** Somebody whom the service did not know becomes one of its people. */
	| { before: number; do: 'hire'; stranger: number };

/** Some reads of groups, from one on. */
type Reads = { from: number; reads: number };

/** What happens around a sync. */
export type Surroundings = {
	/** Reads that leave members out. */
	shown: (Reads & { leads: number }) | null;
	/** Reads that are one call behind. */
	stale: Reads | null;
	/** From one request on nothing is answered for so long by the clock. */
	outage: { before: number; seconds: number; retryAfter: number } | null;
	meanwhile: Meanwhile[];
};

/** How somebody came into a group or left it, and by whom. */
type Move = { id: string; by: 'us' | 'others'; into: boolean };

/** Somebody whom the sync took out of a group, and the groups that held them then, by ID. */
export type Removal = { id: string; from: string; heldBy: string[] };

/** A read of the group; `moves` had happened by then. */
type Read = { request: RecordedRequest; isWhole: boolean; ids: ReadonlySet<string>; moves: number };

/** Who was in the group when, apart from anything that the node says. */
export class GroupTruth {
	/** The members when the sync removed the first person. */
	atFirstRemoval: ReadonlySet<string> | undefined;
	private readonly begin: Omit<Read, 'request' | 'isWhole'>;
	private members: Set<string>;
	private readonly moves: Move[] = [];
	private readonly reads: Read[] = [];

	/** @param now the members, by id */
	constructor(now: Iterable<string>) {
		this.members = new Set(now);
		this.begin = { ids: new Set(this.members), moves: 0 };
	}

	/** Takes over what the sync did since the last look, and gives whom it took out. */
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
	 * @param isWhole whether it shows all members, if it is answered
	 * @param shown the members that it shows then
	 */
	read(request: RecordedRequest, isWhole: boolean, shown: ReadonlySet<string>): void {
		const ids = new Set(shown);
		this.reads.push({ request, isWhole, ids, moves: this.moves.length });
	}

	/** The group when it was first read. */
	get before(): ReadonlySet<string> {
		return this.firstRead.ids;
	}

	/** The group when it was last read and every member of it shown; none where a further read was not answered. */
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

	/** Everybody who was in the group at some time. */
	get everybody(): Set<string> {
		return new Set([...this.begin.ids, ...this.moves.map(({ id }) => id)]);
	}

	/** Whether somebody came in, or left, since the group was first read; by anybody or by one side. */
	moved(id: string, into: boolean, by?: Move['by']): boolean {
		return this.moves
			.slice(this.firstRead.moves)
			.some((move) => move.id === id && move.into === into && (by ?? move.by) === move.by);
	}

	private get firstRead() {
		return this.reads.find(({ request }) => isAnswered(request)) ?? this.begin;
	}
}

/** The recipients that a request names, in lower case. */
export function namedIn({ body }: RecordedRequest): string[] {
	const { recipientEmails, recipientIds } = isObject(body) ? body : {};
	const named: unknown = recipientEmails ?? recipientIds;
	return Array.isArray(named) ? named.map((name) => String(name).toLowerCase()) : [];
}

/** Whether nobody can tell from its answer whether a change was carried out: a 5xx, a web page, or no answer at all. */
export function isUncertain({ status, fault }: RecordedRequest): boolean {
	return status === 0 || status >= 500 || fault === 'html' || fault === PAGE_AFTER;
}

function isAnswered({ status, fault }: RecordedRequest): boolean {
	return status === 200 && fault === undefined;
}

/** What the log of requests calls a response 200 in the place of the service's own. */
const PAGE_AFTER = 'status 200';

/** Whether a request was answered by the service itself, with yes or no. */
export function isAnsweredWith(
	success: boolean,
	{ status, response: answer, fault }: RecordedRequest,
): boolean {
	if (fault !== undefined && fault !== 'refuse') return false;
	return (status === 200 || status === 400) && answer?.success === success;
}

/** Whether a read is one of these. */
const isAmong = (read: number, reads: Reads | null) =>
	reads !== null && read >= reads.from && read < reads.from + reads.reads;

const STAGING = 'n8n sync staging ';

/** Lets others and the clock do their part while a sync runs, and keeps track of who is in which group. */
export function watchGroups(
	{ emulator }: Pick<Service, 'emulator'>,
	{ meanwhile, shown, stale, outage }: Surroundings,
	others: { idOf: (person: number) => string; hire: (stranger: number) => void },
) {
	const { switches, faults } = emulator;
	const truths = new Map<string, GroupTruth>();
	const removals: Removal[] = [];
	const groups = () =>
		[...emulator.state.recipientGroups.values()].filter(({ name }) => !name.startsWith(STAGING));
	const existing = groups();

	/** Takes over what the sync did since the last look. */
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
				others.hire(event.stranger);
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
