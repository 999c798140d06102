import type { IPollFunctions } from 'n8n-workflow';

import type { State } from './savedState';

/** When this process read a campaign. */
export type Reading = {
	/** The place of the campaign in the queue; the lowest number is next. */
	turn: number;
	/** The last successful read, in milliseconds since the epoch. */
	readAt?: number;
	/** The time of the last read that found new events, or of the first read if no read found any. */
	newEventsAt?: number;
};

/** The readings by campaign ID. */
export type Readings = Map<string, Reading>;

/**
 * What this process knows about a trigger node beyond the saved state. This knowledge may be lost at any time. After a
 * restart, campaigns are read more often for a while, and polls repeat the changes to the state that were lost.
 */
export type ProcessState = {
	/** When each campaign was read. */
	readings: Readings;
	/**
	 * `listedUntil` of this process's last poll. It may be later than the saved value, because a new `listedUntil` alone causes
	 * no save.
	 */
	listedUntil?: number;
	/** Closed campaigns that are not on the list; their closing is to be emitted. */
	foundClosed: Set<string>;
	/** How far the service's clock is ahead of n8n's clock, in milliseconds. */
	clockOffsetMs: number;
	/** The state after polls without new events; valid only if n8n loads a state whose revision is in `follows`. */
	buffered?: { follows: string[]; state: State };
};

const processStates = new Map<string, ProcessState>();

/** Returns the process state of the polled node; the poll may change it. */
export function processState(context: IPollFunctions): ProcessState {
	const key = nodeKey(context);
	const known = processStates.get(key);
	if (known) return known;
	const fresh: ProcessState = { readings: new Map(), foundClosed: new Set(), clockOffsetMs: 0 };
	processStates.set(key, fresh);
	return fresh;
}

/** Forgets the process state of a node, because n8n restarted or another process polled it. */
export function forgetProcessState(context: IPollFunctions): void {
	processStates.delete(nodeKey(context));
}

/** Identifies a trigger node within a process. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}
