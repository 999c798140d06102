import { forEachConcurrently } from '../../shared/concurrency';
import { messageOf } from '../../shared/failure';
import { isOutcomeUnknown } from '../../shared/transport/errors/apiError';
import { cancelableSleep } from '../../shared/transport/retry';
import { isFatal, isRefusal } from './calls';
import {
	failedStatus,
	isDocumentedUnknown,
	isFailedOrUnknown,
	messageIn,
	namedInErrorLog,
	refusedStatus,
	saysOnlyUnknown,
	STATUSES,
	unverifiedStatus,
} from './status';
import type { SyncRun } from './parameters';
import type { MembershipChange, RecipientStatus, Recipient, SendOptions } from './types';

/** A recipient is unknown only if the service says so twice, at least this long apart. */
const UNKNOWN_TWICE_MS = 15_000;

/** If at least this share of the recipients sent so far is refused, the remaining recipients are sent one by one. */
const ONE_BY_ONE_FROM = 0.2;

/** The share is ignored below this number of refused recipients. */
const ENOUGH_TO_COUNT = 5;

/** If nobody was accepted, the search ends after this many recipients were refused when sent alone. */
const MOST_SINGLE_REFUSALS = 5;

const UNNAMED = 'The service reported an error for this recipient, but did not say which error';

/** What became of a request: it accepted somebody, it accepted nobody, or it refused somebody, but does not say whom. */
type Answer = 'accepted' | 'notAccepted' | 'unclear';

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
	/** Recipients whom the service called unknown once, and what it said. A second refusal is the proof. */
	private readonly seemUnknown = new Map<Recipient, string>();
	private firstAccepted: Recipient | undefined;
	private acceptedCount = 0;
	private refusedCount = 0;
	private refusedAloneCount = 0;
	/** Why no further request is sent. */
	private stopReason: string | undefined;

	constructor(
		private readonly run: SyncRun,
		private readonly options: SendOptions,
	) {}

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
			if (unclear.size > 0 && this.acceptedCount === 0) await this.tryKnownMember();
			const untested: Recipient[] = [];
			const search = async (chunk: Recipient[]) =>
				void untested.push(...(await this.findRefused(chunk)));
			// If nobody was accepted, the service may be refusing every request.
			const concurrency = this.acceptedCount === 0 ? 1 : run.concurrency;
			const inOrder = chunks.filter((chunk) => unclear.has(chunk));
			await forEachConcurrently(inOrder, concurrency, search, () => true);
			chunks = chunksOf(untested, this.nextChunkSize());
		}
		await this.sendUnknownAgain();
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
		if (this.stopReason !== undefined || budget.remaining-- > 0) return await this.send(recipients);
		const text = `The service refuses too many recipients to find them with ${budget.granted} further requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
		return this.fail(recipients, text);
	}

	/** Sends some recipients in one request. */
	private async send(recipients: Recipient[]): Promise<Answer> {
		if (this.stopReason !== undefined) return this.fail(recipients, this.stopReason);
		try {
			const values = recipients.map(({ value }) => value);
			return this.recordReply(recipients, await this.run.api.changeMembers(this.options, values));
		} catch (error) {
			const text = messageOf(error);
			if (isFatal(error)) this.stopReason ??= text;
			if (isOutcomeUnknown(error)) for (const one of recipients) this.mayBeChanged.add(one);
			return isRefusal(error) ? this.refuseIfAlone(recipients, text) : this.fail(recipients, text);
		}
	}

	/** Records what a response says about its recipients. It is unclear if it does not name each recipient with an error. */
	private recordReply(recipients: Recipient[], change: MembershipChange): Answer {
		const { action, identifyBy } = this.options;
		const { errorCount, errorLog } = change;
		const named = namedInErrorLog(errorLog, recipients);
		if (named?.size !== errorCount) {
			if (errorCount < recipients.length) for (const one of recipients) this.mayBeChanged.add(one);
			return this.refuseIfAlone(recipients, errorLog.map(messageIn).join() || UNNAMED);
		}
		const asksAgain = identifyBy === 'email' && this.run.mode === 'mirror';
		for (const [one, { message, allTexts }] of named) {
			if (saysOnlyUnknown(allTexts, one)) this.refuseUnknown(one, message, { asksAgain });
			else this.refuse(one, message || UNNAMED);
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

	/** Records that the service refused a request, if it had one recipient. */
	private refuseIfAlone(recipients: Recipient[], text: string): 'notAccepted' | 'unclear' {
		const [only, ...others] = recipients;
		if (!only || others.length > 0) return 'unclear';
		this.refusedAloneCount++;
		const { action, identifyBy } = this.options;
		const isAnyUnknown = action === 'add' && this.run.targetKind.isAnyRefusalUnknown === true;
		const saysUnknown = identifyBy === 'email' ? isDocumentedUnknown : saysOnlyUnknown;
		const isUnknown = isAnyUnknown || saysUnknown(text, only);
		const isEnough = this.acceptedCount === 0 && this.refusedAloneCount >= MOST_SINGLE_REFUSALS;
		// Clearly unknown people do not mean that the service refuses everybody.
		if (isEnough && (isAnyUnknown || !isUnknown)) this.stopReason ??= text;
		const asksAgain = identifyBy === 'id' || this.run.mode === 'mirror';
		if (isUnknown) this.refuseUnknown(only, text, { asksAgain });
		else this.refuse(only, text);
		return 'notAccepted';
	}

	/** Sends each recipient who seems to be unknown once more, alone. By ID, this proves nothing unless others are accepted. */
	private async sendUnknownAgain(): Promise<void> {
		const again = [...this.seemUnknown.keys()];
		const isByEmail = this.options.identifyBy === 'email';
		const acceptsOthers = async () => isByEmail || (await this.tryKnownMember());
		if (again.length === 0 || !(await acceptsOthers())) return;
		await cancelableSleep(UNKNOWN_TWICE_MS, this.run.cancelSignal);
		this.seemUnknown.clear();
		for (const { key } of again) this.replies.delete(key);
		await Promise.all(again.map(async (one) => await this.sendFurther([one])));
		if (!(await acceptsOthers())) return;
		for (const [one, text] of this.seemUnknown) this.refuseUnknown(one, text, { asksAgain: false });
	}

	/** Sends a member again. If the service refuses even this one, it refuses all, so the sender stops. Returns false then. */
	private async tryKnownMember(): Promise<boolean> {
		const { knownMember = this.firstAccepted } = this.options;
		if (!knownMember) return false;
		try {
			await this.run.api.changeMembers(this.options, [knownMember.value]);
			this.acceptedCount++;
			return true;
		} catch (error) {
			this.stopReason ??= messageOf(error);
			return false;
		}
	}

	/** Records that the service calls a recipient unknown. If Sync asks again, the recipient is `failed` until then. */
	private refuseUnknown(one: Recipient, text: string, { asksAgain }: { asksAgain: boolean }): void {
		const { areShownIds } = this.options;
		if (asksAgain && !areShownIds) this.seemUnknown.set(one, text);
		if (asksAgain || areShownIds) return this.refuse(one, text || UNNAMED);
		this.refusedCount++;
		const reason = `The service does not know this recipient${text ? `: ${text}` : ''}`;
		this.replies.set(one.key, { ...refusedStatus(reason), status: 'unknown' });
	}

	/** Records that the service refused a recipient in words. */
	private refuse(recipient: Recipient, reason: string): void {
		this.refusedCount++;
		if (this.mayBeChanged.has(recipient)) this.fail([recipient], reason);
		else this.replies.set(recipient.key, refusedStatus(reason));
	}

	/** Records that recipients failed for another reason. */
	private fail(recipients: Recipient[], reason: string): 'notAccepted' {
		for (const one of recipients) {
			const mayBeDone = this.mayBeChanged.has(one);
			if (mayBeDone) this.changedCount = NaN;
			this.replies.set(one.key, failedStatus(reason, { mayBeDone }));
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
