import { mapWithConcurrency } from '../../../../shared/concurrency';
import { messageIn, namedInErrorLog, saysUnknown } from './errorLog';
import { append, type Responses, type Failed, type Taken, type Unknown } from './evidence';
import type { IdentifyBy, Recipient } from './readRecipients';
import { CANCELLED, type SyncRun } from './syncRun';
import { isFatal, isLost, reasonOf, refusalIn, type MembershipChange } from './groupApi';

type Sending = {
	/** What is being done, for the log. */
	what: string;
	by: IdentifyBy;
	/** Sends the values of one chunk; doing so again must change nothing. */
	send: (values: string[]) => Promise<MembershipChange>;
	/** Set for IDs that the service showed itself: a refusal never makes them unknown. */
	known?: boolean;
};

/** A chunk that the service took: how many of its recipients are known, and how many changed. */
type TakenChunk = { recipients: Recipient[]; changed: number | undefined; known: number };

/** Recipients sent together, of whom at least one is unknown. */
type Suspects = {
	recipients: Recipient[];
	/** How many are unknown, if an `errorLog` counted them without naming them; the others are taken. */
	unknown?: number;
	/** What the service said, and whether in the documented words. */
	reason: string;
	documented: boolean;
	/** Whether exactly these recipients were sent; otherwise the suspicion is a conclusion. */
	sent: boolean;
};

/** How a call ended: how many errors it counted, and who is suspect. */
type Ending = { failed: boolean; errors: number; suspects: Suspects[] };

/** After so many rounds without anybody taken, a refusal in undocumented words is about everybody. */
const ROUNDS_WITHOUT_ANYBODY = 2;

/**
 * Sends recipients in chunks, a few at a time. If the service refuses a chunk because of unknown recipients, or counts
 * them without naming them, Sync finds them by sending parts of the chunk: if the first half is taken, the second half
 * holds them. Recipients not sent again by then go into new chunks. Each unknown recipient costs about log2(chunk) + 2
 * further requests and is sent alone before it is called unknown.
 *
 * A refusal in undocumented words may be about everybody. It is searched only for IDs, whose refusal is not documented
 * (recipientGroup.addRecipients in emulator/openapi.yaml), and an ID is unknown only if others of its chunk were taken.
 */
export async function sendInChunks(
	run: SyncRun,
	recipients: Recipient[],
	{ what, by, send, known = false }: Sending,
): Promise<Responses> {
	const chunks: TakenChunk[] = [];
	const unknown: Unknown[] = [];
	const failed: Failed[] = [];
	/** Those who are in `unknown` or `failed`. */
	const settled = new Set<Recipient>();
	const refusedAlone: Suspects[] = [];
	/** Recipients of a call whose outcome is not known. */
	const lost = new Set<Recipient>();
	const chunkOf = new Map<Recipient, number>();
	const chunksWithTaken = new Set<number | undefined>();
	/** Recipients of a call that was taken; they are not counted again when they are sent again. */
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
		const blind = taken === 0 && suspects.every(({ documented }) => !documented);
		if (blind && round >= ROUNDS_WITHOUT_ANYBODY) {
			for (const { recipients: refused, reason } of suspects) fail(refused, reason);
			break;
		}
		// While the service may be refusing everybody, searching one chunk is enough.
		const [searched, held] = blind ? [suspects.slice(0, 1), suspects.slice(1)] : [suspects, []];
		const untested = await search(searched, round % 2 === 1);
		pieces = [...regrouped(untested), ...held.map(({ recipients: all }) => all)];
	}
	await mapWithConcurrency(refusedAlone, run.concurrency, settleRefusedAlone);
	return { taken: chunks.map((chunk) => takenOf(chunk, settled)), unknown, failed, ignored: [] };

	/** Sends each piece in one request. Returns the ones that hold somebody unknown. */
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
			run.log(`${what}: looking for unknown recipients in ${suspects.length} parts of chunks`);
		}
		return suspects;
	}

	/**
	 * Narrows suspects down to single recipients, all at the same pace.
	 *
	 * @param fromEnd whether it begins with the second halves
	 * @returns those who were not sent again
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
	 * @param extra whether this counts as a further request
	 */
	async function sendOne(
		all: Recipient[],
		{ extra = false }: { extra?: boolean } = {},
	): Promise<Ending> {
		const problem = stop ?? (run.cancelled() ? CANCELLED : undefined);
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
		// An earlier call whose response was lost may have changed some of them, unless this one changes all.
		const isTold = change.changed === all.length || !all.some((recipient) => lost.has(recipient));
		const changed = isTold ? change.changed : undefined;
		const fresh = all.filter((recipient) => !counted.has(recipient));
		if (fresh.length > 0) {
			chunks.push({ recipients: fresh, changed, known: fresh.length - errors });
			taken += fresh.length - errors;
			for (const recipient of fresh) counted.add(recipient);
		}
		if (errors < all.length)
			for (const recipient of all) chunksWithTaken.add(chunkOf.get(recipient));
		const named = whoIsNamed(all, errors, errorLog);
		for (const [recipient, said] of named ?? []) settleUnknown(recipient, said);
		const suspects = named
			? []
			: [{ recipients: all, unknown: errors, reason: UNNAMED, documented: true, sent: true }];
		return { failed: false, errors, suspects };
	}

	/** Decides about a recipient whom the service refused alone. */
	async function settleRefusedAlone({ recipients: all, documented, reason }: Suspects) {
		const [recipient] = all;
		if (!recipient) return;
		if (documented) return settleUnknown(recipient, reason);
		if (!chunksWithTaken.has(chunkOf.get(recipient))) return void fail(all, reason);
		// Others were taken since: a service that refused everybody for a while takes this one, too.
		const { suspects } = await sendOne(all, { extra: true });
		if (suspects.length > 0) settleUnknown(recipient, reason);
	}

	function settleUnknown(recipient: Recipient, said: string): void {
		if (known) return void fail([recipient], said || UNNAMED);
		settled.add(recipient);
		if (!saysUnknown(said)) {
			failed.push({
				recipients: [recipient],
				reason: said,
				...(lost.has(recipient) && { lost: true }),
			});
			return;
		}
		unknown.push({
			recipient,
			reason: `The service does not know this recipient${said ? `: ${said}` : ''}`,
		});
	}

	function fail(refused: Recipient[], reason: string): Ending {
		for (const recipient of refused) settled.add(recipient);
		// A call that was taken for some of them, without naming whom, may have been carried out for each.
		const isUnsure = (one: Recipient) => lost.has(one) || counted.has(one);
		const [unsure, sure] = [true, false].map((is) => refused.filter((one) => isUnsure(one) === is));
		if (sure?.length) failed.push({ recipients: sure, reason });
		if (unsure?.length) failed.push({ recipients: unsure, reason, lost: true });
		return { failed: true, errors: 0, suspects: [] };
	}

	/** Puts recipients into new chunks, so small that about half of them are likely to be taken. */
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

const UNNAMED = 'The service counted errors without naming the recipients';

/** The recipients whom the errors of a call are about; undefined if they are not named. */
function whoIsNamed(
	all: Recipient[],
	errors: number,
	errorLog: unknown[],
): Map<Recipient, string> | undefined {
	if (errors === 0) return new Map();
	const named = namedInErrorLog(errorLog, all);
	if (named?.size === errors) return named;
	if (errors < all.length) return undefined;
	const said = errorLog.map(messageIn);
	if (all.length > 1 && !said.every(saysUnknown)) return undefined;
	return new Map(all.map((recipient) => [recipient, all.length > 1 ? '' : (said[0] ?? '')]));
}

/** A chunk without its unknown and failed recipients; the count is kept if it still applies. */
function takenOf({ recipients, changed, known }: TakenChunk, settled: Set<Recipient>): Taken {
	const left = recipients.filter((recipient) => !settled.has(recipient));
	if (changed === 0) return { recipients: left, changed };
	if (changed === known && left.length <= known) return { recipients: left, changed: left.length };
	return { recipients: left, changed: left.length === known ? changed : undefined };
}

function tooManyUnknown({ extraRequests }: SyncRun): string {
	return `The service refused a request with this recipient because it does not know somebody in the request. There are too many unknown recipients to find them with ${extraRequests.granted} extra requests. Check that Recipient matches Identify By, remove people who are not in the service from the list, and run the sync again`;
}
