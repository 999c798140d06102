import { deepCopy, type IDataObject, type IPollFunctions } from 'n8n-workflow';

import { failure } from '../shared/failure';
import type { Numbering } from '../shared/surveyData';
import { CREDENTIAL } from '../shared/transport/apiRequest';
import { fieldsIn, isDataObject } from '../shared/values';
import { hashOf } from './rows';
import type { PackedKeys } from './seen';

/** What is saved about a campaign. Times are in milliseconds since the epoch. */
export type CampaignState = {
	/** For each watched event (its position in EVENTS): rows dated earlier are never new. 0 means that all rows are new. */
	since: Record<string, number>;
	/** The events whose first read is done, as a set. */
	read: number;
	/** The largest number of rows in a read. Absent until the first read. */
	rows?: number;
	/** The keys of the rows with seen events. */
	keys?: PackedKeys;
	anonymous?: boolean;
	/** When it had its last new event or, with All Campaigns, went live or was first seen live, whichever is latest. */
	live?: number;
	/** When it was deselected, or the filters changed, by the service's clock. 0 while this time is unknown. */
	leftAt?: number;
	/** It was seen as draft or scheduled, and not live since. */
	draft?: true;
	/** It was seen open, and its closing is to be emitted. */
	open?: true;
	/** When it was first seen closed, by n8n's clock. */
	closedAt?: number;
	/** It is closed and no longer read. */
	done?: true;
};

/** What a poll saves, so that the next poll can find the new events. */
export type Contents = {
	/** Identifies the filters of All Campaigns. */
	filters: string;
	/** The time of the last usable list of All Campaigns. */
	listedAt?: number;
	/** Whether answer keys count from 0 or 1, if any survey has shown it. */
	numbering?: Numbering;
	campaigns: Record<string, CampaignState>;
	/** Campaigns that are not surveys. */
	notSurveys: string[];
};

/** The contents of n8n's static data, as JSON. They are changed last, and only together with the output. */
export type State = Contents & {
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
	/** The last successful read. */
	readAt?: number;
	/** The last read that found new events, or the first read if no read found any. */
	newsAt?: number;
};

/** The readings by campaign ID. */
export type Readings = Map<string, Reading>;

/** What this process knows about a trigger node. It may be lost at any time. */
export type Memory = {
	/** When each campaign was read. */
	readings: Readings;
	/** When the status of a campaign that is not on the list was last asked, by n8n's clock. */
	asked: Map<string, number>;
	/** The state after polls without items. It is used only while the saved state still has the revision `base`. */
	copy?: { base: string; state: State };
	running?: { startedAt: number; hasEnded: boolean };
	/** Whether the last poll found selected campaigns that are not surveys. */
	hadNoSurveys?: boolean;
};

const VERSION = 3;

/** n8n stores static data under the name of the node, and a durable poll cursor under its ID (n8n 1.122.48 and 2.41.1). */
const START_AFRESH =
	'To start with an empty state, rename this node. If n8n uses durable poll cursors, replace this node by a new one. Existing responses are then skipped, unless Emit Existing is on.';

const memories = new Map<string, Memory>();

/** Returns what this process knows about the polled node. @param restarted whether to forget everything first */
export function memoryOf(context: IPollFunctions, restarted: boolean): Memory {
	const id = `${context.getWorkflow().id}:${context.getNode().id}`;
	const known = memories.get(id);
	const memory: Memory = known ?? { readings: new Map(), asked: new Map() };
	// The same object, so that a running poll sees that another one takes over.
	if (restarted) Object.assign(memory, { readings: new Map(), asked: new Map(), copy: undefined });
	memories.set(id, memory);
	return memory;
}

/**
 * Loads the state of a node.
 *
 * n8n saves the state after a poll without items only at an activation, or with durable poll cursors. So after such a
 * poll, the state is kept in memory as well. A poll with items writes its state only to the static data: if n8n 2
 * discards the result, the next poll finds the earlier state. n8n 1 discards nothing, but a workflow that was loaded
 * just before the poll ended has the earlier state.
 *
 * With durable poll cursors (n8n 2.41.1), the node's static data is a copy of the cursor. If the first poll of an
 * activation has no items, n8n does not save this copy, but it saves the workflow's global static data. So the state
 * is put there as well, with the checksum of the cursor that it follows.
 *
 * @param data the node's static data
 * @returns the state before the poll, and a function that keeps the state after it. The function is told whether the
 *   poll returns items, returns none, or fails
 * @throws NodeOperationError if the saved state cannot be read: polling without the state would lose rows or emit all
 *   rows again
 */
export function loadState(context: IPollFunctions, data: IDataObject, memory: Memory) {
	const saved = parseState(context, data);
	// Only plain static data has the property with which n8n-workflow tracks changes.
	const global = '__dataChanged' in data ? undefined : context.getWorkflowStaticData('global');
	const place = `messagingServiceTrigger:${context.getNode().id}`;
	const follows = saved?.checksum ?? '';
	const uncommittedState = global?.[place];
	const base =
		isDataObject(uncommittedState) && uncommittedState.follows === follows
			? parseState(context, uncommittedState.state)
			: saved;
	const { copy } = memory;
	const { id: node, credentials } = context.getNode();
	const credential = credentials?.[CREDENTIAL]?.id ?? '';
	const found = base !== undefined && copy?.base === base.revision ? copy.state : base;
	const state = found && ownState(found, node, credential);
	return {
		state,
		keep: (contents: Contents, outcome: 'items' | 'none' | 'failure'): void => {
			// A counter would not be unique across processes.
			const isNew = state === undefined || outcome === 'items';
			const revision = isNew ? Math.random().toString(36).slice(2) : state.revision;
			const next: State = {
				version: VERSION,
				revision,
				node,
				credential,
				checksum: '',
				...contents,
			};
			next.checksum = checksumOf(next);
			if (base && (outcome !== 'items' || context.getPollBudgetMs === undefined))
				memory.copy = { base: base.revision, state: next };
			if (outcome === 'failure') return;
			if (outcome === 'none' && base?.checksum === next.checksum) return;
			// Copies, because n8n changes the objects that it is given.
			Object.assign(data, deepCopy(next));
			if (!global) return;
			if (outcome === 'items') delete global[place];
			else global[place] = { follows, state: deepCopy(next) };
		},
	};
}

/**
 * Returns what a node may use of a saved state. A new node may find the state of another one that had its name: it uses
 * only the numbering. Another credential may belong to another account, where other campaigns went live since the list.
 */
function ownState(state: State, node: string, credential: string): State {
	const { node: savedNode = node, credential: savedCredential = credential } = state;
	const isOwn = savedNode === node;
	if (isOwn && savedCredential === credential) return state;
	const rest: State = { ...state, listedAt: undefined };
	return isOwn ? rest : { ...rest, checksum: '', filters: '', campaigns: {}, notSurveys: [] };
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
 * Returns the checksum of what is saved, in any order, because a database may change the order of the fields. `listedAt`
 * is not included: if nothing else has changed, the state need not be saved, because the memory has `listedAt`.
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
	return Buffer.from(hashOf(text), 'latin1').toString('base64');
}
