import type { SurveyRow } from '../../shared/surveyData';
import { CAMPAIGN_READ, eventNumbers, EVENTS, SURVEY_SUBMITTED, type EventName } from '../events';
import {
	earlierKeysOfContent,
	keyedRows,
	submittedAt,
	userKeys,
	type KeyedRow,
	type RowsOfSurvey,
} from './rowKey';
import { addTo, countOf, type Counts, type SeenKind, type SeenRows } from './seenRows';

/** One event that happened to one row. */
export type NewEvent = { event: EventName; row: SurveyRow };

/** The rows of which an event was not seen, and what becomes of them. */
type Comparison = {
	/** New rows. */
	added: KeyedRow[];
	/** Rows that were taken for others, which are back now: new after all. */
	mistaken: KeyedRow[];
	changed: boolean;
};

/**
 * Finds which events of interest are new in a response, and notes them in `seen`. What is missing from the response
 * stays seen.
 *
 * A row with a user ID is known by it. A row without one is known by its content, which changes when somebody goes on
 * answering or edits an answer, so what is not known is compared with what is missing:
 * - An earlier stage of it (fewer answers, not yet submitted) that is missing is this row.
 * - What was submitted later than anything seen is new.
 * - Any other takes the place of a missing one as long as there is one: it is an edited row, or one that lost its user ID.
 *   It is remembered as an alias; when the missing one comes back, there is one row more, and the latest of these is new.
 *
 * @param events the events of interest, as a set
 * @param last the latest time of submission that was seen, -Infinity when none was
 * @param isNews whether an event (by number) that was not seen before is emitted, or only noted
 * @returns the new events in the order of the response, the rows with events of interest, and whether `seen` has changed
 */
export function findNewEvents(
	seen: SeenRows,
	survey: RowsOfSurvey,
	events: number,
	last: number,
	isNews: (row: SurveyRow, event: number) => boolean,
): { news: NewEvent[]; rows: KeyedRow[]; changed: boolean } {
	const rows = keyedRows(survey, events);
	const unseen = unseenRows(seen, rows);
	const found: Array<{ event: number; row: KeyedRow }> = [];
	let changed = false;
	for (const event of eventNumbers(events)) {
		const comparison = compareEvent(seen, survey, rows, unseen[event] ?? [], event, last);
		changed ||= comparison.changed;
		for (const row of comparison.mistaken) seen.remove('alias', event, row.key);
		for (const row of [...comparison.added, ...comparison.mistaken]) {
			seen.add(row.kind, event, row.key);
			found.push({ event, row });
		}
	}
	const news = found
		.filter(({ event, row }) => isNews(row.row, event))
		.sort((a, b) => a.row.index - b.row.index)
		.flatMap(({ event, row: { row } }) => {
			const name = EVENTS[event];
			return name === undefined ? [] : [{ event: name, row }];
		});
	return { news, rows, changed: changed || found.length > 0 };
}

/** By event the rows of which it was not seen: each user once, of equal rows without a user ID the last ones. */
function unseenRows(seen: SeenRows, rows: KeyedRow[]): KeyedRow[][] {
	const unseen: KeyedRow[][] = EVENTS.map(() => []);
	for (const [key, equal] of groupByKey(rows)) {
		const kind = equal[0]?.kind ?? 'user';
		const known = seen.eventsOf(kind, key) | seen.eventsOf('alias', key);
		// Nearly all rows are done with here.
		if (
			equal.every(({ events }) => (events & ~known) === 0) &&
			(kind === 'user' || equal.length === 1)
		)
			continue;
		for (const event of EVENTS.keys()) {
			const present = equal.filter(({ events }) => (events & (1 << event)) !== 0);
			const count = seen.count(kind, event, key) + seen.count('alias', event, key);
			unseen[event]?.push(...present.slice(count, kind === 'user' ? 1 : undefined));
		}
	}
	return unseen;
}

function groupByKey(rows: KeyedRow[]): Map<string, KeyedRow[]> {
	const groups = new Map<string, KeyedRow[]>();
	for (const row of rows) {
		const group = groups.get(row.key);
		if (group) group.push(row);
		else groups.set(row.key, [row]);
	}
	return groups;
}

function compareEvent(
	seen: SeenRows,
	survey: RowsOfSurvey,
	rows: KeyedRow[],
	unseen: KeyedRow[],
	event: number,
	last: number,
): Comparison {
	const hasEvent = ({ events }: KeyedRow) => (events & (1 << event)) !== 0;
	const [users, content] = [
		unseen.filter(({ kind }) => kind === 'user'),
		unseen.filter(({ kind }) => kind !== 'user'),
	];
	if (content.length === 0 && seen.total('alias', event) === 0)
		return { added: users, mistaken: [], changed: false };

	const present: Counts = new Map();
	for (const row of rows) if (row.kind !== 'user' && hasEvent(row)) addTo(present, row.key, 1);
	// What was seen of somebody is accounted for, whatever has become of it.
	for (const key of userKeys(survey)) present.set(key, 1);
	const left = content.filter((row) => !takeEarlierStage(seen, present, event, row));
	const missing = (kind: SeenKind) => missingFrom(present, seen.counts(kind, event));
	// What may have had no date so far.
	let undated = missing('undated') + missing('user');
	let unaccounted = undated + missing('dated') - aliasesPresent(seen, present, event);
	const mistaken =
		unaccounted < 0 ? latestAliases(seen, rows.filter(hasEvent), event, -unaccounted) : [];
	// The oldest ones take the places of what is missing, so that the newest are the new ones.
	const edited = new Set<KeyedRow>();
	for (const row of [...left].sort(byTime)) {
		const at = submittedAt(row.row);
		// Submitting is what gives a row its date: what was undated until then may be there as responded or read already.
		const isLate = at > last;
		const mayBeEdited = !isLate || (event !== SURVEY_SUBMITTED && undated > 0);
		if (unaccounted <= 0 || !mayBeEdited) continue;
		unaccounted--;
		if (isLate || Number.isNaN(at)) undated--;
		edited.add(row);
		seen.add('alias', event, row.key);
	}
	return {
		added: [...users, ...left.filter((row) => !edited.has(row))],
		mistaken,
		changed: edited.size > 0 || left.length < content.length,
	};
}

/** Takes a row for one that was seen at an earlier stage, under another key that is missing now. */
function takeEarlierStage(
	seen: SeenRows,
	present: Counts,
	event: number,
	{ kind, key, row }: KeyedRow,
): boolean {
	for (const earlier of earlierKeysOfContent(row)) {
		const own = seen.count('undated', event, earlier);
		const aliases = seen.count('alias', event, earlier);
		if (own + aliases <= countOf(present, earlier)) continue;
		seen.remove(own > 0 ? 'undated' : 'alias', event, earlier);
		seen.add(own > 0 ? kind : 'alias', event, key);
		return true;
	}
	return false;
}

/** How many of the rows seen are missing from the response. */
function missingFrom(present: Counts, counts: Counts): number {
	let sum = 0;
	for (const [key, count] of counts) sum += Math.max(0, count - countOf(present, key));
	return sum;
}

/** How many of the aliases are in the response, beside rows that are known by the same key. */
function aliasesPresent(seen: SeenRows, present: Counts, event: number): number {
	let sum = 0;
	for (const [key, count] of seen.counts('alias', event)) {
		const own = seen.count('dated', event, key) + seen.count('undated', event, key);
		sum += Math.max(0, Math.min(countOf(present, key) - own, count));
	}
	return sum;
}

/** The latest of the rows that are in the response as aliases. */
function latestAliases(seen: SeenRows, rows: KeyedRow[], event: number, count: number): KeyedRow[] {
	const left = seen.counts('alias', event);
	return rows
		.filter(({ key }) => left.has(key))
		.sort(byTime)
		.reverse()
		.filter(({ key }) => addTo(left, key, -1) >= 0)
		.slice(0, count);
}

/**
 * Takes the rows of the last response of a closed campaign out of `seen`: from then on what was submitted up to `last` is
 * known by its date. What has no such date stays, and so does what is missing from the response.
 *
 * @returns the events whose rows are still told one by one; without `campaignRead`, which has no date of its own
 */
export function prune(seen: SeenRows, rows: KeyedRow[], events: number, last: number): number {
	for (const { row, kind, key, events: happened } of rows) {
		if (!(submittedAt(row) <= last)) continue;
		for (const event of eventNumbers(happened))
			seen.remove(seen.count(kind, event, key) > 0 ? kind : 'alias', event, key);
	}
	return events & ~(1 << CAMPAIGN_READ);
}

/** Earliest first; what has no date comes before all. */
function byTime({ row: a }: KeyedRow, { row: b }: KeyedRow): number {
	return (submittedAt(a) || 0) - (submittedAt(b) || 0);
}
