import type { RecordedRequest } from '../../emulator/emulator.mts';
import { isDataObject } from '../../nodes/shared/guards.ts';
import type { Service } from './service.mts';

/** What others do in the service while a sync runs, before the request with this number (from 0) is carried out. */
export type Meanwhile =
	| { before: number; do: 'join' | 'leave'; person: number }
	/** Somebody whom the service did not know becomes one of its people. */
	| { before: number; do: 'hire'; stranger: number };

/** How somebody came into a group or left it, and by whom. */
type Move = { by: 'us' | 'others'; into: boolean };

/** Who was in the group when, apart from anything that the node says. */
export class GroupTruth {
	/** The group when the sync read it last before its first change of anything. */
	before: ReadonlySet<string> = new Set();
	/** Who was in it when the sync took the first one out. */
	atFirstRemoval: ReadonlySet<string> | undefined;
	private members = new Set<string>();
	private moves = new Map<string, Move[]>();
	private nothingChangedYet = true;
	private readonly reads: Array<{ request: RecordedRequest; ids: Set<string> }> = [];

	/** @param now the members, by id */
	begin(now: Iterable<string>): void {
		this.members = new Set(now);
		this.before = new Set(now);
	}

	/** Takes over what the sync did since the last look. */
	look(now: ReadonlySet<string>): void {
		const membersBefore = this.members;
		this.members = new Set(now);
		for (const id of now) if (!membersBefore.has(id)) this.note(id, { by: 'us', into: true });
		for (const id of membersBefore) {
			if (now.has(id)) continue;
			this.atFirstRemoval ??= new Set([...membersBefore, ...now]);
			this.note(id, { by: 'us', into: false });
		}
	}

	othersMove(id: string, into: boolean): void {
		if (this.members.has(id) === into) return;
		if (into) this.members.add(id);
		else this.members.delete(id);
		this.note(id, { by: 'others', into });
	}

	/** A read of the group. @param isWhole whether it shows all members, if it is answered */
	read(request: RecordedRequest, isWhole: boolean): void {
		if (this.nothingChangedYet) {
			this.before = new Set(this.members);
			this.moves.clear();
		}
		if (isWhole) this.reads.push({ request, ids: new Set(this.members) });
	}

	/** A request that may change something. */
	changeBegins(): void {
		this.nothingChangedYet = false;
	}

	/** The group when it was last read and every member of it shown. */
	get lastShown(): ReadonlySet<string> | undefined {
		return this.reads.findLast(({ request }) => isAnswered(request))?.ids;
	}

	has(id: string): boolean {
		return this.members.has(id);
	}

	get size(): number {
		return this.members.size;
	}

	/** Everybody who was in the group at some time. */
	get everybody(): Set<string> {
		return new Set([...this.before, ...this.moves.keys()]);
	}

	/** Whether somebody came in, or left, since the group was read; by anybody or by one side. */
	moved(id: string, into: boolean, by?: Move['by']): boolean {
		const moves = this.moves.get(id) ?? [];
		return moves.some((move) => move.into === into && (by === undefined || move.by === by));
	}

	private note(id: string, move: Move): void {
		this.moves.set(id, [...(this.moves.get(id) ?? []), move]);
	}
}

/** The recipients that a request names, as they were sent. */
export function namedIn({ body }: RecordedRequest): string[] {
	const { recipientEmails, recipientIds } = isDataObject(body) ? body : {};
	const named: unknown = recipientEmails ?? recipientIds;
	return Array.isArray(named) ? named.map(String) : [];
}

/** Whether nobody can tell from its answer whether a change was carried out: a 5xx, a web page, or no answer at all. */
export function isUncertain({ status, fault }: RecordedRequest): boolean {
	return status === 0 || status >= 500 || fault === 'html' || fault === PAGE_AFTER;
}

function isAnswered({ status, fault }: RecordedRequest): boolean {
	return status === 200 && fault === undefined;
}

/** What the log of requests calls an answer 200 in the place of the service's own. */
const PAGE_AFTER = 'status 200';

/**
 * Whether the service refused somebody who was sent alone: in the documented words, by id in any.
 *
 * @param names in lower case
 */
export function isRefusedAlone(
	request: RecordedRequest,
	names: string[],
	byEmail: boolean,
): boolean {
	const { status, answer, fault } = request;
	if (![200, 400].includes(status) || answer?.success !== false) return false;
	if (fault !== undefined && fault !== 'refuse') return false;
	const [name = '', ...others] = namedIn(request);
	if (others.length > 0 || !names.includes(name.toLowerCase())) return false;
	return !byEmail || /^Not all emails/.test(answer.message ?? '');
}

/** Lets others do their part while a sync runs, and keeps book of who is in the group. */
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
	const truth = new GroupTruth();
	const members = (): Set<string> => {
		const group = emulator.state.recipientGroups.get(groupId);
		if (!group) throw new Error('The group is gone');
		return group.members;
	};
	truth.begin(members());
	let count = 0;
	let reads = 0;
	emulator.onRequest((request) => {
		const { method, path } = request;
		if (!path.includes('/recipientGroup')) return;
		truth.look(members());
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
		if (method !== 'GET') truth.changeBegins();
		else if (/recipientGroup\/[^/]+$/.test(path)) {
			const isCut = given.shown !== null && given.cutsRead(reads++);
			emulator.switches.leadsTruncated = isCut ? given.shown : null;
			const isWhole = !isCut || members().size <= (given.shown ?? 0);
			if (path.endsWith(`/${groupId}`)) truth.read(request, isWhole);
		}
	});
	return truth;
}
