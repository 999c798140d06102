import type { SurveyRow } from '../../shared/surveyData';
import type { EventName } from '../events';
import { CAMPAIGN_READ, eventNumbers, EVENTS, eventsOf, SURVEY_SUBMITTED } from '../events';
import type { Fingerprint } from './hash';
import { earlierKeysOfContent, keyOfContent, keyOfUser, userIdOf } from './rowKey';
import { KIND, type Kind, type RowFingerprints } from './rowFingerprints';

/** One event that happened to one row. */
export type NewEvent = { event: EventName; row: SurveyRow };

export type Answer = {
	rows: SurveyRow[];
	/** Whether the survey is anonymous: its rows are then known by their content alone. */
	anonymous: boolean;
};

/** A row without a user id of which more are there than were seen. */
type Surplus = { row: SurveyRow; events: number; key: Fingerprint; date: number };

/** When a row was submitted, in milliseconds since the epoch; NaN when it does not say it. */
export function submittedAt({ submittedDate }: SurveyRow): number {
	return typeof submittedDate === 'string' ? Date.parse(submittedDate) : NaN;
}

/**
 * Finds which events of interest are new in an answer, and notes them in `seen`. What is missing from the answer stays
 * seen. Costs one hash for each row to which an event of interest has happened, and nothing for the others.
 *
 * A row with a user id is known by it. A row without one is known by its content, which changes when somebody goes on
 * answering or edits an answer, so what is not known is weighed against what is missing:
 * - An earlier stage of it (fewer answers, not yet submitted) that is missing is this row.
 * - What was submitted later than anything seen is new.
 * - Any other takes the place of a missing one as long as there is one: it is an edited row, or one that lost its user id.
 *   It is remembered as such; when the missing one comes back, there is one row more, and the latest of these is new.
 *
 * @param events the events of interest, as a set
 * @param last the latest time of submission that was seen, -Infinity when none was
 * @param isNews whether an event (by number) that was not seen before is news, or is only noted
 * @returns the news in the order of the answer, rows with a user id first; and whether `seen` has changed
 */
export function compare(
	seen: RowFingerprints,
	{ rows, anonymous }: Answer,
	events: number,
	last: number,
	isNews: (row: SurveyRow, event: number) => boolean,
): { news: NewEvent[]; changed: boolean } {
	const news: NewEvent[] = [];
	let changed = false;
	const tell = (row: SurveyRow, event: number) => {
		const name = EVENTS[event];
		if (name !== undefined && isNews(row, event)) news.push({ event: name, row });
	};
	const note = (row: SurveyRow, event: number, key: Fingerprint, kind: Kind) => {
		seen.add(seen.placeOf(key, kind), event, 1);
		changed = true;
		tell(row, event);
	};

	const nothingSeen = seen.isEmpty;
	const surplus: Surplus[] = [];
	const key: Fingerprint = { high: 0, low: 0 };
	for (const row of rows) {
		const happened = eventsOf(row) & events;
		if (happened === 0) continue;
		const userId = userIdOf(row, anonymous);
		if (userId !== undefined) {
			keyOfUser(userId, key);
			const unseen = happened & ~seen.eventsAt(seen.placeOf(key, KIND.user));
			for (const event of eventNumbers(unseen)) note(row, event, key, KIND.user);
			continue;
		}
		keyOfContent(row, key);
		if (nothingSeen) {
			for (const event of eventNumbers(happened)) note(row, event, key, kindOfContent(row));
			continue;
		}
		const place = seen.knownPlaceOf(key) ?? seen.placeOf(key, kindOfContent(row));
		const alias = seen.aliasPlaceOf(key);
		let unseen = 0;
		for (let event = 0; happened >>> event !== 0; event++) {
			if ((happened & (1 << event)) === 0) continue;
			const known = seen.count(place, event) + countAt(seen, alias, event);
			// Of equal rows the last ones count as the new ones.
			if (seen.countPresent(place, event) > known) unseen |= 1 << event;
		}
		if (unseen !== 0)
			surplus.push({ row, events: unseen, key: { ...key }, date: submittedAt(row) });
	}
	if (surplus.length > 0 || seen.hasAliases) {
		markUsers(seen, rows, anonymous, events);
		for (const one of surplus) takeGrown(one);
		for (const event of eventNumbers(events)) weigh(event);
	}
	return { news, changed };

	/** Takes a row for one that was seen at an earlier stage of its life, under another key; that one is then given up. */
	function takeGrown(one: Surplus): void {
		for (const earlier of earlierKeysOfContent(one.row)) {
			const place = seen.knownPlaceOf(earlier);
			const alias = seen.aliasPlaceOf(earlier);
			for (const event of eventNumbers(one.events)) {
				const own = countAt(seen, place, event);
				const others = countAt(seen, alias, event);
				const present = place === undefined ? 0 : seen.presentCount(place, event);
				if (own + others <= present) continue;
				if (own > 0) {
					seen.add(seen.placeOf(earlier, KIND.undated), event, -1);
					seen.add(seen.placeOf(one.key, kindOfContent(one.row)), event, 1);
				} else {
					seen.addAlias(earlier, event, -1);
					seen.addAlias(one.key, event, 1);
				}
				one.events &= ~(1 << event);
				changed = true;
			}
		}
	}

	/** Decides which of the rows that are left are new. */
	function weigh(event: number): void {
		const { missing, aliases } = seen.tally(event);
		const missingOf = (kind: Kind) => missing[kind] ?? 0;
		// What may have had no date so far.
		let undated = missingOf(KIND.undated) + missingOf(KIND.user);
		let unaccounted = undated + missingOf(KIND.dated) - aliases;
		if (unaccounted < 0) tellAliases(event, -unaccounted);

		const left = surplus.filter((one) => (one.events & (1 << event)) !== 0);
		// The oldest ones take the places of what is missing, so that the newest are the new ones.
		const replaced = new Set<Surplus>();
		for (const one of [...left].sort(byTime)) {
			// Submitting is what gives a row its date: what was undated until then may be there as responded or read already.
			const isLate = one.date > last;
			const mayReplace = isLate ? event !== SURVEY_SUBMITTED && undated > 0 : true;
			if (unaccounted <= 0 || !mayReplace) continue;
			unaccounted--;
			if (isLate || Number.isNaN(one.date)) undated--;
			replaced.add(one);
		}
		for (const one of left) {
			if (!replaced.has(one)) {
				note(one.row, event, one.key, kindOfContent(one.row));
				continue;
			}
			seen.addAlias(one.key, event, 1);
			changed = true;
		}
	}

	/** What took the place of missing rows is new after all, because they are back: the latest ones. */
	function tellAliases(event: number, count: number): void {
		const candidates: Array<{ row: SurveyRow; key: Fingerprint; date: number }> = [];
		for (const row of rows) {
			if (userIdOf(row, anonymous) !== undefined || (eventsOf(row) & (1 << event)) === 0) continue;
			keyOfContent(row, key);
			if (countAt(seen, seen.aliasPlaceOf(key), event) > 0)
				candidates.push({ row, key: { ...key }, date: submittedAt(row) });
		}
		for (const { row, key: found } of candidates.sort(byTime).slice(-count)) {
			if (countAt(seen, seen.aliasPlaceOf(found), event) === 0) continue;
			seen.addAlias(found, event, -1);
			note(row, event, found, kindOfContent(row));
		}
	}
}

/**
 * Takes the rows of the last answer of a closed campaign out of `seen`: from then on what was submitted up to `last` is
 * known by its date. What has no such date stays, and so does what is missing from the answer.
 *
 * @returns the events whose rows are still told one by one; without `campaignRead`, which has no date of its own
 */
export function prune(
	seen: RowFingerprints,
	{ rows, anonymous }: Answer,
	events: number,
	last: number,
): number {
	const key: Fingerprint = { high: 0, low: 0 };
	for (const row of rows) {
		const happened = eventsOf(row) & events;
		if (happened === 0 || !(submittedAt(row) <= last)) continue;
		const userId = userIdOf(row, anonymous);
		if (userId === undefined) keyOfContent(row, key);
		else keyOfUser(userId, key);
		const place = seen.knownPlaceOf(key);
		for (const event of eventNumbers(happened)) {
			if (place !== undefined && seen.count(place, event) > 0) seen.add(place, event, -1);
			else if (countAt(seen, seen.aliasPlaceOf(key), event) > 0) seen.addAlias(key, event, -1);
		}
	}
	return events & ~(1 << CAMPAIGN_READ);
}

/** Counts the rows with a user id as present, which is needed only when others are weighed against what is missing. */
function markUsers(
	seen: RowFingerprints,
	rows: SurveyRow[],
	anonymous: boolean,
	events: number,
): void {
	const key: Fingerprint = { high: 0, low: 0 };
	for (const row of rows) {
		const userId = userIdOf(row, anonymous);
		if (userId === undefined) continue;
		keyOfUser(userId, key);
		const place = seen.knownPlaceOf(key);
		// What was seen of somebody is accounted for, whatever has become of it.
		if (place !== undefined)
			for (const event of eventNumbers(events)) seen.countPresent(place, event);
	}
}

function countAt(seen: RowFingerprints, place: number | undefined, event: number): number {
	return place === undefined ? 0 : seen.count(place, event);
}

function kindOfContent(row: SurveyRow): Kind {
	return Number.isNaN(submittedAt(row)) ? KIND.undated : KIND.dated;
}

/** Earliest first; what has no date comes before all. */
function byTime(a: { date: number }, b: { date: number }): number {
	return timeOf(a) - timeOf(b);
}

function timeOf({ date }: { date: number }): number {
	return Number.isNaN(date) ? 0 : date;
}
