import type { SurveyRow } from '../shared/surveyData';
import {
	CAMPAIGN_READ,
	CAMPAIGN_RESPONDED,
	eventNumbers,
	EVENTS,
	eventsOf,
	SURVEY_SUBMITTED,
	type EventName,
} from './events';
import { contentKey, dateInKey, isDated, timeOf, userIdOf, userKey } from './rows';
import { add, countsOf, packKeys, unpackKeys, type Counts, type Seen } from './seen';
import { watchedEvents, type CampaignState } from './state';

/** One event that happened to one row. */
export type NewEvent = { event: EventName; row: SurveyRow };

/** An event whose key was not seen. `time` is the row's date in milliseconds since the epoch; NaN if it has none. */
type Unseen = {
	row: SurveyRow;
	order: number;
	event: number;
	key: string;
	time: number;
	isUser: boolean;
};

/** Whether rows may not be recognized by their user IDs, and which events are watched only since this poll, as a set. */
type Reading = { anonymous: boolean; begun: number };

/**
 * Finds the news in the rows of a campaign: the keys that were not seen. Marks them as seen.
 *
 * @param room how many events may be emitted; if there are more, the latest stay unseen (`isHeld`)
 * @throws UnreadableKeysError
 */
export function findNews(
	campaign: CampaignState,
	rows: SurveyRow[],
	{ anonymous, begun, room }: Reading & { room: number },
): { newEvents: NewEvent[]; isHeld: boolean; campaign: CampaignState } {
	const seen = unpackKeys(campaign.keys ?? {}, campaign.read);
	const wanted = watchedEvents(campaign);
	const present = new Set<string>();
	const ofUsers: Unseen[] = [];
	const ofOthers: Unseen[] = [];
	const matched: Array<{ event: number; key: string }> = [];
	let { latest = -Infinity } = campaign;
	for (const [order, row] of rows.entries()) {
		const time = timeOf(row.submittedDate);
		if (time > latest) latest = time;
		const events = eventsOf(row) & wanted;
		if (events === 0) continue;
		// A row of an anonymous survey counts as one without a user ID, whatever the service sends.
		const userId = anonymous ? undefined : userIdOf(row);
		if (userId !== undefined) {
			const key = userKey(userId);
			present.add(key);
			let known = seen.users.get(key) ?? 0;
			for (const event of eventNumbers(events & ~known)) {
				// Not seen either, so that it is news when the person answers again after the survey is reopened.
				if (isPast(campaign, event, time)) continue;
				ofUsers.push({ row, order, event, key, time, isUser: true });
				known |= 1 << event;
				seen.users.set(key, known);
			}
			continue;
		}
		const key = contentKey(row, time);
		for (const event of eventNumbers(events)) {
			const counts = countsOf(seen, event);
			if (counts.has(key)) {
				add(counts, key, -1);
				matched.push({ event, key });
			} else ofOthers.push({ row, order, event, key, time, isUser: false });
		}
	}
	const next: CampaignState = { ...campaign, read: wanted, anonymous };
	next.rows = Math.max(campaign.rows ?? 0, rows.length);
	const isNew = (unseen: Unseen): boolean => isNews(campaign, unseen, begun);
	const news = ofUsers.filter(isNew);
	for (const [event, unseen] of groupsOf(ofOthers, (each) => each.event)) {
		const missing = countsOf(seen, event);
		const responded = event === CAMPAIGN_RESPONDED ? (campaign.responded ?? 0) : 0;
		const grown = grow(missing, unseen, { event, isNew, gone: responded, most: next.rows });
		news.push(...grown.news);
		if (event === CAMPAIGN_RESPONDED && grown.isComplete) delete next.responded;
	}
	for (const { event, key } of matched) add(countsOf(seen, event), key, 1);
	const held = holdBack(seen, news, room);
	for (const { time } of held) if (time <= latest) latest = time - 1;
	if (latest > -Infinity) next.latest = latest;
	if (ofUsers.length > 0 || ofOthers.length > 0) {
		dropSurplus(seen, present, next.rows);
		next.keys = packKeys(seen);
	}
	news.sort((a, b) => a.order - b.order || a.event - b.event);
	const newEvents = news.flatMap(({ event, row }) => {
		const name = EVENTS[event];
		return name === undefined ? [] : [{ event: name, row }];
	});
	return { newEvents, isHeld: held.length > 0, campaign: next };
}

/** Whether an event that was not seen is news. Nothing dated before `since` ever is. */
function isNews(campaign: CampaignState, { event, time }: Unseen, begun: number): boolean {
	const from = campaign.since[event] ?? Infinity;
	// Emit Existing, a launch, or a campaign seen as draft or scheduled: news from its first row.
	if (from === 0) return true;
	// First read, in the poll that begins to watch: all is seen, nothing is news.
	if ((begun & (1 << event)) !== 0) return false;
	// The first read failed: dated from `since` on is news; dated before it, or without a date, is seen.
	if ((campaign.read & (1 << event)) === 0) return time >= from;
	return !isPast(campaign, event, time);
}

/** The first read was incomplete: what it lacked and is dated before `since` is never news. */
function isPast({ since, read }: CampaignState, event: number, time: number): boolean {
	return (read & (1 << event)) !== 0 && time < (since[event] ?? 0);
}

/**
 * Finds the news among rows without a user ID, for one event, and marks the rows as seen. Survey Submitted counts the rows
 * of each date, and those without a date together; the other events count all rows. News are as many as there are more
 * than ever before, so an edit alone is never news. The answers only choose which rows are new.
 *
 * @param missing how often each key was seen, without the rows of this read; the rows of this read are added
 * @param gone how many rows were seen whose keys are gone
 * @param most how many keys of missing rows are kept
 */
function grow(
	missing: Counts,
	unseen: Unseen[],
	{
		event,
		isNew,
		gone,
		most,
	}: { event: number; isNew: (unseen: Unseen) => boolean; gone: number; most: number },
): { news: Unseen[]; isComplete: boolean } {
	const groupOf = event === SURVEY_SUBMITTED ? dateInKey : () => '';
	const surplus = [...missing.keys()].slice(0, Math.max(missing.size - most, 0));
	if (event === SURVEY_SUBMITTED) for (const key of surplus) missing.delete(key);
	const missingKeys = groupsOf([...missing.keys()], groupOf);
	const news: Unseen[] = [];
	let isComplete = false;
	for (const [group, added] of groupsOf(unseen, ({ key }) => groupOf(key))) {
		const keys = missingKeys.get(group) ?? [];
		const known = keys.reduce((sum, key) => sum + (missing.get(key) ?? 0), gone);
		// Fewer rows than ever before: which of them are new shows when the missing rows are back.
		if (added.length < known) continue;
		// Otherwise exactly the rows of this read are seen. Those beyond the news are edited ones.
		isComplete = true;
		for (const key of keys) missing.delete(key);
		for (const { key } of added) add(missing, key, 1);
		const latestFirst = added.filter(isNew).sort((a, b) => timeOrder(b, a) || b.order - a.order);
		news.push(...latestFirst.slice(0, added.length - known));
	}
	return { news, isComplete };
}

/** Takes the latest events out of the news if there is no room for them, and marks them as not seen. */
function holdBack(seen: Seen, news: Unseen[], room: number): Unseen[] {
	if (news.length <= room) return [];
	const held = news.sort(timeOrder).splice(Math.max(room, 0));
	for (const { isUser, key, event } of held) {
		if (isUser) seen.users.set(key, (seen.users.get(key) ?? 0) & ~(1 << event));
		else add(countsOf(seen, event), key, -1);
	}
	return held;
}

/** Sorts by date, events without a date first. */
function timeOrder({ time: a }: Unseen, { time: b }: Unseen): number {
	return (a || 0) - (b || 0);
}

/** Keeps as many keys of missing users as there are rows, the latest ones. */
function dropSurplus({ users }: Seen, present: Set<string>, most: number): void {
	if (users.size - present.size <= most) return;
	const missing = [...users.keys()].filter((key) => !present.has(key));
	for (const key of missing.slice(0, missing.length - most)) users.delete(key);
}

/**
 * Forgets the keys of the rows with a date: `since` is just after the latest date seen, so they are never news. The keys
 * of rows without a date stay, and so does the number of responses. Campaign Read begins anew if the survey is reopened.
 *
 * @param rows the rows of the last read
 * @throws UnreadableKeysError
 */
export function forgetDated(
	campaign: CampaignState,
	rows: SurveyRow[],
	anonymous: boolean,
): CampaignState {
	const read = campaign.read & ~(1 << CAMPAIGN_READ);
	const seen = unpackKeys(campaign.keys ?? {}, read);
	for (const row of rows) {
		const userId = anonymous ? undefined : userIdOf(row);
		if (userId !== undefined && !Number.isNaN(timeOf(row.submittedDate)))
			seen.users.delete(userKey(userId));
	}
	let { responded = 0 } = campaign;
	for (const [event, counts] of seen.others.entries()) {
		for (const [key, count] of [...counts].filter(([each]) => isDated(each))) {
			counts.delete(key);
			if (event === CAMPAIGN_RESPONDED) responded += count;
		}
	}
	const next: CampaignState = {
		...campaign,
		read,
		since: sinceAfter(campaign),
		keys: packKeys(seen),
	};
	delete next.latest;
	delete next.since[CAMPAIGN_READ];
	if (responded > 0) next.responded = responded;
	return next;
}

/** Returns `since` just after the latest date seen, for all events, but never earlier than it was. */
export function sinceAfter({ since, latest = -Infinity }: CampaignState): CampaignState['since'] {
	const entries = Object.entries(since);
	return Object.fromEntries(entries.map(([event, time]) => [event, Math.max(time, latest + 1)]));
}

function groupsOf<Name, Each>(list: Each[], nameOf: (each: Each) => Name): Map<Name, Each[]> {
	const groups = new Map<Name, Each[]>();
	for (const each of list) {
		const group = groups.get(nameOf(each));
		if (group) group.push(each);
		else groups.set(nameOf(each), [each]);
	}
	return groups;
}
