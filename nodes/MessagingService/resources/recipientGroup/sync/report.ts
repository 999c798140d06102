import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { asNodeError } from '../../../../shared/transport/errors/apiError';
import { inWords, type Classification, type Line } from './classify';
import type { Evidence, SyncRequest } from './evidence';

/** Shapes the item of a failure: the reason, whom or what it is about, and the fields of an item like the others. */
export type ToFailure = (reason: string, about: string, json: IDataObject) => IDataObject;

/**
 * One item per input item, paired with it, then the people whom Mirror removes. Those come from no input item; they are
 * paired with the first one, whose parameters chose the group, so that expressions behind this node find one.
 */
export function recipientItems(
	{ input, dryRun }: SyncRequest,
	{ lines, extras }: Classification,
	toFailure: ToFailure,
): INodeExecutionData[] {
	const toItem = ({ recipient, status, reason }: Line, item: number): INodeExecutionData => {
		const json = { recipient, status, reason, ...(dryRun ? { dryRun } : {}) };
		return {
			json: status === 'failed' ? toFailure(reason, recipient, json) : json,
			pairedItem: { item },
		};
	};
	return [
		...lines.map((line, index) => toItem(line, input[index]?.itemIndex ?? 0)),
		...extras.map((line) => toItem(line, 0)),
	];
}

/**
 * One item that counts what became of everybody, paired with every input item, as n8n's Aggregate node pairs.
 *
 * @param problem the message of the error, when there was one
 */
export function summaryItem(
	{ input, dryRun }: SyncRequest,
	{ summary, notes }: Classification,
	toFailure: ToFailure,
	problem?: string,
): INodeExecutionData {
	const json = {
		...summary,
		...(dryRun ? { dryRun } : {}),
		...(notes.length > 0 ? { note: notes.join(' ') } : {}),
	};
	return {
		json: problem === undefined ? json : toFailure(problem, inWords(summary), json),
		pairedItem: input.map(({ itemIndex }) => ({ item: itemIndex })),
	};
}

/**
 * How an item says that it failed. The engine replaces the fields of an item with an `error` object by its message, and
 * sends to the error output what has only the fields `error` and `message`, together with the input item's fields (seen
 * in n8n-core 1.122.48 and 2.41.1).
 */
export function failureShape(context: Pick<IExecuteFunctions, 'getNode'>): ToFailure {
	return context.getNode().onError === 'continueErrorOutput'
		? (error, message) => ({ error, message })
		: (error, _about, json) => ({ ...json, error });
}

/**
 * The error of a sync: why it stopped, or that somebody failed, with the summary in its description.
 *
 * @returns undefined when it did not stop and nobody failed
 */
export function problemOf(
	node: INode,
	{ summary, notes, firstFailure = '' }: Classification,
	evidence: Evidence,
	isCancelled: boolean,
): NodeApiError | NodeOperationError | undefined {
	const stopped = 'stopped' in evidence && asNodeError(node, evidence.stopped);
	const { failed } = summary;
	if (!stopped && failed === 0) return undefined;
	const message = isCancelled
		? 'The execution was cancelled before everybody was reached'
		: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	const description = `First reason: ${firstFailure.replace(/\.$/, '')}.`;
	const problem = stopped || new NodeOperationError(node, message, { description });
	const parts = [problem.description, ...notes, `Summary: ${inWords(summary)}.`];
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = summary;
	return problem;
}
