import { isInUsualForm, serviceTime } from '../shared/serviceTime';
import type { SurveyRow } from '../shared/surveyData';
import {
	CAMPAIGN_READ,
	CAMPAIGN_RESPONDED,
	eventNumbers,
	EVENTS,
	eventsOf,
	SURVEY_SUBMITTED,
	type EventName,
	type EventNumber,
} from './events';
import { contentKey, dateInKey, NO_DATE, userIdOf, userKey } from './rows';
import { dropSurplus, mark, missing, packKeys, show, unmark, unpackKeys, type Seen } from './seen';
import type { CampaignState } from './state';

/** One event that happened to one row. `time` is the row's date in milliseconds since the epoch, or NaN without a date. */
export type NewEvent = { event: EventName; row: SurveyRow; time: number };

/**
 * An event whose key was not seen. `time` is the row's date in milliseconds since the epoch, or NaN if the row has no
 * date.
 */
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
	if ((campaign.read & (1 << CAMPAIGN_RESPONDED)) === 0) delete next.responded;
	const repeats = new Map<string, number>();
	const ofUsers: Unseen[] = [];
	const ofOthers: Unseen[] = [];
	let { latest = 0 } = campaign;
	const latestDate = new Date(latest).toISOString();
	for (const [order, row] of rows.entries()) {
		const userId = anonymous ? undefined : userIdOf(row);
		const events = eventsOf(row) & next.read;
		const { submittedDate: date } = row;
		// Most rows with a user ID have no later date and no new event: their dates are not parsed, to save time.
		const isOld = userId !== undefined && isInUsualForm(date) && date <= latestDate;
		let time = isOld ? NaN : serviceTime(date);
		if (time > latest) latest = time;
		if (events === 0) continue;
		const kind = userId === undefined ? 'other' : 'user';
		const key = userId === undefined ? contentKey(row, time, seen.other, repeats) : userKey(userId);
		const fresh = show(seen[kind], key, events);
		if (fresh === 0) continue;
		if (isOld) time = serviceTime(date);
		for (const event of eventNumbers(fresh)) {
			const unseen = { row, order, event, kind, key, time } as const;
			if (kind === 'other') ofOthers.push(unseen);
			// Events dated before `since` stay unseen. So if the survey is reopened and the person answers again, this
			// event is new.
			else if (!isPast(campaign, unseen)) {
				ofUsers.push(unseen);
				mark(seen.user, unseen);
			}
		}
	}
	const isNew = (unseen: Unseen): boolean => isNews(campaign, unseen, begun);
	const news = [...ofUsers.filter(isNew), ...grow(next, seen.other, ofOthers, isNew)];
	const held = holdBack(seen, news, room);
	for (const { time } of held) if (time <= latest) latest = time - 1;
	if (latest > 0) next.latest = latest;
	// The keys are saved only if they may have changed. If an event was switched off and on again, its old keys were
	// dropped.
	if (campaign.read !== next.read || ofUsers.length > 0 || ofOthers.length > 0) {
		dropSurplus(seen, next.rows);
		next.keys = packKeys(seen);
	}
	news.sort((a, b) => timeOrder(a, b) || a.order - b.order || a.event - b.event);
	const newEvents = news.map(({ event, row, time }) => ({ event: EVENTS[event], row, time }));
	return { newEvents, isHeld: held.length > 0, campaign: next };
}

/** Whether an unseen event is new. An event dated before `since` is never new. */
function isNews(campaign: CampaignState, unseen: Unseen, begun: number): boolean {
	const from = campaign.since[unseen.event] ?? Infinity;
	const bit = 1 << unseen.event;
	// Emit Existing, a launch, or a campaign that was seen as draft or scheduled: all rows are new.
	if (from === 0) return true;
	// The first read, in the poll that starts to watch the campaign: no row is new.
	if ((begun & bit) !== 0) return false;
	// An earlier poll began to watch the event, but its read failed. Rows dated `since` or later are new. All others
	// are not.
	if ((campaign.read & bit) === 0) return unseen.time >= from;
	return !isPast(campaign, unseen);
}

/** Whether a row is dated before `since`. Such a row is never new, even if the first read did not show it. */
function isPast({ since, read }: CampaignState, { event, time }: Unseen): boolean {
	return (read & (1 << event)) !== 0 && time < (since[event] ?? 0);
}

/**
 * Finds the new events among rows without a user ID, and marks the rows as seen. If a group (`groupsOf`) has more rows
 * than ever before, the additional rows are new. An edited row is not new, because it adds no row. The answers only
 * decide which rows are the additional ones.
 */
function grow(
	campaign: CampaignState,
	seen: Map<string, number>,
	unseen: Unseen[],
	isNew: (unseen: Unseen) => boolean,
): Unseen[] {
	if (unseen.length === 0) return [];
	const missingIn = groupsOf(missing(seen));
	return [...groupsOf(unseen)].flatMap(([group, added]) => {
		const gone = missingIn.get(group) ?? [];
		const isResponded = added[0]?.event === CAMPAIGN_RESPONDED;
		const known = gone.length + (isResponded ? (campaign.responded ?? 0) : 0);
		// Some rows that were seen are missing. Until they are back, nothing shows which of the other rows are new.
		if (added.length < known) return [];
		// Otherwise, the rows of this read become the seen rows. Rows that are not new were edited.
		if (isResponded) delete campaign.responded;
		for (const each of gone) unmark(seen, each);
		for (const each of added) mark(seen, each);
		const latestFirst = added.filter(isNew).sort((a, b) => timeOrder(b, a) || b.order - a.order);
		return latestFirst.slice(0, added.length - known);
	});
}

/**
 * Groups rows for counting: for Survey Submitted by date (rows without a date are one group), for other events all rows.
 */
function groupsOf<Each extends { event: number; key: string }>(list: Each[]): Map<string, Each[]> {
	const groups = new Map<string, Each[]>();
	for (const each of list) {
		const name = each.event === SURVEY_SUBMITTED ? dateInKey(each.key) : String(each.event);
		const group = groups.get(name);
		if (group) group.push(each);
		else groups.set(name, [each]);
	}
	return groups;
}

/** If there is no room for all new events, takes the latest events out and marks them as not seen. */
function holdBack(seen: Seen, news: Unseen[], room: number): Unseen[] {
	if (news.length <= room) return [];
	const held = news.sort(timeOrder).splice(Math.max(room, 0));
	for (const each of held) unmark(seen[each.kind], each);
	return held;
}

/** Sorts by date, events without a date first. */
function timeOrder({ time: a }: Unseen, { time: b }: Unseen): number {
	return (a || 0) - (b || 0);
}

/**
 * Forgets the keys of the rows with a date. They never become new: `since` becomes the time just after the latest date
 * seen. The keys of rows without a date are kept. Of forgotten rows without a user ID, the number of responses is kept
 * (`responded`). If the survey is reopened, Campaign Read starts again.
 *
 * @param rows the rows of the last read
 */
export function forgetDated(campaign: CampaignState, rows: SurveyRow[]): CampaignState {
	const read = campaign.read & ~(1 << CAMPAIGN_READ);
	const seen = unpackKeys(campaign.keys ?? {}, read);
	for (const row of rows) {
		const userId = userIdOf(row);
		if (userId !== undefined && serviceTime(row.submittedDate) > 0)
			seen.user.delete(userKey(userId));
	}
	let { responded = 0 } = campaign;
	for (const [key, events] of seen.other) {
		if (dateInKey(key) === NO_DATE) continue;
		seen.other.delete(key);
		if ((events & (1 << CAMPAIGN_RESPONDED)) !== 0) responded++;
	}
	const next = { ...campaign, read, responded, since: sinceAfter(campaign), keys: packKeys(seen) };
	delete next.since[CAMPAIGN_READ];
	return next;
}

/**
 * Returns `since` just after the latest date seen, for all events, but never earlier than before. If no date was seen,
 * `since` stays as it is, but is at least 1.
 */
export function sinceAfter({ since, latest = 0 }: CampaignState): CampaignState['since'] {
	const entries = Object.entries(since);
	return Object.fromEntries(entries.map(([event, time]) => [event, Math.max(time, latest + 1)]));
}
