import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeError, failedItem } from '../../../../shared/transport/errors/apiError';
import { settle } from '../../../../shared/concurrency';
import { removeSurplus, sendPlan } from './apply';
import { classify } from './classify';
import { confirm } from './confirm';
import type { Evidence, Findings, Responses, Stopped } from './evidence';
import {
	beforeChanging,
	beforeReading,
	beforeRemoving,
	beforeResolving,
	dryRunWarning,
	planOf,
	reasonNotToRemove,
	unresolvedRecipients,
	type Refusal,
} from './plan';
import { failureShape, problemOf, recipientItems, summaryItem } from './report';
import { resolveRecipients } from './resolveRecipients';
import { readRun, type SyncRun } from './syncRun';

/**
 * Runs `recipientGroup.sync` over all input items at once: reads the input, resolves the recipients, plans, checks the
 * safeguards, applies the plan, confirms what the responses leave open, and reports. What each status promises is in
 * docs/sync.md.
 *
 * @returns one item per input item and one for each person whom Mirror removes, or one summary
 * @throws NodeOperationError or NodeApiError, after all that could be done was done, when somebody failed and the node
 * is not set to continue; its description and `context.summary` hold the summary
 */
export async function syncRecipientGroup(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const read = await settle(async () => await readRun(this));
	if ('error' in read) return [[failedItem(this, read.error, 0)]];
	const run = read.result;
	const ended = await settle(async () => await syncGroup(run));
	const evidence =
		'error' in ended
			? { stopped: asNodeError(this.getNode(), ended.error), responses: undefined }
			: ended.result;
	const result = classify(run, evidence);
	const problem = problemOf(this.getNode(), result, evidence, run.cancelled());
	// Of a cancelled execution n8n shows no items.
	if (problem && (run.cancelled() || !this.continueOnFail())) throw problem;
	for (const note of result.notes) run.warn(note);
	const toFailure = failureShape(this);
	if (!run.perRecipient) return [[summaryItem(run, result, toFailure, problem?.message)]];
	const items = recipientItems(run, result, toFailure);
	if (problem && result.summary.failed === 0) {
		items.push({ json: { error: problem.message }, pairedItem: { item: 0 } });
	}
	return [items];
}

/** @throws when the group cannot be read, or the recipients cannot be resolved */
async function syncGroup(run: SyncRun): Promise<Evidence> {
	const empty = beforeReading(run, run.fields);
	if (empty) return stop(run, empty);
	const before = await run.api.read(run.groupId);
	const unseen = beforeResolving(run, before);
	if (unseen) return stop(run, unseen);
	const resolved = await resolveRecipients(run, before);
	const plan = planOf(run, before, resolved);
	const heldBack = plan.surplus.length > 0 ? unresolvedRecipients(run, resolved) : undefined;
	const removal = heldBack === undefined ? undefined : { heldBack };
	const planned = { before, resolved, plan, sent: undefined, removal, warnings: [] };
	const refusal =
		beforeChanging(run, planned, run.maxRemovalPercent) ??
		(run.cancelled() ? EXECUTION_CANCELLED : undefined);
	if (refusal) return stop(run, refusal, resolved?.responses);
	const done = await (run.dryRun ? predict(run, planned) : apply(run, planned));
	// Last, because it takes requests that must not keep the group waiting.
	return 'stopped' in done ? done : await confirm(run, done);
}

/** What a dry run says of the removals in place of making changes. */
async function predict(run: SyncRun, planned: Findings): Promise<Evidence> {
	if (planned.plan.surplus.length === 0 || planned.removal) return planned;
	const heldBack = reasonNotToRemove(run, planned);
	if (heldBack !== undefined) return { ...planned, removal: { heldBack } };
	const refusal = beforeRemoving(run, planned);
	if (refusal) return stop(run, refusal, planned.resolved?.responses);
	const warning = dryRunWarning(planned, run.maxRemovalPercent);
	return { ...planned, warnings: warning === undefined ? [] : [warning] };
}

async function apply(run: SyncRun, planned: Findings): Promise<Evidence> {
	const sent = await sendPlan(run, planned.before, planned.plan);
	const added = { ...planned, sent };
	if (planned.plan.surplus.length === 0 || planned.removal) return added;
	const heldBack = run.cancelled() ? 'the execution was cancelled' : reasonNotToRemove(run, added);
	if (heldBack !== undefined) return { ...added, removal: { heldBack } };
	const refusal = beforeRemoving(run, added);
	if (refusal) return stop(run, refusal, sent.responses);
	return {
		...added,
		removal: await removeSurplus(run, sent.after ?? planned.before, planned.plan),
	};
}

function stop(run: SyncRun, { message, description }: Refusal, responses?: Responses): Stopped {
	return { stopped: run.refuse(message, description), responses };
}

const EXECUTION_CANCELLED: Refusal = {
	message: 'The execution was cancelled',
	description: 'Nothing was changed.',
};
