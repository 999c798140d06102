import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import type { SyncRun } from './parameters';
import { failureIn } from './outcome';
import { countStatuses, describeCounts, remarksOn, shownNameOf, type Report } from './report';
import type { ReportLine } from './types';

/**
 * Returns one output item per input item, in input order, then the extra items: the people whom Mirror removes or should
 * have removed. Extra items are paired with the first input item of their target, so that expressions after this node find
 * an item. On the error output, people whose removal failed have no paired item. Otherwise, n8n's engine would add the
 * fields of another person. If a target turns the run red and has no failed item, all its items have the error.
 *
 * With Output "Summary", returns one item per target, paired with all input items of the target, as n8n's Aggregate does.
 */
export function itemsOf(
	node: INode,
	{ targetKind, dryRun, output }: Pick<SyncRun, 'targetKind' | 'dryRun' | 'output'>,
	reports: Report[],
): INodeExecutionData[] {
	const items: INodeExecutionData[] = [];
	const extras: INodeExecutionData[] = [];
	for (const report of reports) {
		const { target, lines, surplus } = report;
		const fields = {
			[targetKind.idName.replace('Id', 'Name')]: target.name || null,
			[targetKind.idName]: target.id || null,
			...(dryRun ? { dryRun: true } : {}),
		};
		const redBecause = failureIn(node, targetKind, reports, [report])?.message;
		if (output === 'summary') {
			items.push(summaryItem(node, report, fields, redBecause));
			continue;
		}
		// A failed item says why the run is red. If there is none, all items of the target say it.
		const hasFailed = countStatuses([report]).failed > 0;
		const toItem = ({ recipient, status, reason }: ReportLine, itemIndex: number) => {
			// A dry run says first that nothing was done, because its status reads as done.
			const line = dryRun ? { reason, recipient, status } : { recipient, status, reason };
			const errorOfOthers = hasFailed ? undefined : redBecause;
			const error = status === 'failed' ? reason : errorOfOthers;
			const subject = recipient || shownNameOf(targetKind, target);
			const json = withError(node, { ...line, ...fields }, subject, error);
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
	}
	return withSameFields([...items, ...extras]);
}

/** Returns the item of a target for Output "Summary". */
function summaryItem(node: INode, report: Report, fields: IDataObject, error?: string) {
	const counts = countStatuses([report]);
	const note = [...report.notes, ...remarksOn([report])].join(' ');
	const summary = { ...counts, ...fields, ...(note === '' ? {} : { note }) };
	const json = withError(node, summary, describeCounts(counts) || 'nobody', error);
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
