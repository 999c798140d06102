import { forEachConcurrently, settle, type Settled } from '../../shared/concurrency';
import { messageOf } from '../../shared/failure';
import { says } from '../../shared/serviceMessages';
import { isOutcomeUnknown } from '../../shared/transport/errors/apiError';
import { cancelableSleep } from '../../shared/transport/retry';
import { isFatal, isMissing, isRefusedChange } from './calls';
import { namedInErrorLog, onlyWords, saidIn, saysOnlyUnknown } from './refusal';
import { failedStatus, isFailedOrUnknown, STATUSES, unverifiedStatus } from './status';
import type { SyncRun } from './parameters';
import type { Members, MembershipChange, RecipientStatus, Recipient, SendOptions } from './types';

/** A recipient is certainly refused only if the service refuses them twice, at least this long apart. */
const REFUSED_TWICE_MS = 15_000;

/** If at least this share of the recipients sent so far is refused, the remaining recipients are sent one by one. */
const ONE_BY_ONE_FROM = 0.2;

/** The share is ignored below this number of refused recipients. */
const ENOUGH_TO_COUNT = 5;

/** If nobody was accepted, the search ends after this many recipients were refused when sent alone. */
const MOST_SINGLE_REFUSALS = 5;

const UNNAMED = 'The service reported an error for this recipient, but did not say which error';

/** What became of a request: it accepted somebody, it accepted nobody, or it refused somebody, but does not say whom. */
type Answer = 'accepted' | 'notAccepted' | 'unclear';

/** Why the service refused a recipient: its message, whether this says that the recipient is unknown, and the error. */
type Refusal = { message: string; isUnknown: boolean; error?: unknown };

/**
 * Adds or removes recipients in chunks, and finds those whom the service refuses (`findRefused`). Each of them costs about
 * log2(chunk) + 2 further requests. If the chunks are too large, makes `run.chunkSize` smaller for the whole run.
 *
 * Never throws. Returns a reply for each recipient, by `Recipient.key`, and how many people were changed: NaN if the counts
 * do not show this.
 */
export async function sendInChunks(run: SyncRun, recipients: Recipient[], options: SendOptions) {
	const sender = new ChunkSender(run, options);
	await sender.sendAll(recipients);
	return { replies: sender.replies, changedCount: sender.changedCount };
}

class ChunkSender {
	readonly replies = new Map<string, RecipientStatus>();
	changedCount = 0;
	/** Recipients whom an earlier request may have changed. So the counts of their later requests prove nothing. */
	private readonly mayBeChanged = new Set<Recipient>();
	/** Recipients whom the service refused once. A second refusal is the proof. */
	private readonly refusedOnce = new Map<Recipient, Refusal>();
	private firstAccepted: Recipient | undefined;
	private acceptedCount = 0;
	private refusedCount = 0;
	private refusedAloneCount = 0;
	/** Why no further request is sent. */
	private stoppedBy: unknown;
	/** A read of the target after the service said that it does not exist. */
	private targetRead: Promise<Settled<Members>> | undefined;
	/** Whether a refusal proves something only if the service accepts somebody else meanwhile. */
	private readonly needsOther: boolean;

	constructor(
		private readonly run: SyncRun,
		private readonly options: SendOptions,
	) {
		this.needsOther = options.identifyBy === 'id' || run.targetKind.word === 'channel';
	}

	async sendAll(recipients: Recipient[]): Promise<void> {
		const { run } = this;
		let chunks = chunksOf(recipients, run.chunkSize);
		for (let round = 1; chunks.length > 0; round++) {
			const unclear = new Set<Recipient[]>();
			const send = async (chunk: Recipient[]) => {
				const answer = await (round === 1 ? this.send(chunk) : this.sendFurther(chunk));
				if (answer === 'unclear') unclear.add(chunk);
			};
			// A later chunk begins after the answers to earlier ones, which may stop all further requests.
			await forEachConcurrently(chunks, run.concurrency, send, () => true);
			const acceptsNobody = unclear.size > 0 && this.acceptedCount === 0;
			if (acceptsNobody && this.options.action === 'add') await this.acceptsOther();
			const untested: Recipient[] = [];
			const search = async (chunk: Recipient[]) =>
				void untested.push(...(await this.findRefused(chunk)));
			// If nobody was accepted, the service may be refusing every request.
			const concurrency = this.acceptedCount === 0 ? 1 : run.concurrency;
			const inOrder = chunks.filter((chunk) => unclear.has(chunk));
			await forEachConcurrently(inOrder, concurrency, search, () => true);
			chunks = chunksOf(untested, this.nextChunkSize());
		}
		await this.sendRefusedAgain();
	}

	/** Finds one refused recipient by halves, and returns those whom it did not test. @param largest the largest accepted part */
	private async findRefused(suspects: Recipient[], largest = 0): Promise<Recipient[]> {
		const { run } = this;
		if (suspects.length === 1) {
			const answer = await this.sendFurther(suspects);
			if (answer === 'accepted') run.chunkSize = Math.min(run.chunkSize, largest);
			return [];
		}
		if (suspects.length > run.chunkSize) return suspects;
		const middle = Math.ceil(suspects.length / 2);
		const [start, end] = [suspects.slice(0, middle), suspects.slice(middle)];
		// Recipients at the start of a list may all be refused, so that every second search begins at the end.
		const [first, second] = this.refusedAloneCount % 2 === 0 ? [start, end] : [end, start];
		const answer = await this.sendFurther(first);
		if (answer === 'notAccepted') return second;
		if (answer === 'unclear') return [...second, ...(await this.findRefused(first, largest))];
		return await this.findRefused(second, Math.max(largest, first.length));
	}

	/** Sends recipients who were refused before. The run has a limit for such requests. */
	private async sendFurther(recipients: Recipient[]): Promise<Answer> {
		const { budget } = this.run;
		if (this.stoppedBy !== undefined || budget.remaining-- > 0) return await this.send(recipients);
		const text = `The service refuses too many recipients to identify each one with ${budget.granted} further requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
		return this.fail(recipients, text);
	}

	/** Sends some recipients in one request. */
	private async send(recipients: Recipient[]): Promise<Answer> {
		if (this.stoppedBy !== undefined) return this.fail(recipients, this.stoppedBy);
		try {
			const values = recipients.map(({ value }) => value);
			return this.recordReply(recipients, await this.run.api.changeMembers(this.options, values));
		} catch (error) {
			const isRefused = await this.isAboutRecipients(error);
			if (!isRefused && isFatal(error)) this.stoppedBy ??= error;
			if (isOutcomeUnknown(error)) for (const one of recipients) this.mayBeChanged.add(one);
			if (!isRefused) return this.fail(recipients, error);
			const [only, ...others] = recipients;
			if (!only || others.length > 0) return 'unclear';
			const message = messageOf(error);
			const isDocumented = says(this.run.targetKind.refusal, onlyWords(message));
			const isUnknown = isDocumented || (this.needsOther && saysOnlyUnknown(message, only));
			return this.refuseAlone(only, { message, isUnknown, error });
		}
	}

	/** Whether an error may be about recipients. "Object does not exist" is about the target, unless the target can be read. */
	private async isAboutRecipients(error: unknown): Promise<boolean> {
		if (!isMissing(error) || !says('noGroup', error)) return isRefusedChange(error);
		const { api } = this.run;
		this.targetRead ??= settle(async () => await api.readMembers(this.options.targetId));
		return 'result' in (await this.targetRead);
	}

	/** Records what a response says about its recipients. It is unclear if it does not name each recipient with an error. */
	private recordReply(recipients: Recipient[], change: MembershipChange): Answer {
		const { action, identifyBy } = this.options;
		const { errorCount, errorLog } = change;
		const named = namedInErrorLog(errorLog, recipients);
		const [only, ...others] = recipients;
		const isAlone = only && others.length === 0;
		// The request did not change its only recipient.
		if (isAlone && errorCount > 0) this.mayBeChanged.delete(only);
		if (named?.size !== errorCount) {
			const { message, allTexts } = saidIn(errorLog);
			if (isAlone)
				return this.refuseAlone(only, { message, isUnknown: saysOnlyUnknown(allTexts, only) });
			if (errorCount < recipients.length) for (const one of recipients) this.mayBeChanged.add(one);
			return 'unclear';
		}
		for (const [one, { message, allTexts }] of named) {
			const isUnknown = saysOnlyUnknown(allTexts, one);
			// By ID, the service refuses only this one, and accepts others.
			const isProved = identifyBy === 'id' && (isUnknown || named.size < recipients.length);
			this.refuse(one, { message, isUnknown }, isProved);
		}
		const accepted = recipients.filter(({ key }) => !isFailedOrUnknown(this.replies.get(key)));
		this.acceptedCount += accepted.length;
		if (accepted.length === 0) return 'notAccepted';
		this.firstAccepted ??= accepted[0];
		const isCounted = !recipients.some((one) => this.mayBeChanged.has(one));
		const changedCount = isCounted ? (change.changedCount ?? NaN) : NaN;
		this.changedCount += changedCount;
		// Unless the count is everybody, it does not say who was changed.
		const isProof = changedCount === accepted.length;
		const reply = isProof ? STATUSES[action].changed : unverifiedStatus(action);
		for (const { key } of accepted) this.replies.set(key, reply);
		return 'accepted';
	}

	/** Records that the service refused a request with one recipient. */
	private refuseAlone(one: Recipient, refusal: Refusal): Answer {
		this.refusedAloneCount++;
		const isEnough = this.acceptedCount === 0 && this.refusedAloneCount >= MOST_SINGLE_REFUSALS;
		// Clearly unknown people do not mean that the service refuses everybody.
		if (isEnough && (this.run.targetKind.word === 'channel' || !refusal.isUnknown))
			this.stoppedBy ??= refusal.error ?? refusal.message;
		this.refuse(one, refusal);
		return 'notAccepted';
	}

	/**
	 * Records that the service refused a recipient. Unless this is proved, Sync asks again before it removes others or calls
	 * the recipient unknown. Until then, the recipient is `failed`.
	 */
	private refuse(one: Recipient, refusal: Refusal, isProved = false): void {
		this.refusedCount++;
		const isEnough = this.run.mode !== 'mirror' && !(refusal.isUnknown && this.needsOther);
		if (isProved || isEnough || this.options.areShownIds) return this.settleRefusal(one, refusal);
		this.refusedOnce.set(one, refusal);
		this.fail([one], refusal.error ?? (refusal.message || UNNAMED));
	}

	/** Sends each recipient who was refused once again, alone. */
	private async sendRefusedAgain(): Promise<void> {
		const again = [...this.refusedOnce.keys()];
		if (again.length === 0) return;
		const isOtherAccepted = await this.acceptsOther();
		// Where nobody can be accepted, only the words can prove something.
		if (!(isOtherAccepted ?? this.options.isTargetEmpty)) return;
		await cancelableSleep(REFUSED_TWICE_MS, this.run.cancelSignal);
		this.refusedOnce.clear();
		for (const { key } of again) this.replies.delete(key);
		await Promise.all(again.map(async (one) => await this.sendFurther([one])));
		const isStillAccepted = await this.acceptsOther();
		for (const [one, refusal] of this.refusedOnce)
			if (isStillAccepted ?? saysOnlyUnknown(refusal.message, one))
				this.settleRefusal(one, refusal);
	}

	/**
	 * If it matters, sends a member again. If the service refuses even this one, it refuses all, so the sender stops.
	 *
	 * @returns whether the service accepts the member, undefined if there is none
	 */
	private async acceptsOther(): Promise<boolean | undefined> {
		const { firstAccepted, options } = this;
		if (!this.needsOther) return true;
		const accepted = firstAccepted && { targetId: options.targetId, value: firstAccepted.value };
		const known = options.knownMember ?? accepted;
		if (!known) return undefined;
		const to = { ...options, targetId: known.targetId };
		const sending = await settle(async () => await this.run.api.changeMembers(to, [known.value]));
		if ('error' in sending) this.stoppedBy ??= sending.error;
		else if (sending.result.errorCount > 0) this.stoppedBy ??= UNNAMED;
		else this.acceptedCount++;
		return 'result' in sending && sending.result.errorCount === 0;
	}

	/** Records a refusal that is proved, or that needs no proof. */
	private settleRefusal(one: Recipient, { message, isUnknown, error }: Refusal): void {
		const isNobodyElse = this.options.identifyBy === 'id';
		this.fail([one], error ?? (message || UNNAMED), { isAboutRecipient: true, isNobodyElse });
		if (!isUnknown || this.options.areShownIds) return;
		const reason = `The service does not know this recipient${message ? `: ${message}` : ''}`;
		this.replies.set(one.key, { status: 'unknown', reason, isAboutRecipient: true });
	}

	/** Records that recipients failed. @param cause the error of a request, or a text */
	private fail(recipients: Recipient[], cause: unknown, more?: Partial<RecipientStatus>): Answer {
		const error = cause instanceof Error ? cause : undefined;
		for (const one of recipients) {
			const mayBeDone = this.mayBeChanged.has(one);
			if (mayBeDone) this.changedCount = NaN;
			const status = failedStatus(messageOf(cause), { mayBeDone });
			this.replies.set(one.key, { ...status, error, ...more });
		}
		return 'notAccepted';
	}

	/** Returns the size of the next chunks. If many recipients are refused, each chunk should have only one of them. */
	private nextChunkSize(): number {
		const { acceptedCount, refusedCount, run } = this;
		if (refusedCount < ENOUGH_TO_COUNT) return run.chunkSize;
		if (refusedCount >= ONE_BY_ONE_FROM * (refusedCount + acceptedCount)) return 1;
		return Math.min(run.chunkSize, Math.ceil(acceptedCount / refusedCount));
	}
}

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
