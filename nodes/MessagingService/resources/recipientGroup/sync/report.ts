import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeApiError,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { asNodeError } from '../../../../shared/transport/errors/apiError';
import {
	inWords,
	NOBODY,
	STATUSES,
	type Classification,
	type Line,
	type Summary,
} from './classify';
import type { SyncRequest } from './evidence';

/**
 * Returns the fields of a failed item. `about` says what failed; `json` has the fields that the item would have without the
 * failure.
 */
export type ToFailure = (reason: string, about: string, json: IDataObject) => IDataObject;

/** The result of a group. */
export type GroupResult = Classification & {
	group: ReportedGroup;
	/** The error that stopped the sync of the group. */
	stopped: Error | undefined;
};

type ReportedGroup = SyncRequest & { groupId: string; groupName: string | undefined };

/**
 * Returns one output item per input item, in input order, then the extra items: one per person whom Mirror removes or
 * should have removed, and one per stopped group without a failed recipient. Extra items have no input item of their own.
 * They are paired with the first input item of their group, so that expressions after this node find an item. On the error
 * output, people whose removal failed have no paired item.
 */
export function recipientItems(
	node: INode,
	results: GroupResult[],
	toFailure: ToFailure,
): INodeExecutionData[] {
	const items: Array<INodeExecutionData & { pairedItem: { item: number } }> = [];
	const extras: INodeExecutionData[] = [];
	// On the error output, the engine adds the fields of the paired input item. People without an input item must not get the
	// fields of another person.
	const isSplit = node.onError === 'continueErrorOutput';
	for (const result of results) {
		const { group, lines, summary } = result;
		const toItem = ({ recipient, status, reason }: Line, item: number) => {
			const json = { recipient, status, reason, ...fieldsOf(group) };
			return {
				json: status === 'failed' ? toFailure(reason, recipient, json) : json,
				pairedItem: { item },
			};
		};
		const first = group.input[0]?.itemIndex ?? 0;
		for (const [index, line] of lines.entries()) {
			items.push(toItem(line, group.input[index]?.itemIndex ?? 0));
		}
		for (const line of result.extras) {
			const item = toItem(line, first);
			extras.push(isSplit && line.status === 'failed' ? { ...item, pairedItem: [] } : item);
		}
		const problem = problemOf(node, [result], false);
		if (problem && summary.failed === 0) {
			const json = toFailure(problem.message, labelOf(group), fieldsOf(group));
			extras.push({ json, pairedItem: { item: first } });
		}
	}
	return [...items.sort((a, b) => a.pairedItem.item - b.pairedItem.item), ...extras];
}

/**
 * Returns one item per group with the number of people by status, paired with all input items of the group, as n8n's
 * Aggregate node does.
 */
export function summaryItems(
	node: INode,
	results: GroupResult[],
	toFailure: ToFailure,
): INodeExecutionData[] {
	return results.map((result) => {
		const { group, summary, notes } = result;
		const json = {
			...summary,
			...fieldsOf(group),
			...(notes.length > 0 ? { note: notes.join(' ') } : {}),
		};
		const problem = problemOf(node, [result], false);
		return {
			json: problem ? toFailure(problem.message, inWords(summary), json) : json,
			pairedItem: group.input.map(({ itemIndex }) => ({ item: itemIndex })),
		};
	});
}

function fieldsOf({ groupId, groupName, dryRun }: ReportedGroup): IDataObject {
	return {
		recipientGroupId: groupId || null,
		recipientGroupName: groupName || null,
		...(dryRun ? { dryRun } : {}),
	};
}

/**
 * Returns the function that builds the fields of a failed item. Its field `error` is a text: if it were an object, the
 * engine would replace all fields of the item. An item with only the fields `error` and `message` goes to the error output,
 * with the fields of its input item (seen in n8n-core 1.122.48 and 2.41.1).
 */
export function failureShape(context: Pick<IExecuteFunctions, 'getNode'>): ToFailure {
	return context.getNode().onError === 'continueErrorOutput'
		? (error, message) => ({ error, message })
		: (error, _about, json) => ({ ...json, error });
}

/**
 * Builds the error of a sync. If the sync has only one group and it stopped, the error says why. Otherwise, it gives the
 * number of failed recipients or groups, or says that the execution was canceled. The description of the error has the
 * summary.
 *
 * @returns undefined if no group stopped and no recipient failed
 */
export function problemOf(
	node: INode,
	results: GroupResult[],
	isCanceled: boolean,
): NodeApiError | NodeOperationError | undefined {
	const summary = sumOf(results);
	const failing = results.filter((result) => result.stopped || result.summary.failed > 0);
	const [first] = failing;
	if (!first) return undefined;
	const { failed } = summary;
	const message = isCanceled
		? 'The execution was canceled before all recipients were processed'
		: failed === 0
			? `${failing.length} of ${results.length} groups could not be synced`
			: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	const stopped = first.stopped && asNodeError(node, first.stopped);
	const reason = first.firstFailure ?? stopped?.message ?? '';
	const where = results.length > 1 ? `${labelOf(first.group)}: ` : '';
	const description = `First reason: ${where}${reason.replace(/\.$/, '')}.`;
	const problem =
		stopped && results.length === 1
			? stopped
			: new NodeOperationError(node, message, { description });
	const parts = [problem.description, ...notesOfRun(results), `Summary: ${inWords(summary)}.`];
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = summary;
	return problem;
}

/** Returns the notes of all groups. With several groups, a note starts with the names of its groups. */
export function notesOfRun(results: GroupResult[]): string[] {
	const groupsOf = new Map<string, string[]>();
	for (const { group, notes } of results) {
		for (const note of notes) {
			groupsOf.set(note, [...(groupsOf.get(note) ?? []), labelOf(group)]);
		}
	}
	return [...groupsOf].map(([note, groups]) => {
		if (results.length === 1) return note;
		const more = groups.length > NAMED_AT_MOST ? ` and ${groups.length - NAMED_AT_MOST} more` : '';
		return `${groups.slice(0, NAMED_AT_MOST).join(', ')}${more}: ${note}`;
	});
}

/** Maximum number of groups that a note names. */
const NAMED_AT_MOST = 5;

function labelOf({ groupName, groupId }: ReportedGroup): string {
	return groupName || groupId || 'No group';
}

function sumOf(results: GroupResult[]): Summary {
	const total = { ...NOBODY };
	for (const { summary } of results) {
		for (const status of STATUSES) total[status] += summary[status];
	}
	return total;
}
