import type { IPollFunctions } from 'n8n-workflow';

import type { State } from './savedState';

/** What a process knows of its readings of one campaign. */
export type Reading = {
	/** Where it stands in the row of campaigns that wait for their turn: the one with the lowest number is the next. */
	turn: number;
	/** When it was last read well, in milliseconds since the epoch. */
	readAt?: number;
	/** When it last brought something new, or was read for the first time. */
	newsAt?: number;
};

/** By the ID of the campaign. */
export type Readings = Map<string, Reading>;

/**
 * What this process knows of one trigger node beside what n8n saves. All of it may be lost at any time: after a restart
 * campaigns are read more often for a while, and what polls without new events found out is found out again.
 */
export type ProcessState = {
	/** When each campaign was read. */
	readings: Readings;
	/** What went live up to this time was on the last list, as in the saved state, which may be older. */
	listedUntil?: number;
	/** Campaigns that the list does not have, and that were found to be closed; their closing is to be emitted. */
	foundClosed: Set<string>;
	/** How far the service's clock is ahead of n8n's, in milliseconds. */
	clockOffsetMs: number;
	/** What polls without new events have found out since one of the states with the revisions `follows` was saved. */
	buffered?: { follows: string[]; state: State };
};

const processStates = new Map<string, ProcessState>();

/** The state of the node of a poll in this process, which the poll may change. */
export function processState(context: IPollFunctions): ProcessState {
	const key = nodeKey(context);
	const known = processStates.get(key);
	if (known) return known;
	const fresh: ProcessState = { readings: new Map(), foundClosed: new Set(), clockOffsetMs: 0 };
	processStates.set(key, fresh);
	return fresh;
}

/** Forgets what this process knows of a node, because n8n has started again or another process has polled it. */
export function forgetProcessState(context: IPollFunctions): void {
	processStates.delete(nodeKey(context));
}

/** Tells the trigger nodes of a process apart. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}
