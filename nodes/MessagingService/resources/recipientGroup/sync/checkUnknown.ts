import { wait } from '../../../../shared/transport/retry';
import { failedStatus, nameSome } from '../../../sync/status';
import { sendAll, UNKNOWN_TWICE_MS } from '../../../sync/send';
import { recipientsIn } from '../../../sync/rows';
import type { Identities } from '../../../sync/types';
import { withTemporaryGroups, type GroupRun } from './temporaryGroups';

/**
 * Sends each unknown address once more, alone, to a new temporary group. If the service now accepts an address, its
 * person may be a member, so nobody is removed.
 *
 * @returns why nobody may be removed, or undefined if removals are allowed
 */
export async function checkUnknown(
	run: GroupRun,
	problems: Identities['problems'],
): Promise<string | undefined> {
	const unknown = recipientsIn(run.rows).filter(
		({ key }) => problems.get(key)?.status === 'unknown',
	);
	if (unknown.length === 0 || run.identifyBy === 'id') return undefined;
	if (run.budget.remaining < unknown.length) {
		return `there are too many unknown recipients to send each of them once more with ${run.budget.granted} further requests`;
	}
	run.budget.remaining -= unknown.length;
	await wait(UNKNOWN_TWICE_MS, run.cancelSignal);
	try {
		const known = await withTemporaryGroups(run, 1, async ([targetId = '']) => {
			const sending = { action: 'add', targetId, by: 'email' } as const;
			const sent = unknown.map(async (one) => (await sendAll(run, [one], sending)).replies);
			const replies = new Map((await Promise.all(sent)).flatMap((reply) => [...reply]));
			return [...replies].flatMap(([key, { status }]) => (status === 'unknown' ? [] : key));
		});
		for (const key of known) problems.set(key, failedStatus(KNOWN_NOW));
		return known.length > 0
			? `the service did not know these recipients at first, but may know them now: ${nameSome(known)}`
			: undefined;
	} catch {
		return 'it could not be checked a second time whether the unknown recipients are really unknown';
	}
}

const KNOWN_NOW =
	'At first the service did not know this recipient, but it may know the person now. Run the sync again';
