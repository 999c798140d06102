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

/** A failed request, as `apiRequest` throws it. */
function failure(httpCode: number | string, retryAfterSeconds?: number): NodeApiError {
	const message = `Status ${httpCode}`;
	const error = new NodeApiError(anyNode, { message }, { message, httpCode: String(httpCode) });
	if (retryAfterSeconds !== undefined) error.context.retryAfterMs = retryAfterSeconds * 1000;
	return error;
}

const broken = () => failure('ECONNRESET');

/** A clock that stands still until everybody who runs waits for it, and then goes on to the next one's time. */
class Clock {
	now = 1_000_000;

	readonly waits: number[] = [];

	private sleepers: Array<{ until: number; wake: () => void }> = [];

	sleep = async (ms: number): Promise<void> => {
		this.waits.push(ms);
		await new Promise<void>((wake) => this.sleepers.push({ until: this.now + ms, wake }));
	};

	/** Runs until the work is done. */
	async until<Result>(work: Promise<Result>): Promise<Result> {
		let isDone = false;
		const noted = work.then(
			() => (isDone = true),
			() => (isDone = true),
		);
		for (;;) {
			// All that can go on without time passing has done so when the event loop comes round.
			await new Promise(setImmediate);
			if (isDone) break;
			this.sleepers.sort((a, b) => a.until - b.until);
			const next = this.sleepers.shift();
			if (!next) throw new Error('Nobody waits, and the work is not done');
			this.now = Math.max(this.now, next.until);
			next.wake();
		}
		await noted;
		return await work;
	}
}

let clock: Clock;
let log: string[];
let policy: RetryPolicy;

const policyWith = (options: Partial<RetryOptions> = {}) =>
	new RetryPolicy({
		tries: 4,
		log: (text) => log.push(text),
		sleep: clock.sleep,
		now: () => clock.now,
		...options,
	});

beforeEach(() => {
	clock = new Clock();
	log = [];
	policy = policyWith();
});

/** Fails with these, one a try, and then succeeds. */
function failing(...errors: unknown[]) {
	return jest.fn(async () => {
		if (errors.length > 0) throw errors.shift();
		return 'done';
	});
}

const run = async (send: () => Promise<unknown>, own = policy) => await clock.until(own.run(send));
const change = { isRetryable: isTooMany };

describe('what is tried again', () => {
	test.each([
		['a 429 of a change', change, failure(429)],
		['a 429 of a read', {}, failure(429)],
		['a 500 of a read', {}, failure(500)],
		['a 504 of a read', {}, failure(504)],
		['a broken connection of a read', {}, broken()],
	])('%s', async (_case, retrying, error) => {
		const send = failing(error);
		await expect(clock.until(policy.run(send, retrying))).resolves.toBe('done');
		expect(send).toHaveBeenCalledTimes(2);
		expect(clock.waits).toEqual([500]);
	});

	const others: Array<[string, Retrying, unknown]> = [
		['a 500 of a change', change, failure(500)],
		['a 503 of a change, even when it names a time', change, failure(503, 1)],
		['a broken connection of a change', change, broken()],
		...[400, 401, 403, 404, 200].map((code): [string, Retrying, unknown] => [
			`a ${code}`,
			{},
			failure(code),
		]),
		['an error of another kind', {}, new Error('ECONNREFUSED')],
		['an object that looks like one', {}, { httpCode: '503' }],
		['nothing', {}, undefined],
	];
	test.each(others)('not %s', async (_case, retrying, error) => {
		const send = failing(error);
		await expect(clock.until(policy.run(send, retrying))).rejects.toBe(error);
		expect(send).toHaveBeenCalledTimes(1);
		expect(clock.waits).toEqual([]);
	});

	test('a transient failure is told by the whole code', () => {
		for (const code of ['429', '500', '599', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT']) {
			expect([code, isRetryable(failure(code))]).toEqual([code, true]);
		}
		for (const code of ['400', '1429', '4290', '5000', 'none', '', 'NOT_ECONNREFUSED']) {
			expect([code, isRetryable(failure(code))]).toEqual([code, false]);
		}
	});

	test('each retry is told before its wait', async () => {
		const told = jest.fn();
		const first = failure(503);
		await clock.until(policy.run(failing(first), { onRetry: told }));
		expect(told.mock.calls).toEqual([[first]]);
	});
});

describe('how long, and how often', () => {
	test('four times in all, the waits doubling, then the last error', async () => {
		const last = failure(503);
		const send = failing(failure(503), broken(), failure(429), last);
		await expect(run(send)).rejects.toBe(last);
		expect(send).toHaveBeenCalledTimes(4);
		expect(clock.waits).toEqual([500, 1000, 2000]);
	});

	test('as long as the service asks', async () => {
		await run(failing(failure(429, 7), failure(429, 0)));
		expect(clock.waits).toEqual([7000]);
		expect(log).toEqual(['Status 429; trying again in 7.0 s']);
	});

	test('what is no number is no wait that the service asks for', async () => {
		const odd = failure(429);
		odd.context.retryAfterMs = '7';
		await run(failing(odd));
		expect(clock.waits).toEqual([500]);
	});

	test.each([
		['five minutes', {}, 300],
		['the time that is set', { giveUpAfterMs: 600_000 }, 600],
		['the deadline', { deadline: 1_005_000 }, 5],
	])('no longer than %s: asked for more, it fails at once', async (_what, options, seconds) => {
		await expect(run(failing(failure(429, seconds)), policyWith(options))).resolves.toBe('done');
		clock = new Clock();
		const send = failing(failure(429, seconds + 1));
		await expect(run(send, policyWith(options))).rejects.toThrow('Status 429');
		expect(send).toHaveBeenCalledTimes(1);
		expect(clock.waits).toEqual([]);
	});

	test('a 429 uses up no try while other requests succeed', async () => {
		const refused = Array.from({ length: 20 }, () => failure(429));
		const send = jest.fn(async () => {
			const error = refused.shift();
			// Another request comes through while this one is refused.
			await policy.run(async () => 'other');
			if (error) throw error;
			return 'done';
		});
		await expect(run(send)).resolves.toBe('done');
		expect(send).toHaveBeenCalledTimes(21);
		expect(new Set(clock.waits)).toEqual(new Set([500]));
	});

	test('any other failure uses up tries while others succeed', async () => {
		const send = jest.fn(async () => {
			await policy.run(async () => 'other');
			throw failure(503);
		});
		await expect(run(send)).rejects.toThrow('Status 503');
		expect(send).toHaveBeenCalledTimes(4);
	});

	test('a 429 that is waited out ends with the time alone, at a minute a wait', async () => {
		const start = clock.now;
		const send = jest.fn(async () => {
			throw failure(429);
		});
		await expect(run(send, policyWith({ waitsOutTooMany: true }))).rejects.toThrow('Status 429');
		expect(clock.waits.slice(0, 3)).toEqual([500, 1000, 2000]);
		expect(Math.max(...clock.waits)).toBe(60_000);
		expect(clock.now - start).toBeGreaterThan(240_000);
		expect(clock.now - start).toBeLessThanOrEqual(300_000);
	});

	test('any other failure uses up tries where 429 is waited out', async () => {
		const send = failing(...Array.from({ length: 9 }, () => failure(503)));
		await expect(run(send, policyWith({ waitsOutTooMany: true }))).rejects.toThrow('Status 503');
		expect(send).toHaveBeenCalledTimes(4);
	});

	test('the time without a success is that of all tries together', async () => {
		// Two waits of two minutes pass, the third would be the fifth and sixth minute.
		const send = failing(failure(429, 120), failure(429, 120), failure(429, 120));
		const start = clock.now;
		await expect(run(send)).rejects.toThrow('Status 429');
		expect(send).toHaveBeenCalledTimes(3);
		expect(clock.now - start).toBe(240_000);
	});

	test('it begins with a failure, however long it was quiet before', async () => {
		for (const error of [failure(429, 200), failure(429, 200)]) {
			clock.now += 3_600_000;
			await expect(run(failing(error))).resolves.toBe('done');
		}
	});
});

describe('all requests of a policy', () => {
	test('wait for one pause, those that have not been sent included', async () => {
		const sentAt: number[] = [];
		const start = clock.now;
		const first = policy.run(failing(failure(429, 10)));
		await new Promise(setImmediate);
		const others = [1, 2, 3].map(
			async () => await policy.run(async () => sentAt.push(clock.now - start)),
		);
		await clock.until(Promise.all([first, ...others]));
		expect(sentAt).toEqual([10_000, 10_000, 10_000]);
	});

	test.each([
		['a longer pause takes the place of a shorter one', [2, 20], ['2.0', '20.0']],
		['a shorter pause does not end a longer one, and is not told', [20, 2], ['20.0']],
	])('%s', async (_what, seconds, told) => {
		const start = clock.now;
		const errors = seconds.map((wait) => failure(429, wait));
		await clock.until(Promise.all(errors.map(async (error) => await policy.run(failing(error)))));
		expect(clock.now - start).toBe(20_000);
		expect(log).toEqual(told.map((wait) => `Status 429; trying again in ${wait} s`));
	});
});

describe('the circuit', () => {
	beforeEach(() => {
		policy = policyWith({ tries: 2, openCircuitAfter: 3, giveUpAfterMs: 600_000 });
	});

	const fails = async (code = '503') =>
		await policy
			.run(async () => {
				throw failure(code);
			})
			.catch(() => undefined);
	const down = async (code?: string) => await clock.until(fails(code));

	test('opens after so many failed requests in a row; then each is tried once', async () => {
		await down();
		await down();
		expect(policy.openReason).toBeUndefined();
		await down('502');
		expect(policy.openReason).toMatch(/^The service failed 3 times in a row.*: Status 502$/);
		const send = failing(failure(500), failure(500));
		await expect(run(send)).rejects.toThrow('Status 500');
		expect(send).toHaveBeenCalledTimes(1);
		// The first reason stays.
		await run(failing());
		await down('500');
		expect(policy.openReason).toContain('Status 502');
	});

	test.each([
		['a success', failing()],
		['a refusal, which is a response', failing(failure(400))],
	])('begins to count anew after %s', async (_what, send) => {
		await down();
		await down();
		await run(send).catch(() => undefined);
		await down();
		await down();
		expect(policy.openReason).toBeUndefined();
		await down();
		expect(policy.openReason).toBeDefined();
	});

	test('counts requests that fail side by side as one failure', async () => {
		for (const isOpen of [false, false, true]) {
			await clock.until(Promise.all([1, 2, 3, 4, 5].map(async () => await fails())));
			expect(policy.openReason !== undefined).toBe(isOpen);
		}
	});

	test('opens when the time is up', async () => {
		await run(failing(failure(429, 601))).catch(() => undefined);
		expect(policy.openReason).toMatch(/^The service keeps failing.*: Status 429$/);
	});

	test('stays closed where nobody asked for one', async () => {
		policy = policyWith({ tries: 1 });
		for (let count = 0; count < 20; count++) await down();
		await run(failing(failure(429, 601))).catch(() => undefined);
		expect(policy.openReason).toBeUndefined();
	});
});

describe('cancelling', () => {
	test('ends the waiting, and nothing more is sent', async () => {
		const controller = new AbortController();
		policy = policyWith({ signal: controller.signal });
		const refused = failure(429, 60);
		const first = failing(refused);
		const refusedOne = expect(policy.run(first)).rejects.toBe(refused);
		await new Promise(setImmediate);
		const second = failing();
		const secondOne = expect(policy.run(second)).rejects.toThrow('canceled');
		await new Promise(setImmediate);
		controller.abort();
		await refusedOne;
		await secondOne;
		expect(first).toHaveBeenCalledTimes(1);
		expect(second).not.toHaveBeenCalled();
	});

	test('before anything was sent, nothing is', async () => {
		const send = failing();
		policy = policyWith({ signal: AbortSignal.abort() });
		await expect(run(send)).rejects.toThrow('canceled');
		expect(send).not.toHaveBeenCalled();
	});

	test('what tidies up is sent all the same, once', async () => {
		policy = policyWith({ signal: AbortSignal.abort(), sendsWhenCancelled: true });
		await expect(run(failing())).resolves.toBe('done');
		const send = failing(failure(503));
		await expect(run(send)).rejects.toThrow('Status 503');
		expect(send).toHaveBeenCalledTimes(1);
		expect(clock.waits).toEqual([]);
	});
});

describe('pause', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	/** Whether a promise has settled by now. */
	function watch(promise: Promise<unknown>): () => boolean {
		let isOver = false;
		void promise.then(() => (isOver = true));
		return () => isOver;
	}

	test.each([1, 999, 1_000, 1_001, 2_500, 60_000])('%d ms are waited in full', async (ms) => {
		const isOver = watch(pause(ms, undefined));
		await jest.advanceTimersByTimeAsync(ms - 1);
		expect(isOver()).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		expect(isOver()).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('a cancelled execution waits no longer, and leaves no timer behind after a second', async () => {
		const controller = new AbortController();
		const isOver = watch(pause(60_000, controller.signal));
		await jest.advanceTimersByTimeAsync(2_500);
		expect(isOver()).toBe(false);
		controller.abort();
		await jest.advanceTimersByTimeAsync(0);
		expect(isOver()).toBe(true);
		await jest.advanceTimersByTimeAsync(1_000);
		expect(jest.getTimerCount()).toBe(0);
	});

	test('nothing to wait for takes no timer', async () => {
		await pause(0, undefined);
		await pause(60_000, AbortSignal.abort());
		expect(jest.getTimerCount()).toBe(0);
	});

	test('waiting leaves no listener on the signal: a run waits very often', async () => {
		const { signal } = new AbortController();
		const added = jest.spyOn(signal, 'addEventListener');
		await abortable(signal, Promise.resolve());
		const [[, , options] = []] = added.mock.calls;
		expect(options).toMatchObject({ once: true, signal: { aborted: true } });
	});

	test('what fails while it is waited for fails the waiting', async () => {
		const { signal } = new AbortController();
		await expect(abortable(signal, Promise.reject(new Error('No')))).rejects.toThrow('No');
		await expect(abortable(undefined, Promise.reject(new Error('No')))).rejects.toThrow('No');
	});
});
