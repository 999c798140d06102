import {
	deepCopy,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { settle } from '../shared/concurrency';
import { failure, type Fail } from '../shared/failure';
import type { Numbering } from '../shared/surveyData';
import { isDataObject } from '../shared/values';
import type { Readings } from './schedule';
import type { PackedKeys } from './seen';

/** What is saved about a campaign. Times are in milliseconds since the epoch. */
export type CampaignState = {
	/** For each watched event (its position in EVENTS): rows dated earlier are never news. 0: all rows are news. */
	since: Record<string, number>;
	/** The events whose first read is done, as a set. */
	read: number;
	/** The most rows of a read; absent until the first read. */
	rows?: number;
	/** The keys of the rows with seen events. */
	keys?: PackedKeys;
	/** How many rows without a user ID had responded whose keys were forgotten when the survey was closed. */
	responded?: number;
	/** The latest date of its rows. */
	latest?: number;
	anonymous?: boolean;
	/** The last read showed the opposite of `anonymous`. */
	turned?: true;
	/** When it went live, or was first seen live; only with All Campaigns. */
	live?: number;
	/** When it was deselected, or the filters changed, by the service's clock; 0 while that is not known. */
	leftAt?: number;
	/** It was seen as draft or scheduled, and not live since. */
	draft?: true;
	/** It was seen open, and its closing is to be emitted. */
	open?: true;
	/** When it was first seen closed, and when its rows were first read after that. */
	closedAt?: number;
	closedReadAt?: number;
	/** It is closed and not read any more. */
	done?: true;
};

/** What decides about the next news. It lies in n8n's static data, as JSON, and is changed only with what is returned. */
export type State = {
	version: 2;
	/** New with each poll that emits items. */
	revision: string;
	/** Identifies the filters of All Campaigns. */
	filters: string;
	/** When the last good list of All Campaigns was sent. */
	listedAt?: number;
	/** Whether answer keys count from 0 or 1, if any survey has shown it. */
	numbering?: Numbering;
	campaigns: Record<string, CampaignState>;
	/** Campaigns that are not surveys. */
	notSurveys: string[];
};

export type Contents = Omit<State, 'version' | 'revision'>;

/** What this process knows about a trigger node. It may be lost at any time. */
export type Memory = {
	/** When each campaign was read. */
	readings: Readings;
	/** The state after polls without items; it counts while the saved state still has the revision it was made from. */
	copy?: { base: string; state: State };
	running?: { startedAt: number };
};

const VERSION = 2;

/** A poll that takes longer blocks no other. */
const HANGS_AFTER_MS = 10 * 60_000;

/** n8n stores static data under the name of the node (n8n 1.122.48 and 2.41.1). */
const START_AFRESH =
	'To start with an empty state, rename this node. Existing responses are then skipped, unless Emit Existing is on.';

const memories = new Map<string, Memory>();

/** Returns what this process knows about the polled node. @param restarted whether to forget it first */
export function memoryOf(context: IPollFunctions, restarted: boolean): Memory {
	const id = `${context.getWorkflow().id}:${context.getNode().id}`;
	const { running } = memories.get(id) ?? {};
	const known = restarted ? undefined : memories.get(id);
	const memory = known ?? { readings: new Map(), running };
	memories.set(id, memory);
	return memory;
}

/**
 * Runs one poll of a node at a time; the second one returns null. After ten minutes a poll blocks no other, and what it
 * brings at last is thrown away.
 *
 * @param poll is told how to find out whether its result is still wanted
 */
export async function oneAtATime(
	memory: Memory,
	poll: (isWanted: () => boolean) => Promise<INodeExecutionData[][] | null>,
): Promise<INodeExecutionData[][] | null> {
	const startedAt = Date.now();
	const { running } = memory;
	if (running && Math.abs(startedAt - running.startedAt) < HANGS_AFTER_MS) return null;
	const own = { startedAt };
	memory.running = own;
	const isWanted = (): boolean => memory.running === own;
	const result = poll(isWanted);
	await settle(async () => await result);
	if (!isWanted()) return null;
	delete memory.running;
	return await result;
}

/** The state before a poll, and how to keep the next one. */
export type LoadedState = {
	state?: State;
	/** Keeps what a poll leaves that returns items, returns none, or fails. */
	keep: (next: Contents, outcome: 'items' | 'none' | 'failure') => void;
};

/**
 * Loads the state of a node.
 *
 * n8n saves a poll without items only at an activation, or with durable poll cursors. Such a poll therefore also keeps its
 * state in memory. A poll with items writes its state to the static data alone: if n8n discards its result, the next poll
 * finds the state from before.
 *
 * With durable poll cursors (n8n 2.41.1), the node's static data is a copy of the cursor. n8n does not save it after the
 * first poll of an activation if that poll has no items, but it saves the workflow's global static data. The state is
 * therefore also put there, with the revision that it follows.
 *
 * @param data the node's static data
 * @throws NodeOperationError if the saved state cannot be read: polling without it would lose rows or emit all again
 */
export function loadState(context: IPollFunctions, data: IDataObject, memory: Memory): LoadedState {
	const fail = failure(context);
	const saved = parseState(data, fail);
	// Only plain static data has the property with which n8n-workflow tracks changes.
	const global = '__dataChanged' in data ? undefined : context.getWorkflowStaticData('global');
	const place = `messagingServiceTrigger:${context.getNode().id}`;
	const left = global?.[place];
	const follows = saved?.revision ?? '';
	const base =
		isDataObject(left) && left.follows === follows && isDataObject(left.state)
			? parseState(left.state, fail)
			: saved;
	const { copy } = memory;
	const state = base !== undefined && copy?.base === base.revision ? copy.state : base;
	return {
		state,
		keep: (contents, outcome) => {
			const isNew = outcome === 'items' || state === undefined;
			const revision = isNew ? newRevision() : state.revision;
			const next: State = { version: VERSION, revision, ...contents };
			if (outcome !== 'items' && base) memory.copy = { base: base.revision, state: next };
			if (outcome === 'failure') return;
			if (outcome === 'none' && state && saved && isSame(state, next)) return;
			delete data.listedAt;
			delete data.numbering;
			// Copies, because n8n changes the objects that it is given.
			Object.assign(data, deepCopy(next));
			if (!global) return;
			if (outcome === 'items') delete global[place];
			else global[place] = { follows, state: deepCopy(next) };
		},
	};
}

/** Returns the events that a campaign is watched for, as a set. */
export function watchedEvents({ since }: CampaignState): number {
	return Object.keys(since).reduce((set, event) => set | (1 << Number(event)), 0);
}

/** Makes the error for a state that cannot be read. */
export function unreadableState(fail: Fail): Error {
	return fail('The saved state of this trigger cannot be read', START_AFRESH);
}

function newRevision(): string {
	// A counter would not be unique across processes.
	return Math.random().toString(36).slice(2);
}

/** Whether two states decide the same. A later `listedAt` alone is not worth saving: the memory has it. */
function isSame(a: State, b: State): boolean {
	return JSON.stringify({ ...a, listedAt: 0 }) === JSON.stringify({ ...b, listedAt: 0 });
}

/** @throws the error of `fail` if the state is damaged, or was saved by another version of the node */
function parseState(data: IDataObject, fail: Fail): State | undefined {
	const { version, revision, filters, listedAt, numbering, campaigns, notSurveys } = data;
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
		typeof filters !== 'string' ||
		!(listedAt === undefined || isNumber(listedAt)) ||
		!(numbering === undefined || numbering === 0 || numbering === 1) ||
		!isRecordOf(campaigns, isCampaign) ||
		!isTexts(notSurveys)
	) {
		throw unreadableState(fail);
	}
	const state: State = { version: VERSION, revision, filters, campaigns, notSurveys };
	if (listedAt !== undefined) state.listedAt = listedAt;
	if (numbering !== undefined) state.numbering = numbering;
	return state;
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isTrue = (value: unknown): boolean => value === true;

const FIELDS = new Map<string, (value: unknown) => boolean>([
	['since', (value) => isRecordOf(value, isNumber)],
	['keys', (value) => isRecordOf(value, isText)],
	['anonymous', (value) => typeof value === 'boolean'],
	...['turned', 'draft', 'open', 'done'].map((name): [string, typeof isTrue] => [name, isTrue]),
]);

function isCampaign(value: unknown): value is CampaignState {
	return (
		isDataObject(value) &&
		isNumber(value.read) &&
		isDataObject(value.since) &&
		Object.entries(value).every(([name, field]) => (FIELDS.get(name) ?? isNumber)(field))
	);
}

function isRecordOf<Each>(
	value: unknown,
	isEach: (each: unknown) => each is Each,
): value is Record<string, Each> {
	return isDataObject(value) && Object.values(value).every(isEach);
}
