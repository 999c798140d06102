import { isOutcomeLost, type MembershipChange } from './groupApi';
import { CANCELED, failed, failureText, isFatal, messageIn, namedInErrorLog } from './outcomes';
import {
	proved,
	refusalIn,
	saysNamedUnknown,
	saysUnknown,
	STATUSES_OF,
	unverified,
} from './outcomes';
import type { Action, IdentifyBy, Outcome, Recipient } from './outcomes';
import type { SyncRun } from './syncRun';

export type Sending = {
	action: Action;
	groupId: string;
	by: IdentifyBy;
	/** Whether the values are IDs that the service itself showed. If so, none of them counts as unknown. */
	isShown?: boolean;
};

/** An accepted request: the recipients whom it accepted, and how many of them it changed, if its counts show that. */
export type Accepted = { recipients: Recipient[]; changed: number | undefined };

/** The responses for some recipients, each of whom is in one accepted request or has a problem. */
export type Responses = {
	accepted: Accepted[];
	/** The recipients that are unknown or failed. */
	problems: Map<Recipient, Outcome>;
	/** Those of `problems` whose change may have been carried out. */
	mayBeDone: Set<Recipient>;
};

/** From this share of unknown recipients on, recipients are sent one by one (rule 13). */
const ONE_BY_ONE_FROM = 0.2;

/** The number of unknown recipients from which their share counts. */
const ENOUGH_TO_COUNT = 5;

/** By ID, the search ends after this many refusals of one recipient alone, if nobody was accepted (rule 13). */
const MOST_SINGLE_REFUSALS = 2;

const UNNAMED = 'The service reported an error for this recipient, but not which one';

/**
 * Adds or removes recipients in chunks, and finds those whom the service does not know (rule 13). A refusal that means
 * unknown is searched in halves: when the first half is accepted, the unknown recipient is in the second. Recipients whom
 * the search did not test go together at the end. Each unknown recipient costs about log2(chunk) + 2 further requests.
 *
 * Another refusal fails the request. Only IDs are searched then, because the refusal of an unknown ID is not documented
 * (recipientGroup.addRecipients in emulator/openapi.yaml).
 *
 * @returns the responses; never throws
 */
export async function sendAll(
	run: SyncRun,
	recipients: Recipient[],
	{ action, groupId, by, isShown = false }: Sending,
): Promise<Responses> {
	const accepted: Accepted[] = [];
	const problems = new Map<Recipient, Outcome>();
	const mayBeDone = new Set<Recipient>();
	/** Recipients of requests whose response was lost: the same request again may count too few changes. */
	const lost = new Set<Recipient>();
	/** Recipients of accepted requests with errors that cannot be assigned: later counts of them prove nothing (rule 12). */
	const uncounted = new Set<Recipient>();
	const found = { accepted: 0, unknown: 0, refusedAlone: 0 };
	let stop: string | undefined;

	let pieces = chunksOf(recipients, run.chunkSize);
	for (let round = 0; pieces.length > 0; round++) {
		const untested: Recipient[] = [];
		const suspects: Recipient[][] = [];
		await Promise.all(
			pieces.map(async (piece) => {
				if ((await sendPiece(piece, round > 0)) === 'suspect') suspects.push(piece);
			}),
		);
		if (suspects.length > 0) run.log(`Looking for unknown recipients (chunks: ${suspects.length})`);
		// If nobody was accepted, the service may be refusing everybody, so one chunk is searched after the other.
		const isInconclusive = by === 'id' && found.accepted === 0;
		const searching = suspects.map((piece) => async () => await search(piece, untested));
		if (isInconclusive) for (const one of searching) await one();
		else await Promise.all(searching.map(async (one) => await one()));
		pieces = chunksOf(untested, sizeOfNext());
	}
	return { accepted, problems, mayBeDone };

	/** Finds one unknown recipient among several. Those whom it does not test go to `untested`. */
	async function search(piece: Recipient[], untested: Recipient[]): Promise<void> {
		let suspects = piece;
		while (suspects.length > 1) {
			const middle = Math.ceil(suspects.length / 2);
			const [first, second] = [suspects.slice(0, middle), suspects.slice(middle)];
			const answer = await sendPiece(first, true);
			if (answer === 'clear') {
				suspects = second;
				if (second.length === 1) await sendPiece(second, true);
			} else {
				append(untested, second);
				if (answer !== 'suspect') return;
				suspects = first;
			}
		}
	}

	/**
	 * Sends some recipients in one request. `clear`: accepted. `suspect`: at least one of them seems to be unknown. `settled`:
	 * each of them has a problem.
	 */
	async function sendPiece(
		all: Recipient[],
		isFurther: boolean,
	): Promise<'clear' | 'suspect' | 'settled'> {
		const reason = stop ?? (run.cancelSignal?.aborted ? CANCELED : undefined);
		if (reason !== undefined) return fail(all, reason);
		if (isFurther && run.budget.left === 0) return fail(all, budgetSpent(run));
		if (isFurther) run.budget.left--;
		try {
			const values = all.map(({ value }) => value);
			const change = await run.api.change(action, groupId, by, values, () => {
				if (stop !== undefined) throw run.fail(stop);
			});
			return accept(all, change);
		} catch (error) {
			const text = failureText(error);
			if (isFatal(error)) stop ??= text;
			if (isOutcomeLost(error)) for (const one of all) lost.add(one);
			const refusal = refusalIn(error);
			if (refusal !== 'unknown' && !(refusal === 'refused' && by === 'id')) return fail(all, text);
			const [only, another] = all;
			if (another || !only) return 'suspect';
			found.refusedAlone++;
			if (
				found.accepted === 0 &&
				found.refusedAlone >= MOST_SINGLE_REFUSALS &&
				refusal === 'refused'
			)
				stop ??= text;
			return refusal === 'unknown' ? markUnknown(only, text) : fail(all, text);
		}
	}

	/** Records an accepted request, with the errors that it reports. */
	function accept(all: Recipient[], change: MembershipChange): 'clear' | 'suspect' | 'settled' {
		const { errorCount: errors, errorLog } = change;
		const named = errors === 0 ? new Map() : namedInErrorLog(errorLog, all);
		if (named?.size === errors) {
			for (const [recipient, error] of named) {
				if (saysNamedUnknown(error)) markUnknown(recipient, error.message);
				else fail([recipient], error.message || UNNAMED);
			}
		} else if (errors < all.length) {
			for (const one of all) uncounted.add(one);
			return 'suspect';
		} else {
			const messages = errorLog.map(messageIn);
			const isUnknown = messages.length === all.length && messages.every(saysUnknown);
			if (!isUnknown && all.length > 1) return 'suspect';
			for (const [index, one] of all.entries()) {
				if (isUnknown) markUnknown(one, messages[index] ?? '');
				else fail([one], messages[0] ?? UNNAMED);
			}
		}
		const left = all.filter((one) => !problems.has(one));
		found.accepted += left.length;
		if (left.length === 0) return 'settled';
		const isCounted = !all.some((one) => uncounted.has(one));
		const isFirst = change.changed === left.length || !all.some((one) => lost.has(one));
		accepted.push({ recipients: left, changed: isCounted && isFirst ? change.changed : undefined });
		return 'clear';
	}

	function markUnknown(recipient: Recipient, message: string): 'settled' {
		if (isShown) return fail([recipient], message || UNNAMED);
		found.unknown++;
		const reason = `The service does not know this recipient${message ? `: ${message}` : ''}`;
		problems.set(recipient, proved('unknown', reason));
		return 'settled';
	}

	function fail(all: Recipient[], reason: string): 'settled' {
		for (const one of all) {
			const isOpen = lost.has(one) || uncounted.has(one);
			if (isOpen) mayBeDone.add(one);
			problems.set(one, failed(reason));
		}
		return 'settled';
	}

	/** Returns the size of the next chunks, so small that each is expected to contain about one unknown recipient. */
	function sizeOfNext(): number {
		const { unknown, accepted: known } = found;
		if (unknown < ENOUGH_TO_COUNT) return run.chunkSize;
		if (unknown >= ONE_BY_ONE_FROM * (unknown + known)) return 1;
		return Math.min(run.chunkSize, Math.ceil(known / unknown));
	}
}

/**
 * Returns what the responses say about each recipient, by key. An accepted request whose count equals its people proves
 * that it changed them; with a count of 0, that it changed nobody; anything in between proves nothing of a single person.
 */
export function repliesIn(
	{ accepted, problems, mayBeDone }: Responses,
	action: Action,
): Map<string, Outcome> {
	const replies = new Map<string, Outcome>();
	const [all, none] = STATUSES_OF[action].map((status) => proved(status));
	for (const { recipients, changed } of accepted) {
		const few = changed === 0 ? none : unverified(action);
		const reply = changed === recipients.length ? all : few;
		for (const { key } of recipients) if (reply) replies.set(key, reply);
	}
	for (const [one, outcome] of problems) {
		replies.set(one.key, mayBeDone.has(one) ? failed(outcome.reason, true) : outcome);
	}
	return replies;
}

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Adds items to a list without spreading: 200,000 arguments overflow the call stack. */
export function append<Item>(target: Item[], items: Iterable<Item>): void {
	for (const item of items) target.push(item);
}

/** Returns the reason for recipients whom the search has no requests left for. */
export function budgetSpent({ budget }: SyncRun): string {
	return `There are too many unknown recipients to find them with ${budget.granted} further requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
}
