import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { asNodeError } from '../../shared/transport/errors/apiError';
import { failedStatus, isDisproved, nameSome, UNVERIFIED } from './status';
import type { SyncRun } from './parameters';
import {
	STATUSES,
	type Container,
	type Line,
	type RecipientStatus,
	type Status,
	type Target,
	type TargetResult,
} from './types';

/** The report of a target: its result, with one line for each input item, in input order. */
export type Report = Omit<TargetResult, 'statuses'> & { lines: Line[] };

const NO_NAME = 'No group or channel: the item names none, so nothing was done for it';

/** Builds the report of a target from the statuses of its recipients. */
export function reportOf({ target, statuses, extras, notes, stopped }: TargetResult): Report {
	const lines = target.rows.map((row): Line => {
		if (!row.recipient) return { recipient: row.given, status: row.status, reason: row.reason };
		if (target.isBlank)
			return { recipient: row.recipient.value, status: 'invalid', reason: NO_NAME };
		const outcome = statuses.get(row.recipient.key) ?? failedStatus(stopped?.message ?? '');
		return { recipient: row.recipient.value, ...outcome };
	});
	return { target, lines, extras, notes, stopped };
}

/** Returns remarks about the targets together, as sentences. */
function remarksOn(reports: Report[]): string[] {
	const rows = reports.flatMap(({ target }) => target.rows);
	const blank = rows.filter((row) => !row.recipient && row.isBlank).length;
	const lines = reports.flatMap((report) => report.lines);
	const nameless = lines.filter(({ reason }) => reason === NO_NAME).length;
	const { invalid, unknown } = countIn(reports);
	const unproved = lines.filter(({ reason }) => reason.startsWith(UNVERIFIED)).length;
	const removed = countStatuses(reports.flatMap(({ extras }) => extras)).removed;
	const isRemoval = removed > 0 && blank + unknown > 0;
	return [
		isRemoval ? `People were removed despite ${blank} blank and ${unknown} unknown items.` : '',
		blank > 0 ? `Items without an address: ${blank}.` : '',
		nameless > 0 ? `Items without a name or ID of what to sync: ${nameless}.` : '',
		invalid > blank + nameless
			? `Items with an invalid address: ${invalid - blank - nameless}.`
			: '',
		unproved > 0 ? `Items whose outcome is not proved ("${UNVERIFIED} …"): ${unproved}.` : '',
	].filter((text) => text !== '');
}

function countStatuses(statuses: RecipientStatus[]): Record<Status, number> {
	const counts = { added: 0, alreadyMember: 0, removed: 0, notMember: 0 };
	const all = { ...counts, unknown: 0, invalid: 0, duplicate: 0, failed: 0 };
	for (const { status } of statuses) all[status]++;
	return all;
}

const countIn = (reports: Report[]) =>
	countStatuses(reports.flatMap(({ lines, extras }) => [...lines, ...extras]));

/**
 * Combines the reports of a target from two tries, because n8n's Retry On Fail runs the node again for all items. The last
 * try decides, with one exception. If an earlier try added or removed a person, the last try finds nothing to change. So
 * the outcome of the earlier try is kept.
 */
export function withEarlierTry(earlier: Report | undefined, last: Report): Report {
	if (!earlier) return last;
	const surplus = new Set(last.extras.map(({ recipient }) => recipient));
	const isGone = ({ status, recipient }: Line) => status === 'removed' && !surplus.has(recipient);
	const lines = last.lines.map((line, index) => {
		const before = earlier.lines[index];
		return before && isDoneAlready(line, before) ? before : line;
	});
	return { ...last, lines, extras: [...last.extras, ...earlier.extras.filter(isGone)] };
}

/** Whether an earlier try added or removed the recipient, and the last try does not contradict this. */
function isDoneAlready(line: Line, before: Line): boolean {
	const { status, recipient } = before;
	if (recipient !== line.recipient || (status !== 'added' && status !== 'removed')) return false;
	const found = status === 'added' ? 'alreadyMember' : 'notMember';
	return line.status === found || (line.status === 'failed' && !isDisproved(line.reason));
}

/**
 * Returns one output item per input item, in input order, then the extra items. Extra items are the people whom Mirror
 * removes or should have removed, and the stopped targets without a failed recipient. Extra items are paired with the
 * first input item of their target, so that expressions after this node find an item. On the error output, people whose
 * removal failed have no paired item. Otherwise, the engine would add the fields of another person.
 *
 * With Output "Summary", returns one item per target, paired with all input items of the target, as n8n's Aggregate does.
 */
export function itemsOf(node: INode, run: SyncRun, reports: Report[]): INodeExecutionData[] {
	const items: INodeExecutionData[] = [];
	const extras: INodeExecutionData[] = [];
	for (const report of reports) {
		const { target, lines, notes } = report;
		const fields = {
			[run.container.nameName]: target.name || null,
			[run.container.idName]: target.id || null,
			...(run.dryRun ? { dryRun: true } : {}),
		};
		const problem = problemOf(node, run.container, [report], false)?.message;
		const counts = countIn([report]);
		if (!run.perRecipient) {
			const all = [...notes, ...remarksOn([report])].join(' ');
			const note = all === '' ? {} : { note: all };
			const json = withError(node, { ...counts, ...fields, ...note }, inWords(counts), problem);
			items.push({ json, pairedItem: target.rows.map(({ itemIndex: item }) => ({ item })) });
			continue;
		}
		const toItem = ({ recipient, status, reason }: Line, item = 0) => {
			// A dry run says first that nothing was done, because its status reads as done.
			const json = run.dryRun
				? { reason, recipient, status, ...fields }
				: { recipient, status, reason, ...fields };
			const error = status === 'failed' ? reason : undefined;
			return { json: withError(node, json, recipient, error), pairedItem: { item } };
		};
		const first = target.rows[0]?.itemIndex;
		for (const [index, { itemIndex }] of target.rows.entries()) {
			const line = lines[index];
			if (line) items[itemIndex] = toItem(line, itemIndex);
		}
		for (const line of report.extras) {
			const isSplit = node.onError === 'continueErrorOutput' && line.status === 'failed';
			extras.push({ ...toItem(line, first), ...(isSplit ? { pairedItem: [] } : {}) });
		}
		if (problem === undefined || counts.failed > 0) continue;
		const json = { recipient: null, status: null, reason: problem, ...fields };
		const about = shownNameOf(run.container, target);
		extras.push({ json: withError(node, json, about, problem), pairedItem: { item: first ?? 0 } });
	}
	return withSameFields([...items, ...extras]);
}

/**
 * Adds an error to the fields of an item. The error is a text: if it were an object, the engine would replace all
 * fields of the item. An item with only the fields `error` and `message` goes to the error output. There, the engine
 * adds the fields of its input item (n8n-core 1.122.48 and 2.41.1).
 */
function withError({ onError }: INode, json: IDataObject, message: string, error?: string) {
	if (error === undefined) return json;
	return onError === 'continueErrorOutput' ? { error, message } : { ...json, error };
}

/** Gives all items the same fields in the same order. A field that an item lacks is null. */
function withSameFields(items: INodeExecutionData[]): INodeExecutionData[] {
	const shown = items.filter(({ json }) => !('message' in json));
	const fields = [...new Set(shown.flatMap(({ json }) => Object.keys(json)))];
	for (const item of shown) {
		item.json = Object.fromEntries(fields.map((name) => [name, item.json[name] ?? null]));
	}
	return items;
}

/**
 * Builds the error of a sync. If the sync has only one target and this target stopped, the error says why. Otherwise, it
 * gives the number of failed recipients or targets, or says that the execution was canceled. The description has the
 * summary.
 *
 * @returns undefined if no target stopped and no recipient failed
 */
export function problemOf(
	node: INode,
	container: Container,
	reports: Report[],
	isCanceled: boolean,
) {
	const failing = reports.filter((report) => {
		return (report.stopped && !report.target.isBlank) || countIn([report]).failed > 0;
	});
	const [first] = failing;
	if (!first) return undefined;
	const summary = countIn(reports);
	const message = isCanceled
		? 'The execution was canceled before all recipients were processed'
		: summary.failed === 0
			? `${failing.length} of ${reports.length} ${container.word}s could not be synced`
			: `${summary.failed} ${summary.failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	const stopped = first.stopped && asNodeError(node, first.stopped);
	const failure = [...first.lines, ...first.extras].find(({ status }) => status === 'failed');
	const reason = failure?.reason ?? stopped?.message ?? '';
	const where = reports.length > 1 ? `${shownNameOf(container, first.target)}: ` : '';
	// "Nothing was sent." is left out, because other targets may have been changed.
	const advice = stopped?.description?.replace('Nothing was sent.', '').trim();
	const isOnly = stopped !== undefined && reports.length === 1;
	const others = { ...summary, failed: 0 };
	const isDone = Object.values(others).some((number) => number > 0);
	const done = isDone
		? `All others were done (${inWords(others)}). To get the list of all of them, set On Error in the node's Settings to Continue.`
		: undefined;
	const description = [done, `First reason: ${where}${reason.replace(/\.$/, '')}.`, advice]
		.filter(Boolean)
		.join(' ');
	const problem = isOnly ? stopped : new NodeOperationError(node, message, { description });
	const parts = [
		problem.description,
		...notesOf(container, reports),
		`Summary: ${inWords(summary)}.`,
	];
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = summary;
	return problem;
}

/** Returns the notes of all targets. With several targets, a note starts with the names of its targets. */
export function notesOf(container: Container, reports: Report[]): string[] {
	const namesOf = new Map<string, string[]>();
	for (const { target, notes } of reports) {
		for (const note of notes)
			namesOf.set(note, [...(namesOf.get(note) ?? []), shownNameOf(container, target)]);
	}
	const notes = Array.from(namesOf, ([note, names]) =>
		reports.length === 1 ? note : `${nameSome(names)}: ${note}`,
	);
	return [...notes, ...remarksOn(reports)];
}

/** Returns the counts in words: "added 3, failed 1". */
function inWords(summary: Record<Status, number>): string {
	const counted = STATUSES.filter((status) => summary[status] > 0);
	return counted.map((status) => `${status} ${summary[status]}`).join(', ') || 'nobody';
}

function shownNameOf({ word }: Container, { name, id }: Target): string {
	return name || id || `No ${word}`;
}
