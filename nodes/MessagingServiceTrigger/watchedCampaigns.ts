import type { CampaignState, State } from './state';

/** A campaign as the list of campaigns shows it, or as it was chosen. */
export type Listed = {
	id: string;
	/** When it went live, in milliseconds since the epoch; only with `watch: all`. */
	live?: number;
};

export type Selection = {
	/** Tells one selection from another; a change of it makes what is new in it a baseline. */
	name: string;
	campaigns: Listed[];
	/** With `watch: all`, campaigns that went live before this have left the selection. */
	from?: number;
};

export type Circumstances = {
	now: number;
	emitExisting: boolean;
	/** Whether this is the first poll after n8n started again. */
	restarted: boolean;
};

/** The campaigns to be watched, each with what is known of it. */
export type Enrolled = {
	since: number;
	campaigns: Map<string, CampaignState>;
	notSurveys: Set<string>;
};

const DAY_MS = 24 * 60 * 60_000;

/**
 * A campaign that left the window is remembered this much longer: a clock that is put back must not make it a new one,
 * all of whose rows would be news.
 */
export const REMEMBERED_MS = DAY_MS;

/**
 * A campaign that is not in the first list and went live this long before it was live already, only not visible. Within
 * it the clocks of n8n and the service may differ: what went live since then counts as new.
 */
const CLOCKS_DIFFER_MS = DAY_MS;

/**
 * Decides for each campaign of the selection how its rows are to be taken: what is known stays; what was there when the
 * selection came about gets a baseline; what came later is news from its first row. What left the selection is forgotten.
 */
export function enrol(
	state: State | undefined,
	selection: Selection,
	{ now, emitExisting, restarted }: Circumstances,
): Enrolled {
	const known = state?.campaigns ?? {};
	const isNewSelection = state?.selection !== selection.name;
	// After a restart it is not known since when the selection has changed: what came since the last save is news then,
	// so that a row that came while n8n was down is not taken for an old one.
	const baseline = restarted && state ? state.at : now;
	const since = isNewSelection || !state ? baseline : state.since;

	const campaigns = new Map<string, CampaignState>();
	const notSurveys = new Set<string>();
	for (const { id, live } of selection.campaigns) {
		if (Object.hasOwn(known, id))
			campaigns.set(id, { ...known[id], ...(live === undefined ? {} : { live }) });
		else if (state?.notSurveys.includes(id)) notSurveys.add(id);
		else campaigns.set(id, newcomer(live));
	}
	if (selection.from !== undefined && !isNewSelection) {
		for (const [id, campaign] of Object.entries(known)) {
			const { live = now } = campaign;
			// Missing from one list is not gone: a campaign stays until its time is over.
			if (!campaigns.has(id) && live >= selection.from - REMEMBERED_MS) campaigns.set(id, campaign);
		}
	}
	return { since, campaigns, notSurveys };

	function newcomer(live: number | undefined): CampaignState {
		const campaign: CampaignState = {};
		// Without a date it would be forgotten as soon as it is missing from a list.
		if (selection.from !== undefined) campaign.live = live ?? now;
		if (emitExisting) campaign.rows = {};
		else if (selection.from === undefined || isNewSelection) campaign.since = baseline;
		else if ((live ?? now) < since - CLOCKS_DIFFER_MS) campaign.since = since;
		else campaign.rows = {};
		return campaign;
	}
}
