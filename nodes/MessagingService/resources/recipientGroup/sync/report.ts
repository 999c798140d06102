import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Evidence } from './evidence';
import { inWords, type Line, type Classification } from './classify';

/** Shapes the item of a failure: the reason, whom or what it is about, and the fields of an item like the others. */
export type ToFailure = (reason: string, about: string, json: IDataObject) => IDataObject;

/**
 * One item an input item, paired with it, then the people whom Mirror takes out. Those come from no input item; they are
 * paired with the first one, whose parameters chose the group, so that expressions behind this node find one.
 */
export function recipientItems(
	{ input, dryRun }: Evidence,
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
	{ input, dryRun }: Evidence,
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
