import type { RecordedRequest } from '../../emulator/emulator.mts';
import { isObject } from './typed.mts';
import type { Service } from './service.mts';

/** What others do in the service while a sync runs, before the request with this number (from 0) is carried out. */
export type Meanwhile =
	| { before: number; do: 'join' | 'leave'; person: number }
	/** Somebody whom the service did not know becomes one of its people. */
	| { before: number; do: 'hire'; stranger: number };

/** How somebody came into a group or left it, and by whom. */
type Move = { id: string; by: 'us' | 'others'; into: boolean };

/** A read of the group; `moves` had happened by then. */
type Read = { request: RecordedRequest; isWhole: boolean; ids: ReadonlySet<string>; moves: number };

/** Who was in the group when, apart from anything that the node says. */
export class GroupTruth {
	/** Who was in it when the sync took the first one out. */
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

	/** Takes over what the sync did since the last look. */
	observe(now: ReadonlySet<string>): void {
		const before = this.members;
		this.members = new Set(now);
		for (const id of now) if (!before.has(id)) this.moves.push({ id, by: 'us', into: true });
		for (const id of before) {
			if (now.has(id)) continue;
			this.atFirstRemoval ??= new Set([...before, ...now]);
			this.moves.push({ id, by: 'us', into: false });
		}
	}

	othersMove(id: string, into: boolean): void {
		if (this.members.has(id) === into) return;
		if (into) this.members.add(id);
		else this.members.delete(id);
		this.moves.push({ id, by: 'others', into });
	}

	/** @param isWhole whether it shows all members, if it is answered */
	read(request: RecordedRequest, isWhole: boolean): void {
		const ids = new Set(this.members);
		this.reads.push({ request, isWhole, ids, moves: this.moves.length });
	}

	/** The group when it was first read. */
	get before(): ReadonlySet<string> {
		return this.firstRead.ids;
	}

	/** The group when it was last read and every member of it shown. */
	get lastShown(): ReadonlySet<string> | undefined {
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

/** Lets others do their part while a sync runs, and keeps track of who is in the group. */
export function watchGroup(
	{ emulator }: Pick<Service, 'emulator'>,
	groupId: string,
	given: {
		meanwhile: Meanwhile[];
		idOf: (person: number) => string;
		hire: (stranger: number) => void;
		/** Which reads of a group leave members out. */
		cutsRead: (read: number) => boolean;
		shown: number | null;
	},
): GroupTruth {
	const members = (): Set<string> => {
		const group = emulator.state.recipientGroups.get(groupId);
		if (!group) throw new Error('The group is gone');
		return group.members;
	};
	const truth = new GroupTruth(members());
	let count = 0;
	let reads = 0;
	emulator.onRequest((request) => {
		const { method, path } = request;
		if (!path.includes('/recipientGroup')) return;
		truth.observe(members());
		for (const event of given.meanwhile) {
			if (event.before !== count) continue;
			if (event.do === 'hire') {
				given.hire(event.stranger);
				continue;
			}
			const id = given.idOf(event.person);
			if (event.do === 'join') members().add(id);
			else members().delete(id);
			truth.othersMove(id, event.do === 'join');
		}
		count += 1;
		if (method === 'GET' && /recipientGroup\/[^/]+$/.test(path)) {
			const isCut = given.shown !== null && given.cutsRead(reads++);
			emulator.switches.leadsTruncated = isCut ? given.shown : null;
			const isWhole = !isCut || members().size <= (given.shown ?? 0);
			if (path.endsWith(`/${groupId}`)) truth.read(request, isWhole);
		}
	});
	return truth;
}
