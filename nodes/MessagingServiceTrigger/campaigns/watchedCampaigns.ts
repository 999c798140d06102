import type { Numbering } from '../../shared/surveyData';
import { CAMPAIGN_READ, eventNumbers } from '../events';
import type { CampaignState, Contents, State } from '../state/savedState';

/** The phase of a campaign on the list; `takenForLive` if it is not on the list. */
export type Phase = 'notYetLive' | 'live' | 'closed' | 'takenForLive';

/** A campaign from the list, or one chosen in the node. */
export type Listed = {
	id: string;
	/** When it went live, in milliseconds since the epoch; only with `watch: all`. */
	live?: number;
	/** Absent if unknown. */
	phase?: Phase;
	/** The number of recipients, if known. */
	recipients?: number;
	name?: string;
};

export type Selection = {
	/** Identifies the selection; campaigns added by a new selection get a baseline. */
	name: string;
	campaigns: Listed[];
	/** With `watch: all`, campaigns that went live before this time are not part of the selection. */
	from?: number;
};

export type WatchOptions = {
	/** Start of the poll, in milliseconds since the epoch: by the service's clock if known, otherwise by n8n's. */
	now: number;
	/**
	 * `listedUntil` of this process's last poll. It may be later than the saved value, because a new `listedUntil` alone
	 * causes no save.
	 */
	listedUntil?: number;
	/** Closed campaigns that are not on the list; their closing is to be emitted. */
	foundClosed: Set<string>;
	/** Whether `now` is based on a response of this poll that shows the service's time. */
	isServiceTime: boolean;
	/** The selected events, as a set: a number with one bit per event. */
	events: number;
	/** Whether Survey Closed is selected. */
	surveyClosed: boolean;
	emitExisting: boolean;
	/** Whether this is the first poll after a restart of n8n. */
	restarted: boolean;
};

/** The watched campaigns with their states. */
export type Watched = {
	listedUntil: number;
	/** The numbering of answer keys, if any survey has shown it. */
	numbering: Numbering | undefined;
	campaigns: Map<string, CampaignState>;
	notSurveys: Set<string>;
	/** The campaigns on the list, by ID. */
	listed: Map<string, Listed>;
	/** Closed campaigns that are not on the list; their closing is to be emitted. */
	foundClosed: Set<string>;
};

const DAY_MS = 24 * 60 * 60_000;

/**
 * A campaign stays remembered if it went live up to this long before `from`. Its rows therefore do not become new if a
 * clock is set back.
 */
export const REMEMBERED_MS = 7 * DAY_MS;

/** A submission time this far in the future is ignored. */
export const CLOCKS_DIFFER_MS = DAY_MS;

/** How long after going live a campaign may be missing from the list; longer if only n8n's clock is known. */
const LIST_LAG_MS = { serviceTime: 5 * 60_000, ownTime: DAY_MS };

/**
 * Decides for each campaign of the selection which rows count as new. Known campaigns keep their state. Campaigns that
 * existed when the selection was made get a baseline. If a campaign went live after the last poll read the list, all its
 * rows are new. Campaigns outside the selection are forgotten.
 */
export function watchedCampaigns(
	state: State | undefined,
	selection: Selection,
	options: WatchOptions,
): Watched {
	const { now, restarted, isServiceTime } = options;
	const isNewSelection = state?.selection !== selection.name;
	// After a restart it is unknown when the selection changed. All rows since the last save count as new. Otherwise, rows
	// that arrived while n8n was down would be missed.
	const baseline = restarted && state ? Math.min(state.at, now) : now;
	const lag = isServiceTime ? LIST_LAG_MS.serviceTime : LIST_LAG_MS.ownTime;
	// Times in the future come from a clock that was ahead, and are ignored. Otherwise, campaigns that go live before these
	// times would be missed.
	const lists = [state?.listedUntil ?? Infinity, options.listedUntil ?? Infinity].filter(
		(at) => at <= now,
	);
	const lastListedUntil = lists.length > 0 ? Math.max(...lists) : now - lag;
	const listed = new Map(selection.campaigns.map((campaign) => [campaign.id, campaign]));
	const campaigns = new Map<string, CampaignState>();
	const notSurveys = new Set<string>();
	const known = new Map(Object.entries(state?.campaigns ?? {}));
	const knownNotSurveys = new Set(state?.notSurveys);
	for (const [id, campaign] of listed) {
		const before = known.get(id);
		if (before) campaigns.set(id, knownCampaign(before, campaign, baseline, options));
		else if (knownNotSurveys.has(id)) notSurveys.add(id);
		else campaigns.set(id, newCampaign(campaign));
	}
	if (!isNewSelection) {
		const { from = Infinity } = selection;
		for (const [id, before] of known) {
			if (listed.has(id)) continue;
			const { live = now } = before;
			// With `watch: all`, a campaign missing from the list is forgotten a week after it became too old to watch.
			if (live >= from - REMEMBERED_MS)
				campaigns.set(id, knownCampaign(before, {}, baseline, options));
		}
	}
	// An empty list may be a mistake of the service if campaigns are known.
	const isListed = listed.size > 0 || campaigns.size === 0;
	const listedUntil = isListed || !state ? now - lag : lastListedUntil;
	const { foundClosed } = options;
	return { listedUntil, numbering: state?.numbering, campaigns, notSurveys, listed, foundClosed };

	function newCampaign({ live = now, phase }: Listed): CampaignState {
		const { events, emitExisting } = options;
		const campaign: CampaignState = { events };
		// A campaign whose date is unknown gets the current time. Without a date, it would never be forgotten.
		if (selection.from !== undefined) campaign.live = live;
		const moment = baselineOf(live, phase);
		noteOpen(campaign, moment === undefined ? 'live' : phase, options.surveyClosed);
		if (emitExisting || moment === undefined) return campaign;
		campaign.events = 0;
		campaign.baselines = baselinesAt(events, moment);
		// A closed campaign gets no more rows, and its existing rows are not new.
		if (phase === 'closed' && moment === now) campaign.closed = true;
		return campaign;
	}

	/** Returns the time up to which the rows of a campaign are not new; `undefined` if all are new. */
	function baselineOf(live: number, phase: Phase | undefined): number | undefined {
		if (phase === 'notYetLive') return undefined;
		if (selection.from === undefined || isNewSelection || !state) return baseline;
		// An older campaign has become visible only now, so the rows that it already has are not new.
		return live <= lastListedUntil ? now : undefined;
	}
}

/** Adapts the state of a known campaign to its phase and to the selected events. */
function knownCampaign(
	before: CampaignState,
	{ live, phase }: Pick<Listed, 'live' | 'phase'>,
	baseline: number,
	{ now, events, surveyClosed, emitExisting }: WatchOptions,
): CampaignState {
	const campaign: CampaignState = { ...before, events: before.events & events };
	noteOpen(campaign, phase, surveyClosed);
	if (live !== undefined) campaign.live = live;
	const baselines: Record<string, number> = {};
	for (const event of eventNumbers(events)) {
		const moment = before.baselines?.[event];
		// A time in the future comes from a clock that was ahead.
		if (moment !== undefined) baselines[event] = Math.min(moment, now);
	}

	// A campaign that is not live yet has no rows, so a newly selected event needs no baseline.
	const isUntouched =
		phase === 'notYetLive' && before.rows === undefined && before.baselines === undefined;
	for (const event of eventNumbers(events & ~campaign.events)) {
		if (baselines[event] !== undefined) continue;
		if (emitExisting || isUntouched) campaign.events |= 1 << event;
		else baselines[event] = baseline;
	}

	if (campaign.closed && phase !== undefined && phase !== 'closed') {
		delete campaign.closed;
		if (campaign.rows !== undefined) {
			const { last, until } = campaign;
			if (last !== undefined) campaign.until = Math.max(last, until ?? last);
			if ((campaign.events & (1 << CAMPAIGN_READ)) !== 0) {
				campaign.events &= ~(1 << CAMPAIGN_READ);
				baselines[CAMPAIGN_READ] = now;
			}
		}
	}
	if (Object.keys(baselines).length > 0) campaign.baselines = baselines;
	else delete campaign.baselines;
	return campaign;
}

/**
 * Marks a campaign that is not closed, so that its closing is emitted. If Survey Closed is not selected, removes the mark.
 */
export function noteOpen(
	campaign: CampaignState,
	phase: Phase | undefined,
	surveyClosed: boolean,
): void {
	if (!surveyClosed) delete campaign.open;
	else if (phase === 'live' || phase === 'notYetLive') campaign.open = true;
}

function baselinesAt(events: number, moment: number): Record<string, number> {
	return Object.fromEntries(eventNumbers(events).map((event) => [event, moment]));
}

/** Returns what to save about the watched campaigns. */
export function contentsOf(
	{ listedUntil, numbering, campaigns, notSurveys }: Watched,
	selection: string,
): Contents {
	const contents: Contents = {
		listedUntil,
		selection,
		campaigns: Object.fromEntries(campaigns),
		notSurveys: [...notSurveys],
	};
	if (numbering !== undefined) contents.numbering = numbering;
	return contents;
}
