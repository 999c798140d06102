import { sleep } from 'n8n-workflow';

/** A service that failed for this many calls one after the other, each tried several times, is not there. */
const FAILURES_IN_A_ROW = 4;

/** The most that a sync waits for the service in all. */
const LONGEST_WAITING_MS = 10 * 60_000;

/** How long a sync bears with a service that fails for passing reasons. */
export type CircuitBreaker = {
	/** Why nothing more is tried; undefined while there is hope. */
	readonly lost: string | undefined;
	/** Whether a wait is still granted: those under way at the same time count once. */
	mayWait(ms: number): boolean;
	/** Waits, and counts it. */
	wait(ms: number): Promise<void>;
	/** Notes how a call ended, after all its tries. */
	succeeded(): void;
	failed(message: string): void;
};

/**
 * Ends a sync with what is known when the service keeps failing: after four calls in a row or ten minutes of waiting.
 *
 * @param clock milliseconds that only grow
 * @param pause waits that many milliseconds
 */
export function createCircuitBreaker(
	clock: () => number = () => performance.now(),
	pause: (ms: number) => Promise<unknown> = sleep,
): CircuitBreaker {
	let failures = 0;
	let lost: string | undefined;
	let waitedMs = 0;
	let waiting = 0;
	let since = 0;
	let usedUp = false;
	const waitedSoFar = () => waitedMs + (waiting > 0 ? clock() - since : 0);
	return {
		get lost() {
			return lost;
		},
		mayWait(ms) {
			usedUp ||= waitedSoFar() + ms > LONGEST_WAITING_MS;
			return lost === undefined && !usedUp;
		},
		async wait(ms) {
			if (waiting === 0) since = clock();
			waiting += 1;
			await pause(ms);
			waiting -= 1;
			if (waiting === 0) waitedMs += clock() - since;
		},
		succeeded() {
			failures = 0;
		},
		failed(message) {
			failures += 1;
			if (failures >= FAILURES_IN_A_ROW) {
				lost ??= `The service failed ${failures} times in a row, so nothing more was tried: ${message}`;
			} else if (usedUp) {
				lost ??= `The service keeps failing, and this sync waits ten minutes at most, so nothing more was tried: ${message}`;
			}
		},
	};
}
