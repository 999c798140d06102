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
	failed,
	isDisproved,
	STATUSES,
	UNVERIFIED,
	type GroupResult,
	type Outcome,
	type Status,
} from './outcomes';
import type { SyncGroup } from './syncRun';

/**
 * Returns the fields of a failed item. `about` says what failed; `json` has the fields that the item would have without the
 * failure.
 */
export type ToFailure = (reason: string, about: string, json: IDataObject) => IDataObject;

/** One outcome: of a row, or of a member whom no row names. */
export type Line = Outcome & { recipient: string };

export type Summary = Record<Status, number>;

/** What is reported about a group. */
export type GroupReport = {
	group: SyncGroup;
	/** One line per row, in input order. */
	lines: Line[];
	/** Members that no row of the group names: Mirror removed them, or reports why it did not. */
	extras: Line[];
	summary: Summary;
	notes: string[];
	/** The error that stopped the sync of the group. */
	stopped: Error | undefined;
};

/** Builds the report of a group from the outcomes of its recipients, and counts them. */
export function reportOf(result: GroupResult): GroupReport {
	const { group, outcomes, extras, notes, stopped } = result;
	const lines = group.rows.map((row): Line => {
		if (!row.recipient) return { recipient: row.given, status: row.status, reason: row.reason };
		const outcome = outcomes.get(row.recipient.key) ?? failed(stopped?.message ?? '');
		return { recipient: row.recipient.value, ...outcome };
	});
	const summary = countOf([...lines, ...extras]);
	const blank = group.rows.filter((row) => !row.recipient && row.isBlank).length;
	const invalid = summary.invalid - blank;
	const isUnverified = ({ reason }: Line) => reason.startsWith(UNVERIFIED);
	const unverified = lines.filter(isUnverified).length;
	const removed = extras.filter(({ status }) => status === 'removed').length;
	const remarks = [
		...notes,
		removed > 0 && blank + summary.unknown > 0
			? `Mirror removed people while ${items(blank)} were blank and ${summary.unknown} recipients were unknown.`
			: '',
		blank > 0 ? `${items(blank)} without an address.` : '',
		invalid > 0 ? `${items(invalid)} with an invalid address.` : '',
		unverified > 0
			? `The outcome for ${unverified === 1 ? '1 recipient' : `${unverified} recipients`} is not proved: see the reasons that begin with "${UNVERIFIED}".`
			: '',
	];
	return { group, lines, extras, summary, notes: remarks.filter((text) => text !== ''), stopped };
}

function items(count: number): string {
	return count === 1 ? '1 item' : `${count} items`;
}

function countOf(lines: Line[]): Summary {
	const summary = { ...NOBODY };
	for (const { status } of lines) summary[status]++;
	return summary;
}

const NOBODY: Summary = {
	added: 0,
	alreadyMember: 0,
	removed: 0,
	notMember: 0,
	unknown: 0,
	invalid: 0,
	duplicate: 0,
	failed: 0,
};

/**
 * Combines the reports of a group from two tries, because n8n's Retry On Fail runs the node again for all items. The last
 * try decides, with one exception: if an earlier try added or removed a person, the last try finds nothing to change, so
 * the outcome of the earlier try is kept.
 */
export function withEarlierTry(earlier: GroupReport, last: GroupReport): GroupReport {
	const surplus = new Set(last.extras.map(({ recipient }) => recipient));
	const removed = earlier.extras.filter(
		({ status, recipient }) => status === 'removed' && !surplus.has(recipient),
	);
	const extras = [...last.extras, ...removed];
	const lines = last.lines.map((line, index) => {
		const before = earlier.lines[index];
		return before && isDoneAlready(line, before) ? before : line;
	});
	return { ...last, lines, extras, summary: countOf([...lines, ...extras]) };
}

/** Whether an earlier try added or removed the recipient, and the last try confirms this or fails without disproving it. */
function isDoneAlready(line: Line, before: Line): boolean {
	const { status, recipient } = before;
	if (recipient !== line.recipient || (status !== 'added' && status !== 'removed')) return false;
	const found = status === 'added' ? 'alreadyMember' : 'notMember';
	return line.status === found || (line.status === 'failed' && !isDisproved(line.reason));
}

/**
 * Returns one output item per input item, in input order, then the extra items: one per person whom Mirror removes or
 * should have removed, and one per stopped group without a failed recipient. Extra items have no input item of their own.
 * They are paired with the first input item of their group, so that expressions after this node find an item. On the error
 * output, people whose removal failed have no paired item.
 */
export function recipientItems(
	node: INode,
	dryRun: boolean,
	results: GroupReport[],
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
			const json = { recipient, status, reason, ...fieldsOf(group, dryRun) };
			return {
				json: status === 'failed' ? toFailure(reason, recipient, json) : json,
				pairedItem: { item },
			};
		};
		const first = group.rows[0]?.itemIndex ?? 0;
		for (const [index, line] of lines.entries()) {
			items.push(toItem(line, group.rows[index]?.itemIndex ?? 0));
		}
		for (const line of result.extras) {
			const item = toItem(line, first);
			extras.push(isSplit && line.status === 'failed' ? { ...item, pairedItem: [] } : item);
		}
		const problem = problemOf(node, [result], false);
		if (problem && summary.failed === 0) {
			const nobody = { recipient: null, status: null, reason: problem.message };
			const json = { ...nobody, ...fieldsOf(group, dryRun) };
			extras.push({
				json: toFailure(problem.message, labelOf(group), json),
				pairedItem: { item: first },
			});
		}
	}
	return withSameFields([
		...items.sort((a, b) => a.pairedItem.item - b.pairedItem.item),
		...extras,
	]);
}

/**
 * Returns one item per group with the number of people by status, paired with all input items of the group, as n8n's
 * Aggregate node does.
 */
export function summaryItems(
	node: INode,
	dryRun: boolean,
	results: GroupReport[],
	toFailure: ToFailure,
): INodeExecutionData[] {
	const items = results.map((result): INodeExecutionData => {
		const { group, summary, notes } = result;
		const json = {
			...summary,
			...fieldsOf(group, dryRun),
			...(notes.length > 0 ? { note: notes.join(' ') } : {}),
		};
		const problem = problemOf(node, [result], false);
		return {
			json: problem ? toFailure(problem.message, inWords(summary), json) : json,
			pairedItem: group.rows.map(({ itemIndex }) => ({ item: itemIndex })),
		};
	});
	return withSameFields(items);
}

/** Gives all items the same fields in the same order. What an item does not have is null. */
function withSameFields(items: INodeExecutionData[]): INodeExecutionData[] {
	const isFailure = ({ json }: INodeExecutionData) => 'message' in json;
	const fields = new Set<string>();
	for (const item of items)
		if (!isFailure(item)) for (const name of Object.keys(item.json)) fields.add(name);
	return items.map((item) => {
		if (isFailure(item)) return item;
		const json = Array.from(fields, (name) => [name, item.json[name] ?? null]);
		return { ...item, json: Object.fromEntries(json) };
	});
}

function fieldsOf({ groupId, groupName }: SyncGroup, dryRun: boolean): IDataObject {
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
	results: GroupReport[],
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
	const failure = [...first.lines, ...first.extras].find(({ status }) => status === 'failed');
	const reason = failure?.reason ?? stopped?.message ?? '';
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
export function notesOfRun(results: GroupReport[]): string[] {
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

/** Returns the counts in words: "added 3, failed 1". */
function inWords(summary: Summary): string {
	const counted = STATUSES.filter((status) => summary[status] > 0);
	return counted.map((status) => `${status} ${summary[status]}`).join(', ') || 'nobody';
}

function labelOf({ groupName, groupId }: SyncGroup): string {
	return groupName || groupId || 'No group';
}

function sumOf(results: GroupReport[]): Summary {
	const total = { ...NOBODY };
	for (const { summary } of results) {
		for (const status of STATUSES) total[status] += summary[status];
	}
	return total;
}
