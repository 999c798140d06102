import { deepCopy, type IDataObject, type IPollFunctions } from 'n8n-workflow';

import { cached } from '../shared/cache';
import { failure } from '../shared/failure';
import type { Numbering } from '../shared/surveyData';
import { CREDENTIAL } from '../shared/transport/apiRequest';
import { fieldsIn, isDataObject } from '../shared/values';
import type { EventSet } from './events';
import { sha256 } from './rows';
import type { PackedKeys } from './seen';

/** What is saved about a campaign. Times are in milliseconds since the epoch. */
export type CampaignState = {
	/** For each watched event, by its number: rows dated earlier are never new. 0 means that all rows are new. */
	since: Record<string, number>;
	/** The events whose first read is done. */
	read: EventSet;
	/** The largest number of rows in a read. Absent until the first read. */
	rows?: number;
	/** The keys of the rows with seen events. */
	keys?: PackedKeys;
	anonymous?: boolean;
	/** When it had its last new event or, with All Campaigns, went live or was first seen live, whichever is latest. */
	live?: number;
	/** When it was deselected, or the filters changed. */
	leftAt?: number;
	/** It was seen as draft or scheduled, and not live since. */
	draft?: true;
	/** It was seen in another status than closed, even as draft, and its closing is to be emitted. */
	open?: true;
	/** When it was first seen closed, by n8n's clock. */
	closedAt?: number;
	/** It is closed, and its last read is done. */
	done?: true;
	/** While its last read is due and fails: for how long, and when it was tried last, by n8n's clock (`countRefusal`). */
	refused?: { ms: number; triedAt: number };
};

/** What a poll finds out for the next poll. */
export type StateContents = {
	/** A text that changes with the filters of All Campaigns (`filtersKey`). */
	filters: string;
	/** The time of the last usable list of All Campaigns. */
	listedAt?: number;
	/** Whether answer keys count from 0 or 1, if any survey has shown it. */
	numbering?: Numbering;
	campaigns: Record<string, CampaignState>;
	/** Campaigns that are not surveys. */
	notSurveys: string[];
};

/** What is saved in n8n's static data, as JSON. It changes last, and only together with the output. */
export type State = StateContents & {
	/** The version of this type. */
	version: 3;
	/** The IDs of the node and its credential. Earlier builds did not save them. */
	node?: string;
	credential?: string;
	/** New with each poll that emits items. */
	revision: string;
	checksum: string;
};

/** When this process read a campaign, by n8n's clock, in milliseconds since the epoch. */
export type Reading = {
	/** The place of the campaign in the queue. The lowest number is next. */
	turn: number;
	/** The last read that did not fail. For a campaign that turned out to be missing, the attempt counts. */
	readAt?: number;
	/** The last read that found new events, or the first read if no read found any. */
	newsAt?: number;
	/** When the status of a campaign that is not on the list was last asked. */
	askedAt?: number;
	/** When n8n's log last said that it cannot be read. */
	warnedAt?: number;
	/** The name of the survey at the last read. */
	name?: string;
};

/** What this process knows about a trigger node. It may be lost at any time. */
export type Memory = {
	/** When each campaign was read, by its ID. */
	readings: Map<string, Reading>;
	/** A state that n8n may not save. It is used only while the saved state has the revision `baseRevision`. */
	unsaved?: { baseRevision: string; state: State };
	/** The poll in progress. If another one took over, only the later one. */
	runningPoll?: { startedAt: number };
	/** Whether the last poll found selected campaigns that stop publishing. */
	foundUnusable?: boolean;
};

const VERSION = 3;

/** n8n stores static data under the name of the node, and a durable poll cursor under its ID (n8n 1.122.48 and 2.41.1). */
const START_AFRESH =
	'To start with an empty state, rename this node. If n8n uses durable poll cursors, replace this node with a new one. Existing responses are then skipped, unless Emit Existing is on.';

/** How many nodes, and how many campaigns of a node, this process remembers. Of a forgotten one, it knows what n8n saved. */
const MOST_NODES = 1_000;
const MOST_READINGS = 10_000;

const memories = new Map<string, Memory>();

/** Returns what this process knows about the polled node. */
export function memoryOf(context: IPollFunctions): Memory {
	const id = `${context.getWorkflow().id}:${context.getNode().id}`;
	return cached(memories, id, MOST_NODES, () => ({ readings: new Map() }));
}

/** Returns what this process knows about the reads of a campaign, to be changed. A new campaign has the first turn. */
export function readingOf({ readings }: Memory, id: string): Reading {
	return cached(readings, id, MOST_READINGS, () => ({ turn: 0 }));
}

/**
 * Whether n8n emits the result of every poll. n8n 1 does. n8n 2, which sets a budget, discards the result if the workflow is
 * saved during the poll.
 */
export function emitsEveryPoll(context: IPollFunctions): boolean {
	return context.getPollBudgetMs === undefined;
}

/** Whether a poll returned items, returned none, or failed. */
type Outcome = 'items' | 'none' | 'failure';

/**
 * Loads the state of a node. The newest state may be in one of three places:
 *
 * 1. The node's static data. After a poll without items, n8n saves it only at an activation, or with durable poll cursors.
 * 2. The workflow's global static data, only with durable poll cursors (n8n 2.41.1). Then the node's static data is a copy
 *    of the cursor. If the first poll of an activation has no items, n8n saves the global data, but not this copy. The
 *    global data also holds the checksum of the cursor that the state follows.
 * 3. The memory of this process, after a poll whose state n8n may not save.
 *
 * @param data the node's static data
 * @returns the state before the poll, if there is one, and a function that keeps the state after it. The state after a
 *   failure is kept only in memory
 * @throws NodeOperationError if the saved state cannot be read: polling without the state would lose rows or emit all
 *   rows again
 */
export function loadState(context: IPollFunctions, data: IDataObject, memory: Memory) {
	const { id: node, credentials } = context.getNode();
	const credential = credentials?.[CREDENTIAL]?.id ?? '';
	// 1. The node's static data.
	const nodeState = parseState(context, data);
	// 2. The global data. Only plain static data has the property with which n8n-workflow tracks changes.
	const hasCursor = !('__dataChanged' in data);
	const globalData = hasCursor ? context.getWorkflowStaticData('global') : {};
	const place = `messagingServiceTrigger:${node}`;
	// '' stands for a cursor without a state.
	const cursorChecksum = nodeState?.checksum ?? '';
	const { follows, state: stateAfterCursor } = fieldsIn(globalData[place]);
	const saved = follows === cursorChecksum ? parseState(context, stateAfterCursor) : nodeState;
	// 3. The memory.
	const { unsaved } = memory;
	const latest = saved && unsaved?.baseRevision === saved.revision ? unsaved.state : saved;
	const state = latest && ownState(latest, node, credential);
	const keep = (contents: StateContents, outcome: Outcome): void => {
		// A counter would not be unique across processes.
		const isNew = state === undefined || outcome === 'items';
		const revision = isNew ? Math.random().toString(36).slice(2) : state.revision;
		const ids = { version: VERSION, revision, node, credential } as const;
		const next: State = { ...ids, checksum: '', ...contents };
		next.checksum = checksumOf(next);
		// If n8n discards items, the next poll must find the earlier state. If n8n emits them, a workflow that was loaded just
		// before the poll ended has the earlier state, so the memory must have the later one.
		const mayBeDiscarded = outcome === 'items' && !emitsEveryPoll(context);
		if (saved && !mayBeDiscarded) memory.unsaved = { baseRevision: saved.revision, state: next };
		const isUnchanged = outcome === 'none' && saved?.checksum === next.checksum;
		if (outcome === 'failure' || isUnchanged) return;
		// Copies, because n8n changes the objects that it is given.
		Object.assign(data, deepCopy(next));
		if (!hasCursor) return;
		// With items, n8n saves the cursor, so it needs no later state.
		if (outcome === 'items') delete globalData[place];
		else globalData[place] = { follows: cursorChecksum, state: deepCopy(next) };
	};
	return { state, keep };
}

/**
 * Returns what a node may use of a saved state. A new node may find the state of another one that had its name: it uses
 * only the numbering. Another credential may belong to another account, where other campaigns went live since the list.
 * A state without IDs, of an earlier build, counts as the node's own.
 */
function ownState(state: State, node: string, credential: string): State {
	const isOtherNode = state.node !== undefined && state.node !== node;
	const isOtherCredential = state.credential !== undefined && state.credential !== credential;
	if (!isOtherNode && !isOtherCredential) return state;
	const withoutList: State = { ...state, listedAt: undefined };
	if (!isOtherNode) return withoutList;
	return { ...withoutList, checksum: '', filters: '', campaigns: {}, notSurveys: [] };
}

/** @throws NodeOperationError if the state is damaged, or was saved by another version of the node */
function parseState(context: IPollFunctions, data: unknown): State | undefined {
	const { version } = fieldsIn(data);
	if (version === undefined) return undefined;
	if (isIntact(data)) return data;
	const fail = failure(context);
	if (typeof version !== 'number' || version <= VERSION)
		throw fail('The saved state of this trigger cannot be read', START_AFRESH);
	throw fail(
		'The state of this trigger was saved by a newer version of the node',
		`Update the package in this n8n instance. ${START_AFRESH}`,
	);
}

/** Whether this version of the node wrote the state and nothing changed it. This proves all types and lengths. */
function isIntact(data: unknown): data is State {
	return isDataObject(data) && data.version === VERSION && data.checksum === checksumOf(data);
}

/**
 * Returns the checksum of a state. The order of its fields does not matter, because a database may change it. `listedAt` is
 * not included: if nothing else has changed, the state need not be saved, because the memory has `listedAt`.
 */
function checksumOf(state: State | IDataObject): string {
	const { version, revision, filters, numbering, campaigns, notSurveys, node, credential } = state;
	const parts = [version, revision, filters, numbering, campaigns, notSurveys];
	if (node !== undefined) parts.push(node, credential);
	const text = JSON.stringify(parts, (_, value: unknown) =>
		isDataObject(value)
			? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
			: value,
	);
	return Buffer.from(sha256(text), 'latin1').toString('base64');
}
