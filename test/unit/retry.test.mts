import { NodeApiError } from 'n8n-workflow';

import {
	abortable,
	isRetryable,
	isTooMany,
	pause,
	RetryPolicy,
	type RetryOptions,
	type Retrying,
} from '../../nodes/shared/transport/retry.ts';
import { anyNode } from '../kit/anyNode.mts';

/** Returns the error that `apiRequest` throws for a failed request. */
function failure(httpCode: number | string, retryAfterSeconds?: number): NodeApiError {
	const message = `Status ${httpCode}`;
	const error = new NodeApiError(anyNode, { message }, { message, httpCode: String(httpCode) });
	if (retryAfterSeconds !== undefined) error.context.retryAfterMs = retryAfterSeconds * 1000;
	return error;
}

const NOW = 1_000_000;

let waits: number[];
let log: string[];
let policy: RetryPolicy;

const policyWith = (options: Partial<RetryOptions> = {}) =>
	new RetryPolicy({
		tries: 4,
		log: (text) => log.push(text),
		sleep: async (ms) => {
			waits.push(ms);
			await new Promise((wake) => setTimeout(wake, ms));
		},
		...options,
	});

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
	waits = [];
	log = [];
	policy = policyWith();
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
	return jest.fn(async () => {
		if (errors.length > 0) throw errors.shift();
		return 'done';
	});
}
const failingAlways = (error: Error) => jest.fn(async () => await Promise.reject(error));

const run = async (send: () => Promise<unknown>, own = policy, retrying: Retrying = {}) =>
	await finish(own.run(send, retrying));
const change = { isRetryable: isTooMany };

describe('a retry', () => {
	test.each<[string, Retrying, unknown, boolean]>([
		['a 429 of a change', change, failure(429), true],
		['a 429 of a read', {}, failure(429), true],
		['a 500 of a read', {}, failure(500), true],
		['a 504 of a read', {}, failure(504), true],
		['a broken connection of a read', {}, failure('ECONNRESET'), true],
		['a 500 of a change', change, failure(500), false],
		['a 503 of a change, even with Retry-After', change, failure(503, 1), false],
		['a broken connection of a change', change, failure('ECONNRESET'), false],
		['a 400', {}, failure(400), false],
		['a 200', {}, failure(200), false],
		['another error', {}, new Error('ECONNREFUSED'), false],
		['a similar object', {}, { httpCode: '503' }, false],
		['undefined', {}, undefined, false],
	])('follows only a retryable failure: %s', async (_case, retrying, error, isRetried) => {
		const send = failing(error);
		const result = expect(run(send, policy, retrying));
		await (isRetried ? result.resolves.toBe('done') : result.rejects.toBe(error));
		expect(send).toHaveBeenCalledTimes(isRetried ? 2 : 1);
		expect(waits).toEqual(isRetried ? [500] : []);
	});

	test('happens only if the whole error code matches', () => {
		const codes = ['429', '500', '599', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT'];
		const others = ['400', '1429', '4290', '5000', 'none', '', 'NOT_ECONNREFUSED'];
		const isTransient = (code: string) => isRetryable(failure(code));
		expect([...codes, ...others].filter(isTransient)).toEqual(codes);
	});

	test('happens after any error that isRetryable accepts, even without a log', async () => {
		const send = failing(new Error('Oops'));
		await run(send, policyWith({ log: undefined }), { isRetryable: () => true });
		expect(waits).toEqual([500]);
	});

	test('is reported to onRetry with its error', async () => {
		const onRetry = jest.fn();
		const error = failure(503);
		await run(failing(error), policy, { onRetry });
		expect(onRetry.mock.calls).toEqual([[error]]);
	});
});

describe('a policy', () => {
	test('makes four attempts with doubling waits, then throws the last error', async () => {
		const last = failure(503);
		const send = failing(failure(503), failure('ECONNRESET'), failure(429), last);
		await expect(run(send)).rejects.toBe(last);
		expect(send).toHaveBeenCalledTimes(4);
		expect(waits).toEqual([500, 1000, 2000]);
	});

	test('waits as long as Retry-After asks', async () => {
		await run(failing(failure(429, 7), failure(429, 0)));
		expect(waits).toEqual([7000]);
		expect(log).toEqual(['Status 429; retrying in 7.0 s']);
	});

	test('ignores a Retry-After that is not a number', async () => {
		const odd = failure(429);
		odd.context.retryAfterMs = '7';
		await run(failing(odd));
		expect(waits).toEqual([500]);
	});

	test.each([
		['five minutes', {}, 300],
		['giveUpAfterMs', { giveUpAfterMs: 600_000 }, 600],
		['the deadline', { deadline: NOW + 5_000 }, 5],
	])('fails immediately if the wait is longer than %s', async (_what, options, seconds) => {
		const tooLong = failing(failure(429, seconds + 1));
		await expect(run(tooLong, policyWith(options))).rejects.toThrow('Status 429');
		expect(tooLong).toHaveBeenCalledTimes(1);
		expect(waits).toEqual([]);
		await expect(run(failing(failure(429, seconds)), policyWith(options))).resolves.toBe('done');
	});

	test.each([
		[429, 20, 'done'],
		[503, 3, 'Status 503'],
	])(
		'after HTTP %i, retries %i times while other requests succeed',
		async (code, retries, result) => {
			const errors = Array.from({ length: 20 }, () => failure(code));
			const send = jest.fn(async () => {
				const error = errors.shift();
				await policy.run(async () => 'other');
				if (error) throw error;
				return 'done';
			});
			await expect(run(send).catch(({ message }: Error) => message)).resolves.toBe(result);
			expect(send).toHaveBeenCalledTimes(1 + retries);
			if (code === 429) expect(new Set(waits)).toEqual(new Set([500]));
		},
	);

	test('with waitsOutTooMany, retries a 429 after waits of at most a minute, until the time is up', async () => {
		const send = failingAlways(failure(429));
		await expect(run(send, policyWith({ waitsOutTooMany: true }))).rejects.toThrow('Status 429');
		expect(waits.slice(0, 3)).toEqual([500, 1000, 2000]);
		expect(Math.max(...waits)).toBe(60_000);
		expect(Date.now() - NOW).toBeGreaterThan(240_000);
		expect(Date.now() - NOW).toBeLessThanOrEqual(300_000);
	});

	test('waits after many attempts despite Retry-After: 0', async () => {
		const send = failing(...Array.from({ length: 30 }, () => failure(429, 0)));
		await expect(run(send, policyWith({ waitsOutTooMany: true }))).rejects.toThrow('Status 429');
		expect(waits[0]).toBe(16_000);
	});

	test('limits the attempts after a 503 even if waitsOutTooMany is on', async () => {
		const send = failingAlways(failure(503));
		await expect(run(send, policyWith({ waitsOutTooMany: true }))).rejects.toThrow('Status 503');
		expect(send).toHaveBeenCalledTimes(4);
	});

	test('limits the time of all attempts, counted from the first failure', async () => {
		const send = failing(failure(429, 120), failure(429, 120), failure(429, 120));
		await expect(run(send)).rejects.toThrow('Status 429');
		expect(send).toHaveBeenCalledTimes(3);
		expect(Date.now() - NOW).toBe(240_000);
	});

	test('restarts the time limit after a success', async () => {
		for (const error of [failure(429, 200), failure(429, 200)]) {
			jest.setSystemTime(Date.now() + 3_600_000);
			await expect(run(failing(error))).resolves.toBe('done');
		}
	});
});

describe('all requests of a policy', () => {
	test('wait until the pause ends, also those that start during the pause', async () => {
		const sentAt: number[] = [];
		const first = policy.run(failing(failure(429, 10)));
		await flush();
		const others = [1, 2, 3].map(
			async () => await policy.run(async () => sentAt.push(Date.now() - NOW)),
		);
		await finish(Promise.all([first, ...others]));
		expect(sentAt).toEqual([10_000, 10_000, 10_000]);
	});

	test.each([
		[
			[2, 20],
			['2.0', '20.0'],
		],
		[[20, 2], ['20.0']],
	])('wait for the longest of the pauses %j; the log shows %j', async (seconds, logged) => {
		const sends = seconds.map((wait) => failing(failure(429, wait)));
		await finish(Promise.all(sends.map(async (send) => await policy.run(send))));
		expect(Date.now() - NOW).toBe(20_000);
		expect(log).toEqual(logged.map((wait) => `Status 429; retrying in ${wait} s`));
	});
});

describe('the circuit', () => {
	beforeEach(() => {
		policy = policyWith({ tries: 2, openCircuitAfter: 3, giveUpAfterMs: 600_000 });
	});

	const fails = async (code = '503') =>
		await policy.run(failingAlways(failure(code))).catch(() => undefined);
	const down = async (code?: string) => await finish(fails(code));

	test('opens after three failed requests in a row, then tries each request once', async () => {
		await down();
		await down();
		expect(policy.openReason).toBeUndefined();
		await down('502');
		expect(policy.openReason).toMatch(/^The service failed 3 times in a row.*: Status 502$/);
		const send = failingAlways(failure(500));
		await expect(run(send)).rejects.toThrow('Status 500');
		expect(send).toHaveBeenCalledTimes(1);
		// The circuit keeps the first reason.
		await run(failing());
		await down('500');
		expect(policy.openReason).toContain('Status 502');
	});

	test.each([
		['a success', failing()],
		['a refusal, which is also a response', failing(failure(400))],
	])('restarts its count after %s', async (_what, send) => {
		await down();
		await down();
		await run(send).catch(() => undefined);
		await down();
		await down();
		expect(policy.openReason).toBeUndefined();
		await down();
		expect(policy.openReason).toBeDefined();
	});

	test('counts concurrent failures as one', async () => {
		for (const isOpen of [false, false, true]) {
			await finish(Promise.all([1, 2, 3, 4, 5].map(async () => await fails())));
			expect(policy.openReason !== undefined).toBe(isOpen);
		}
	});

	test('opens when the service asks for a longer wait than the time limit', async () => {
		await run(failing(failure(429, 601))).catch(() => undefined);
		expect(policy.openReason).toMatch(/^The service keeps failing.*: Status 429$/);
	});

	test('stays closed without openCircuitAfter', async () => {
		policy = policyWith({ tries: 1 });
		for (let count = 0; count < 20; count++) await down();
		await run(failing(failure(429, 601))).catch(() => undefined);
		expect(policy.openReason).toBeUndefined();
	});
});

describe('canceling', () => {
	test('ends the wait and sends nothing more', async () => {
		const controller = new AbortController();
		policy = policyWith({ signal: controller.signal });
		const error = failure(429, 60);
		const first = failing(error);
		const firstRun = expect(policy.run(first)).rejects.toBe(error);
		await flush();
		const second = failing();
		const secondRun = expect(policy.run(second)).rejects.toThrow('canceled');
		await flush();
		controller.abort();
		await firstRun;
		await secondRun;
		expect(first).toHaveBeenCalledTimes(1);
		expect(second).not.toHaveBeenCalled();
	});

	test('does not repeat a failed request even if sendsWhenCanceled is on', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		policy = policyWith({ signal, sendsWhenCanceled: true });
		const send = failing(failure(429, 60));
		const result = expect(policy.run(send)).rejects.toThrow('Status 429');
		await flush();
		controller.abort();
		await result;
		expect(send).toHaveBeenCalledTimes(1);
	});

	test('during a request announces no retry', async () => {
		const controller = new AbortController();
		policy = policyWith({ signal: controller.signal });
		const send = async () => {
			controller.abort();
			return await Promise.reject(failure(503));
		};
		await expect(run(send)).rejects.toThrow('Status 503');
		expect(log).toEqual([]);
	});

	test.each([
		[false, 0],
		[true, 1],
	])(
		'sends no request afterwards unless sendsWhenCanceled is on: %j',
		async (sendsWhenCanceled, times) => {
			policy = policyWith({ signal: AbortSignal.abort(), sendsWhenCanceled });
			const send = failing(failure(503));
			await expect(run(send)).rejects.toThrow(sendsWhenCanceled ? 'Status 503' : 'canceled');
			expect(send).toHaveBeenCalledTimes(times);
			expect(waits).toEqual([]);
			if (sendsWhenCanceled) await expect(run(failing())).resolves.toBe('done');
		},
	);
});

describe('a wait', () => {
	/** Returns a function that tells whether the promise is fulfilled. */
	function watch(promise: Promise<unknown>): () => boolean {
		let isSettled = false;
		void promise.then(() => (isSettled = true));
		return () => isSettled;
	}

	test.each([1, 999, 1_000, 1_001, 2_500, 60_000])('lasts %d ms', async (ms) => {
		const isOver = watch(pause(ms, undefined));
		await jest.advanceTimersByTimeAsync(ms - 1);
		expect(isOver()).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(isOver()).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('ends when the execution is canceled and stops its timer within a second', async () => {
		const controller = new AbortController();
		const isOver = watch(pause(60_000, controller.signal));
		await jest.advanceTimersByTimeAsync(2_500);
		expect(isOver()).toBe(false);
		controller.abort();
		await flush();
		expect(isOver()).toBe(true);
		await jest.advanceTimersByTimeAsync(1_000);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('starts no timer when there is nothing to wait for', async () => {
		await pause(0, undefined);
		await pause(60_000, AbortSignal.abort());
		expect(jest.getTimerCount()).toBe(0);
	});

	test('ends immediately if the execution is already canceled', async () => {
		const isOver = watch(abortable(AbortSignal.abort(), new Promise(() => {})));
		await flush();
		expect(isOver()).toBe(true);
	});

	test('removes its listener from the signal', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		await abortable(signal, Promise.resolve());
		const [[, , options] = []] = added.mock.calls;
		expect(options).toMatchObject({ once: true, signal: { aborted: true } });
	});

	test('rejects when the awaited promise fails', async () => {
		for (const signal of [new AbortController().signal, undefined])
			await expect(abortable(signal, Promise.reject(new Error('No')))).rejects.toThrow('No');
	});
});
