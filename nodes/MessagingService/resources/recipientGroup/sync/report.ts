import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { InputRecipient, Recipient } from './readRecipients';

/** What can become of a recipient, in the order of the summary. */
export const STATUSES = [
	'added',
	'alreadyMember',
	'removed',
	'notMember',
	'unknown',
	'invalid',
	'duplicate',
	'failed',
] as const;

export type Status = (typeof STATUSES)[number];

export type Summary = Record<Status, number>;

type Line = { recipient: string; status: Status; reason: string };

/** Shapes the item of a failure: the reason, whom or what it is about, and the fields of an item like the others. */
export type ToFailure = (reason: string, about: string, json: IDataObject) => IDataObject;

/** Collects what became of each recipient, and shapes the output. */
export class Report {
	private readonly lines = new Map<string, Line>();
	private readonly extras: Line[] = [];
	private readonly tallied = new Map<Status, number>();
	private readonly inTally = new Set<string>();

	/** What is to be said about the whole run. */
	readonly notes: string[] = [];

	constructor(private readonly input: InputRecipient[]) {}

	/** The recipients to work on, each once. */
	get recipients(): Recipient[] {
		return this.input.flatMap((entry) => ('recipient' in entry ? [entry.recipient] : []));
	}

	get itemIndexes(): number[] {
		return this.input.map(({ itemIndex }) => itemIndex);
	}

	/** The recipients without a status so far. */
	get open(): Recipient[] {
		return this.recipients.filter(({ key }) => !this.lines.has(key) && !this.inTally.has(key));
	}

	settle(recipients: Iterable<Recipient>, status: Status, reason = ''): void {
		for (const { key, value } of recipients) {
			this.lines.set(key, { recipient: value, status, reason });
		}
	}

	/** Counts recipients where it need not be known who has which status: enough for the summary. */
	tally(recipients: Recipient[], counts: Partial<Record<Status, number>>): void {
		for (const { key } of recipients) this.inTally.add(key);
		for (const status of STATUSES) {
			this.tallied.set(status, (this.tallied.get(status) ?? 0) + (counts[status] ?? 0));
		}
	}

	/** People of the group whom no input item names. */
	addExtras(ids: Iterable<string>, status: 'removed' | 'failed', reason: string): void {
		for (const recipient of ids) this.extras.push({ recipient, status, reason });
	}

	/** Adds a sentence to what is said about the whole run. */
	note(text: string): void {
		this.notes.push(text);
	}

	get summary(): Summary {
		const counts: Summary = {
			added: 0,
			alreadyMember: 0,
			removed: 0,
			notMember: 0,
			unknown: 0,
			invalid: 0,
			duplicate: 0,
			failed: 0,
		};
		for (const [status, count] of this.tallied) counts[status] += count;
		for (const line of [...this.input.map((entry) => this.lineOf(entry)), ...this.extras]) {
			if (line) counts[line.status] += 1;
		}
		return counts;
	}

	/** The first reason why somebody failed. */
	get firstFailure(): string | undefined {
		for (const { status, reason } of [...this.lines.values(), ...this.extras]) {
			if (status === 'failed') return reason;
		}
		return undefined;
	}

	/**
	 * One item an input item, paired with it, then the people whom mirror removed. Those come from no input item; they
	 * are paired with the first one, whose parameters chose the group, so that expressions behind this node find one.
	 *
	 * @param note stands in every item
	 * @param toFailure shapes the item of somebody who failed
	 */
	toItems(note: IDataObject, toFailure: ToFailure): INodeExecutionData[] {
		const toItem = (line: Line, itemIndex: number): INodeExecutionData => {
			const json = { ...line, ...note };
			return {
				json: line.status === 'failed' ? toFailure(line.reason, line.recipient, json) : json,
				pairedItem: { item: itemIndex },
			};
		};
		const items: INodeExecutionData[] = [];
		for (const entry of this.input) {
			const line = this.lineOf(entry);
			if (line) items.push(toItem(line, entry.itemIndex));
		}
		for (const line of this.extras) items.push(toItem(line, 0));
		return items;
	}

	private lineOf(entry: InputRecipient): Line | undefined {
		if ('status' in entry) {
			return { recipient: entry.given, status: entry.status, reason: entry.reason };
		}
		const { key, value } = entry.recipient;
		if (this.inTally.has(key)) return undefined;
		// Everybody has a status in the end; whoever had none would be a fault of this node, and no success.
		return this.lines.get(key) ?? { recipient: value, status: 'failed', reason: NEVER_SETTLED };
	}
}

/** The counts in words: "added 3, failed 1". */
export function inWords(summary: Summary): string {
	const counted = STATUSES.filter((status) => summary[status] > 0);
	return counted.map((status) => `${status} ${summary[status]}`).join(', ') || 'nobody';
}

const NEVER_SETTLED = 'What became of this recipient is not known';
