import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { asNodeError } from '../../shared/transport/errors/apiError';
import { nameSome } from '../../shared/truncate';
import type { SyncRun } from './parameters';
import { countStatuses, describeCounts, notesOf, shownNameOf, type Report } from './report';
import { ZERO_NOT_DONE, type ReportLine, type TargetKind } from './types';

/** @param all the reports of the run */
type Cause = (report: Report, all: Report[]) => boolean;

const isFailed = ({ status }: ReportLine) => status === 'failed';
const hasFailed: Cause = ({ lines }) => lines.some(isFailed);
const keepsSomebody: Cause = ({ surplus }) => surplus.some(isFailed);
const isMisnamed: Cause = ({ target, stoppedBy }) =>
	stoppedBy !== undefined && target.problem !== undefined && !target.isBlank;
const isStopped: Cause = ({ target, stoppedBy }) =>
	stoppedBy !== undefined && target.problem === undefined;
const areAllStopped: Cause = (_report, all) => all.every(({ stoppedBy }) => stoppedBy);

/**
 * What turns a run red, and whether it turns a dry run red, too: the table in docs/sync.md, in the same order. A canceled
 * execution is always red.
 */
export const TURNS_RED: Array<[isCause: Cause, inDryRun: boolean]> = [
	[hasFailed, false],
	[keepsSomebody, false],
	[isMisnamed, false],
	[isStopped, true],
	[areAllStopped, true],
];

/** Whether a dry run fails, although it changes nothing. */
export function isDryRunRed(reports: Report[]): boolean {
	return TURNS_RED.some(
		([isCause, inDryRun]) => inDryRun && reports.some((report) => isCause(report, reports)),
	);
}

/**
 * Returns what turns the run red: a message, the first target that does, and its error if it was stopped. If the same
 * error stopped all targets, `onlyError` is this error. Returns undefined if nothing does.
 *
 * @param reports some of all reports
 */
export function failureIn(node: INode, { word }: TargetKind, all: Report[], reports = all) {
	const isRed = (report: Report) => TURNS_RED.some(([isCause]) => isCause(report, all));
	const failing = reports.filter(isRed);
	const [first] = failing;
	if (!first) return undefined;
	const firstError = first.stoppedBy && asNodeError(node, first.stoppedBy);
	const isFirst = ({ stoppedBy }: Report) =>
		stoppedBy === first.stoppedBy ||
		(stoppedBy instanceof NodeApiError && stoppedBy.message === firstError?.message);
	const onlyError = reports.every(isFirst) ? firstError : undefined;
	const { failed } = countStatuses(reports);
	const summary =
		failed === 0
			? `${failing.length} of ${reports.length} ${word}s could not be synced`
			: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	return { message: onlyError?.message ?? summary, first, firstError, onlyError };
}

/** How many removed people an error names. */
const MOST_REMOVED = 10;

/**
 * Returns the error of a sync. If one error stopped all targets, this is that error, with a longer description. Otherwise,
 * it is a new error with the number of failed recipients or targets. The description has the summary.
 *
 * @returns undefined if the run is not red
 */
export function problemOf(
	node: INode,
	{ targetKind, dryRun }: Pick<SyncRun, 'targetKind' | 'dryRun'>,
	reports: Report[],
) {
	const found = failureIn(node, targetKind, reports);
	if (!found) return undefined;
	const { message, first, firstError, onlyError } = found;
	const counts = countStatuses(reports);
	const done = describeCounts({ ...counts, ...ZERO_NOT_DONE });
	const others = `All others ${dryRun ? 'would be' : 'were'} done (${done}). To get the list of all of them, set On Error in the node's Settings to Continue.`;
	const lines = reports.flatMap((report) => [...report.lines, ...report.surplus]);
	const failed = [...first.lines, ...first.surplus].find(({ status }) => status === 'failed');
	const cause = firstError ?? (failed?.error && asNodeError(node, failed.error));
	const reason = (failed?.reason ?? firstError?.message ?? '').replace(/\.$/, '');
	const where = reports.length > 1 ? `${shownNameOf(targetKind, first.target)}: ` : '';
	const notes = notesOf(targetKind, reports);
	// A note may give the same reason.
	const isSaid = notes.some((note) => note.includes(reason));
	// "Nothing was sent." is left out, because other targets may have been changed.
	const advice = cause?.description?.replace('Nothing was sent.', '').trim();
	const details = [done && others, !isSaid && `First reason: ${where}${reason}.`, advice];
	const removed = lines.flatMap((line) => (line.status === 'removed' ? line.recipient : []));
	const parts = [
		...(onlyError ? [onlyError.description] : details),
		...notes,
		removed.length > 0 &&
			`${dryRun ? 'Would be removed' : 'Removed'}: ${nameSome(removed, MOST_REMOVED)}.`,
		`Summary: ${describeCounts(counts) || 'nobody'}.`,
	];
	const problem = onlyError ?? new NodeOperationError(node, message);
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = counts;
	return problem;
}
