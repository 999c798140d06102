import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { failure, type Fail } from '../../shared/failure';
import { isDataObject } from '../../shared/values';
import type { ProcessState } from './processState';
import { copyOf, isSame, readState, stateOf, type Contents, type State } from './savedState';

/** The state before this poll, and the functions that store the next one. */
export type LoadedState = {
	state: State | undefined;
	/** Saves the contents if they changed. `emits`: whether this poll returns items. */
	save: (contents: Contents, at: number, emits: boolean) => void;
	/** Keeps the contents in this process only, for a poll that fails. */
	buffer: (contents: Contents, at: number) => void;
};

/** Maximum number of earlier revisions that are kept with a buffered state. */
const MOST_REVISIONS = 1000;

/**
 * Loads the saved state of this node.
 *
 * If a poll without new events changes the state, n8n may lose the change. n8n 2.41.1 loses it if each poll is a task that
 * loads the workflow again. n8n as a single process loses it when the workflow is saved. This process therefore keeps the
 * changed state in memory, with the revisions of earlier states. It uses the changed state as long as n8n loads one of
 * these earlier states.
 *
 * With durable poll cursors (n8n 2.41.1), the node's static data is a copy of the cursor. If the first poll after an
 * activation emits nothing, n8n does not save the changes of the copy (PollTriggerExecutor does not commit if
 * `testingTrigger` is true), but it saves the workflow's global static data. The new state is therefore also stored in the
 * global static data, with the revision of the state before it. It stays there until a later poll writes the state to the
 * cursor.
 *
 * @param data the node's static data
 * @throws NodeOperationError if the saved state cannot be read, because polling without it would lose rows
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
		// It is unknown whether n8n saved the previous state; n8n may load that state or any earlier one.
		const isNext = buffered?.state.revision === state?.revision;
		const before = isNext ? (buffered?.follows ?? []) : [];
		const follows = before.includes(base.revision)
			? before
			: [...before, base.revision].slice(-MOST_REVISIONS);
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

/** Writes a state to static data, as a copy, because n8n changes the objects it is given. */
function write(data: IDataObject, state: State): void {
	delete data.numbering;
	Object.assign(data, copyOf(state));
}

function leftBehind(left: unknown, follows: string, fail: Fail): State | undefined {
	if (!isDataObject(left) || left.follows !== follows || !isDataObject(left.state))
		return undefined;
	return readState(left.state, fail);
}

/**
 * Whether data is plain static data, not a copy of a durable poll cursor. Only plain static data has the property with
 * which n8n-workflow tracks changes.
 */
function isPlainStaticData(data: IDataObject): boolean {
	return '__dataChanged' in data;
}
