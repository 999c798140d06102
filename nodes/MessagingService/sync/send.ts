import { messageOf } from '../../shared/failure';
import { isOutcomeUnknown } from '../../shared/transport/errors/apiError';
import { wait } from '../../shared/transport/retry';
import { isRefusal } from './calls';
import { messageIn, namedInErrorLog, saysDocumented, saysOnlyUnknown } from './errorLog';
import { failedStatus, isRefused, proved, refused, STATUSES_OF, unverified } from './status';
import type { SyncRun } from './parameters';
import { chunksOf } from './rows';
import type { Gate, MembershipChange, RecipientStatus, Recipient, Sending } from './types';

/** A recipient is unknown only if the service says so twice, at least this long apart. */
export const UNKNOWN_TWICE_MS = 15_000;

/** If at least this share of the recipients sent so far is refused, the remaining recipients are sent one by one. */
const ONE_BY_ONE_FROM = 0.2;

/** Below this number of refused recipients, their share is ignored. */
const ENOUGH_TO_COUNT = 5;

/** If nobody was accepted, the search ends after this many recipients were refused when sent alone. */
const MOST_SINGLE_REFUSALS = 5;

const UNNAMED = 'The service reported an error for this recipient, but did not say which error';

/** Whether a request was accepted but for named recipients, one of several is refused, or each has a reply. */
type Answer = 'clear' | 'suspect' | 'answered';

/** What the responses say about some recipients. */
export type Responses = {
	/**
	 * By `Recipient.key`. If the count of an accepted request equals the number of its people, the request changed all of
	 * them. Any other count proves nothing about a single person.
	 */
	readonly replies: Map<string, RecipientStatus>;
	/** How many people the requests changed, or NaN if the counts do not show this. */
	readonly changed: number;
};

/**
 * Adds or removes recipients in chunks, and finds those whom the service refuses. If the service refuses a chunk, sends
 * its first half. If this half is accepted, the search continues in the second half, otherwise in the first. Recipients
 * whom the search did not test are sent together in the next round. Each refused recipient costs about log2(chunk) + 2
 * further requests. If a search finds nobody, the chunk was too large, and the run sends smaller chunks.
 *
 * @returns the responses; never throws
 */
export async function sendAll(
	run: SyncRun,
	recipients: Recipient[],
	sending: Sending,
): Promise<Responses> {
	const sender = new Sender(run, sending);
	await sender.sendAll(recipients);
	return sender;
}

class Sender implements Responses {
	readonly replies = new Map<string, RecipientStatus>();
	changed = 0;
	/**
	 * Recipients that an earlier request may have changed: its response was lost, or does not show to which recipients
	 * its errors belong. Later counts of these recipients prove nothing.
	 */
	private readonly uncounted = new Set<Recipient>();
	/** Recipients who were refused alone, in a way that may mean that they are unknown. */
	private readonly seemUnknown = new Map<Recipient, string>();
	private accepted: Recipient | undefined;
	private countAccepted = 0;
	private countRefused = 0;
	private refusedAlone = 0;
	private readonly gate: Gate = {};

	constructor(
		private readonly run: SyncRun,
		private readonly sending: Sending,
	) {}

	async sendAll(recipients: Recipient[]): Promise<void> {
		const { run } = this;
		let pieces = chunksOf(recipients, run.chunkSize);
		for (let isFurther = false; pieces.length > 0; isFurther = true) {
			const sending = pieces.map(async (piece) => await this.send(piece, isFurther));
			const answers = await Promise.all(sending);
			const suspects = pieces.filter((_, index) => answers[index] === 'suspect');
			if (suspects.length > 0 && this.countAccepted === 0) await this.isMemberAccepted();
			const untested: Recipient[][] = [];
			while (suspects.length > 0) {
				// If nobody was accepted, the service may be refusing every request, so the chunks are searched one after the other.
				const next = suspects.splice(0, this.countAccepted === 0 ? 1 : Infinity);
				const searching = next.map(async (piece) => await this.search(piece));
				untested.push(...(await Promise.all(searching)));
			}
			pieces = chunksOf(untested.flat(), this.sizeOfNext());
		}
		await this.sendUnknownAgain();
	}

	/**
	 * Finds one refused recipient among several. If it finds nobody, the request was too large.
	 *
	 * @param largest the size of the largest accepted part
	 * @returns the recipients whom it did not test
	 */
	private async search(suspects: Recipient[], largest = 0): Promise<Recipient[]> {
		const { run } = this;
		if (suspects.length === 1) {
			const isClear = (await this.send(suspects, true)) === 'clear';
			if (isClear) run.chunkSize = Math.min(run.chunkSize, largest);
			return [];
		}
		if (suspects.length > run.chunkSize) return suspects;
		const middle = Math.ceil(suspects.length / 2);
		const [start, end] = [suspects.slice(0, middle), suspects.slice(middle)];
		// Recipients at the start of a list may all be refused, so that every second search begins at the end.
		const [first, second] = this.refusedAlone % 2 === 0 ? [start, end] : [end, start];
		const answer = await this.send(first, true);
		if (answer === 'clear') return await this.search(second, Math.max(largest, first.length));
		return answer === 'suspect' ? [...second, ...(await this.search(first, largest))] : second;
	}

	/** Sends some recipients in one request. */
	private async send(all: Recipient[], isFurther: boolean): Promise<Answer> {
		const { run, gate } = this;
		const { action, targetId, by } = this.sending;
		if (gate.stop !== undefined) return this.fail(all, gate.stop);
		if (isFurther && run.budget.remaining-- <= 0) {
			const text = `The service refuses too many recipients to find them with ${run.budget.granted} further requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
			return this.fail(all, text);
		}
		try {
			const values = all.map(({ value }) => value);
			return this.accept(all, await run.api.change(action, targetId, by, values, gate));
		} catch (error) {
			const text = messageOf(error);
			if (isOutcomeUnknown(error)) for (const one of all) this.uncounted.add(one);
			if (!isRefusal(error)) return this.fail(all, text);
			const [only, another] = all;
			return another || !only ? 'suspect' : this.refuseAlone(only, text);
		}
	}

	/** Records an accepted request, and the errors in its response. */
	private accept(all: Recipient[], change: MembershipChange): Answer {
		const { errorCount: errors, errorLog } = change;
		const [only, another] = all;
		const named = namedInErrorLog(errorLog, all);
		if (named?.size === errors) {
			for (const [recipient, { message, text }] of named) {
				if (saysOnlyUnknown(text, recipient)) this.markUnknown(recipient, message);
				else this.refuse(recipient, message || UNNAMED);
			}
		} else if (another || !only) {
			if (errors < all.length) for (const one of all) this.uncounted.add(one);
			return 'suspect';
		} else this.refuseAlone(only, errorLog.map(messageIn).join() || UNNAMED);
		const accepted = all.filter(({ key }) => !isRefused(this.replies.get(key)));
		this.countAccepted += accepted.length;
		if (accepted.length === 0) return 'answered';
		this.accepted ??= accepted[0];
		const { action } = this.sending;
		const isCounted = !all.some((one) => this.uncounted.has(one));
		const changed = isCounted ? (change.changed ?? NaN) : NaN;
		this.changed += changed;
		const isAll = changed === accepted.length;
		const reply = isAll ? proved(STATUSES_OF[action][0]) : unverified(action);
		for (const { key } of accepted) this.replies.set(key, reply);
		return 'clear';
	}

	/** Records that the service refused a recipient who was sent alone. */
	private refuseAlone(one: Recipient, text: string): 'answered' {
		this.refusedAlone++;
		const { action, by, isShown } = this.sending;
		if (by === 'email' && saysDocumented(text)) return this.markUnknown(one, text);
		const isAny = action === 'add' && this.run.container.isAnyRefusalUnknown === true;
		const seemsUnknown = !isShown && (isAny || (by === 'id' && saysOnlyUnknown(text, one)));
		if (seemsUnknown) this.seemUnknown.set(one, text);
		const isEnough = this.countAccepted === 0 && this.refusedAlone >= MOST_SINGLE_REFUSALS;
		if (isEnough && (isAny || !seemsUnknown)) this.gate.stop ??= text;
		return this.refuse(one, text);
	}

	/**
	 * Sends each recipient who seems to be unknown once more, alone, while the service accepts others: the refusal of an
	 * unknown recipient is not documented for IDs and channels.
	 */
	private async sendUnknownAgain(): Promise<void> {
		const again = [...this.seemUnknown.keys()];
		if (again.length === 0 || !(await this.isMemberAccepted())) return;
		await wait(UNKNOWN_TWICE_MS, this.run.cancelSignal);
		this.seemUnknown.clear();
		for (const { key } of again) this.replies.delete(key);
		await Promise.all(again.map(async (one) => await this.send([one], true)));
		if (!(await this.isMemberAccepted())) return;
		for (const [one, text] of this.seemUnknown) this.markUnknown(one, text);
	}

	/**
	 * Sends a recipient whom the service has accepted before. If it refuses even this one, it refuses everybody, and the
	 * changes stop.
	 */
	private async isMemberAccepted(): Promise<boolean> {
		const { action, targetId, by, member = this.accepted } = this.sending;
		if (!member) return false;
		try {
			await this.run.api.change(action, targetId, by, [member.value], this.gate);
			this.countAccepted++;
			return true;
		} catch (error) {
			this.gate.stop ??= messageOf(error);
			return false;
		}
	}

	private markUnknown(recipient: Recipient, message: string): 'answered' {
		if (this.sending.isShown) return this.refuse(recipient, message || UNNAMED);
		this.countRefused++;
		const reason = `The service does not know this recipient${message ? `: ${message}` : ''}`;
		this.replies.set(recipient.key, { ...refused(reason), status: 'unknown' });
		return 'answered';
	}

	private refuse(recipient: Recipient, reason: string): 'answered' {
		this.countRefused++;
		if (this.uncounted.has(recipient)) return this.fail([recipient], reason);
		this.replies.set(recipient.key, refused(reason));
		return 'answered';
	}

	private fail(all: Recipient[], reason: string): 'answered' {
		for (const one of all) {
			const mayBeDone = this.uncounted.has(one);
			if (mayBeDone) this.changed = NaN;
			this.replies.set(one.key, failedStatus(reason, mayBeDone));
		}
		return 'answered';
	}

	/**
	 * Returns the size of the next chunks. If many recipients are refused, the chunks are so small that each probably
	 * contains only one of them.
	 */
	private sizeOfNext(): number {
		const { chunkSize } = this.run;
		const [known, unknown] = [this.countAccepted, this.countRefused];
		if (unknown < ENOUGH_TO_COUNT) return chunkSize;
		if (unknown >= ONE_BY_ONE_FROM * (unknown + known)) return 1;
		return Math.min(chunkSize, Math.ceil(known / unknown));
	}
}
