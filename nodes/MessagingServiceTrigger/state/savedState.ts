import type { IDataObject } from 'n8n-workflow';

import type { Fail } from '../../shared/failure';
import { isDataObject } from '../../shared/typeGuards';
import type { Numbering } from '../../shared/surveyData';
import type { PackedRows } from '../dedupe/seenRows';

/** What is saved of one campaign. */
export type CampaignState = {
	/** When it went live, in milliseconds since the epoch; only with `watch: all`. */
	live?: number;
	/** The events whose rows are known, as a set: what is not among the rows is new. */
	events: number;
	/**
	 * The other events that are looked for, by number: their baseline is still to be taken. What was submitted after the
	 * moment given here, in milliseconds since the epoch, is new, the rest is not.
	 */
	baselines?: Record<string, number>;
	/** The rows seen; absent while they were never read. */
	rows?: PackedRows;
	/** The latest time of submission in its rows, in milliseconds since the epoch. */
	last?: number;
	/** Set once it was reopened: what was submitted up to this time was there before it closed, and is not new. */
	until?: number;
	/** It is closed and nothing is left to be read. */
	closed?: true;
	/** It was not closed when it was last looked at, and its closing is to be emitted. */
	open?: true;
};

/**
 * The state of the trigger between polls, as JSON in n8n's database.
 *
 * n8n 1.123.81 and 2.41.1 write plain static data (1) when the first poll of an activation has ended, (2) when a poll
 * emits, and at no other time: what a poll without new events changes is lost when n8n is killed, restarted or the workflow
 * saved. So nothing that decides whether a row is new may rest on a poll without new events alone. What is in the database
 * after the first poll of an activation is therefore complete: every campaign of the selection is in it, with its rows,
 * or with the moment since which its rows are new when they could not be read then. A campaign that is not in it came
 * later and is new from its first row; reading it again after a restart gives the same events. Whatever is new is saved
 * with the emission.
 */
export type State = {
	version: 1;
	/** Different for each state that was ever made. */
	revision: string;
	/** When this state was made, by the clock of the service. */
	at: number;
	/** What went live up to this time was on the last list that could be read, or was not visible to the caller. */
	listedUntil: number;
	/** The selection that the campaigns belong to. */
	selection: string;
	/** Where answer keys begin, as far as any survey has shown it. */
	numbering?: Numbering;
	campaigns: Record<string, CampaignState>;
	/** Campaigns of the selection that the service said are no surveys; only with `watch: all`. */
	notSurveys: string[];
};

export type Contents = Omit<State, 'version' | 'revision' | 'at'>;

const VERSION = 1;

/** n8n keeps static data by the name of the node (n8n 1.122.48 and 2.41.1). */
const START_AFRESH =
	'To start with an empty state, rename this node: existing responses are then skipped, as when it was first published.';

/** A state of its own. @param at when it is made, in milliseconds since the epoch */
export function stateOf(contents: Contents, at: number): State {
	// Counters of two processes could meet; these do not.
	const revision = Math.random().toString(36).slice(2);
	return { version: VERSION, revision, at, ...contents };
}

/** The same state in objects of its own; the long texts are shared. */
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
	// The time of the list alone is not worth writing the whole state: the process remembers it.
	const { selection, numbering, campaigns, notSurveys } = state;
	const ids = Object.keys(contents.campaigns);
	const known = new Set(notSurveys);
	return (
		selection === contents.selection &&
		numbering === contents.numbering &&
		known.size === contents.notSurveys.length &&
		contents.notSurveys.every((id) => known.has(id)) &&
		ids.length === Object.keys(campaigns).length &&
		ids.every((id) => isSameCampaign(campaigns[id], contents.campaigns[id]))
	);
}

function isSameCampaign(a?: CampaignState, b?: CampaignState): boolean {
	return (
		a !== undefined &&
		b !== undefined &&
		// Rows that have not changed are handed on as the same object: the long texts need not be looked at.
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

/** Reads a saved state; `undefined` when there is none. @throws what `fail` makes when it is damaged or newer */
export function readState(data: IDataObject, fail: Fail): State | undefined {
	const { version, revision, at, listedUntil, selection, numbering, campaigns, notSurveys } = data;
	if (version === undefined) return undefined;
	if (typeof version === 'number' && version > VERSION) {
		throw fail(
			'The state of this trigger was saved by a newer version of the node',
			`Update the package on this n8n. ${START_AFRESH}`,
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

/** The error for a state that cannot be read: going on without it would lose rows, or give all of them again. */
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
	return typeof value === 'number' && Number.isFinite(value);
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
