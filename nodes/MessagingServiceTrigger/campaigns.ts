import { DAY_MS } from '../shared/serviceDate';
import { isUnsent, type CampaignList, type ListedCampaign } from './api';
import { timesOf, type Api, type Poll } from './schedule';
import { eventNumbersIn, type EventSet } from './events';
import type { CampaignState, State, StateContents } from './state';

/** How long the state of a campaign is kept after the trigger stopped watching it, or while its last read fails. */
export const KEPT_MS = 7 * DAY_MS;

/** How long after its live date a campaign may first appear on the list. */
const LIST_LAG_MS = 5 * 60_000;

/** A watched campaign. It is read when it is due. */
export type Task = {
	id: string;
	campaign: CampaignState;
	/** Its entry in the list, or `undefined` if it is not on the list. */
	listed: ListedCampaign | undefined;
	/** The selected events that no earlier poll has watched. */
	addedEvents: EventSet;
};

/** What the poll will save, which its reads change, and the watched campaigns by ID. */
export type Watched = StateContents & { tasks: Map<string, Task> };

/**
 * Decides which campaigns a poll watches, and since when: the chosen ones, and with All Campaigns also known ones that are
 * missing from the list. The state of a campaign that is no longer watched is kept for seven days.
 *
 * @param list `undefined` if it could not be read, which may happen only with Selected Campaigns. After a change of the
 *   filters, it must have all live dates, so that it shows which known campaigns pass the filters
 */
export function watchCampaigns(poll: Poll, state?: State, list?: CampaignList): Watched {
	const { watch } = poll.settings;
	const filters = filtersKey(poll);
	const { now } = timesOf(poll);
	const listedAt = lastListedAt(poll, state);
	const saved = Object.entries(state?.campaigns ?? {});
	const known = new Map(saved.filter(([, campaign]) => !isForgotten(poll, campaign)));
	const isKnownOrRecent = ({ id, liveAt }: ListedCampaign): boolean =>
		known.has(id) || !isTooOld(poll, liveAt);
	const fromList = [...(list?.values() ?? [])].filter(isKnownOrRecent).map(({ id }) => id);
	const chosen = new Set('selected' in watch ? watch.selected : fromList);
	// "Campaign is not a survey" is remembered. With Selected Campaigns, every publishing asks again.
	const isAskedAgain = 'selected' in watch && poll.mayBeJustPublished;
	const notSurveys = new Set(isAskedAgain ? [] : state?.notSurveys);
	const watched: Watched = {
		filters,
		listedAt,
		numbering: state?.numbering,
		campaigns: {},
		notSurveys: [...notSurveys].filter((id) => chosen.has(id)),
		tasks: new Map(),
	};
	// An empty list may be a mistake of the service. It never moves the time of an earlier list.
	const isUsable = list && (list.size > 0 || listedAt === undefined);
	if ('all' in watch && isUsable) watched.listedAt = Math.max(listedAt ?? now, now);
	// While the filters stay the same, a campaign that is missing from the list is still watched.
	const watchesMissing = 'all' in watch && state?.filters === filters;
	// Each campaign is chosen or known. So one that is not watched is known.
	for (const id of new Set([...chosen, ...known.keys()])) {
		const before = known.get(id);
		const listed = list?.get(id);
		const isWatched = chosen.has(id) || (watchesMissing && before?.leftAt === undefined);
		if (before && !isWatched) {
			// It was deselected, or the filters changed. It is no longer read, and its state is kept for seven days.
			watched.campaigns[id] = { ...before, leftAt: before.leftAt ?? now };
		} else if (!notSurveys.has(id)) {
			const campaign = before ?? newCampaign(poll, state, listed);
			const task = taskFor(poll, id, campaign, listed);
			watched.campaigns[id] = task.campaign;
			watched.tasks.set(id, task);
		}
	}
	return watched;
}

/**
 * Returns the time of the last usable list of All Campaigns. Selected Campaigns forgets it. Otherwise, a switch back to All
 * Campaigns would take everything that went live meanwhile for a launch.
 */
function lastListedAt({ settings }: Poll, state?: State): number | undefined {
	return 'all' in settings.watch ? state?.listedAt : undefined;
}

/** Returns the state of a new campaign, before its events are watched. */
function newCampaign(poll: Poll, state?: State, listed?: ListedCampaign): CampaignState {
	const { events, emitExisting } = poll.settings;
	const allRowsNew = { since: sinceForEach(events, 0), read: 0 };
	// A launch: with All Campaigns, it went live after the last usable list, or up to five minutes before it. Its closing
	// is emitted even if it is already closed. A campaign without a readable live date is never a launch.
	const listedAt = lastListedAt(poll, state) ?? Infinity;
	const isLaunch = (listed?.liveAt ?? -Infinity) > listedAt - LIST_LAG_MS;
	if (isLaunch) return { ...allRowsNew, open: true };
	// Emit Existing applies only to the campaigns that the first publication of this node watches.
	if (state === undefined && emitExisting) return allRowsNew;
	// A campaign that is closed when first seen is not read and has no closing item. Any other one counts as added.
	return { since: {}, read: 0, ...(listed?.status === 'closed' && { done: true }) };
}

/** Returns the `since` of a campaign whose events are all watched since the same time. */
export function sinceForEach(events: EventSet, time: number): CampaignState['since'] {
	return Object.fromEntries(eventNumbersIn(events).map((event) => [event, time]));
}

/** Returns the task for a watched campaign, whose state follows its status and the selected events. */
function taskFor(poll: Poll, id: string, before: CampaignState, listed?: ListedCampaign): Task {
	const { watch, events } = poll.settings;
	const { now, since } = timesOf(poll);
	const copy = { ...before, since: {}, read: before.read & events };
	const campaign = withStatus(poll, copy, listed?.status);
	delete campaign.leftAt;
	if ('all' in watch) {
		// Without a readable live date, the time at which the campaign was first seen live is used.
		const isNowLive = before.draft === true && !campaign.draft;
		const seenLiveAt = isNowLive ? now : before.live;
		campaign.live = Math.max(listed?.liveAt ?? seenLiveAt ?? now, before.live ?? 0);
	}
	let addedEvents: EventSet = 0;
	// After its last read, a campaign watches no events. If it is reopened, rows since its last read are new.
	const { done, closedAt = now } = campaign.done ? {} : before;
	const from = done ? closedAt + now - poll.startedAt : since;
	for (const event of eventNumbersIn(campaign.done ? 0 : events)) {
		const sinceBefore = before.since[event];
		if (sinceBefore === undefined && !done) addedEvents |= 1 << event;
		// Of a campaign that was seen as draft or scheduled, all rows are new.
		campaign.since[event] = sinceBefore ?? (campaign.draft ? 0 : from);
	}
	return { id, campaign, listed, addedEvents };
}

/**
 * Returns a campaign with a new status. Without Survey Closed, `open` is removed in any case.
 *
 * @param status as in `ListedCampaign`: `undefined`, for a missing or undocumented status, changes nothing else
 */
export function withStatus(poll: Poll, campaign: CampaignState, status?: string): CampaignState {
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
	// Also for a draft, because its closing is emitted, too.
	if (settings.surveyClosed) next.open = true;
	return isUnsent(status) ? { ...next, draft: true } : next;
}

/** Returns a text that changes with the filters of All Campaigns. For Selected Campaigns, it is always the same. */
function filtersKey({ settings: { watch } }: Poll): string {
	// `watch.all` is without Live Within Days, which decides only how long a survey without new events is watched.
	return 'all' in watch ? JSON.stringify(watch.all) : 'selected';
}

/** Whether the state of a campaign is forgotten: seven days after the campaign left, or when a done campaign is too old. */
function isForgotten(poll: Poll, { leftAt = Infinity, done, live }: CampaignState): boolean {
	return timesOf(poll).now - leftAt > KEPT_MS || (done === true && isTooOld(poll, live));
}

/**
 * Whether Live Within Days have passed since `liveAt`. Always false with Selected Campaigns, and while `liveAt` is unknown.
 *
 * @param liveAt when the campaign went live or had its last new event
 */
export function isTooOld(api: Api, liveAt = Infinity): boolean {
	const { watch } = api.settings;
	return 'all' in watch && timesOf(api).now - liveAt > watch.liveWithinDays * DAY_MS;
}

/**
 * Returns the time after which a campaign must have gone live to be listed: Live Within Days before the last usable list or,
 * if n8n's clock is behind, before the start of the poll. So the list depends on no clock alone, and has more campaigns than
 * are watched. Returns 0 for all campaigns: before the first list, and after a change of the filters.
 */
export function liveSince(poll: Poll, state?: State): number {
	const { watch } = poll.settings;
	if ('selected' in watch || state?.filters !== filtersKey(poll)) return 0;
	const earlier = Math.min(state.listedAt ?? 0, poll.startedAt);
	return Math.max(earlier - watch.liveWithinDays * DAY_MS, 0);
}

/** The most campaigns that `warnOfTooOld` names. */
const TOO_OLD_LIMIT = 20;

/** Logs the names of the newest live campaigns on the list that All Campaigns does not watch because they are too old. */
export function warnOfTooOld(poll: Poll, list: CampaignList): void {
	const tooOld = [...list.values()]
		.filter(({ status, liveAt }) => status === 'live' && isTooOld(poll, liveAt))
		.slice(0, TOO_OLD_LIMIT);
	if (tooOld.length > 0)
		poll.context.logger.warn(
			`Live campaigns that are older than Live Within Days are not watched: ${tooOld.map(({ id, name }) => `“${name || id}”`).join(', ')}. To watch those that are surveys, set Watch to Selected Campaigns.`,
		);
}
