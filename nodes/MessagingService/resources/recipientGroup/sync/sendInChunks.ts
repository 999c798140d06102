import { mapWithConcurrency } from '../../../../shared/concurrency';
import { messageIn, namedInErrorLog, saysUnknown } from './errorLog';
import type { Responses, Failed, Taken, Unknown } from './evidence';
import type { IdentifyBy, Recipient } from './readRecipients';
import type { SyncRun } from './syncRun';
import { isFatal, isLost, reasonOf, refusalIn, type MembershipChange } from './groupApi';

type Sending = {
	/** The current action, for the log. */
	what: string;
	by: IdentifyBy;
	/** Sends the values of one chunk. Must be idempotent. */
	send: (values: string[]) => Promise<MembershipChange>;
	/** Whether the values are IDs that the service itself returned. If so, a refusal never marks them as unknown. */
	known?: boolean;
};

/** An accepted chunk: its recipients, how many of them the call changed, and how many are known. */
type TakenChunk = { recipients: Recipient[]; changed: number | undefined; known: number };

/** Recipients of whom at least one seems to be unknown. */
type Suspects = {
	recipients: Recipient[];
	/** How many are unknown, if the response counted them without naming them; the others were accepted. */
	unknown?: number;
	/** The service's message, and whether it is documented for unknown recipients. */
	reason: string;
	documented: boolean;
	/** Whether one request named exactly these recipients. If not, the responses to other requests made them suspects. */
	sent: boolean;
};

/** The result of a call: whether it failed, the number of errors that it counted, and the suspects. */
type Ending = { failed: boolean; errors: number; suspects: Suspects[] };

/**
 * If the service has accepted nobody after this many searches, the recipients that it refused with an undocumented message
 * count as failed.
 */
const ROUNDS_WITHOUT_ANYBODY = 2;

/**
 * Sends recipients in chunks, a few chunks at a time. The service may refuse a chunk because of unknown recipients, or
 * only report their number. In both cases, Sync finds the unknown recipients by sending halves of the chunk: if the first
 * half is accepted, they are in the second half. If both a chunk and its first half are refused, Sync searches this
 * half, and the second half goes into new chunks. Each unknown recipient costs about log2(chunk) + 2 further requests and
 * is sent alone before it is called unknown.
 *
 * A refusal with an undocumented message may have a cause other than unknown recipients. After such a refusal, Sync
 * searches the chunk only if it contains IDs, because the refusal of an unknown ID is not documented
 * (recipientGroup.addRecipients in emulator/openapi.yaml). An ID that was refused in this way counts as unknown only if
 * others of its chunk were accepted.
 */
export async function sendInChunks(
	run: SyncRun,
	recipients: Recipient[],
	{ what, by, send, known = false }: Sending,
): Promise<Responses> {
	const chunks: TakenChunk[] = [];
	const unknown: Unknown[] = [];
	const failed: Failed[] = [];
	/** Recipients in `unknown` or `failed`. */
	const settled = new Set<Recipient>();
	const refusedAlone: Suspects[] = [];
	/** Recipients of calls whose outcome is unknown. */
	const lost = new Set<Recipient>();
	const chunkOf = new Map<Recipient, number>();
	const chunksWithTaken = new Set<number | undefined>();
	/** Recipients of accepted calls; they are not counted again when they are sent again. */
	const counted = new Set<Recipient>();
	let taken = 0;
	let stop: string | undefined;

	let pieces = chunksOf(recipients, run.chunkSize);
	for (const [index, piece] of pieces.entries()) {
		for (const recipient of piece) chunkOf.set(recipient, index);
	}
	for (let round = 0; pieces.length > 0; round++) {
		const suspects = await sendAll(pieces, round > 0);
		if (suspects.length === 0) break;
		const isInconclusive = taken === 0 && suspects.every(({ documented }) => !documented);
		if (isInconclusive && round >= ROUNDS_WITHOUT_ANYBODY) {
			for (const { recipients: refused, reason } of suspects) fail(refused, reason);
			break;
		}
		// The service may be refusing everybody, so only one chunk is searched.
		const [searched, held] = isInconclusive
			? [suspects.slice(0, 1), suspects.slice(1)]
			: [suspects, []];
		const untested = await search(searched, round % 2 === 1);
		pieces = [...regrouped(untested), ...held.map(({ recipients: all }) => all)];
	}
	await mapWithConcurrency(refusedAlone, run.concurrency, settleRefusedAlone);
	return { taken: chunks.map((chunk) => takenOf(chunk, settled)), unknown, failed, ignored: [] };

	/** Sends the pieces, one per request. Returns those that must be searched for unknown recipients. */
	async function sendAll(given: Recipient[][], extra: boolean): Promise<Suspects[]> {
		const endings = await mapWithConcurrency(given, run.concurrency, async (piece, index) => {
			const ending = await sendOne(piece, { extra });
			if (!extra && given.length > 1) {
				const size = piece.length;
				run.log(`${what}: chunk ${index + 1} of ${given.length} done (${size} recipients)`);
			}
			return ending;
		});
		const suspects = endings.flatMap((ending) => ending.suspects);
		if (suspects.length > 0) {
			run.log(`${what}: looking for unknown recipients (chunks: ${suspects.length})`);
		}
		return suspects;
	}

	/**
	 * Sends halves of each list of suspects, down to single recipients.
	 *
	 * @param fromEnd whether to send the second halves first
	 * @returns the recipients that were not sent again
	 */
	async function search(given: Suspects[], fromEnd: boolean): Promise<Recipient[]> {
		const untested: Recipient[] = [];
		let open = given;
		while (open.length > 0) {
			const narrowed = await mapWithConcurrency(open, run.concurrency, async (suspects) =>
				suspects.recipients.length === 1
					? await sendAlone(suspects)
					: await sendHalf(suspects, fromEnd, untested),
			);
			open = narrowed.flat();
		}
		return untested;
	}

	async function sendAlone(suspects: Suspects): Promise<Suspects[]> {
		if (suspects.sent) {
			refusedAlone.push(suspects);
			return [];
		}
		return (await sendOne(suspects.recipients, { extra: true })).suspects;
	}

	async function sendHalf(
		suspects: Suspects,
		fromEnd: boolean,
		untested: Recipient[],
	): Promise<Suspects[]> {
		const { recipients: all, unknown: count } = suspects;
		const middle = Math.ceil(all.length / 2);
		const halves = [all.slice(0, middle), all.slice(middle)];
		if (fromEnd) halves.reverse();
		const [first = [], second = []] = halves;
		const ending = await sendOne(first, { extra: true });
		const rest: Suspects = { ...suspects, recipients: second, sent: false };
		if (count !== undefined) {
			if (ending.failed) fail(second, UNNAMED);
			const left = ending.failed ? 0 : count - ending.errors;
			return left > 0 ? [...ending.suspects, { ...rest, unknown: left }] : ending.suspects;
		}
		const clear = !ending.failed && ending.errors === 0 && ending.suspects.length === 0;
		if (clear) return [rest];
		append(untested, second);
		return ending.suspects;
	}

	/**
	 * Sends some recipients together and records the result.
	 *
	 * @param extra whether the request uses up one of `run.extraRequests`
	 */
	async function sendOne(
		all: Recipient[],
		{ extra = false }: { extra?: boolean } = {},
	): Promise<Ending> {
		const problem = stop ?? (run.cancelSignal?.aborted ? CANCELED : undefined);
		if (problem !== undefined) return fail(all, problem);
		if (extra) {
			if (run.extraRequests.left === 0) return fail(all, tooManyUnknown(run));
			run.extraRequests.left -= 1;
		}
		let change: MembershipChange;
		try {
			change = await send(all.map(({ value }) => value));
		} catch (error) {
			const reason = reasonOf(error);
			if (isFatal(error)) stop = reason;
			if (isLost(error)) for (const recipient of all) lost.add(recipient);
			const refusal = refusalIn(error);
			if (refusal === undefined || (refusal === 'refused' && by === 'email')) {
				return fail(all, reason);
			}
			const documented = refusal === 'unknown';
			const suspects = [{ recipients: all, reason, documented, sent: true }];
			return { failed: false, errors: 0, suspects };
		}
		const { errorCount: errors, errorLog } = change;
		// If the response to an earlier call was lost, that call may have changed some of these recipients, so the count of
		// this call may be too low. A count that includes all of them is valid in any case.
		const isCountValid =
			change.changed === all.length || !all.some((recipient) => lost.has(recipient));
		const changed = isCountValid ? change.changed : undefined;
		const fresh = all.filter((recipient) => !counted.has(recipient));
		if (fresh.length > 0) {
			chunks.push({ recipients: fresh, changed, known: fresh.length - errors });
			taken += fresh.length - errors;
			for (const recipient of fresh) counted.add(recipient);
		}
		if (errors < all.length)
			for (const recipient of all) chunksWithTaken.add(chunkOf.get(recipient));
		const named = namedRecipients(all, errors, errorLog);
		for (const [recipient, message] of named ?? []) settleUnknown(recipient, message);
		const suspects = named
			? []
			: [{ recipients: all, unknown: errors, reason: UNNAMED, documented: true, sent: true }];
		return { failed: false, errors, suspects };
	}

	/** Decides whether a recipient counts as unknown or as failed after it was sent alone and refused. */
	async function settleRefusedAlone({ recipients: all, documented, reason }: Suspects) {
		const [recipient] = all;
		if (!recipient) return;
		if (documented) return settleUnknown(recipient, reason);
		if (!chunksWithTaken.has(chunkOf.get(recipient))) return void fail(all, reason);
		// The service has accepted other recipients of the same chunk. The refusal may have been temporary, so this recipient
		// is sent once more.
		const { suspects } = await sendOne(all, { extra: true });
		if (suspects.length > 0) settleUnknown(recipient, reason);
	}

	function settleUnknown(recipient: Recipient, message: string): void {
		if (known) return void fail([recipient], message || UNNAMED);
		settled.add(recipient);
		if (!saysUnknown(message)) {
			failed.push({
				recipients: [recipient],
				reason: message,
				...(lost.has(recipient) && { lost: true }),
			});
			return;
		}
		unknown.push({
			recipient,
			reason: `The service does not know this recipient${message ? `: ${message}` : ''}`,
		});
	}

	function fail(refused: Recipient[], reason: string): Ending {
		for (const recipient of refused) settled.add(recipient);
		// If the service did not name the accepted recipients of a call, any recipient of the call may have been changed.
		const isUnsure = (one: Recipient) => lost.has(one) || counted.has(one);
		const [unsure, sure] = [true, false].map((is) => refused.filter((one) => isUnsure(one) === is));
		if (sure?.length) failed.push({ recipients: sure, reason });
		if (unsure?.length) failed.push({ recipients: unsure, reason, lost: true });
		return { failed: true, errors: 0, suspects: [] };
	}

	/** Puts recipients into new chunks, so small that each is expected to contain about one unknown recipient. */
	function regrouped(untested: Recipient[]): Recipient[][] {
		const found = unknown.length + refusedAlone.length;
		const likely = found === 0 ? run.chunkSize : Math.ceil(taken / found);
		return chunksOf(untested, Math.max(1, Math.min(likely, run.chunkSize)));
	}
}

/** Splits a list into parts of at most `size`. */
export function chunksOf<Item>(items: Item[], size: number): Item[][] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** The reason for recipients that were not processed because the execution was canceled. */
const CANCELED = 'The execution was canceled before this recipient was processed';

/** Adds items to a list without spreading: 200,000 arguments overflow the call stack. */
function append<Item>(target: Item[], items: Iterable<Item>): void {
	for (const item of items) target.push(item);
}

const UNNAMED = 'The service reported how many errors occurred, but not for which recipients';

/**
 * Returns the recipients for whom a call reported errors, each with the message, which may be empty. Returns undefined if
 * the response does not identify them.
 */
function namedRecipients(
	all: Recipient[],
	errors: number,
	errorLog: unknown[],
): Map<Recipient, string> | undefined {
	if (errors === 0) return new Map();
	const named = namedInErrorLog(errorLog, all);
	if (named?.size === errors) return named;
	if (errors < all.length) return undefined;
	const messages = errorLog.map(messageIn);
	if (all.length > 1 && !messages.every(saysUnknown)) return undefined;
	return new Map(all.map((recipient) => [recipient, all.length > 1 ? '' : (messages[0] ?? '')]));
}

/** Returns a chunk without its unknown and failed recipients, and how many of the others the call changed, if known. */
function takenOf({ recipients, changed, known }: TakenChunk, settled: Set<Recipient>): Taken {
	const left = recipients.filter((recipient) => !settled.has(recipient));
	if (changed === 0) return { recipients: left, changed };
	if (changed === known && left.length <= known) return { recipients: left, changed: left.length };
	return { recipients: left, changed: left.length === known ? changed : undefined };
}

function tooManyUnknown({ extraRequests }: SyncRun): string {
	return `The service refused a request with this recipient because at least one person in the request is unknown. There are too many unknown recipients to find them with ${extraRequests.granted} extra requests. Check that Recipient matches Identify By, delete unknown people from the list, and run the sync again`;
}
