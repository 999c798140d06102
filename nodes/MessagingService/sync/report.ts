import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { asNodeError } from '../../shared/transport/errors/apiError';
import { nameSome } from '../../shared/truncate';
import { addToList } from '../../shared/listsByKey';
import { failedStatus, UNVERIFIED } from './status';
import type { SyncRun } from './parameters';
import { ZERO_COUNTS } from './types';
import type { TargetKind, ReportLine, Status, Target, TargetResult } from './types';

/** The report of a target: its result, with one line for each input item, in input order. */
export type Report = Omit<TargetResult, 'statuses'> & { lines: ReportLine[] };

const NO_NAME = 'No group or channel: the item names none, so nothing was done for it';

/**
 * Builds the report of a target, with a line for each row. A recipient without a status is `failed`, with the error that
 * stopped the target. If the rows name no target, all recipients are `invalid`.
 */
export function reportOf({ target, statuses, ...result }: TargetResult): Report {
	const lines = target.rows.map((row): ReportLine => {
		if (!row.recipient) return { recipient: row.given, status: row.status, reason: row.reason };
		const { key, value: recipient } = row.recipient;
		if (target.isBlank) return { recipient, status: 'invalid', reason: NO_NAME };
		return { recipient, ...(statuses.get(key) ?? failedStatus(result.stoppedBy?.message ?? '')) };
	});
	return { target, lines, ...result };
}

/**
 * Combines the reports of a target from two tries, because n8n's Retry On Fail runs the node again for all items. If an
 * earlier try added or removed a person, its line is kept: the last try found nothing to change, or was refused. So are
 * the lines of members whom an earlier try of Mirror removed (`surplus`).
 */
export function withEarlierTry(earlier: Report | undefined, last: Report): Report {
	if (!earlier) return last;
	const lines = last.lines.map((line, index) => {
		const earlierLine = earlier.lines[index];
		return earlierLine && isDoneBy(earlierLine, line) ? earlierLine : line;
	});
	const reportedTexts = new Set(last.surplus.map(({ recipient }) => recipient));
	const isGone = ({ status, recipient }: ReportLine) =>
		status === 'removed' && !reportedTexts.has(recipient);
	return { ...last, lines, surplus: [...last.surplus, ...earlier.surplus.filter(isGone)] };
}

/** Whether the earlier try changed a person, and the last try had nothing to do, or the service refused to repeat the change. */
function isDoneBy(earlier: ReportLine, last: ReportLine): boolean {
	const isChanged = earlier.status === 'added' || earlier.status === 'removed';
	const isUnchanged = last.status === 'alreadyMember' || last.status === 'notMember';
	const isRefused = last.isAboutRecipient === true && !last.mayBeDone;
	return earlier.recipient === last.recipient && isChanged && (isUnchanged || isRefused);
}

/** Returns how many lines have each status. */
function countStatuses(reports: Report[]) {
	const counts = { ...ZERO_COUNTS };
	for (const { lines, surplus } of reports) {
		for (const { status } of [...lines, ...surplus]) counts[status]++;
	}
	return counts;
}

/** Returns the counts in words: "added 3, failed 1". If all are 0, returns ''. */
function describeCounts(counts: Record<Status, number>): string {
	const some = Object.entries(counts).filter(([, number]) => number > 0);
	return some.map(([status, number]) => `${status} ${number}`).join(', ');
}

function shownNameOf({ word }: TargetKind, { name, id }: Target): string {
	return name || id || `No ${word}`;
}

/** Returns remarks about the targets together, as sentences. */
function remarksOn(reports: Report[]): string[] {
	const rows = reports.flatMap(({ target }) => target.rows);
	const blank = rows.filter((row) => !row.recipient && row.isBlank).length;
	const lines = reports.flatMap((report) => report.lines);
	const nameless = lines.filter(({ reason }) => reason === NO_NAME).length;
	const { invalid, unknown } = countStatuses(reports);
	const unproved = lines.filter(({ reason }) => reason.startsWith(UNVERIFIED)).length;
	const surplus = reports.flatMap((report) => report.surplus);
	const isRemoval = surplus.some(({ status }) => status === 'removed');
	const despite = `People were removed despite ${blank} blank and ${unknown} unknown items.`;
	const remark = (count: number, what: string) => (count > 0 ? [`${what}: ${count}.`] : []);
	return [
		...(isRemoval && blank + unknown > 0 ? [despite] : []),
		...remark(blank, 'Items without an address'),
		...remark(nameless, 'Items without a name or ID of what to sync'),
		...remark(invalid - blank - nameless, 'Items with an invalid address'),
		...remark(unproved, `Items whose outcome is not proved ("${UNVERIFIED} …")`),
	];
}

/**
 * Returns the notes of all targets, then remarks about all targets together. With several targets, a note starts with the
 * names of its targets.
 */
export function notesOf(targetKind: TargetKind, reports: Report[]): string[] {
	const namesByNote = new Map<string, string[]>();
	for (const { target, notes } of reports) {
		const name = shownNameOf(targetKind, target);
		for (const note of notes) addToList(namesByNote, note, name);
	}
	const notes = Array.from(namesByNote, ([note, names]) =>
		reports.length === 1 ? note : `${nameSome(names)}: ${note}`,
	);
	return [...notes, ...remarksOn(reports)];
}

/**
 * Returns one output item per input item, in input order, then the extra items. Extra items are the people whom Mirror
 * removes or should have removed, and the stopped targets without a failed recipient. Extra items are paired with the
 * first input item of their target, so that expressions after this node find an item. On the error output, people whose
 * removal failed have no paired item. Otherwise, n8n's engine would add the fields of another person.
 *
 * With Output "Summary", returns one item per target, paired with all input items of the target, as n8n's Aggregate does.
 */
export function itemsOf(node: INode, run: SyncRun, reports: Report[]): INodeExecutionData[] {
	const { targetKind, dryRun } = run;
	const items: INodeExecutionData[] = [];
	const extras: INodeExecutionData[] = [];
	for (const report of reports) {
		const { target, lines, surplus } = report;
		const fields = {
			[targetKind.idName.replace('Id', 'Name')]: target.name || null,
			[targetKind.idName]: target.id || null,
			...(dryRun ? { dryRun: true } : {}),
		};
		if (run.output === 'summary') {
			items.push(summaryItem(node, targetKind, report, fields));
			continue;
		}
		const toItem = ({ recipient, status, reason }: ReportLine, itemIndex: number) => {
			// A dry run says first that nothing was done, because its status reads as done.
			const line = dryRun ? { reason, recipient, status } : { recipient, status, reason };
			const error = status === 'failed' ? reason : undefined;
			const json = withError(node, { ...line, ...fields }, recipient, error);
			return { json, pairedItem: { item: itemIndex } };
		};
		for (const [index, { itemIndex }] of target.rows.entries()) {
			const line = lines[index];
			if (line) items[itemIndex] = toItem(line, itemIndex);
		}
		const firstItem = target.rows[0]?.itemIndex ?? 0;
		for (const line of surplus) {
			const isUnpaired = node.onError === 'continueErrorOutput' && line.status === 'failed';
			extras.push({ ...toItem(line, firstItem), ...(isUnpaired ? { pairedItem: [] } : {}) });
		}
		const problem = failureIn(node, targetKind, [report])?.message;
		// Without a failed recipient, no item says yet why the target was stopped.
		if (problem === undefined || countStatuses([report]).failed > 0) continue;
		const json = { recipient: null, status: null, reason: problem, ...fields };
		const name = shownNameOf(targetKind, target);
		extras.push({ json: withError(node, json, name, problem), pairedItem: { item: firstItem } });
	}
	return withSameFields([...items, ...extras]);
}

/** Returns the item of a target for Output "Summary". */
function summaryItem(node: INode, targetKind: TargetKind, report: Report, fields: IDataObject) {
	const counts = countStatuses([report]);
	const note = [...report.notes, ...remarksOn([report])].join(' ');
	const summary = { ...counts, ...fields, ...(note === '' ? {} : { note }) };
	const problem = failureIn(node, targetKind, [report])?.message;
	const json = withError(node, summary, describeCounts(counts) || 'nobody', problem);
	return { json, pairedItem: report.target.rows.map(({ itemIndex: item }) => ({ item })) };
}

/**
 * Adds an error to the fields of an item. The error is a text: if it were an object, n8n's engine would replace all
 * fields of the item. The engine moves an item to the error output if it has only the fields `error` and `message`. It
 * then adds the fields of the input item (n8n-core 1.122.48 and 2.41.1).
 *
 * @param subject whom or what the item is about: the `message` of an item on the error output
 */
function withError({ onError }: INode, json: IDataObject, subject: string, error?: string) {
	if (error === undefined) return json;
	return onError === 'continueErrorOutput' ? { error, message: subject } : { ...json, error };
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
 * Returns what failed in some targets: a message, the first target that failed, and its error if it was stopped. With only
 * one target, `onlyError` is the same error. Returns undefined if nothing failed.
 */
function failureIn(node: INode, targetKind: TargetKind, reports: Report[]) {
	const failing = reports.filter((report) => {
		// A target without a name has no error of its own: its items are invalid.
		const isStopped = report.stoppedBy && !report.target.isBlank;
		return isStopped || countStatuses([report]).failed > 0;
	});
	const [first] = failing;
	if (!first) return undefined;
	const firstError = first.stoppedBy && asNodeError(node, first.stoppedBy);
	const onlyError = reports.length === 1 ? firstError : undefined;
	const { failed } = countStatuses(reports);
	const summary =
		failed === 0
			? `${failing.length} of ${reports.length} ${targetKind.word}s could not be synced`
			: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	return { message: onlyError?.message ?? summary, first, firstError, onlyError };
}

/**
 * Returns the error of a sync. If its only target was stopped, this is the error of the target, with a longer description.
 * Otherwise, it is a new error with the number of failed recipients or targets. The description has the summary.
 *
 * @returns undefined if nothing failed
 */
export function problemOf(node: INode, targetKind: TargetKind, reports: Report[]) {
	const found = failureIn(node, targetKind, reports);
	if (!found) return undefined;
	const { message, first, firstError, onlyError } = found;
	const counts = countStatuses(reports);
	const done = describeCounts({ ...counts, failed: 0 });
	const others = `All others were done (${done}). To get the list of all of them, set On Error in the node's Settings to Continue.`;
	const failed = [...first.lines, ...first.surplus].find(({ status }) => status === 'failed');
	const reason = failed?.reason ?? firstError?.message ?? '';
	const where = reports.length > 1 ? `${shownNameOf(targetKind, first.target)}: ` : '';
	const firstReason = `First reason: ${where}${reason.replace(/\.$/, '')}.`;
	// "Nothing was sent." is left out, because other targets may have been changed.
	const advice = firstError?.description?.replace('Nothing was sent.', '').trim();
	const details = onlyError ? [onlyError.description] : [done && others, firstReason, advice];
	const summary = `Summary: ${describeCounts(counts) || 'nobody'}.`;
	const parts = [...details, ...notesOf(targetKind, reports), summary];
	const problem = onlyError ?? new NodeOperationError(node, message);
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = counts;
	return problem;
}
