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
import { addTo, RowFingerprints, type PackedRows } from './rowFingerprints';

/** One event that happened to one row. */
export type NewEvent = { event: EventName; row: SurveyRow };

type Survey = Pick<SurveyData, 'anonymous' | 'result'>;

/** What to do with an unseen event: emit it, mark it as seen, or ignore it. */
export type Decision = 'emit' | 'note' | 'skip';

/** The rows with an unseen event. `mistaken` holds those that an earlier poll took for edits of other rows. */
type Found = { event: number; rows: Map<SurveyRow, KeyedRow>; mistaken: Set<KeyedRow> };

/** The rows of the survey data that have selected events. */
type Present = {
	/** Rows with a user ID and an unseen event, by event and key. */
	unseenUsers: Array<Map<string, KeyedRow>>;
	/** Rows without a user ID, by key; of equal rows, only the first. */
	content: Map<string, SurveyRow>;
	/** The other equal rows, by key. Equal rows are rare. */
	equals: Map<string, SurveyRow[]>;
};

/** How the rows without a user ID differ from the saved ones, for one event. */
type Comparison = {
	/** New rows. */
	added: KeyedRow[];
	/** New rows that were mistaken for edits of missing rows. The missing rows have since come back. */
	mistaken: KeyedRow[];
	changed: boolean;
};

const NO_DIFFERENCE: Comparison = { added: [], mistaken: [], changed: false };

/**
 * Unpacks the saved rows that differ from the survey data. Nearly all rows are unchanged and need no further work.
 *
 * @param wanted the selected events, as a set: a number with one bit per event
 * @param isBaseline whether every row counts as seen from now on, new or not
 * @returns the seen rows, and the rows of the survey data to compare with them
 * @throws DamagedRowsError if the saved rows cannot be read
 */
export function unpackChanged(
	packed: PackedRows,
	{ anonymous = false, result }: Survey,
	wanted: number,
	isBaseline: boolean,
): { seen: RowFingerprints; rows: SurveyRow[] } {
	const present: Record<RowKind, string[][]> = { user: [], dated: [], undated: [] };
	// Without saved rows, every row is new.
	const areAllNew = Object.keys(packed).length === 0 && !isBaseline;
	const keys = (areAllNew ? [] : result).map((row) => {
		const events = eventsOf(row) & wanted;
		if (events === 0) return undefined;
		const userId = userIdOf(row, anonymous);
		const kind = userId === undefined ? kindOfContent(row) : 'user';
		const key = userId === undefined ? keyOfContent(row) : keyOfUser(userId);
		(present[kind][events] ??= []).push(key);
		return key;
	});
	const { seen, changed } = isBaseline
		? RowFingerprints.ofBaseline(present)
		: RowFingerprints.unpack(packed, present);
	const isChanged = (key?: string): boolean => key === undefined || changed.has(key);
	return { seen, rows: result.filter((_, index) => isChanged(keys[index])) };
}

/**
 * Finds the new events of the survey data and marks them in `seen`. Rows missing from the survey data stay seen.
 *
 * A user ID identifies a row. A row without a user ID is identified by its content. People continue and edit their answers,
 * so a row that was not seen in this form may be a seen row that has changed. Unseen rows are therefore compared with the
 * seen rows that are missing from the survey data:
 * - A missing row that is an earlier stage of an unseen row (fewer answers, not submitted) is the same row. A missing row
 *   without a user ID is also the same row as an unseen row that has a user ID and the same content.
 * - A row submitted later than all seen rows is new if all missing rows are known to have been submitted.
 * - Any other unseen row is taken for a missing row that was edited or lost its user ID, as long as missing rows are left.
 *   The unseen row is saved as an alias, the new form of a missing row. If the missing row comes back, the latest alias was
 *   a new row after all.
 *
 * @param events the events of interest, as a set: a number with one bit per event
 * @param last the latest time of submission seen, -Infinity if none
 * @param decide decides about an unseen event of a row
 * @param most maximum number of events to emit; the others stay unseen
 * @returns the new events in the order of the rows, the rows that stay unseen, and whether `seen` changed
 */
export function findNewEvents(
	seen: RowFingerprints,
	survey: Survey,
	events: number,
	last: number,
	decide: (row: KeyedRow, event: number) => Decision,
	most: number,
): { newEvents: NewEvent[]; held: SurveyRow[]; changed: boolean } {
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
	const newEvents: NewEvent[] = [];
	const held: SurveyRow[] = [];
	for (const row of survey.result) {
		for (const { event, rows, mistaken } of found) {
			const keyed = rows.get(row);
			const name = EVENTS[event];
			if (keyed === undefined || name === undefined) continue;
			rows.delete(row);
			const decision = decide(keyed, event);
			if (decision === 'skip') continue;
			if (decision === 'emit' && newEvents.length >= most) {
				held.push(row);
				continue;
			}
			if (decision === 'emit') newEvents.push({ event: name, row });
			if (mistaken.has(keyed)) seen.remove('alias', event, keyed.key);
			seen.add(keyed.kind, event, keyed.key);
			changed = true;
		}
	}
	return { newEvents, held, changed };
}

/** Returns the rows with a user ID that are new for `event`. A row that was already seen without its user ID is not new. */
function newUsers(
	seen: RowFingerprints,
	present: Present,
	event: number,
): { added: KeyedRow[]; changed: boolean } {
	const unseen = [...(present.unseenUsers[event]?.values() ?? [])];
	const added = withoutFormer(seen, present, event, unseen);
	return { added, changed: added.length < unseen.length };
}

function presentRows(
	seen: RowFingerprints,
	{ anonymous = false, result }: Survey,
	wanted: number,
): Present {
	const unseenUsers = EVENTS.map(() => new Map<string, KeyedRow>());
	const content = new Map<string, SurveyRow>();
	const equals = new Map<string, SurveyRow[]>();
	for (const row of result) {
		const events = eventsOf(row) & wanted;
		if (events === 0) continue;
		const userId = userIdOf(row, anonymous);
		if (userId !== undefined) {
			const key = keyOfUser(userId);
			const known = seen.eventsOf('user', key) | seen.eventsOf('alias', key);
			const keyed: KeyedRow = { row, kind: 'user', key };
			for (const [event, users] of unseenUsers.entries())
				if ((events & ~known & (1 << event)) !== 0 && !users.has(key)) users.set(key, keyed);
			continue;
		}
		const key = keyOfContent(row);
		const others = equals.get(key);
		if (!content.has(key)) content.set(key, row);
		else if (others) others.push(row);
		else equals.set(key, [row]);
	}
	return { unseenUsers, content, equals };
}

/** Returns the rows without a user ID that have the given key and the given event. */
function rowsWith({ content, equals }: Present, key: string, event: number): KeyedRow[] {
	const first = content.get(key);
	return (first ? [first, ...(equals.get(key) ?? [])] : [])
		.filter((row) => (eventsOf(row) & (1 << event)) !== 0)
		.map((row) => ({ row, kind: kindOfContent(row), key }));
}

/** Counts the rows without a user ID that have the given event. */
function countRows({ content, equals }: Present, event: number): number {
	let count = 0;
	for (const rows of [content.values(), [...equals.values()].flat()])
		for (const row of rows) if ((eventsOf(row) & (1 << event)) !== 0) count++;
	return count;
}

/** Decides which rows without a user ID are new, for one event. */
function compareContent(
	seen: RowFingerprints,
	{ anonymous = false, result }: Survey,
	present: Present,
	event: number,
	last: number,
): Comparison {
	// If there are more equal rows than were seen, the last ones count as new.
	const unseen = [...present.content.keys()].flatMap((key) =>
		rowsWith(present, key, event).filter(
			({ kind }, index) => index >= seen.count(kind, event, key) + seen.count('alias', event, key),
		),
	);
	if (unseen.length === 0 && seen.total('alias', event) === 0) return NO_DIFFERENCE;
	const left = withoutFormer(seen, present, event, unseen);
	// A seen row of a user who is in the survey data is not missing, even if its content changed.
	const users = new Set<string>();
	const aliases = new Set<string>();
	for (const row of result) {
		const userId = userIdOf(row, anonymous);
		if (userId === undefined) continue;
		const key = keyOfUser(userId);
		if (seen.count('user', event, key) > 0) users.add(key);
		else if (seen.count('alias', event, key) > 0) aliases.add(key);
	}
	const missingUsers = seen.total('user', event) - users.size;
	// The number of missing rows that no alias replaces.
	let missing =
		missingUsers +
		seen.total('dated', event) +
		seen.total('undated', event) -
		(countRows(present, event) - left.length) -
		aliases.size;
	const mistaken = latestAliases(seen, present, event, Math.max(-missing, 0));
	// The number of missing rows that may have had no date. A row gets its date when it is submitted.
	let undated = 0;
	if (event !== SURVEY_SUBMITTED) {
		undated = missingUsers;
		for (const [key, count] of seen.counts('undated', event))
			undated += Math.max(0, count - rowsWith(present, key, event).length);
	}
	// The oldest unseen rows are taken for the missing rows, so the newest unseen rows count as new.
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

/** Returns the rows that were not seen under an earlier key. In `seen`, moves the other rows to their current keys. */
function withoutFormer(
	seen: RowFingerprints,
	present: Present,
	event: number,
	rows: KeyedRow[],
): KeyedRow[] {
	const total =
		seen.total('dated', event) + seen.total('undated', event) + seen.total('alias', event);
	// Rows seen under an earlier key are saved as one of these kinds. Without such rows, there is nothing to look for.
	if (total === 0) return rows;
	return rows.filter((row) => !takeFormer(seen, present, event, row));
}

/**
 * If a missing row was seen under an earlier key of `row`, it is the same row: marks the current key as seen instead of the
 * earlier one, and returns true.
 */
function takeFormer(
	seen: RowFingerprints,
	present: Present,
	event: number,
	row: KeyedRow,
): boolean {
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

/** Returns the latest rows that are saved as aliases. */
function latestAliases(
	seen: RowFingerprints,
	present: Present,
	event: number,
	count: number,
): KeyedRow[] {
	const left = seen.counts('alias', event);
	return [...left.keys()]
		.flatMap((key) => rowsWith(present, key, event))
		.sort(byTime)
		.reverse()
		.filter(({ key }) => addTo(left, key, -1) >= 0)
		.slice(0, count);
}

/**
 * For a closed campaign, drops the saved rows that were submitted at or before `last`: their dates alone show that the
 * trigger has seen them. Rows without such a date, and rows missing from the survey data, stay.
 *
 * @returns the rows to save, with their seen events except `campaignRead`: this event gets a new baseline if the campaign
 *   is reopened, because a row has no time of reading
 */
export function prune(
	packed: PackedRows,
	{ anonymous = false, result }: Survey,
	events: number,
	last: number,
): PackedRows {
	const { seen } = RowFingerprints.unpack(packed);
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

/** Sorts by time, rows without a date first. */
function byTime({ row: a }: KeyedRow, { row: b }: KeyedRow): number {
	return (submittedAt(a) || 0) - (submittedAt(b) || 0);
}
