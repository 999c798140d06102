import { DAY_MS } from '../shared/serviceDate';
import { isPrepared, type Listed } from './api';
import { timesOf, type Poll } from './schedule';
import { positionsIn } from './events';
import type { CampaignState, Contents, State } from './state';

/** How long the state of a campaign is kept after the trigger stopped watching it. */
export const KEPT_MS = 7 * DAY_MS;

/** How long after its live date a campaign may first appear on the list. */
const LIST_LAG_MS = 5 * 60_000;

/** A campaign that is read when it is due. */
export type Task = {
	id: string;
	campaign: CampaignState;
	/** Its entry in the list, or `undefined` if it is not on the list. */
	listed: Listed | undefined;
	/** The events that are watched since this poll, as a set. */
	begun: number;
};

/** The watched campaigns, which the poll changes. */
export type Watched = Contents & { tasks: Map<string, Task> };

/**
 * Decides which campaigns a poll watches, and since when.
 *
 * @param listed the campaigns on the list. `undefined` if the list could not be read, only with Selected Campaigns
 */
export function watchCampaigns(poll: Poll, state?: State, listed?: Map<string, Listed>): Watched {
	const { watch } = poll.settings;
	const { now } = timesOf(poll);
	const filters = filtersOf(poll);
	const hasSameFilters = state?.filters === filters;
	// Selected Campaigns forgets this time. If it were kept, a switch back to All Campaigns would take everything that went
	// live meanwhile for a launch.
	const listedAt = 'all' in watch ? state?.listedAt : undefined;
	const saved = Object.entries(state?.campaigns ?? {});
	const known = new Map(saved.filter(([, campaign]) => !isForgotten(campaign, poll)));
	// After a change of the filters, the list has all live dates: it shows which known campaigns pass the filters.
	const isKnownOrRecent = ({ id, live }: Listed): boolean => known.has(id) || !isOver(poll, live);
	const fromList = [...(listed?.values() ?? [])].filter(isKnownOrRecent).map(({ id }) => id);
	const chosen = new Set('selected' in watch ? watch.selected : fromList);
	// "Campaign is not a survey" is remembered. With Selected Campaigns, every publishing asks again.
	const isAskedAgain = 'selected' in watch && poll.isPublished;
	const notSurveys = new Set(isAskedAgain ? [] : state?.notSurveys);
	// The time of the last usable list. It never goes back. If the state has campaigns and this time, an empty list is not
	// usable.
	const isEmptyUsable = saved.length === 0 || listedAt === undefined;
	const isGoodList = 'all' in watch && listed && (listed.size > 0 || isEmptyUsable);
	const watched: Watched = {
		filters,
		listedAt: isGoodList ? Math.max(listedAt ?? now, now) : listedAt,
		numbering: state?.numbering,
		campaigns: {},
		notSurveys: [...notSurveys].filter((id) => chosen.has(id)),
		tasks: new Map(),
	};
	for (const id of new Set([...chosen, ...known.keys()])) {
		const before = known.get(id);
		// While the filters stay the same, a campaign that is missing from the list is still read.
		const isMissing = 'all' in watch && hasSameFilters && before?.leftAt === undefined;
		if (before && !chosen.has(id) && !isMissing) {
			// If the campaign was deselected or the filters changed, it is no longer read. Its state is
			// kept for seven days.
			watched.campaigns[id] = { ...before, leftAt: before.leftAt || (poll.serviceNow ?? 0) };
		} else if (!notSurveys.has(id)) {
			const entry = listed?.get(id) ?? { id, status: undefined };
			const task = followCampaign(poll, before ?? newCampaign(poll, entry, state, listedAt), entry);
			watched.campaigns[id] = task.campaign;
			watched.tasks.set(id, { ...task, listed: listed?.get(id) });
		}
	}
	return watched;
}

/** Creates the state of a new campaign, before its events are watched. */
function newCampaign(poll: Poll, entry: Listed, state?: State, listedAt = Infinity): CampaignState {
	const { events, emitExisting } = poll.settings;
	const { live = -Infinity, status } = entry;
	const all = Object.fromEntries(positionsIn(events).map((event) => [event, 0]));
	// With All Campaigns, this is a launch: the campaign went live after the last usable list, or up to five minutes
	// before it. All rows of a launch are new. Its closing is emitted even if the campaign is already closed. A
	// campaign without a readable live date is never a launch.
	if (live > listedAt - LIST_LAG_MS) return { since: all, read: 0, open: true };
	// Emit Existing: `since` is 0 for the campaigns that the first publication of this node watches.
	if (state === undefined && emitExisting) return { since: all, read: 0 };
	// A campaign that is closed when first seen is not read and has no closing item. A campaign that was added, or an
	// older campaign that was shared later, gets a new `since`.
	return { since: {}, read: 0, ...(status === 'closed' && { done: true }) };
}

/** Adapts a campaign to its status and to the selected events. */
function followCampaign(poll: Poll, before: CampaignState, { id, live, status }: Listed) {
	const { watch, events } = poll.settings;
	const times = timesOf(poll);
	const adapted = { ...before, since: {}, read: before.read & events };
	const campaign = withStatus(adapted, poll, status);
	delete campaign.leftAt;
	// If a campaign has no readable live date, the time at which it was first seen live is used.
	const isNowLive = before.draft === true && !campaign.draft;
	const liveAt = live ?? (isNowLive ? times.now : (before.live ?? times.now));
	if ('all' in watch) campaign.live = Math.max(liveAt, before.live ?? 0);
	let begun = 0;
	// A campaign that is reopened after its last read counts as added: it is watched from then on.
	for (const event of positionsIn(campaign.done ? 0 : events)) {
		const from = before.since[event];
		// If the campaign was seen as draft or scheduled before, all its rows are new.
		campaign.since[event] = from ?? (campaign.draft ? 0 : times.since);
		if (from === undefined) begun |= 1 << event;
	}
	return { id, campaign, begun };
}

/** Adapts a campaign to its status. An unknown or missing status changes nothing. */
export function withStatus(campaign: CampaignState, poll: Poll, status?: string): CampaignState {
	const { startedAt: now, settings } = poll;
	const next = { ...campaign };
	if (!settings.surveyClosed) delete next.open;
	if (status === undefined) return next;
	delete next.draft;
	// If `closedAt` lies in the future, the current time replaces it.
	if (status === 'closed') return { ...next, closedAt: Math.min(campaign.closedAt ?? now, now) };
	// If the campaign is reopened and closed again, the closing is emitted once more.
	delete next.closedAt;
	delete next.done;
	if (settings.surveyClosed) next.open = true;
	return isPrepared(status) ? { ...next, draft: true } : next;
}

/** Identifies the filters, except Live Within Days: a live survey with new events is watched, however old it is. */
export function filtersOf({ settings: { watch } }: Poll): string {
	return 'all' in watch ? JSON.stringify(watch.all) : 'selected';
}

/** Whether the state may be forgotten: seven days after the campaign was deselected or the filters changed, or its end. */
function isForgotten({ leftAt = 0, done, live }: CampaignState, poll: Poll): boolean {
	const { serviceNow = -Infinity } = poll;
	return (leftAt > 0 && serviceNow - leftAt > KEPT_MS) || (done === true && isOver(poll, live));
}

/**
 * Whether Live Within Days have passed. Only the service's clock decides this: if it or `live` is unknown, they have not.
 * With Selected Campaigns, they never have.
 *
 * @param live when the campaign went live or had its last new event
 * @param graceMs how much longer the campaign is watched
 */
export function isOver(poll: Poll, live = Infinity, graceMs = 0): boolean {
	const { watch } = poll.settings;
	const { serviceNow = -Infinity } = poll;
	return 'all' in watch && serviceNow - live > watch.liveWithinDays * DAY_MS + graceMs;
}
