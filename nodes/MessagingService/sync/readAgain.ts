import { messageOf } from '../../shared/failure';
import { cancelableSleep } from '../../shared/transport/retry';
import type { SyncRun } from './parameters';
import type { Members } from './types';

/** How often a target is read at most until it shows a change, and the wait between two reads. */
const MOST_READS = 3;
const BETWEEN_READS_MS = 1_000;

/**
 * Reads the members of a target until `isExpected` accepts them, at most three times, a second apart: a read may return
 * older data. Returns the last read, or undefined if a read fails.
 */
export async function readAgain(
	{ api, cancelSignal, log }: SyncRun,
	targetId: string,
	isExpected: (members: Members) => boolean,
): Promise<Members | undefined> {
	try {
		for (let reads = 1; ; reads++) {
			const members = await api.readMembers(targetId);
			if (isExpected(members) || reads === MOST_READS || cancelSignal?.aborted) return members;
			await cancelableSleep(BETWEEN_READS_MS, cancelSignal);
		}
	} catch (error) {
		log(`The members could not be read again: ${messageOf(error)}`);
		return undefined;
	}
}
