import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeError, failedItem } from '../../../../shared/transport/errors/apiError';
import { rememberTries } from '../../../engine/item';
import { classify, type Classification } from './classify';
import { withEarlierTry } from './earlierTry';
import {
	failureShape,
	notesOfRun,
	problemOf,
	recipientItems,
	summaryItems,
	type GroupResult,
} from './report';
import type { GroupSync } from './plan';
import { syncGroups } from './syncGroups';
import { readRun } from './syncRun';

/** The outcomes that each group had in earlier tries (n8n's Retry On Fail), by group ID. */
const earlierSyncs = rememberTries<Map<string, Classification>>();

/**
 * Runs `recipientGroup.sync` for all input items together. docs/sync.md explains what each status guarantees.
 *
 * @returns one item per input item and one for each person whom Mirror removes, or one summary per group
 * @throws the error of `readRun` or, at the end of the sync, an error for failed recipients or groups. The error at the end
 *   has the summary in its description and in `context.summary`. If the node continues on errors, it throws only in a
 *   canceled execution.
 */
export async function syncRecipientGroup(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	let read: Awaited<ReturnType<typeof readRun>>;
	try {
		read = await readRun(this);
	} catch (error) {
		return [[failedItem(this, error, 0)]];
	}
	const { run, groups } = read;
	const syncs = await syncGroups(run, groups).catch((error: unknown): GroupSync[] => {
		const stopped = asNodeError(this.getNode(), error);
		return groups.map((group) => ({ group, stopped, responses: undefined }));
	});
	const tries = earlierSyncs(this);
	const earlier = tries.recall(0);
	const classified = new Map(earlier);
	const results = syncs.map((sync): GroupResult => {
		const { group } = sync;
		const before = earlier?.get(group.groupId);
		const last = classify(group, sync);
		const classification = before ? withEarlierTry(group, before, last) : last;
		classified.set(group.groupId, classification);
		return { ...classification, group, stopped: 'stopped' in sync ? sync.stopped : undefined };
	});
	tries.remember(0, classified);
	const isCanceled = run.cancelSignal?.aborted === true;
	const problem = problemOf(this.getNode(), results, isCanceled);
	// n8n shows no items of a canceled execution.
	if (problem && (isCanceled || !this.continueOnFail())) throw problem;
	for (const note of notesOfRun(results)) run.warn(note);
	const toFailure = failureShape(this);
	return [
		run.perRecipient
			? recipientItems(this.getNode(), results, toFailure)
			: summaryItems(this.getNode(), results, toFailure),
	];
}
