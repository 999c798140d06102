import { isOutcomeUnknown } from '../../shared/transport/errors/apiError';
import { failureText, refusalIn } from './calls';
import { messageIn, namedInErrorLog, saysNamedUnknown, saysUnknown } from './errorLog';
import { failed, type Accepted, type Responses } from './outcomes';
import type { SyncRun } from './syncRun';
import type { Action, Gate, IdentifyBy, MembershipChange, Outcome, Recipient } from './types';

export type Sending = {
	action: Action;
	targetId: string;
	by: IdentifyBy;
	/** Whether the values are IDs that the service itself showed. An ID of this kind is never reported as unknown. */
	isShown?: boolean;
};

/** If at least this share of the recipients sent so far is unknown, the remaining recipients are sent one by one. */
const ONE_BY_ONE_FROM = 0.2;

/** Below this number of unknown recipients, their share is ignored. */
const ENOUGH_TO_COUNT = 5;

/** If no ID was accepted, the search for unknown IDs ends after this many IDs were refused when sent alone. */
const MOST_SINGLE_REFUSALS = 2;

const UNNAMED = 'The service reported an error for this recipient, but did not say which error';

/**
 * Adds or removes recipients in chunks, and finds those whom the service does not know. If the service refuses a chunk
 * because of an unknown recipient, sends its first half. If this half is accepted, the search continues in the second
 * half, otherwise in the first. Recipients whom the search did not test are sent together in the next round. Each
 * unknown recipient costs about log2(chunk) + 2 further requests.
 *
 * After any other refusal, the recipients of the request fail. IDs are an exception: any refusal starts a search,
 * because the refusal of an unknown ID is not documented (recipientGroup.addRecipients in emulator/openapi.yaml).
 *
 * @returns the responses; never throws
 */
export async function sendAll(
	run: SyncRun,
	recipients: Recipient[],
	{ action, targetId, by, isShown = false }: Sending,
): Promise<Responses> {
	const accepted: Accepted[] = [];
	const problems = new Map<Recipient, Outcome>();
	const mayBeDone = new Set<Recipient>();
	/**
	 * Recipients that an earlier request may have changed: its response was lost, or does not show to which recipients
	 * its errors belong. Later counts of these recipients prove nothing.
	 */
	const uncounted = new Set<Recipient>();
	const found = { accepted: 0, unknown: 0, refusedAlone: 0 };
	const gate: Gate = {};

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
		// If no ID was accepted, the service may be refusing every request, so the chunks are searched one after the other.
		const isInconclusive = by === 'id' && found.accepted === 0;
		const searching = suspects.map((piece) => async () => await search(piece, untested));
		if (isInconclusive) for (const one of searching) await one();
		else await Promise.all(searching.map(async (one) => await one()));
		pieces = chunksOf(untested, sizeOfNext());
	}
	return { accepted, problems, mayBeDone };

	/**
	 * Finds one unknown recipient among several. Adds the recipients whom it did not test to
	 * `untested`.
	 */
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
	 * Sends some recipients in one request. Returns `settled` if each recipient has a problem, `suspect` if at least
	 * one recipient seems to be unknown, and otherwise `clear`.
	 */
	async function sendPiece(
		all: Recipient[],
		isFurther: boolean,
	): Promise<'clear' | 'suspect' | 'settled'> {
		if (gate.stop !== undefined) return fail(all, gate.stop);
		if (isFurther && run.budget.remaining === 0) return fail(all, budgetSpent(run));
		if (isFurther) run.budget.remaining--;
		try {
			const values = all.map(({ value }) => value);
			return accept(all, await run.api.change(action, targetId, by, values, gate));
		} catch (error) {
			const text = failureText(error);
			if (isOutcomeUnknown(error)) for (const one of all) uncounted.add(one);
			const refusal = refusalIn(error);
			if (refusal !== 'unknown' && !(refusal === 'refused' && by === 'id')) return fail(all, text);
			const [only, another] = all;
			if (another || !only) return 'suspect';
			found.refusedAlone++;
			if (refusal === 'unknown') return markUnknown(only, text);
			if (found.accepted === 0 && found.refusedAlone >= MOST_SINGLE_REFUSALS) gate.stop ??= text;
			return fail(all, text);
		}
	}

	/** Records an accepted request, and the errors in its response. */
	function accept(all: Recipient[], change: MembershipChange): 'clear' | 'suspect' | 'settled' {
		const { errorCount: errors, errorLog } = change;
		const named = namedInErrorLog(errorLog, all);
		if (named?.size === errors) {
			for (const [recipient, error] of named) {
				if (saysNamedUnknown(error)) markUnknown(recipient, error.message);
				else fail([recipient], error.message || UNNAMED);
			}
		} else if (all.length > 1) {
			if (errors < all.length) for (const one of all) uncounted.add(one);
			return 'suspect';
		} else {
			const message = errorLog.map(messageIn).join();
			for (const one of all) {
				if (saysUnknown(message)) markUnknown(one, message);
				else fail([one], message || UNNAMED);
			}
		}
		const withoutProblem = all.filter((one) => !problems.has(one));
		found.accepted += withoutProblem.length;
		if (withoutProblem.length === 0) return 'settled';
		const isCounted = !all.some((one) => uncounted.has(one));
		accepted.push({ recipients: withoutProblem, changed: isCounted ? change.changed : undefined });
		return 'clear';
	}

	function markUnknown(recipient: Recipient, message: string): 'settled' {
		if (isShown) return fail([recipient], message || UNNAMED);
		found.unknown++;
		const reason = `The service does not know this recipient${message ? `: ${message}` : ''}`;
		problems.set(recipient, { status: 'unknown', reason });
		return 'settled';
	}

	function fail(all: Recipient[], reason: string): 'settled' {
		for (const one of all) {
			if (uncounted.has(one)) mayBeDone.add(one);
			problems.set(one, failed(reason));
		}
		return 'settled';
	}

	/**
	 * Returns the size of the next chunks. If many recipients are unknown, the chunks are so small that each probably
	 * contains only one of them.
	 */
	function sizeOfNext(): number {
		const { unknown, accepted: known } = found;
		if (unknown < ENOUGH_TO_COUNT) return run.chunkSize;
		if (unknown >= ONE_BY_ONE_FROM * (unknown + known)) return 1;
		return Math.min(run.chunkSize, Math.ceil(known / unknown));
	}
}

/** Returns the IDs of people as recipients. */
export function asRecipients(ids: Iterable<string>): Recipient[] {
	return Array.from(ids, (id) => ({ key: id, value: id }));
}

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Adds items to a list one by one: spreading 200,000 of them as arguments would overflow the call stack. */
export function append<Item>(target: Item[], items: Iterable<Item>): void {
	for (const item of items) target.push(item);
}

/** Returns the reason of recipients that fail because no further requests are left. */
function budgetSpent({ budget }: SyncRun): string {
	return `There are too many unknown recipients to find them with ${budget.granted} further requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
}
