import { parseServiceDate } from '../shared/serviceDate';
import type { SurveyRow } from '../shared/surveyData';
import { addToList } from '../shared/listsByKey';
import {
	positionsIn,
	EVENTS,
	eventSetOf,
	SURVEY_SUBMITTED,
	type EventName,
	type EventNumber,
} from './events';
import { contentKey, dateInKey, userIdOf, userKey } from './rows';
import { see, missingEvents, packKeys, noteShown, unsee, unpackKeys, type Seen } from './seen';
import type { CampaignState } from './state';

/** One event that happened to one row. `time` is the row's date in milliseconds since the epoch, or NaN without a date. */
export type NewEvent = { event: EventName; row: SurveyRow; time: number };

/** An event whose key was not seen. `time` is as in `NewEvent`, and `order` is the place of the row in the read. */
type Unseen = {
	row: SurveyRow;
	order: number;
	event: EventNumber;
	kind: keyof Seen;
	key: string;
	time: number;
};

/**
 * Finds the new events in the rows of a campaign: their keys were not seen before. Marks these keys as seen.
 *
 * @param anonymous whether all rows are treated as rows without a user ID
 * @param begun the events that are watched since this poll, as a set
 * @param room how many events may be emitted. If there are more, the latest stay unseen (`isHeld`)
 */
export function findNews(
	campaign: CampaignState,
	rows: SurveyRow[],
	{ anonymous, begun, room }: { anonymous: boolean; begun: number; room: number },
): { newEvents: NewEvent[]; isHeld: boolean; campaign: CampaignState } {
	const seen = unpackKeys(campaign.keys ?? {}, campaign.read);
	const watched = Object.keys(campaign.since).reduce((set, event) => set | (1 << Number(event)), 0);
	const next: CampaignState = { ...campaign, anonymous, read: watched };
	next.rows = Math.max(campaign.rows ?? 0, rows.length);
	const repeats = new Map<string, number>();
	const ofUsers: Unseen[] = [];
	const ofOthers: Unseen[] = [];
	for (const [order, row] of rows.entries()) {
		const events = eventSetOf(row) & watched;
		if (events === 0) continue;
		const userId = anonymous ? undefined : userIdOf(row);
		const kind = userId === undefined ? 'other' : 'user';
		const key = userId === undefined ? contentKey(row, seen.other, repeats) : userKey(userId);
		const fresh = noteShown(seen[kind], key, events);
		if (fresh === 0) continue;
		const time = parseServiceDate(row.submittedDate);
		for (const event of positionsIn(fresh)) {
			const unseen = { row, order, event, kind, key, time } as const;
			(kind === 'user' ? ofUsers : ofOthers).push(unseen);
			// At once, because several people may answer on one account.
			if (kind === 'user') see(seen.user, unseen);
		}
	}
	const isNew = (unseen: Unseen): boolean => isNewEvent(campaign, unseen, begun);
	const news = [...ofUsers.filter(isNew), ...findNewOthers(seen.other, ofOthers, isNew)];
	const held = holdBack(seen, news, room);
	// The keys are saved only if they may have changed. If an event was switched off and on again, its old keys were
	// dropped.
	if (campaign.read !== next.read || ofUsers.length > 0 || ofOthers.length > 0)
		next.keys = packKeys(seen);
	news.sort((a, b) => timeOrder(a, b) || a.order - b.order || a.event - b.event);
	const newEvents = news.map(({ event, row, time }) => ({ event: EVENTS[event], row, time }));
	return { newEvents, isHeld: held.length > 0, campaign: next };
}

/** Whether an unseen event is new. An event dated before `since` is never new. */
function isNewEvent(campaign: CampaignState, unseen: Unseen, begun: number): boolean {
	const from = campaign.since[unseen.event] ?? Infinity;
	const bit = 1 << unseen.event;
	// Emit Existing, a launch, or a campaign that was seen as draft or scheduled: all rows are new.
	if (from === 0) return true;
	// The first read, in the poll that starts to watch the campaign: no row is new.
	if ((begun & bit) !== 0) return false;
	// An earlier poll began to watch the event, but its read failed. Rows dated `since` or later are new. All others
	// are not.
	if ((campaign.read & bit) === 0) return unseen.time >= from;
	// A row dated before `since` is never new, even if the first read did not show it.
	return !(unseen.time < from);
}

/**
 * Finds the new events among rows without a user ID, and marks the rows as seen. If a group (`groupsOf`) has more rows
 * than ever before, the additional rows are new. An edited row is not new, because it adds no row. The answers only
 * decide which rows are the additional ones.
 */
function findNewOthers(
	seen: Map<string, number>,
	unseen: Unseen[],
	isNew: (unseen: Unseen) => boolean,
): Unseen[] {
	if (unseen.length === 0) return [];
	const missingIn = groupsOf(missingEvents(seen));
	return [...groupsOf(unseen)].flatMap(([group, added]) => {
		const gone = missingIn.get(group) ?? [];
		// Some rows that were seen are missing. Until they are back, nothing shows which of the other rows are new.
		if (added.length < gone.length) return [];
		// Otherwise, the rows of this read become the seen rows. Rows that are not new were edited.
		for (const each of gone) unsee(seen, each);
		for (const each of added) see(seen, each);
		const latestFirst = added.filter(isNew).sort((a, b) => timeOrder(b, a) || b.order - a.order);
		return latestFirst.slice(0, added.length - gone.length);
	});
}

/**
 * Groups rows for counting: for Survey Submitted by date (rows without a date are one group), for other events all rows.
 */
function groupsOf<Each extends { event: number; key: string }>(list: Each[]): Map<string, Each[]> {
	const groups = new Map<string, Each[]>();
	for (const each of list) {
		const name = each.event === SURVEY_SUBMITTED ? dateInKey(each.key) : String(each.event);
		addToList(groups, name, each);
	}
	return groups;
}

/** If there is no room for all new events, takes the latest events out and marks them as not seen. */
function holdBack(seen: Seen, news: Unseen[], room: number): Unseen[] {
	if (news.length <= room) return [];
	const held = news.sort(timeOrder).splice(Math.max(room, 0));
	for (const each of held) unsee(seen[each.kind], each);
	return held;
}

/** Sorts by date, events without a date first. */
function timeOrder({ time: a }: Unseen, { time: b }: Unseen): number {
	return (a || 0) - (b || 0);
}
