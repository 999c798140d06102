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
import { NO_COUNTS } from './types';
import type { Container, Line, Status, Target, TargetResult } from './types';

/** The report of a target: its result, with one line for each input item, in input order. */
export type Report = Omit<TargetResult, 'statuses'> & { lines: Line[] };

const NO_NAME = 'No group or channel: the item names none, so nothing was done for it';

/** Builds the report of a target from the statuses of its recipients. */
export function reportOf({ target, statuses, ...result }: TargetResult): Report {
	const lines = target.rows.map((row): Line => {
		if (!row.recipient) return { recipient: row.given, status: row.status, reason: row.reason };
		const { key, value: recipient } = row.recipient;
		if (target.isBlank) return { recipient, status: 'invalid', reason: NO_NAME };
		return { recipient, ...(statuses.get(key) ?? failedStatus(result.stopped?.message ?? '')) };
	});
	return { target, lines, ...result };
}

/**
 * Combines the reports of a target from two tries, because n8n's Retry On Fail runs the node again for all items. If an
 * earlier try added or removed a person, the last try finds nothing to change, or the service refuses to change it again, so
 * the line of the earlier try is kept.
 */
export function withEarlierTry(earlier: Report | undefined, last: Report): Report {
	if (!earlier) return last;
	const isDone = (before: Line | undefined, { recipient, status, isAnswer, mayBeDone }: Line) =>
		before?.recipient === recipient &&
		(before.status === 'added' || before.status === 'removed') &&
		(status === 'alreadyMember' || status === 'notMember' || (isAnswer && !mayBeDone));
	const lines = last.lines.map((line, index) => {
		const before = earlier.lines[index];
		return before && isDone(before, line) ? before : line;
	});
	const surplus = new Set(last.extras.map(({ recipient }) => recipient));
	const isGone = ({ status, recipient }: Line) => status === 'removed' && !surplus.has(recipient);
	return { ...last, lines, extras: [...last.extras, ...earlier.extras.filter(isGone)] };
}

type Counts = Record<Status, number>;

/** Returns how many lines have each status. */
function countIn(reports: Report[]): Counts {
	const counts = { ...NO_COUNTS };
	for (const { lines, extras } of reports) {
		for (const { status } of [...lines, ...extras]) counts[status]++;
	}
	return counts;
}

/** Returns the counts in words: "added 3, failed 1". */
function inWords(counts: Counts): string {
	const some = Object.entries(counts).filter(([, number]) => number > 0);
	return some.map(([status, number]) => `${status} ${number}`).join(', ') || 'nobody';
}

function shownNameOf({ word }: Container, { name, id }: Target): string {
	return name || id || `No ${word}`;
}

/** Returns remarks about the targets together, as sentences. */
function remarksOn(reports: Report[]): string[] {
	const rows = reports.flatMap(({ target }) => target.rows);
	const blank = rows.filter((row) => !row.recipient && row.isBlank).length;
	const lines = reports.flatMap((report) => report.lines);
	const nameless = lines.filter(({ reason }) => reason === NO_NAME).length;
	const { invalid, unknown } = countIn(reports);
	const unproved = lines.filter(({ reason }) => reason.startsWith(UNVERIFIED)).length;
	const isRemoval = reports.some(({ extras }) => extras.some(({ status }) => status === 'removed'));
	const remarks: Array<[number, string]> = [
		[blank, 'Items without an address'],
		[nameless, 'Items without a name or ID of what to sync'],
		[invalid - blank - nameless, 'Items with an invalid address'],
		[unproved, `Items whose outcome is not proved ("${UNVERIFIED} …")`],
	];
	return [
		...(isRemoval && blank + unknown > 0
			? [`People were removed despite ${blank} blank and ${unknown} unknown items.`]
			: []),
		...remarks.flatMap(([count, what]) => (count > 0 ? `${what}: ${count}.` : [])),
	];
}

/** Returns the notes of all targets. With several targets, a note starts with the names of its targets. */
export function notesOf(container: Container, reports: Report[]): string[] {
	const namesOf = new Map<string, string[]>();
	for (const { target, notes } of reports) {
		const name = shownNameOf(container, target);
		for (const note of notes) addToList(namesOf, note, name);
	}
	const notes = Array.from(namesOf, ([note, names]) =>
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
	const { container, dryRun } = run;
	const items: INodeExecutionData[] = [];
	const extras: INodeExecutionData[] = [];
	for (const report of reports) {
		const { target, lines, notes } = report;
		const fields = {
			[container.idName.replace('Id', 'Name')]: target.name || null,
			[container.idName]: target.id || null,
			...(dryRun ? { dryRun: true } : {}),
		};
		const problem = failureIn(node, container, [report])?.message;
		const counts = countIn([report]);
		if (!run.perRecipient) {
			const note = [...notes, ...remarksOn([report])].join(' ');
			const summary = { ...counts, ...fields, ...(note === '' ? {} : { note }) };
			const json = withError(node, summary, inWords(counts), problem);
			items.push({ json, pairedItem: target.rows.map(({ itemIndex: item }) => ({ item })) });
			continue;
		}
		const toItem = ({ recipient, status, reason }: Line, item = 0) => {
			// A dry run says first that nothing was done, because its status reads as done.
			const line = dryRun ? { reason, recipient, status } : { recipient, status, reason };
			const error = status === 'failed' ? reason : undefined;
			const json = withError(node, { ...line, ...fields }, recipient, error);
			return { json, pairedItem: { item } };
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
		const about = shownNameOf(container, target);
		extras.push({ json: withError(node, json, about, problem), pairedItem: { item: first ?? 0 } });
	}
	return withSameFields([...items, ...extras]);
}

/**
 * Adds an error to the fields of an item. The error is a text: if it were an object, n8n's engine would replace all
 * fields of the item. An item with only the fields `error` and `message` goes to the error output. There, n8n's
 * engine adds the fields of its input item (n8n-core 1.122.48 and 2.41.1).
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
 * Returns what failed in some targets: the error of the only target if it stopped (`only`), and a message. Returns undefined
 * if no target stopped and no recipient failed. A target without a name does not count.
 */
function failureIn(node: INode, container: Container, reports: Report[]) {
	const failing = reports.filter((report) => {
		return (report.stopped && !report.target.isBlank) || countIn([report]).failed > 0;
	});
	const [first] = failing;
	if (!first) return undefined;
	const stopped = first.stopped && asNodeError(node, first.stopped);
	const only = reports.length === 1 ? stopped : undefined;
	const { failed } = countIn(reports);
	const summary =
		failed === 0
			? `${failing.length} of ${reports.length} ${container.word}s could not be synced`
			: `${failed} ${failed === 1 ? 'recipient' : 'recipients'} could not be synced`;
	return { message: only?.message ?? summary, first, stopped, only };
}

/**
 * Builds the error of a sync. If the sync has only one target and this target stopped, the error says why. Otherwise, it
 * gives the number of failed recipients or targets. The description has the summary.
 *
 * @returns undefined if `failureIn` finds nothing
 */
export function problemOf(node: INode, container: Container, reports: Report[]) {
	const found = failureIn(node, container, reports);
	if (!found) return undefined;
	const { message, first, stopped, only } = found;
	const summary = countIn(reports);
	const failure = [...first.lines, ...first.extras].find(({ status }) => status === 'failed');
	const reason = failure?.reason ?? stopped?.message ?? '';
	const where = reports.length > 1 ? `${shownNameOf(container, first.target)}: ` : '';
	const done = inWords({ ...summary, failed: 0 });
	const problem = only ?? new NodeOperationError(node, message);
	const others = `All others were done (${done}). To get the list of all of them, set On Error in the node's Settings to Continue.`;
	const parts = [
		!only && done !== 'nobody' && others,
		!only && `First reason: ${where}${reason.replace(/\.$/, '')}.`,
		// "Nothing was sent." is left out, because other targets may have been changed.
		only ? only.description : stopped?.description?.replace('Nothing was sent.', '').trim(),
		...notesOf(container, reports),
		`Summary: ${inWords(summary)}.`,
	];
	problem.description = parts.filter((part) => part).join(' ');
	problem.context.summary = summary;
	return problem;
}
