import type { IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { asNodeError, failedItem } from '../../../../shared/transport/errors/apiError';
import { apply } from './apply';
import { confirm } from './confirm';
import type { Evidence } from './evidence';
import {
	beforeChanging,
	beforeReading,
	beforeRemoving,
	dryRunWarning,
	reasonNotToPlanRemovals,
	reasonNotToRemove,
	type Refusal,
} from './safeguards';
import { learn } from './resolveRecipients';
import { planOf } from './plan';
import { readRun } from './readInput';
import { recipientItems, summaryItem, type ToFailure } from './report';
import type { SyncRun } from './syncRun';
import { inWords, classify, type Classification } from './classify';

/**
 * Runs `recipientGroup.sync` over all input items at once: reads the input, learns who they are, plans, looks whether
 * something speaks against it, applies the plan, confirms what the answers leave open, and reports. What each status
 * promises is in docs/sync.md.
 *
 * @returns one item an input item and one for each person whom Mirror takes out, or one summary
 * @throws NodeOperationError or NodeApiError, after all that could be done was done, when somebody failed and the node
 * is not set to continue; its description and `context.summary` hold the summary
 */
export async function syncRecipientGroup(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	let run: SyncRun;
	try {
		run = await readRun(this);
	} catch (error) {
		return [[failedItem(this, error, 0)]];
	}
	const evidence = newEvidence(run);
	let stopped: NodeApiError | NodeOperationError | undefined;
	try {
		await carryOut(run, evidence);
	} catch (error) {
		stopped = asNodeError(this.getNode(), error);
		evidence.stopped = stopped.message;
	}
	const said = classify(evidence);
	const problem = problemOf(this, run, said, stopped);
	// Of a cancelled execution n8n shows no items.
	if (problem && (run.cancelled() || !this.continueOnFail())) throw problem;
	for (const note of said.notes) run.tell(note);
	return [outputOf(this, run, evidence, said, problem)];
}

async function carryOut(run: SyncRun, evidence: Evidence): Promise<void> {
	// Nobody is named, so there is nothing to ask the service.
	const nobody = !evidence.input.some((entry) => 'recipient' in entry);
	refuseIf(run, beforeReading(evidence));
	if (nobody) return;
	await learn(run, evidence);
	const plan = planOf(evidence);
	evidence.plan = plan;
	evidence.nobodyRemoved = reasonNotToPlanRemovals(evidence);
	refuseIf(run, beforeChanging(evidence, run.maxRemovalPercent));
	if (run.cancelled()) throw run.refuse('The execution was cancelled', 'Nothing was changed.');
	if (run.dryRun) {
		if (plan.surplus.length > 0) evidence.nobodyRemoved ??= reasonNotToRemove(evidence);
		refuseIf(run, evidence.nobodyRemoved === undefined ? beforeRemoving(evidence) : undefined);
		const warning = dryRunWarning(evidence, run.maxRemovalPercent);
		if (warning !== undefined) evidence.warnings.push(warning);
	} else await apply(run, evidence, plan);
	// Last, because it takes requests that must not keep the group waiting.
	await confirm(run, evidence);
}

function refuseIf(run: SyncRun, refusal: Refusal | undefined): void {
	if (refusal) throw run.refuse(refusal.message, refusal.description);
}

function newEvidence({ mode, identifyBy, dryRun, perRecipient, input }: SyncRun): Evidence {
	return {
		mode,
		identifyBy,
		dryRun,
		perRecipient,
		input,
		silentlyIgnored: new Set(),
		seenKnown: new Set(),
		warnings: [],
	};
}

/** What went wrong, with the summary; undefined when nothing did. */
function problemOf(
	context: IExecuteFunctions,
	run: SyncRun,
	{ summary, notes, firstFailure }: Classification,
	stopped: NodeApiError | NodeOperationError | undefined,
): NodeApiError | NodeOperationError | undefined {
	const problem = stopped ?? failureOf(context, run, summary.failed, firstFailure);
	if (!problem) return undefined;
	const parts = [problem.description, ...notes, `Summary: ${inWords(summary)}.`];
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = summary;
	return problem;
}

function failureOf(
	context: IExecuteFunctions,
	run: SyncRun,
	failed: number,
	firstFailure = '',
): NodeOperationError | undefined {
	if (failed === 0) return undefined;
	const message = run.cancelled()
		? 'The execution was cancelled before everybody was reached'
		: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	const reason = firstFailure.replace(/\.$/, '');
	return new NodeOperationError(context.getNode(), message, {
		description: `First reason: ${reason}.`,
	});
}

function outputOf(
	context: IExecuteFunctions,
	{ perRecipient }: SyncRun,
	evidence: Evidence,
	said: Classification,
	problem: NodeApiError | NodeOperationError | undefined,
): INodeExecutionData[] {
	const toFailure = failureShape(context);
	if (!perRecipient) return [summaryItem(evidence, said, toFailure, problem?.message)];
	const items = recipientItems(evidence, said, toFailure);
	if (problem && said.summary.failed === 0) {
		items.push({ json: { error: problem.message }, pairedItem: { item: 0 } });
	}
	return items;
}

/**
 * How an item says that it failed. The engine replaces the fields of an item with an `error` object by its message, and
 * sends to the error output what has only the fields `error` and `message`, together with the input item's fields (seen
 * in n8n-core 1.122.48 and 2.41.1).
 */
function failureShape(context: IExecuteFunctions): ToFailure {
	return context.getNode().onError === 'continueErrorOutput'
		? (error, message) => ({ error, message })
		: (error, _about, json) => ({ ...json, error });
}
