import { NodeApiError } from 'n8n-workflow';

import { isAccessRefusal } from '../../../../shared/service/errors';
import { namedInErrorLog } from './errorLog';
import { isMissingGroup, type MembershipChange } from './groupApi';
import { messageOf } from '../../../../shared/failure';
import type { IdentifyBy, Recipient } from './readRecipients';
import { CANCELLED, chunksOf, type SyncRun } from './syncRun';
import { inPool } from '../../../../shared/pool';

/** Recipients whom the service took in one call. */
export type Taken = {
	recipients: Recipient[];
	/** How many of them the call changed; undefined when the service's counts do not tell. */
	changed: number | undefined;
};

export type Sent = {
	taken: Taken[];
	unknown: Array<{ recipient: Recipient; reason: string }>;
	failed: Array<{ recipients: Recipient[]; reason: string }>;
};

type Batch = {
	recipients: Recipient[];
	/** Part of a chunk that the service did not take as a whole. */
	part: boolean;
	/** What the chunk's answer told about the known ones among its recipients, where it was carried out already. */
	told?: 'allChanged' | 'noneChanged' | 'some';
};

/**
 * Sends recipients in chunks, a few at a time. A chunk that the service refuses because of unknown recipients, or takes
 * without naming the unknown ones, is halved until the unknown ones stand alone: k unknown among n cost about
 * 2k·log2(chunk) further requests. All chunks are halved in step, so that when the requests granted for this are used
 * up, what remains unclear is small; it is reported as failed.
 *
 * @param send sends the values of one chunk; doing so again must change nothing
 */
export async function sendInChunks(
	run: SyncRun,
	recipients: Recipient[],
	what: string,
	send: (values: string[]) => Promise<MembershipChange>,
): Promise<Sent> {
	const sent: Sent = { taken: [], unknown: [], failed: [] };
	let stop: string | undefined;
	let batches: Batch[] = chunksOf(recipients, run.chunkSize).map((chunk) => ({
		recipients: chunk,
		part: false,
	}));
	while (batches.length > 0) {
		const total = batches.length;
		const halves = await inPool(batches, run.concurrency, async (batch, index) => {
			const open = await sendBatch(batch);
			if (total > 1 && !batch.part) {
				run.log(
					`${what}: chunk ${index + 1} of ${total} done (${batch.recipients.length} recipients)`,
				);
			}
			return open;
		});
		batches = halves.flat();
		if (batches.length > 0) {
			run.log(`${what}: looking for unknown recipients in ${batches.length} parts of chunks`);
		}
	}
	return sent;

	/** Sends one batch and notes what came of it. Gives the halves that must be sent one by one. */
	async function sendBatch(batch: Batch): Promise<Batch[]> {
		const problem = stop ?? (run.cancelled() ? CANCELLED : undefined);
		if (problem !== undefined) return fail(batch, problem);
		if (batch.part) {
			if (run.extraRequests.left === 0) return fail(batch, tooManyUnknown(run, batch));
			run.extraRequests.left -= 1;
		}
		let change: MembershipChange;
		try {
			change = await send(batch.recipients.map(({ value }) => value));
		} catch (error) {
			return refused(batch, error);
		}
		return taken(batch, change);
	}

	function refused(batch: Batch, error: unknown): Batch[] {
		if (!isAboutRecipients(error, run.identifyBy)) {
			if (isAccessRefusal(error) || isMissingGroup(error)) stop = messageOf(error);
			return fail(batch, messageOf(error));
		}
		const [recipient] = batch.recipients;
		if (batch.recipients.length > 1 || !recipient) return halve(batch);
		sent.unknown.push({ recipient, reason: unknownReason(messageOf(error)) });
		return [];
	}

	function taken(batch: Batch, { changed, errorCount, errorLog }: MembershipChange): Batch[] {
		const { recipients: all } = batch;
		const told = batch.told ?? tellingOf(changed, all.length - errorCount);
		if (errorCount === 0) {
			sent.taken.push({ recipients: all, changed: changedAmong(all.length, told, batch, changed) });
			return [];
		}
		const named =
			errorCount >= all.length
				? new Map(all.map((recipient) => [recipient, '']))
				: namedInErrorLog(errorLog, all);
		if (named?.size !== Math.min(errorCount, all.length)) return halve({ ...batch, told });
		for (const [recipient, said] of named) {
			sent.unknown.push({ recipient, reason: unknownReason(said) });
		}
		const known = all.filter((recipient) => !named.has(recipient));
		if (known.length > 0) {
			sent.taken.push({
				recipients: known,
				changed: changedAmong(known.length, told, batch, changed),
			});
		}
		return [];
	}

	function fail(batch: Batch, reason: string): Batch[] {
		sent.failed.push({ recipients: batch.recipients, reason });
		return [];
	}
}

function halve({ recipients, told }: Batch): Batch[] {
	const middle = Math.ceil(recipients.length / 2);
	return [recipients.slice(0, middle), recipients.slice(middle)].map((half) => ({
		recipients: half,
		part: true,
		told,
	}));
}

function tellingOf(changed: number | undefined, known: number): Batch['told'] {
	if (changed === undefined) return 'some';
	if (changed === 0) return 'noneChanged';
	return changed === known ? 'allChanged' : 'some';
}

/** A half of a chunk that was carried out changes nothing more; the chunk's own count tells what it did. */
function changedAmong(
	known: number,
	told: Batch['told'],
	batch: Batch,
	changed: number | undefined,
): number | undefined {
	if (batch.told === undefined) return changed;
	if (told === 'allChanged') return known;
	return told === 'noneChanged' ? 0 : undefined;
}

/**
 * Whether the service refused a call because of whom it names. For emails the message is known (recipientGroup.addRecipients in
 * emulator/openapi.yaml). For unknown ids none is shown, so any refusal may be about them; halving is bounded all the same.
 */
function isAboutRecipients(error: unknown, identifyBy: IdentifyBy): boolean {
	if (!(error instanceof NodeApiError)) return false;
	const { httpCode, message } = error;
	if (isAccessRefusal(error) || isMissingGroup(error)) return false;
	if (!/^(200|400|409|422)$/.test(httpCode ?? '')) return false;
	return identifyBy === 'id' || /email|recipient/i.test(message);
}

function unknownReason(said: string): string {
	return `The service does not know this recipient${said ? `: ${said}` : ''}`;
}

function tooManyUnknown({ extraRequests }: SyncRun, { recipients }: Batch): string {
	return `At least one of the ${recipients.length} recipients sent together is unknown to the service. There are so many unknown ones that finding out whom takes more than the ${extraRequests.granted} extra requests this sync allows itself: take people out who are not in the service, and run it again`;
}
