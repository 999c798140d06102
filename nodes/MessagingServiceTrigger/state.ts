import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../shared/failure';
import { isDataObject } from '../shared/guards';
import type { PackedRows } from './seen/seenRows';

/** What is remembered of one campaign. */
export type CampaignState = {
	/** When it went live, in milliseconds since the epoch; only with `watch: all`. */
	live?: number;
	/** Set while its rows were never read: what was submitted later than this is news, the rest is not. */
	since?: number;
	/** The events looked for when its rows were last read, as a set. */
	events?: number;
	/** The rows seen; none yet when absent. */
	rows?: PackedRows;
};

/**
 * What the trigger remembers between polls, as JSON in n8n's database.
 *
 * n8n 1.123.81 and 2.41.1 write plain static data (1) when the first poll of an activation has ended, (2) when a poll
 * emits, and at no other time: what a poll without news changes is lost when n8n is killed, restarted or the workflow
 * saved. So nothing that decides whether a row is news may be learnt in a poll without news. What is in the database
 * after the first poll of an activation is therefore complete: every campaign of the selection is in it, with its rows,
 * or with the moment since which its rows are news when they could not be read then. A campaign that is not in it came
 * later and is news from its first row; reading it again after a restart gives the same news. Whatever is news is saved
 * with the emission.
 */
export type State = {
	version: 1;
	/** Different for each state that was ever made. */
	revision: string;
	/** When this state was made. */
	at: number;
	/** When the present selection was first seen. */
	since: number;
	/** The selection that the campaigns belong to. */
	selection: string;
	campaigns: Record<string, CampaignState>;
	/** Campaigns of the selection that the service said are no surveys; only with `watch: all`. */
	notSurveys: string[];
};

export type Contents = Omit<State, 'version' | 'revision' | 'at'>;

/** What is saved, and how to save what comes after it. */
export type Memory = {
	state: State | undefined;
	/** Takes over new contents, if they are new; `emits` tells whether this poll returns items. */
	save: (contents: Contents, at: number, emits: boolean) => void;
};

const VERSION = 1;

/**
 * Opens what was saved for this node.
 *
 * With durable poll cursors (n8n 2.41.1) the node's static data is a copy of the cursor, and n8n drops what the first
 * poll of an activation changes in it when that poll emits nothing (PollTriggerExecutor: no commit while
 * `testingTrigger`). The workflow's own static data is written then all the same: the baseline is left there, marked with
 * the revision it follows, until a later poll has brought it into the cursor.
 *
 * @param data the node's static data
 * @throws NodeOperationError when it cannot be read: going on without it would lose rows
 */
export function openMemory(context: IPollFunctions, data: IDataObject): Memory {
	const fail = failure(context);
	const saved = readState(data, fail);
	if (isPlainStaticData(data)) {
		return {
			state: saved,
			save: (contents, at) => {
				if (!saved || !isSame(saved, contents)) Object.assign(data, stateOf(contents, at));
			},
		};
	}
	const shared = context.getWorkflowStaticData('global');
	const place = `messagingServiceTrigger:${context.getNode().id}`;
	const follows = saved?.revision ?? '';
	const left = leftBehind(shared[place], follows, fail);
	return {
		state: left ?? saved,
		save: (contents, at, emits) => {
			if (saved && !left && isSame(saved, contents)) return;
			const state = left && isSame(left, contents) ? left : stateOf(contents, at);
			Object.assign(data, state);
			if (emits) delete shared[place];
			else Object.assign(shared, { [place]: { follows, state } });
		},
	};
}

function leftBehind(left: unknown, follows: string, fail: Fail): State | undefined {
	if (!isDataObject(left) || left.follows !== follows || !isDataObject(left.state))
		return undefined;
	return readState(left.state, fail);
}

function isSame(state: State, contents: Contents): boolean {
	const { since, selection, campaigns, notSurveys } = state;
	const ids = Object.keys(contents.campaigns);
	const known = new Set(notSurveys);
	return (
		since === contents.since &&
		selection === contents.selection &&
		known.size === contents.notSurveys.length &&
		contents.notSurveys.every((id) => known.has(id)) &&
		ids.length === Object.keys(campaigns).length &&
		ids.every((id) => isSameCampaign(campaigns[id], contents.campaigns[id]))
	);
}

function isSameCampaign(a?: CampaignState, b?: CampaignState): boolean {
	// Rows that have not changed are handed on as the same object: the long texts need not be looked at.
	return (
		a?.rows === b?.rows && a?.live === b?.live && a?.since === b?.since && a?.events === b?.events
	);
}

/** Reads a saved state; `undefined` when there is none. @throws what `fail` makes when it is damaged or newer */
export function readState(data: IDataObject, fail: Fail): State | undefined {
	const { version, revision, at, since, selection, campaigns, notSurveys } = data;
	if (version === undefined) return undefined;
	if (version !== VERSION) {
		throw fail(
			'What this trigger remembers was saved by a newer version of the node',
			'Update the package on this n8n. To start afresh instead, put a new trigger in the place of this one: what is there then counts as seen.',
		);
	}
	if (
		typeof revision !== 'string' ||
		typeof at !== 'number' ||
		typeof since !== 'number' ||
		typeof selection !== 'string' ||
		!isDataObject(campaigns) ||
		!Array.isArray(notSurveys)
	) {
		throw damaged(fail);
	}
	return {
		version: VERSION,
		revision,
		at,
		since,
		selection,
		campaigns: Object.fromEntries(
			Object.entries(campaigns).map(([id, campaign]) => [id, readCampaign(campaign, fail)]),
		),
		notSurveys: notSurveys.filter((id): id is string => typeof id === 'string'),
	};
}

function readCampaign(saved: unknown, fail: Fail): CampaignState {
	if (!isDataObject(saved)) throw damaged(fail);
	const campaign: CampaignState = {};
	for (const name of ['live', 'since', 'events'] as const) {
		const value = saved[name];
		if (typeof value === 'number') campaign[name] = value;
	}
	if (isDataObject(saved.rows)) {
		campaign.rows = {};
		for (const [events, text] of Object.entries(saved.rows)) {
			if (typeof text !== 'string') throw damaged(fail);
			campaign.rows[events] = text;
		}
	}
	return campaign;
}

function damaged(fail: Fail): Error {
	return fail(
		'What this trigger remembers cannot be read',
		'Put a new trigger in the place of this one: what is there then counts as seen.',
	);
}

function stateOf(contents: Contents, at: number): State {
	// Counters of two processes could meet; these do not.
	const revision = Math.random().toString(36).slice(2);
	return { version: VERSION, revision, at, ...contents };
}

/** Plain static data watches its changes through this property; a copy of a durable cursor has none (n8n-workflow). */
function isPlainStaticData(data: IDataObject): boolean {
	return '__dataChanged' in data;
}
