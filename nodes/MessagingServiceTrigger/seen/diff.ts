import type { SurveyRow } from '../../shared/surveyData';
import type { EventName } from '../events';
import { EVENTS, eventsOf } from '../events';
import type { Fingerprint } from './hash';
import { earlierKeysOfContent, keyOfContent, keyOfUser, userIdOf } from './rowKey';
import type { SeenRows } from './seenRows';

/** One event that happened to one row. */
export type News = { event: EventName; row: SurveyRow };

export type Answer = {
	rows: SurveyRow[];
	/** Whether the survey is anonymous: its rows are then known by their content alone. */
	anonymous: boolean;
};

/** A row without a user id of which more are there than were seen. */
type Surplus = { row: SurveyRow; event: number; key: Fingerprint };

/**
 * Finds which events of interest are new in an answer, and notes them in `seen`. What is missing from the answer stays
 * seen. Costs one hash for each row to which an event of interest has happened, and nothing for the others.
 *
 * @param events the events of interest, as a set
 * @param isNews whether an event (by number) that was not seen before is news, or is only noted
 * @returns the news in the order of the answer, rows with a user id first; and whether `seen` has changed
 */
export function compare(
	seen: SeenRows,
	{ rows, anonymous }: Answer,
	events: number,
	isNews: (row: SurveyRow, event: number) => boolean,
): { news: News[]; changed: boolean } {
	const news: News[] = [];
	let changed = false;
	const note = (row: SurveyRow, event: number, key: Fingerprint) => {
		seen.add(seen.placeOf(key), event, 1);
		changed = true;
		const name = EVENTS[event];
		if (name !== undefined && isNews(row, event)) news.push({ event: name, row });
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
			const unseen = happened & ~seen.eventsAt(seen.placeOf(key));
			for (let event = 0; unseen >>> event !== 0; event++) {
				if ((unseen & (1 << event)) !== 0) note(row, event, key);
			}
			continue;
		}
		keyOfContent(row, key);
		const place = seen.placeOf(key);
		for (let event = 0; happened >>> event !== 0; event++) {
			if ((happened & (1 << event)) === 0) continue;
			// Of equal rows the last ones count as the new ones.
			if (seen.countPresent(place, event) > seen.count(place, event)) {
				surplus.push({ row, event, key: { ...key } });
			}
		}
	}
	for (const { row, event, key: surplusKey } of surplus) {
		if (!nothingSeen && hasGrownFromSeen(row, event)) {
			seen.add(seen.placeOf(surplusKey), event, 1);
			changed = true;
		} else {
			note(row, event, surplusKey);
		}
	}
	return { news, changed };

	/** Whether the row was seen at an earlier stage of its life, under another key; that one is then given up. */
	function hasGrownFromSeen(row: SurveyRow, event: number): boolean {
		for (const earlier of earlierKeysOfContent(row)) {
			const place = seen.knownPlaceOf(earlier);
			if (place === undefined) continue;
			if (seen.count(place, event) > seen.presentCount(place, event)) {
				seen.add(place, event, -1);
				return true;
			}
		}
		return false;
	}
}
