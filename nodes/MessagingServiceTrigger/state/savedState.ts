import type { IDataObject } from 'n8n-workflow';

import type { Fail } from '../../shared/failure';
import { isDataObject } from '../../shared/values';
import type { Numbering } from '../../shared/surveyData';
import type { PackedRows } from '../dedupe/rowFingerprints';

/** The saved state of a campaign. */
export type CampaignState = {
	/** When it went live, in milliseconds since the epoch; only with `watch: all`. */
	live?: number;
	/** A set of events. `rows` has the rows already seen with these events; any other row with such an event is new. */
	events: number;
	/**
	 * The selected events that still need a baseline. The key is the number of the event; the value is a time in milliseconds
	 * since the epoch. Only rows submitted after this time are new.
	 */
	baselines?: Record<string, number>;
	/** The seen rows; absent until the first read. */
	rows?: PackedRows;
	/** The latest time of submission of its rows, in milliseconds since the epoch. */
	last?: number;
	/** Set when it is reopened: rows submitted up to this time are not new. */
	until?: number;
	/** Set if it is closed and fully read. */
	closed?: true;
	/**
	 * Set when Survey Closed is selected and the campaign is not closed yet. Removed when its closing is emitted, or when
	 * Survey Closed is no longer selected.
	 */
	open?: true;
};

/**
 * The state of the trigger between polls, as JSON in n8n's database.
 *
 * Without durable poll cursors, n8n 1.123.81 and 2.41.1 write static data only (1) after the first poll of an activation
 * and (2) when a poll emits. The changes of other polls are lost when n8n is killed or restarted, or when the workflow is
 * saved. No decision about new rows may depend on these changes. The state saved after the first poll is therefore
 * complete. It has every selected campaign with its rows. If the rows of a campaign could not be read, the state has a time
 * instead: rows submitted later are new. If a campaign is missing from the state, all its rows are new. Reading the
 * campaign again after a restart therefore finds the same events. New events are saved when they are emitted.
 */
export type State = {
	version: 1;
	/** Unique to each state. */
	revision: string;
	/** When this state was made, by the service's clock. */
	at: number;
	/** Campaigns that went live up to this time were on the last list, or were not visible to the caller. */
	listedUntil: number;
	/** Identifies the selection from which the campaigns come. */
	selection: string;
	/** Whether answer keys count from 0 or 1, if any survey has shown it. */
	numbering?: Numbering;
	campaigns: Record<string, CampaignState>;
	/** Campaigns on the list that are not surveys; only with `watch: all`. */
	notSurveys: string[];
};

export type Contents = Omit<State, 'version' | 'revision' | 'at'>;

const VERSION = 1;

/** n8n stores static data under the name of the node (n8n 1.122.48 and 2.41.1). */
const START_AFRESH =
	'To start with an empty state, rename this node. Existing responses are then skipped, unless Emit Existing is on.';

/** Makes a new state. @param at the time, in milliseconds since the epoch */
export function stateOf(contents: Contents, at: number): State {
	// A counter would not be unique across processes.
	const revision = Math.random().toString(36).slice(2);
	return { version: VERSION, revision, at, ...contents };
}

/** Returns a copy of a state and its objects. The copy shares the long texts in `rows`, which never change. */
export function copyOf(state: State): State {
	const campaigns = Object.entries(state.campaigns).map(([id, campaign]) => {
		const copy = { ...campaign };
		if (copy.rows) copy.rows = { ...copy.rows };
		if (copy.baselines) copy.baselines = { ...copy.baselines };
		return [id, copy];
	});
	return {
		...state,
		campaigns: Object.fromEntries(campaigns),
		notSurveys: [...state.notSurveys],
	};
}

/** Whether a state has these contents. */
export function isSame(state: State, contents: Contents): boolean {
	// A new `listedUntil` alone does not require writing the state: the process remembers it.
	const { selection, numbering, campaigns, notSurveys } = state;
	const others = Object.entries(contents.campaigns);
	const known = new Set(notSurveys);
	return (
		selection === contents.selection &&
		numbering === contents.numbering &&
		known.size === contents.notSurveys.length &&
		contents.notSurveys.every((id) => known.has(id)) &&
		others.length === Object.keys(campaigns).length &&
		others.every(([id, other]) => isSameCampaign(campaigns[id], other))
	);
}

function isSameCampaign(a: CampaignState | undefined, b: CampaignState): boolean {
	return (
		a !== undefined &&
		// Unchanged `rows` are the same object, so the long texts in them need no comparison.
		a.rows === b.rows &&
		a.live === b.live &&
		a.events === b.events &&
		a.last === b.last &&
		a.until === b.until &&
		a.closed === b.closed &&
		a.open === b.open &&
		JSON.stringify(a.baselines) === JSON.stringify(b.baselines)
	);
}

/**
 * Returns the saved state; `undefined` if there is none.
 *
 * @throws the error of `fail` if the state is damaged, or was saved by a newer version of the node
 */
export function readState(data: IDataObject, fail: Fail): State | undefined {
	const { version, revision, at, listedUntil, selection, numbering, campaigns, notSurveys } = data;
	if (version === undefined) return undefined;
	if (typeof version === 'number' && version > VERSION) {
		throw fail(
			'The state of this trigger was saved by a newer version of the node',
			`Update the package in this n8n instance. ${START_AFRESH}`,
		);
	}
	if (
		version !== VERSION ||
		typeof revision !== 'string' ||
		!isTime(at) ||
		!isTime(listedUntil) ||
		typeof selection !== 'string' ||
		!(numbering === undefined || numbering === 0 || numbering === 1) ||
		!isDataObject(campaigns) ||
		!isTexts(notSurveys)
	) {
		throw damagedState(fail);
	}
	const state: State = {
		version: VERSION,
		revision,
		at,
		listedUntil,
		selection,
		campaigns: Object.fromEntries(
			Object.entries(campaigns).map(([id, campaign]) => [id, readCampaign(campaign, fail)]),
		),
		notSurveys,
	};
	if (numbering !== undefined) state.numbering = numbering;
	return state;
}

/** Makes the error for an unreadable state. Polling without the state would lose rows or emit all of them again. */
export function damagedState(fail: Fail): Error {
	return fail('The saved state of this trigger cannot be read', START_AFRESH);
}

function readCampaign(saved: unknown, fail: Fail): CampaignState {
	if (!isDataObject(saved)) throw damagedState(fail);
	const { events, baselines, rows, live, last, until, closed, open } = saved;
	if (
		typeof events !== 'number' ||
		!(baselines === undefined || isTimes(baselines)) ||
		!(rows === undefined || isPackedRows(rows)) ||
		!isTimeOrNone(live) ||
		!isTimeOrNone(last) ||
		!isTimeOrNone(until) ||
		!(closed === undefined || closed === true) ||
		!(open === undefined || open === true)
	) {
		throw damagedState(fail);
	}
	const campaign: CampaignState = { events };
	if (baselines !== undefined) campaign.baselines = { ...baselines };
	if (rows !== undefined) campaign.rows = { ...rows };
	if (live !== undefined) campaign.live = live;
	if (last !== undefined) campaign.last = last;
	if (until !== undefined) campaign.until = until;
	if (closed !== undefined) campaign.closed = closed;
	if (open !== undefined) campaign.open = open;
	return campaign;
}

function isTime(value: unknown): value is number {
	return Number.isFinite(value);
}

function isTimeOrNone(value: unknown): value is number | undefined {
	return value === undefined || isTime(value);
}

function isTimes(value: unknown): value is Record<string, number> {
	return isDataObject(value) && Object.values(value).every(isTime);
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isPackedRows(value: unknown): value is PackedRows {
	return isDataObject(value) && Object.values(value).every((text) => typeof text === 'string');
}
