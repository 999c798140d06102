import { forEachConcurrently } from '../../shared/concurrency';
import { messageOf } from '../../shared/failure';
import { isOutcomeUnknown } from '../../shared/transport/errors/apiError';
import { cancelableSleep } from '../../shared/transport/retry';
import { isFatal, isRefusal } from './calls';
import {
	accepted,
	failedStatus,
	isNotAccepted,
	messageIn,
	namedInErrorLog,
	refused,
	saysDocumented,
	saysOnlyUnknown,
} from './status';
import type { SyncRun } from './parameters';
import { chunksOf } from './input';
import type { MembershipChange, RecipientStatus, Recipient, Sending } from './types';

/** A recipient is unknown only if the service says so twice, at least this long apart. */
const UNKNOWN_TWICE_MS = 15_000;

/** If at least this share of the recipients sent so far is refused, the remaining recipients are sent one by one. */
const ONE_BY_ONE_FROM = 0.2;

/** Below this number of refused recipients, their share is ignored. */
const ENOUGH_TO_COUNT = 5;

/** If nobody was accepted, the search ends after this many recipients were refused when sent alone. */
const MOST_SINGLE_REFUSALS = 5;

const UNNAMED = 'The service reported an error for this recipient, but did not say which error';

/** Whether a request was accepted but for named recipients, one of several is refused, or each has a reply. */
type Answer = 'clear' | 'suspect' | 'answered';

/**
 * Adds or removes recipients in chunks, and finds those whom the service refuses: if it refuses a chunk, sends its first
 * half. If this half is accepted, the search continues in the second half, otherwise in the first. Recipients whom the
 * search did not test are sent together in the next round. Each refused recipient costs about log2(chunk) + 2 further
 * requests. If a search finds nobody, the chunk was too large: `run.chunkSize` becomes smaller for the whole run.
 *
 * @returns the status of each recipient (`replies`), and how many people were changed (NaN if the counts do not show
 *   it); never throws
 */
export async function sendAll(
	run: SyncRun,
	recipients: Recipient[],
	sending: Sending,
): Promise<Pick<Sender, 'replies' | 'changed'>> {
	const sender = new Sender(run, sending);
	await sender.sendAll(recipients);
	return sender;
}

class Sender {
	/** By `Recipient.key`. Only a count that equals the number of a request's people proves that it changed each of them. */
	readonly replies = new Map<string, RecipientStatus>();
	/** How many people the requests changed, or NaN if the counts do not show this. */
	changed = 0;
	/** Recipients that a request with a lost or unclear response may have changed, so that their later counts prove nothing. */
	private readonly uncounted = new Set<Recipient>();
	/** Recipients who are unknown if a second refusal says so, too, and what the first one said. */
	private readonly seemUnknown = new Map<Recipient, string>();
	private accepted: Recipient | undefined;
	private countAccepted = 0;
	private countRefused = 0;
	private refusedAlone = 0;
	/** Why no further request is sent. */
	private stop: string | undefined;

	constructor(
		private readonly run: SyncRun,
		private readonly sending: Sending,
	) {}

	async sendAll(recipients: Recipient[]): Promise<void> {
		const { run } = this;
		let pieces = chunksOf(recipients, run.chunkSize);
		for (let isFurther = false; pieces.length > 0; isFurther = true) {
			const answers = new Map<Recipient[], Answer>();
			const send = async (piece: Recipient[]) =>
				void answers.set(piece, await this.send(piece, isFurther));
			// A later chunk begins after the answers to earlier ones, which may stop all further requests.
			await forEachConcurrently(pieces, run.concurrency, send, () => true);
			const suspects = pieces.filter((piece) => answers.get(piece) === 'suspect');
			if (suspects.length > 0 && this.countAccepted === 0) await this.isMemberAccepted();
			const untested: Recipient[] = [];
			const search = async (piece: Recipient[]) =>
				void untested.push(...(await this.search(piece)));
			// If nobody was accepted, the service may be refusing every request.
			const atOnce = this.countAccepted === 0 ? 1 : run.concurrency;
			await forEachConcurrently(suspects, atOnce, search, () => true);
			pieces = chunksOf(untested, this.sizeOfNext());
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
		const { run, stop } = this;
		const { action, targetId, by } = this.sending;
		if (stop !== undefined) return this.fail(all, stop);
		if (isFurther && run.budget.remaining-- <= 0) {
			const text = `The service refuses too many recipients to find them with ${run.budget.granted} further requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
			return this.fail(all, text);
		}
		try {
			const values = all.map(({ value }) => value);
			return this.accept(all, await run.api.change(action, targetId, by, values));
		} catch (error) {
			const text = messageOf(error);
			if (isFatal(error)) this.stop ??= text;
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
			const isTwice = this.sending.by === 'email' && this.run.mode === 'mirror';
			for (const [one, { message, text }] of named) {
				if (saysOnlyUnknown(text, one)) this.markUnknown(one, message, isTwice);
				else this.refuse(one, message || UNNAMED);
			}
		} else if (another || !only) {
			if (errors < all.length) for (const one of all) this.uncounted.add(one);
			return 'suspect';
		} else this.refuseAlone(only, errorLog.map(messageIn).join() || UNNAMED);
		const others = all.filter(({ key }) => !isNotAccepted(this.replies.get(key)));
		this.countAccepted += others.length;
		if (others.length === 0) return 'answered';
		this.accepted ??= others[0];
		const isCounted = !all.some((one) => this.uncounted.has(one));
		const changed = isCounted ? (change.changed ?? NaN) : NaN;
		this.changed += changed;
		const reply = accepted(this.sending.action, changed === others.length);
		for (const { key } of others) this.replies.set(key, reply);
		return 'clear';
	}

	/** Records that the service refused a recipient who was sent alone. */
	private refuseAlone(one: Recipient, text: string): 'answered' {
		this.refusedAlone++;
		const { action, by } = this.sending;
		const isAny = action === 'add' && this.run.container.isAnyRefusalUnknown === true;
		const isUnknown = by === 'email' ? saysDocumented(text) : isAny || saysOnlyUnknown(text, one);
		const isEnough = this.countAccepted === 0 && this.refusedAlone >= MOST_SINGLE_REFUSALS;
		if (isEnough && (isAny || !isUnknown)) this.stop ??= text;
		const isTwice = by === 'id' || this.run.mode === 'mirror';
		return isUnknown ? this.markUnknown(one, text, isTwice) : this.refuse(one, text);
	}

	/**
	 * Sends each recipient who seems to be unknown once more, alone. For IDs and channels, the refusal of an unknown
	 * recipient is not documented, so it proves nothing unless the service accepts others.
	 */
	private async sendUnknownAgain(): Promise<void> {
		const again = [...this.seemUnknown.keys()];
		const isProof = async () => this.sending.by === 'email' || (await this.isMemberAccepted());
		if (again.length === 0 || !(await isProof())) return;
		await cancelableSleep(UNKNOWN_TWICE_MS, this.run.cancelSignal);
		this.seemUnknown.clear();
		for (const { key } of again) this.replies.delete(key);
		await Promise.all(again.map(async (one) => await this.send([one], true)));
		if (!(await isProof())) return;
		for (const [one, text] of this.seemUnknown) this.markUnknown(one, text, false);
	}

	/** Sends a recipient whom the service accepted before. If it refuses even this one, it refuses all, and the changes stop. */
	private async isMemberAccepted(): Promise<boolean> {
		const { action, targetId, by, member = this.accepted } = this.sending;
		if (!member) return false;
		try {
			await this.run.api.change(action, targetId, by, [member.value]);
			this.countAccepted++;
			return true;
		} catch (error) {
			this.stop ??= messageOf(error);
			return false;
		}
	}

	/** Records that a recipient is unknown. If `isTwice` is true, the recipient is `failed` until a second refusal. */
	private markUnknown(one: Recipient, text: string, isTwice: boolean): 'answered' {
		const { isShown } = this.sending;
		if (isTwice && !isShown) this.seemUnknown.set(one, text);
		if (isTwice || isShown) return this.refuse(one, text || UNNAMED);
		this.countRefused++;
		const reason = `The service does not know this recipient${text ? `: ${text}` : ''}`;
		this.replies.set(one.key, { ...refused(reason), status: 'unknown' });
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
		const { countAccepted, countRefused, run } = this;
		if (countRefused < ENOUGH_TO_COUNT) return run.chunkSize;
		if (countRefused >= ONE_BY_ONE_FROM * (countRefused + countAccepted)) return 1;
		return Math.min(run.chunkSize, Math.ceil(countAccepted / countRefused));
	}
}
