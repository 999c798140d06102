import type { IDataObject } from 'n8n-workflow';

import type { Poll, Read } from './triggerModelService.mts';
import { DAY, MINUTE, STAGE, type Campaign } from './triggerModelWorld.mts';

type Closing = {
	/** Whether the trigger has seen the campaign live since its last closing. */
	live: 'no' | 'maybe' | 'sure';
	/** The closing that was seen and is not yet emitted. */
	pending?: { isSure: boolean; at: number };
	isSeen: boolean;
	least: number;
	most: number;
};

type Noted = {
	isWatched: boolean;
	launch: 'once' | 'maybe' | 'never';
	status?: string;
	read?: Read;
};

/** Judges Survey Closed: one item for each closing that the trigger can see, after the rows of that read. */
export class Closings {
	private known = new Map<string, Closing>();
	private saved = new Map<string, Closing>();
	private readonly given = new Map<string, number>();

	constructor(private readonly wrong: string[]) {}

	save(): void {
		this.saved = structuredClone(this.known);
	}

	kill(): void {
		const before = this.known;
		this.known = structuredClone(this.saved);
		for (const [id, { live, pending, isSeen }] of before) {
			const closing = this.closing(id);
			if (live !== closing.live || (pending === undefined) !== (closing.pending === undefined)) {
				if (closing.pending?.isSure) closing.least--;
				if (closing.pending) closing.pending.isSure = false;
				closing.live = 'maybe';
			}
			closing.isSeen ||= isSeen;
		}
	}

	/** Notes what a poll tells about a campaign, before its items. */
	note(campaign: Campaign, poll: Poll, { isWatched, launch, status, read }: Noted): void {
		const closing = this.closing(campaign.id);
		const isFirst = !closing.isSeen;
		closing.isSeen ||= status !== undefined;
		if (!isWatched) {
			this.drop(closing);
			if (status === '1' || closing.live === 'sure') closing.live = 'maybe';
			return;
		}
		if (status === '1') {
			// Reopened before the item could be emitted: it may still come, or not.
			this.drop(closing);
			closing.live = 'sure';
		}
		if (status === undefined && read && closing.live === 'no') closing.live = 'maybe';
		if (status === '3' && isFirst && launch !== 'never' && !poll.wanted.emitExisting)
			closing.live = launch === 'once' ? 'sure' : 'maybe';
		if (status !== '3' || closing.live === 'no') return;
		const isSure = closing.live === 'sure';
		if (!closing.pending) closing.most++;
		Object.assign(closing, {
			live: 'no',
			pending: { isSure, at: closing.pending?.at ?? poll.now },
		});
		if (isSure) closing.least++;
	}

	/** Notes that a poll that failed was told that a campaign is closed. The trigger may remember it, or not. */
	noteFailed(campaign: Campaign, now: number): void {
		const closing = this.closing(campaign.id);
		if (closing.live === 'no' || closing.pending) return;
		closing.pending = { isSure: false, at: now };
		closing.most++;
	}

	/** Counts and checks a Survey Closed item. */
	item(item: IDataObject, campaign: Campaign, { exchange, now }: Poll): void {
		const closing = this.closing(campaign.id);
		this.given.set(campaign.id, (this.given.get(campaign.id) ?? 0) + 1);
		const { pending } = closing;
		closing.pending = undefined;
		const rows = exchange.reads.get(campaign)?.rows;
		const submitted = rows?.filter(({ stage }) => stage >= STAGE.surveySubmitted).length;
		const report = exchange.reports.get(campaign);
		const { recipients, responseRate } = item;
		let expected: unknown[] = [null, null, null];
		if (rows && item.submitted !== null) {
			const all = report === undefined ? null : Math.max(report, rows.length);
			const rate =
				all === null || submitted === undefined ? null : Math.round((submitted / all) * 1e4) / 1e4;
			expected = [all, submitted, rate];
		} else if (pending && now - pending.at < DAY - 10 * MINUTE) {
			this.wrong.push(`${campaign.id}: Survey Closed without numbers before a day has passed`);
		}
		if (JSON.stringify([recipients, item.submitted, responseRate]) !== JSON.stringify(expected))
			this.wrong.push(
				`${campaign.id}: ${JSON.stringify(item)} instead of ${JSON.stringify(expected)}`,
			);
	}

	violations(isOver: boolean, denied: Set<Campaign>): string[] {
		const isDenied = (id: string) => [...denied].some((campaign) => campaign.id === id);
		return [...this.known].flatMap(([id, { least, most }]) => {
			const given = this.given.get(id) ?? 0;
			const isRight = given <= most && (!isOver || given >= least || isDenied(id));
			return isRight ? [] : [`${id} surveyClosed: owed ${least} to ${most}, emitted ${given}`];
		});
	}

	private drop(closing: Closing): void {
		if (closing.pending?.isSure) closing.least--;
		closing.pending = undefined;
	}

	private closing(id: string): Closing {
		const known = this.known.get(id) ?? { live: 'no', isSeen: false, least: 0, most: 0 };
		this.known.set(id, known);
		return known;
	}
}
