import { parseServiceDate } from '../shared/serviceDate';
import type { SurveyRow } from '../shared/surveyData';
import { addToList } from '../shared/listsByKey';
import { eventNumbersIn, eventsOfRow, SURVEY_SUBMITTED } from './events';
import type { EventNumber, EventSet } from './events';
import { contentKey, packedDateIn, userIdOf, userKey } from './rows';
import { markSeen, markShown, markUnseen, packKeys, unpackKeys, vanishedEvents } from './seen';
import type { EventsByKey, SeenEvents } from './seen';
import type { CampaignState } from './state';

/** One event that happened to one row. `time` is the row's date in milliseconds since the epoch, or NaN without a date. */
export type NewEvent = { event: EventNumber; row: SurveyRow; time: number };

/** An event of a row that no earlier read has shown. */
type UnseenEvent = NewEvent & {
	/** The place of the row in the read. */
	order: number;
	/** Whether the row has a user ID. */
	kind: keyof SeenEvents;
	key: string;
};

/**
 * Finds the new events in the rows of a campaign. In the returned state, all events of the rows are seen, except new events
 * for which there is no room, and events of rows without a user ID while rows have vanished (`takeNewWithoutUserId`).
 *
 * @param campaign its state before the read. If it is anonymous, all rows are treated as rows without a user ID
 * @param events the selected events
 * @param addedEvents the selected events that no earlier poll has watched
 * @param room how many events may be emitted. If there are more, the latest stay unseen for the next poll
 * @returns the new events in the order of their dates, whether there are more, and the campaign's state after the read
 */
export function findNewEvents(
	campaign: CampaignState,
	rows: SurveyRow[],
	{ events, addedEvents, room }: { events: EventSet; addedEvents: EventSet; room: number },
): { newEvents: NewEvent[]; hasMoreEvents: boolean; campaign: CampaignState } {
	// Without the keys of events that were not selected at the last read: nothing was recorded of them since.
	const seen = unpackKeys(campaign.keys ?? {}, campaign.read);
	const unseen: Record<keyof SeenEvents, UnseenEvent[]> = { user: [], other: [] };
	const collisions = new Map<string, number>();
	for (const [order, row] of rows.entries()) {
		const rowEvents = eventsOfRow(row) & events;
		if (rowEvents === 0) continue;
		const userId = campaign.anonymous ? undefined : userIdOf(row);
		const kind = userId === undefined ? 'other' : 'user';
		const key = userId === undefined ? contentKey(row, seen.other, collisions) : userKey(userId);
		const unseenEvents = markShown(seen[kind], key, rowEvents);
		if (unseenEvents === 0) continue;
		const time = parseServiceDate(row.submittedDate);
		for (const event of eventNumbersIn(unseenEvents)) {
			unseen[kind].push({ row, order, event, kind, key, time });
			// At once, so that another row with this user ID is no second event.
			if (kind === 'user') markSeen(seen.user, { key, event });
		}
	}
	const isNew = (each: UnseenEvent): boolean => isNewEvent(campaign, each, addedEvents);
	// Also marks the rows without a user ID as seen.
	const newOthers = takeNewWithoutUserId(seen.other, unseen.other, isNew);
	const found = [...unseen.user.filter(isNew), ...newOthers].sort(byDate);
	const newEvents = found.slice(0, Math.max(room, 0));
	const heldBack = found.slice(newEvents.length);
	for (const each of heldBack) markUnseen(seen[each.kind], each);

	const next: CampaignState = { ...campaign, read: events };
	next.rows = Math.max(campaign.rows ?? 0, rows.length);
	// The keys are saved only if they may have changed: an event was unseen, or the selection is another one. Then the keys of
	// an event that was deselected are dropped, and must not come back when it is selected again.
	const isAnyUnseen = unseen.user.length > 0 || unseen.other.length > 0;
	if (isAnyUnseen || campaign.read !== events) next.keys = packKeys(seen);
	return { newEvents, hasMoreEvents: heldBack.length > 0, campaign: next };
}

/** Whether an unseen event is new. The first of these rules that applies decides (docs/development/trigger.md, Since). */
function isNewEvent(campaign: CampaignState, { event, time }: UnseenEvent, added: EventSet) {
	const since = campaign.since[event] ?? Infinity;
	const isIn = (set: EventSet): boolean => (set & (1 << event)) !== 0;
	// Emit Existing, a launch, or a campaign that was seen as draft or scheduled: all rows are new.
	if (since === 0) return true;
	// The poll that adds the campaign or event: no row is new.
	if (isIn(added)) return false;
	// An earlier poll added the event, but its read failed. Only rows dated `since` or later are new.
	if (!isIn(campaign.read)) return time >= since;
	// Later reads: rows dated before `since` are not new, even if the first read did not show them.
	return Number.isNaN(time) || time >= since;
}

/**
 * Finds the new events of rows without a user ID, and marks these rows as seen. If a group (`groupForCounting`) has more
 * rows than ever before, the additional rows are new. An edited row is not new, because it adds no row. The answers only
 * decide which rows are the additional ones.
 */
function takeNewWithoutUserId(
	seen: EventsByKey,
	unseen: UnseenEvent[],
	isNew: (unseen: UnseenEvent) => boolean,
): UnseenEvent[] {
	if (unseen.length === 0) return [];
	const vanishedByGroup = groupForCounting(vanishedEvents(seen));
	return [...groupForCounting(unseen)].flatMap(([group, appeared]) => {
		const vanished = vanishedByGroup.get(group) ?? [];
		// More rows have vanished than appeared. Until they are back, nothing shows which of the other rows are new.
		if (appeared.length < vanished.length) return [];
		// The rows of this read become the seen rows. As many of them as vanished are taken for edited rows.
		for (const each of vanished) markUnseen(seen, each);
		for (const each of appeared) markSeen(seen, each);
		const latestFirst = appeared.filter(isNew).sort((a, b) => byDate(b, a));
		return latestFirst.slice(0, appeared.length - vanished.length);
	});
}

/** Groups rows for counting. Survey Submitted: by date, and rows without a date together. Other events: all rows. */
function groupForCounting<Each extends { event: number; key: string }>(
	list: Each[],
): Map<string, Each[]> {
	const groups = new Map<string, Each[]>();
	for (const each of list) {
		const name = each.event === SURVEY_SUBMITTED ? packedDateIn(each.key) : String(each.event);
		addToList(groups, name, each);
	}
	return groups;
}

/**
 * Compares by date, then by the step of the person, because a person's events all have the date of the row, then by place in
 * the read. Events without a date come first.
 */
function byDate(a: UnseenEvent, b: UnseenEvent): number {
	return (a.time || 0) - (b.time || 0) || b.event - a.event || a.order - b.order;
}
