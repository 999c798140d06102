import type { IExecuteFunctions, INodeExecutionData, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { asNodeError, failedItem } from '../../../../shared/service/errors';
import { addOrRemove } from './addOrRemove';
import { mirror } from './mirror';
import { readRun } from './readRun';
import { inWords, type ToFailure } from './report';
import type { SyncRun } from './syncRun';

/**
 * Runs `recipientGroup.sync` over all input items at once.
 *
 * @returns one item an input item and one for each person whom mirror removed, or one summary
 * @throws NodeOperationError or NodeApiError, after all that could be done was done, when somebody failed and the node
 * is not set to continue; its description and `context.summary` hold the summary
 */
export async function syncRecipientGroup(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	let run: SyncRun;
	try {
		run = readRun(this);
	} catch (error) {
		return [[failedItem(this, error, 0)]];
	}
	let stopped: unknown;
	try {
		await (run.mode === 'mirror' ? mirror(run) : addOrRemove(run));
	} catch (error) {
		stopped = error;
	}
	const problem = problemOf(this, run, stopped);
	// Of a cancelled execution n8n shows no items.
	if (problem && (run.cancelled() || !this.continueOnFail())) throw problem;
	for (const message of run.report.notes) {
		this.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	return [outputOf(this, run, problem)];
}

/** What went wrong, with the summary; undefined when nothing did. */
function problemOf(
	context: IExecuteFunctions,
	run: SyncRun,
	stopped: unknown,
): NodeApiError | NodeOperationError | undefined {
	const { report } = run;
	let problem: NodeApiError | NodeOperationError;
	if (stopped !== undefined) {
		problem = asNodeError(context.getNode(), stopped);
		report.settle(report.open, 'failed', problem.message);
	} else if (report.summary.failed > 0) {
		const { failed } = report.summary;
		problem = new NodeOperationError(
			context.getNode(),
			run.cancelled()
				? 'The execution was cancelled before everybody was reached'
				: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`,
			{ description: `First reason: ${report.firstFailure ?? ''}.` },
		);
	} else return undefined;

	const { summary, notes } = report;
	const parts = [problem.description, ...notes, `Summary: ${inWords(summary)}.`];
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = summary;
	return problem;
}

function outputOf(
	context: IExecuteFunctions,
	{ report, perRecipient, dryRun }: SyncRun,
	problem: NodeApiError | NodeOperationError | undefined,
): INodeExecutionData[] {
	const note = dryRun ? { dryRun } : {};
	const toFailure = failureShape(context);
	if (perRecipient) {
		const items = report.toItems(note, toFailure);
		if (problem && report.summary.failed === 0) {
			items.push({ json: { error: problem.message }, pairedItem: { item: 0 } });
		}
		return items;
	}
	const { summary, notes } = report;
	const json = { ...summary, ...note, ...(notes.length > 0 ? { note: notes.join(' ') } : {}) };
	return [
		{
			json: problem ? toFailure(problem.message, inWords(summary), json) : json,
			// Everybody is in the summary, so it is paired with every item, as n8n's Aggregate node pairs.
			pairedItem: report.itemIndexes.map((item) => ({ item })),
		},
	];
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
