import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../shared/failure';
import { isDataObject } from '../../shared/typeGuards';
import type { ProcessState } from './processState';
import { copyOf, isSame, readState, stateOf, type Contents, type State } from './savedState';

/** The state before this poll, and how to take over the one after it. */
export type LoadedState = {
	state: State | undefined;
	/** Takes over new contents, if they are new; `emits` tells whether this poll returns items. */
	save: (contents: Contents, at: number, emits: boolean) => void;
	/** Keeps new contents in this process alone, for a poll that fails. */
	buffer: (contents: Contents, at: number) => void;
};

/** How many revisions an unsaved state may follow; more would mean that n8n has saved none of very many. */
const MOST_REVISIONS = 1000;

/**
 * Opens what was saved for this node.
 *
 * n8n 2.41.1 can run each poll as a task that loads the workflow anew, so that what a poll without new events changes is lost
 * with it; in one process n8n drops it when the workflow is saved. It is buffered in the process, marked with
 * the revisions that it follows, and holds until n8n has saved another one.
 *
 * With durable poll cursors (n8n 2.41.1) the node's static data is a copy of the cursor, and n8n drops what the first
 * poll of an activation changes in it when that poll emits nothing (PollTriggerExecutor: no commit while
 * `testingTrigger`). The workflow's own static data is written then all the same: the baseline is left there, marked with
 * the revision it follows, until a later poll has brought it into the cursor.
 *
 * @param data the node's static data
 * @throws NodeOperationError when it cannot be read: going on without it would lose rows
 */
export function loadState(
	context: IPollFunctions,
	data: IDataObject,
	processState: ProcessState,
): LoadedState {
	const fail = failure(context);
	const saved = readState(data, fail);
	const isPlain = isPlainStaticData(data);
	const shared = isPlain ? undefined : context.getWorkflowStaticData('global');
	const place = `messagingServiceTrigger:${context.getNode().name}`;
	const left = shared && leftBehind(shared[place], saved?.revision ?? '', fail);
	const base = left ?? saved;
	const { buffered } = processState;
	const isKept = base !== undefined && buffered?.follows.includes(base.revision) === true;
	const state = isKept ? buffered.state : base;

	const next = (contents: Contents, at: number): State =>
		state && isSame(state, contents) ? state : stateOf(contents, at);
	const buffer = (newest: State): void => {
		if (!base || newest === state) return;
		// It is unknown whether n8n saved the state before: n8n may return that one, or any earlier one.
		const isNext = buffered?.state.revision === state?.revision || isKept;
		const before = isNext ? (buffered?.follows ?? []) : [];
		const follows = before.includes(base.revision)
			? before
			: [...before.slice(-MOST_REVISIONS), base.revision];
		processState.buffered = { follows, state: newest };
	};
	return {
		state,
		buffer: (contents, at) => buffer(next(contents, at)),
		save: (contents, at, emits) => {
			const newest = next(contents, at);
			if (!emits) buffer(newest);
			if (newest === saved) return;
			write(data, newest);
			if (!shared) return;
			if (emits) delete shared[place];
			else if (newest !== left)
				Object.assign(shared, {
					[place]: { follows: saved?.revision ?? '', state: copyOf(newest) },
				});
		},
	};
}

/** Puts a state in the place of the one in static data, as a copy: n8n puts watchers into what it is given. */
function write(data: IDataObject, state: State): void {
	delete data.numbering;
	Object.assign(data, copyOf(state));
}

function leftBehind(left: unknown, follows: string, fail: Fail): State | undefined {
	if (!isDataObject(left) || left.follows !== follows || !isDataObject(left.state))
		return undefined;
	return readState(left.state, fail);
}

/** Plain static data watches its changes through this property; a copy of a durable cursor has none (n8n-workflow). */
function isPlainStaticData(data: IDataObject): boolean {
	return '__dataChanged' in data;
}
