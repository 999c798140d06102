import pWaitFor from 'p-wait-for';
import type { Emulator } from './emulator.mts';

/** Approves all approval requests of waiting workflows until `work` ends. Returns the result of `work`. */
export async function approving<Result>(
	{ state }: Emulator,
	work: Promise<Result>,
): Promise<Result> {
	let isDone = false;
	const done = work.finally(() => (isDone = true));
	await pWaitFor(
		async () => {
			for (const { status, actionLink = '' } of state.broadcasts.values()) {
				if (status !== '1' || !actionLink.includes('/webhook-waiting/')) continue;
				await fetch(actionLink, {
					method: 'POST',
					body: new URLSearchParams({ decision: 'approve' }),
				});
			}
			return isDone;
		},
		{ interval: 300, timeout: 150_000 },
	);
	return await done;
}
