import type { SurveyData, SurveyRow } from '../../shared/surveyData';
import {
	CAMPAIGN_READ,
	eventNumbers,
	EVENTS,
	eventsOf,
	SURVEY_SUBMITTED,
	type EventName,
} from '../events';
import {
	formerKeys,
	keyOfContent,
	keyOfUser,
	kindOfContent,
	submittedAt,
	userIdOf,
	type KeyedRow,
	type RowKind,
} from './rowKey';
import { addTo, SeenRows, type PackedRows } from './seenRows';

/** One event that happened to one row. */
export type NewEvent = { event: EventName; row: SurveyRow };

type Survey = Pick<SurveyData, 'anonymous' | 'result'>;

/** What to do about an event that was not seen before: emit it, only note it, or leave it as it is. */
export type Decision = 'emit' | 'note' | 'skip';

/** The rows of which an event was not seen; the mistaken ones of them were taken for others so far. */
type Found = { event: number; rows: Map<SurveyRow, KeyedRow>; mistaken: Set<KeyedRow> };

/** The rows of a response to which events of interest have happened. */
type Present = {
	/** By event and key the rows with a user ID of which it was not seen. */
	unseenUsers: Array<Map<string, KeyedRow>>;
	/** By key the rows without a user ID; of equal ones the first, because nearly all are unlike all others. */
	content: Map<string, SurveyRow>;
	/** The others of equal rows without a user ID. */
	equals: Map<string, SurveyRow[]>;
	/** The keys of content of which not every event was seen, or not so often. */
	unknown: Set<string>;
};

/** How the rows without a user ID compare with the saved ones, for one event. */
type Comparison = {
	/** New rows. */
	added: KeyedRow[];
	/** Rows that were taken for others, which are back now: new after all. */
	mistaken: KeyedRow[];
	changed: boolean;
};

/**
 * Reads the saved rows that changed in the response; nearly all are unchanged.
 *
 * @param wanted the events of interest, as a set
 * @returns the rows seen, and the rows of the response to compare with them
 * @throws DamagedRowsError when the saved rows cannot be read
 */
export function unpackChanged(
	packed: PackedRows,
	{ anonymous = false, result }: Survey,
	wanted: number,
): { seen: SeenRows; rows: SurveyRow[] } {
	const present: Record<RowKind, string[][]> = { user: [], dated: [], undated: [] };
	// Before anything was seen nothing is unchanged.
	const isFirst = Object.keys(packed).length === 0;
	const keys = (isFirst ? [] : result).map((row) => {
		const events = eventsOf(row) & wanted;
		if (events === 0) return undefined;
		const userId = userIdOf(row, anonymous);
		const kind = userId === undefined ? kindOfContent(row) : 'user';
		const key = userId === undefined ? keyOfContent(row) : keyOfUser(userId);
		(present[kind][events] ??= []).push(key);
		return key;
	});
	const { seen, changed } = SeenRows.unpack(packed, present);
	const isChanged = (key?: string): boolean => key === undefined || changed.has(key);
	return { seen, rows: result.filter((_, index) => isChanged(keys[index])) };
}

/**
 * Finds which events of interest are new in a response, and notes them in `seen`. What is missing from the response
 * stays seen.
 *
 * A row with a user ID is known by it. A row without one is known by its content, which changes when somebody goes on
 * answering or edits an answer, so what is not known is compared with what is missing:
 * - An earlier stage of it (fewer answers, not yet submitted) that is missing is this row; so is, for a row with a user ID
 *   that was not seen, a missing one with the same content.
 * - What was submitted later than anything seen is new.
 * - Any other takes the place of a missing one as long as there is one: it is an edited row, or one that lost its user ID.
 *   It is remembered as an alias; when the missing one comes back, there is one row more, and the latest of these is new.
 *
 * @param events the events of interest, as a set
 * @param last the latest time of submission that was seen, -Infinity when none was
 * @param decide what to do about an event (by number) that was not seen before
 * @param most so many events are emitted; what is beyond them stays unseen
 * @returns the new events in the order of the response, the rows that stay unseen, and whether `seen` has changed
 */
export function findNewEvents(
	seen: SeenRows,
	survey: Survey,
	events: number,
	last: number,
	decide: (row: KeyedRow, event: number) => Decision,
	most: number,
): { news: NewEvent[]; held: SurveyRow[]; changed: boolean } {
	const present = presentRows(seen, survey, events);
	let changed = false;
	const found = eventNumbers(events).map((event): Found => {
		const users = newUsers(seen, present, event);
		const comparison = compareContent(seen, survey, present, event, last);
		changed ||= users.changed || comparison.changed;
		const rows = new Map<SurveyRow, KeyedRow>();
		for (const added of [users.added, comparison.added, comparison.mistaken])
			for (const keyed of added) rows.set(keyed.row, keyed);
		return { event, rows, mistaken: new Set(comparison.mistaken) };
	});
	const news: NewEvent[] = [];
	const held: SurveyRow[] = [];
	for (const row of found.some(({ rows }) => rows.size > 0) ? survey.result : []) {
		for (const { event, rows, mistaken } of found) {
			const keyed = rows.get(row);
			const name = EVENTS[event];
			if (keyed === undefined || name === undefined) continue;
			rows.delete(row);
			const decision = decide(keyed, event);
			if (decision === 'skip') continue;
			if (decision === 'emit' && news.length >= most) {
				held.push(row);
				continue;
			}
			if (decision === 'emit') news.push({ event: name, row });
			if (mistaken.has(keyed)) seen.remove('alias', event, keyed.key);
			seen.add(keyed.kind, event, keyed.key);
			changed = true;
		}
	}
	return { news, held, changed };
}

/** The rows with a user ID of which one event was not seen, without those that had none when it was seen. */
function newUsers(
	seen: SeenRows,
	present: Present,
	event: number,
): { added: KeyedRow[]; changed: boolean } {
	const unseen = [...(present.unseenUsers[event]?.values() ?? [])];
	const added = withoutFormer(seen, present, event, unseen);
	return { added, changed: added.length < unseen.length };
}

function presentRows(
	seen: SeenRows,
	{ anonymous = false, result }: Survey,
	wanted: number,
): Present {
	const unseenUsers = EVENTS.map(() => new Map<string, KeyedRow>());
	const content = new Map<string, SurveyRow>();
	const equals = new Map<string, SurveyRow[]>();
	const unknown = new Set<string>();
	for (const row of result) {
		const events = eventsOf(row) & wanted;
		if (events === 0) continue;
		const userId = userIdOf(row, anonymous);
		if (userId !== undefined) {
			const key = keyOfUser(userId);
			const known = seen.eventsOf('user', key) | seen.eventsOf('alias', key);
			if ((events & ~known) === 0) continue;
			const keyed: KeyedRow = { row, kind: 'user', key };
			for (const event of eventNumbers(events & ~known))
				if (!unseenUsers[event]?.has(key)) unseenUsers[event]?.set(key, keyed);
			continue;
		}
		const key = keyOfContent(row);
		const known = seen.eventsOf(kindOfContent(row), key) | seen.eventsOf('alias', key);
		const isEqual = content.has(key);
		const others = equals.get(key);
		if (!isEqual) content.set(key, row);
		else if (others) others.push(row);
		else equals.set(key, [row]);
		if (isEqual || (events & ~known) !== 0) unknown.add(key);
	}
	return { unseenUsers, content, equals, unknown };
}

/** The rows under a key to which an event has happened. */
function rowsWith({ content, equals }: Present, key: string, event: number): KeyedRow[] {
	const first = content.get(key);
	return (first ? [first, ...(equals.get(key) ?? [])] : [])
		.filter((row) => (eventsOf(row) & (1 << event)) !== 0)
		.map((row) => ({ row, kind: kindOfContent(row), key }));
}

/** How many rows without a user ID there are to which an event has happened. */
function countRows({ content, equals }: Present, event: number): number {
	let count = 0;
	for (const rows of [content.values(), [...equals.values()].flat()])
		for (const row of rows) if ((eventsOf(row) & (1 << event)) !== 0) count++;
	return count;
}

/** Decides about the rows without a user ID of which one event was not seen. */
function compareContent(
	seen: SeenRows,
	{ anonymous = false, result }: Survey,
	present: Present,
	event: number,
	last: number,
): Comparison {
	// Of equal rows the last ones count as new.
	const unseen = [...present.unknown].flatMap((key) =>
		rowsWith(present, key, event).filter(
			({ kind }, index) => index >= seen.count(kind, event, key) + seen.count('alias', event, key),
		),
	);
	if (unseen.length === 0 && seen.total('alias', event) === 0)
		return { added: [], mistaken: [], changed: false };
	const left = withoutFormer(seen, present, event, unseen);
	// What was seen of somebody is accounted for, whatever has become of it.
	const users = new Set<string>();
	const aliases = new Set<string>();
	for (const row of result) {
		const userId = userIdOf(row, anonymous);
		const key = userId === undefined ? undefined : keyOfUser(userId);
		if (key === undefined) continue;
		if (seen.count('user', event, key) > 0) users.add(key);
		else if (seen.count('alias', event, key) > 0) aliases.add(key);
	}
	const missingUsers = seen.total('user', event) - users.size;
	// Rows that are missing, without those whose places others have taken.
	let missing =
		missingUsers +
		seen.total('dated', event) +
		seen.total('undated', event) -
		(countRows(present, event) - left.length) -
		aliases.size;
	const mistaken = missing < 0 ? latestAliases(seen, present, event, -missing) : [];
	// Submitting is what gives a row its date: of other events, what is missing may have had none so far.
	let undated = 0;
	if (event !== SURVEY_SUBMITTED && missing > 0) {
		undated = missingUsers;
		for (const [key, count] of seen.counts('undated', event))
			undated += Math.max(0, count - rowsWith(present, key, event).length);
	}
	// The oldest ones take the places of what is missing, so that the newest are the new ones.
	const edited = new Set<KeyedRow>();
	for (const row of [...left].sort(byTime)) {
		const at = submittedAt(row.row);
		const isLate = at > last;
		if (missing <= 0 || (isLate && undated <= 0)) continue;
		missing--;
		if (isLate || Number.isNaN(at)) undated--;
		edited.add(row);
		seen.add('alias', event, row.key);
	}
	return {
		added: left.filter((row) => !edited.has(row)),
		mistaken,
		changed: edited.size > 0 || left.length < unseen.length,
	};
}

/** The rows that were not seen under another key, either. */
function withoutFormer(
	seen: SeenRows,
	present: Present,
	event: number,
	rows: KeyedRow[],
): KeyedRow[] {
	const kinds = ['dated', 'undated', 'alias'] as const;
	// At a baseline, no other key of 100,000 rows need be worked out.
	if (kinds.every((kind) => seen.total(kind, event) === 0)) return rows;
	return rows.filter((row) => !takeFormer(seen, present, event, row));
}

/** Takes a row for one that was seen under another key, which is missing now. */
function takeFormer(seen: SeenRows, present: Present, event: number, row: KeyedRow): boolean {
	for (const former of formerKeys(row)) {
		const own = seen.count(former.kind, event, former.key);
		const known = own + seen.count('alias', event, former.key);
		if (known <= rowsWith(present, former.key, event).length) continue;
		seen.remove(own > 0 ? former.kind : 'alias', event, former.key);
		seen.add(own > 0 ? row.kind : 'alias', event, row.key);
		return true;
	}
	return false;
}

/** The latest of the rows that are in the response as aliases. */
function latestAliases(seen: SeenRows, present: Present, event: number, count: number): KeyedRow[] {
	const left = seen.counts('alias', event);
	return [...left.keys()]
		.flatMap((key) => rowsWith(present, key, event))
		.sort(byTime)
		.reverse()
		.filter(({ key }) => addTo(left, key, -1) >= 0)
		.slice(0, count);
}

/**
 * Takes the rows of the last response of a closed campaign out of the saved ones: from then on what was submitted up to
 * `last` is known by its date. What has no such date stays, and so does what is missing from the response.
 *
 * @returns what is to be saved, without `campaignRead`, which has no date of its own
 */
export function prune(
	packed: PackedRows,
	{ anonymous = false, result }: Survey,
	events: number,
	last: number,
): PackedRows {
	const { seen } = SeenRows.unpack(packed);
	for (const row of result) {
		if (!(submittedAt(row) <= last)) continue;
		const userId = userIdOf(row, anonymous);
		const kind = userId === undefined ? kindOfContent(row) : 'user';
		const key = userId === undefined ? keyOfContent(row) : keyOfUser(userId);
		for (const event of eventNumbers(eventsOf(row) & events))
			seen.remove(seen.count(kind, event, key) > 0 ? kind : 'alias', event, key);
	}
	return seen.pack(events & ~(1 << CAMPAIGN_READ));
}

/** Earliest first; what has no date comes before all. */
function byTime({ row: a }: KeyedRow, { row: b }: KeyedRow): number {
	return (submittedAt(a) || 0) - (submittedAt(b) || 0);
}
