import type { Numbering } from '../../shared/surveyData';
import { CAMPAIGN_READ, eventNumbers } from '../events';
import type { CampaignState, Contents, State } from '../state/savedState';

/** How far a campaign has got, as the list of campaigns shows it; the last where that list does not have it. */
export type Phase = 'notYetLive' | 'live' | 'closed' | 'takenForLive';

/** A campaign as the list of campaigns shows it, or as it was chosen. */
export type Listed = {
	id: string;
	/** When it went live, in milliseconds since the epoch; only with `watch: all`. */
	live?: number;
	/** Absent when it is not known. */
	phase?: Phase;
	/** How many people it was sent to, as far as it is known. */
	recipients?: number;
	name?: string;
};

export type Selection = {
	/** Tells one selection from another; a change of it makes what is new in it a baseline. */
	name: string;
	campaigns: Listed[];
	/** With `watch: all`, campaigns that went live before this have left the selection. */
	from?: number;
};

export type WatchOptions = {
	/** When this poll began, in milliseconds since the epoch by the clock of the service, as far as it is known. */
	now: number;
	/** As in the state, where the process knows of a later list. */
	listedUntil?: number;
	/** As found out in this process. */
	foundClosed: Set<string>;
	/** Whether the service said what time it is. */
	isServiceTime: boolean;
	/** The events looked for, as a set. */
	events: number;
	/** Whether the closing of a survey is an event. */
	surveyClosed: boolean;
	emitExisting: boolean;
	/** Whether this is the first poll after n8n started again. */
	restarted: boolean;
};

/** The campaigns to be watched, each with what is known of it. */
export type Watched = {
	listedUntil: number;
	/** Where answer keys begin, as far as any survey has shown it. */
	numbering: Numbering | undefined;
	campaigns: Map<string, CampaignState>;
	notSurveys: Set<string>;
	/** What the list said of each campaign; one that is missing from it has no entry. */
	listed: Map<string, Listed>;
	/** Campaigns that the list does not have, and that were found to be closed; their closing is to be emitted. */
	foundClosed: Set<string>;
};

const DAY_MS = 24 * 60 * 60_000;

/**
 * A campaign that left the window is remembered this much longer: a clock that is put back must not make it a new one,
 * all of whose rows would be new.
 */
export const REMEMBERED_MS = 7 * DAY_MS;

/** A time of submission this far ahead of the clock is none. */
export const CLOCKS_DIFFER_MS = DAY_MS;

/** A campaign may be missing from lists for so long after it went live; longer where only n8n's clock is known. */
const LIST_LAG_MS = { serviceTime: 5 * 60_000, ownTime: DAY_MS };

/**
 * Decides for each campaign of the selection how its rows are to be taken: what is known stays; what was there when the
 * selection came about gets a baseline; what went live after the last list is new from its first row. What left the selection is forgotten.
 */
export function watchedCampaigns(
	state: State | undefined,
	selection: Selection,
	options: WatchOptions,
): Watched {
	const { now, restarted, isServiceTime } = options;
	const isNewSelection = state?.selection !== selection.name;
	// After a restart it is not known since when the selection has changed: what came since the last save is new then,
	// so that a row that came while n8n was down is not taken for an old one.
	const baseline = restarted && state ? Math.min(state.at, now) : now;
	const lag = isServiceTime ? LIST_LAG_MS.serviceTime : LIST_LAG_MS.ownTime;
	// A future time was noted by a clock that was ahead: what goes live before it would not count as new.
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
	if (selection.from !== undefined && !isNewSelection) {
		for (const [id, before] of known) {
			if (listed.has(id)) continue;
			const { live = now } = before;
			// Missing from one list is not gone: a campaign stays until its time is over.
			if (live >= selection.from - REMEMBERED_MS)
				campaigns.set(id, knownCampaign(before, { id }, baseline, options));
		}
	}
	// A list that lacks all that is known may be one that failed.
	const isListed = listed.size > 0 || campaigns.size === 0;
	const listedUntil = isListed || !state ? now - lag : lastListedUntil;
	const { foundClosed } = options;
	return { listedUntil, numbering: state?.numbering, campaigns, notSurveys, listed, foundClosed };

	function newCampaign({ live = now, phase }: Listed): CampaignState {
		const { events, emitExisting } = options;
		const campaign: CampaignState = { events };
		// Without a date it would be forgotten as soon as it is missing from a list.
		if (selection.from !== undefined) campaign.live = live;
		const moment = baselineOf(live, phase);
		noteOpen(campaign, moment === undefined ? 'live' : phase, options.surveyClosed);
		if (emitExisting || moment === undefined) return campaign;
		campaign.events = 0;
		campaign.baselines = baselinesAt(events, moment);
		// What it has was there before this moment, and nothing more comes as long as it is closed.
		if (phase === 'closed' && moment === now) campaign.closed = true;
		return campaign;
	}

	/** The moment up to which the rows of a campaign are not new; `undefined` when all of them are. */
	function baselineOf(live: number, phase: Phase | undefined): number | undefined {
		if (phase === 'notYetLive') return undefined;
		if (selection.from === undefined || isNewSelection || !state) return baseline;
		// It may have been there for long, and only become visible now.
		return live <= lastListedUntil ? now : undefined;
	}
}

/** What is known of a campaign, brought up to date with its phase and the events that are looked for now. */
function knownCampaign(
	before: CampaignState,
	{ live, phase }: Listed,
	baseline: number,
	{ now, events, surveyClosed, emitExisting }: WatchOptions,
): CampaignState {
	const campaign: CampaignState = { ...before, events: before.events & events };
	noteOpen(campaign, phase, surveyClosed);
	if (live !== undefined) campaign.live = live;
	const baselines: Record<string, number> = {};
	for (const event of eventNumbers(events)) {
		const moment = before.baselines?.[event];
		// A moment that is still to come was noted by a clock that was ahead.
		if (moment !== undefined) baselines[event] = Math.min(moment, now);
	}

	// Nothing has happened in it yet, so an event that is added now is new from the first row, too.
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

/** Notes of a campaign that is known not to be closed that its closing is to be emitted. */
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

/** What is to be saved of the campaigns watched. */
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
