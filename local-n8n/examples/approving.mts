import pWaitFor from 'p-wait-for';
import type { Emulator } from './emulator.mts';

/**
 * Approves approval requests of waiting workflows until `work` ends. Returns the result of `work`.
 *
 * @param which whether to approve only the first request
 */
export async function approving<Result>(
	{ state }: Emulator,
	work: Promise<Result>,
	which: 'all' | 'first' = 'all',
): Promise<Result> {
	const approved = new Set<string>();
	let isDone = false;
	const done = work.finally(() => (isDone = true));
	await pWaitFor(
		async () => {
			for (const { status, actionLink = '' } of state.broadcasts.values()) {
				if (status !== '1' || !actionLink.includes('/webhook-waiting/')) continue;
				if (which === 'first' && approved.size > 0 && !approved.has(actionLink)) continue;
				approved.add(actionLink);
				const body = new URLSearchParams({ decision: 'approve' });
				// A busy machine may drop the connection. The next round tries again.
				await fetch(actionLink, { method: 'POST', body }).catch(() => undefined);
			}
			return isDone;
		},
		{ interval: 300, timeout: 150_000 },
	);
	return await done;
}
