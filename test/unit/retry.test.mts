import { NodeApiError } from 'n8n-workflow';

import {
	cancelableWait,
	SharedPause,
	isRateLimited,
	isTransient,
	cancelableSleep,
	withRetries,
	type Retries,
} from '../../nodes/shared/transport/retry.ts';
import { messageOf } from '../../nodes/shared/failure.ts';
import { anyNode } from '../kit/anyNode.mts';

/** Returns the error that `apiRequest` throws for a failed request. */
function failure(httpCode: number | string, retryAfterSeconds?: number): NodeApiError {
	const message = `Status ${httpCode}`;
	const error = new NodeApiError(anyNode, { message }, { message, httpCode: String(httpCode) });
	if (retryAfterSeconds !== undefined) error.context.retryAfterMs = retryAfterSeconds * 1000;
	return error;
}

const NOW = 1_000_000;
const MINUTE = 60_000;

/** The times of all attempts, in milliseconds since the test began. */
let attempts: number[];
beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
	attempts = [];
});
afterEach(() => void jest.useRealTimers());

/** Advances the timers until the promise has settled. */
async function finish<Result>(work: Promise<Result>): Promise<Result> {
	let isDone = false;
	const done = () => (isDone = true);
	void work.then(done, done);
	while (!isDone) await jest.advanceTimersToNextTimerAsync();
	return await work;
}

/** Runs the work that is due, without advancing the time. */
const flush = async () => await jest.advanceTimersByTimeAsync(0);

/** Returns a request that fails once with each error and then succeeds. */
function failing(...errors: unknown[]) {
	return async () => {
		attempts.push(Date.now() - NOW);
		if (errors.length > 0) throw errors.shift();
		return 'done';
	};
}
const always = (error: Error) => failing(...Array.from({ length: 10_000 }, () => error));

/** Sends a request. Returns `done`, or the message of the error. */
const run = async (send: () => Promise<unknown>, retries?: Retries): Promise<unknown> =>
	await finish(withRetries(send, retries)).catch((error: Error) => error.message);

describe('a request', () => {
	test('a request is not repeated after a code that only resembles a transient code', () => {
		for (const code of ['4290', '1500', '50', '5000', 'ECONNRESET2', '', 'none']) {
			expect(isTransient(failure(code))).toBe(false);
		}
		for (const code of ['500', '599', 'ECONNREFUSED', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT'])
			expect(isTransient(failure(code))).toBe(true);
		expect(isRateLimited(failure(500))).toBe(false);
	});

	test('a request has four attempts with doubling waits after 5xx', async () => {
		expect(await run(always(failure(502)))).toBe('Status 502');
		expect(attempts).toEqual([0, 500, 1_500, 3_500]);
	});

	test('waits from half a second to a minute if a 429 does not say how long', async () => {
		await run(failing(...Array.from({ length: 9 }, () => failure(429))));
		const waits = attempts.slice(1).map((at, n) => at - (attempts[n] ?? 0));
		expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, MINUTE, MINUTE]);
	});

	test('does not flood a service that says Retry-After: 0', async () => {
		await run(failing(failure(429, 0), failure(429, 0)));
		expect(attempts).toEqual([0, 500, 1_000]);
	});

	test('reports each failure that is retried, and logs its pause', async () => {
		const log: string[] = [];
		const seen: unknown[] = [];
		const [first, second] = [failure(429, 3), failure(500)];
		const retries = {
			log: (text: string) => log.push(text),
			onRetry: (one: unknown) => seen.push(one),
		};
		await run(failing(first, second), retries);
		expect(seen).toEqual([first, second]);
		expect(log).toEqual(['Status 429; retrying in 3.0 s', 'Status 500; retrying in 1.0 s']);
	});
});

describe('all requests of a run', () => {
	/** Returns a request that takes 10 ms, so that several requests are in flight at the same time. */
	const slowly = (send: () => Promise<unknown>) => async () => {
		await new Promise((wake) => setTimeout(wake, 10));
		return await send();
	};
	const refusedFor = (times: number) =>
		slowly(failing(...Array.from({ length: times }, () => failure(429, 60))));

	test.each([
		[20, 2],
		[2, 20],
	])('all requests wait for the longest pause: %i s, then %i s', async (...seconds) => {
		const pause = new SharedPause();
		const requests = seconds.map(
			async (wait) => await withRetries(failing(failure(429, wait)), { pause }),
		);
		await finish(Promise.all(requests));
		expect(attempts).toEqual([0, 0, 20_000, 20_000]);
	});

	test.each([
		['succeeds', async () => 'progress'],
		['is refused', async () => await Promise.reject(failure(400))],
	])('no request gives up while another one %s now and then', async (_, other) => {
		const pause = new SharedPause();
		const poor = withRetries(refusedFor(25), { pause });
		for (let minute = 0; minute < 30; minute += 3) {
			await jest.advanceTimersByTimeAsync(3 * MINUTE);
			await run(other, { pause });
		}
		expect(await finish(poor)).toBe('done');
	});

	test('after the run has given up, each request has one attempt', async () => {
		const pause = new SharedPause();
		await run(always(failure(503)), { pause, maxTries: Infinity });
		jest.advanceTimersByTime(MINUTE);
		attempts = [];
		await run(always(failure(503)), { pause, maxTries: Infinity });
		expect(attempts).toHaveLength(1);
	});
});

describe('canceling', () => {
	test('canceling ends the wait, and nothing more is sent', async () => {
		const canceling = new AbortController();
		const pause = new SharedPause();
		const { signal } = canceling;
		const outcomes = [always(failure(429, 60)), failing()].map(
			async (send) =>
				await withRetries(send, { pause, signal }).catch((error: Error) => error.message),
		);
		await flush();
		const waiting = withRetries(failing(), { pause, signal }).catch(messageOf);
		await flush();
		attempts = [];
		canceling.abort();
		await flush();
		expect(await outcomes[0]).toBe('Status 429');
		expect(await waiting).toBe('The execution was canceled');
		expect(attempts).toEqual([]);
	});

	test('if the run is canceled during a request, no retry is announced', async () => {
		const canceling = new AbortController();
		const onRetry = jest.fn();
		const send = async () => {
			canceling.abort();
			throw failure(500);
		};
		expect(await run(send, { signal: canceling.signal, onRetry })).toBe('Status 500');
		expect(onRetry).not.toHaveBeenCalled();
	});
});

describe('a wait', () => {
	/** Returns a function that tells whether the promise is fulfilled. */
	function watch(promise: Promise<unknown>): () => boolean {
		let isSettled = false;
		void promise.then(() => (isSettled = true));
		return () => isSettled;
	}

	test.each([1, 999, 1_000, 1_001, 2_500, 60_000])('lasts %d ms', async (ms) => {
		const isOver = watch(cancelableSleep(ms, undefined));
		await jest.advanceTimersByTimeAsync(ms - 1);
		expect(isOver()).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(isOver()).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('a wait ends when the execution is canceled, and its timer stops within a second', async () => {
		const controller = new AbortController();
		const isOver = watch(cancelableSleep(60_000, controller.signal));
		await jest.advanceTimersByTimeAsync(2_500);
		expect(isOver()).toBe(false);
		controller.abort();
		await flush();
		expect(isOver()).toBe(true);
		await jest.advanceTimersByTimeAsync(1_000);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('a wait removes its listener from the signal', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		await cancelableWait(Promise.resolve(), signal);
		const [[, , options] = []] = added.mock.calls;
		expect(options).toMatchObject({ once: true, signal: { aborted: true } });
	});
});
