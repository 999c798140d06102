import type { Listed, Status } from './api';
import { eventNumbers } from './events';
import type { Settings } from './settings';
import type { CampaignState, Contents, State } from './state';

const DAY_MS = 24 * 60 * 60_000;

/** How long the state of a campaign is kept that is not watched any more. */
const KEPT_MS = 7 * DAY_MS;

/** How late the list may show a campaign after it went live. */
const LIST_LAG_MS = 5 * 60_000;

/** The times of a poll, in milliseconds since the epoch (Clock in api.ts). */
export type Times = { now: number; serviceNow: number | undefined; since: number };

export type Watching = {
	/** The campaigns on the list; `undefined` if it could not be read. */
	listed: Map<string, Listed> | undefined;
	settings: Pick<Settings, 'watch' | 'events' | 'surveyClosed' | 'emitExisting'>;
	times: Times;
	/** Whether to ask again whether the selected campaigns are surveys. */
	isPublished: boolean;
};

/** The watched campaigns, which the poll changes. */
export type Watched = Contents & {
	campaigns: Record<string, CampaignState>;
	/** The campaigns to read when they are due, with their entries in the list. */
	readable: Map<string, Listed | undefined>;
	/** For each campaign, the events that are watched since this poll, as a set. */
	begun: Map<string, number>;
};

/** Decides which campaigns a poll watches, and since when. */
export function watchCampaigns(state: State | undefined, watching: Watching): Watched {
	const { settings, listed, times, isPublished } = watching;
	const { watch } = settings;
	const filters = 'all' in watch ? JSON.stringify([watch.all, watch.liveWithinDays]) : 'selected';
	const isSameFilters = state?.filters === filters;
	const known = new Map(Object.entries(state?.campaigns ?? {}));
	const chosen =
		'selected' in watch
			? watch.selected.map((id): Listed => listed?.get(id) ?? { id, status: undefined })
			: [...(listed?.values() ?? [])].filter(({ live }) => !isForgotten({ live }, watching));
	const chosenIds = new Set(chosen.map(({ id }) => id));
	const areNotSurveys = new Set('selected' in watch && isPublished ? [] : state?.notSurveys);
	const watched: Watched = {
		filters,
		numbering: state?.numbering,
		campaigns: {},
		notSurveys: [...areNotSurveys].filter((id) => listed === undefined || chosenIds.has(id)),
		readable: new Map(),
		begun: new Map(),
	};
	const listedAt = isSameFilters ? state.listedAt : undefined;
	const nextListedAt = 'all' in watch ? lastGoodList(listedAt, known.size, watching) : undefined;
	if (nextListedAt !== undefined) watched.listedAt = nextListedAt;
	for (const campaign of chosen) {
		const { id } = campaign;
		if (areNotSurveys.has(id)) continue;
		const before = known.get(id);
		const isKnown = before !== undefined && !isForgotten(before, watching);
		const begins = isKnown ? { ...before } : newCampaign(campaign, state, listedAt, watching);
		delete begins.leftAt;
		watched.campaigns[id] = followCampaign(begins, campaign, watched, watching);
		if (isWithinDays(watched.campaigns[id], watching)) watched.readable.set(id, listed?.get(id));
	}
	for (const [id, before] of known) {
		if (id in watched.campaigns || isForgotten(before, watching)) continue;
		// A campaign that is missing from the list, with the same filters, is read on. One that was deselected, or lost by
		// changed filters, is no longer read; its state is kept for seven days.
		const isStill = 'all' in watch && before.leftAt === undefined;
		const isLeft = !isStill || (listed !== undefined && !isSameFilters);
		watched.campaigns[id] = isLeft
			? { ...before, leftAt: before.leftAt || (times.serviceNow ?? 0) }
			: followCampaign(before, { id, status: undefined }, watched, watching);
		if (!isLeft && isWithinDays(watched.campaigns[id], watching))
			watched.readable.set(id, undefined);
	}
	return watched;
}

/**
 * Returns when the last good list of All Campaigns was sent. It never goes back. An empty list although campaigns are known
 * is no good list.
 */
function lastGoodList(
	before: number | undefined,
	known: number,
	{ listed, times }: Watching,
): number | undefined {
	const isGood = listed !== undefined && (listed.size > 0 || known === 0);
	return isGood ? Math.max(before ?? times.now, times.now) : before;
}

/** Makes the state of a campaign that is not known, before its events begin. */
function newCampaign(
	{ live, status }: Listed,
	state: State | undefined,
	listedAt: number | undefined,
	{ settings: { events, emitExisting } }: Watching,
): CampaignState {
	const all: CampaignState['since'] = {};
	for (const event of eventNumbers(events)) all[event] = 0;
	const campaign: CampaignState = { since: {}, read: 0 };
	// Live after the last good list less five minutes: news from its first row. No readable live date is no launch.
	if (listedAt !== undefined && live !== undefined && live > listedAt - LIST_LAG_MS)
		return { ...campaign, since: all, open: true };
	// Emit Existing: `since` 0 for what the first publication of this node watches, once.
	if (state === undefined && emitExisting) return { ...campaign, since: all };
	// Closed when first seen: not read, no closing item.
	if (status === 'closed') return { ...campaign, done: true };
	// A campaign is added, or an older one shared later: its own `since`.
	return campaign;
}

/** Adapts a campaign to its status and to the selected events. */
function followCampaign(
	before: CampaignState,
	{ id, live, status }: Listed,
	{ begun }: Pick<Watched, 'begun'>,
	{ settings: { watch, events, surveyClosed }, times }: Watching,
): CampaignState {
	const campaign = withStatus({ ...before, since: { ...before.since } }, status, times);
	if (!surveyClosed) delete campaign.open;
	// Without a readable live date, a campaign counts as live since it was first seen live.
	const isNowLive = before.draft === true && !campaign.draft;
	if ('all' in watch) campaign.live = live ?? (isNowLive ? times.now : (before.live ?? times.now));
	for (const event of Object.keys(campaign.since)) {
		if ((events & (1 << Number(event))) !== 0) continue;
		delete campaign.since[event];
		campaign.read &= ~(1 << Number(event));
	}
	for (const event of eventNumbers(events)) {
		if (campaign.since[event] !== undefined) continue;
		// An event is added to a closed campaign when it is reopened. So Campaign Read begins anew.
		if (campaign.done && campaign.rows !== undefined) continue;
		// Seen as draft or scheduled before: news from its first row.
		campaign.since[event] = campaign.draft && campaign.rows === undefined ? 0 : times.since;
		begun.set(id, (begun.get(id) ?? 0) | (1 << event));
	}
	return campaign;
}

/** Adapts a campaign to its status. An unknown or missing status changes nothing. */
export function withStatus(
	campaign: CampaignState,
	status: Status,
	{ now }: Pick<Times, 'now'>,
): CampaignState {
	if (status === undefined) return campaign;
	const next = { ...campaign };
	delete next.draft;
	if (status === 'closed') {
		// A time that lies in the future counts as none.
		next.closedAt = Math.min(campaign.closedAt ?? now, now);
		return next;
	}
	// Reopened: nothing special.
	delete next.closedAt;
	delete next.closedReadAt;
	delete next.done;
	if (status === 'draft') next.draft = true;
	next.open = true;
	return next;
}

/**
 * Whether the state of a campaign is not kept any more: seven days after it was deselected or the filters changed, or after
 * it left Live Within Days. Only the service's clock decides this.
 */
function isForgotten(
	{ leftAt = Infinity, live = Infinity }: Pick<CampaignState, 'leftAt' | 'live'>,
	{ settings: { watch }, times: { serviceNow } }: Watching,
): boolean {
	if (serviceNow === undefined) return false;
	const days = 'all' in watch ? watch.liveWithinDays : Infinity;
	return (
		(leftAt > 0 && serviceNow - leftAt > KEPT_MS) || serviceNow - live > days * DAY_MS + KEPT_MS
	);
}

/** Whether a campaign is read at all: it is read on as long as its state is kept. */
function isWithinDays({ live = Infinity }: CampaignState, { settings, times }: Watching): boolean {
	const { watch } = settings;
	return !('all' in watch) || times.now - live <= watch.liveWithinDays * DAY_MS + KEPT_MS;
}
