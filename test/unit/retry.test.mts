import type { IDataObject } from 'n8n-workflow';

import { anyNode } from '../kit/anyNode.mts';
import { adviceFor } from '../../nodes/shared/advice.ts';
import { statusError } from '../../nodes/shared/transport/responseErrors.ts';
import { connectionError } from '../../nodes/shared/transport/connectionErrors.ts';
import type { ErrorContext } from '../../nodes/shared/transport/errors.ts';
import {
	isRetryable,
	pause,
	retryAfter,
	abortable,
	withRetry,
} from '../../nodes/shared/transport/retry.ts';

const about: ErrorContext = {
	node: anyNode,
	request: { method: 'GET', url: '/int/v1/me' },
	adviceFor,
	sent: [],
};

/** What `apiRequest` throws for an answer with an HTTP error status. */
const httpError = (statusCode: number, headers: IDataObject = {}) =>
	statusError(about, { statusCode, headers, body: { success: false, message: 'Busy' } });

/** What it throws when the connection breaks. */
const broken = () =>
	connectionError(about, Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));

/** Fails with the errors given, one a try, and then succeeds. */
function failing(...errors: unknown[]) {
	return jest.fn(async () => {
		if (errors.length > 0) throw errors.shift();
		return 'done';
	});
}

describe('withRetry', () => {
	const waits: number[] = [];
	const sleep = async (ms: number) => {
		waits.push(ms);
	};
	beforeEach(() => {
		waits.length = 0;
	});

	test.each([429, 500, 502, 503, 504])(
		'tries %i again, waiting longer each time',
		async (status) => {
			const attempt = failing(httpError(status), httpError(status), httpError(status));
			await expect(withRetry(attempt, { tries: 4, sleep })).resolves.toBe('done');
			expect(waits).toEqual([500, 1000, 2000]);
		},
	);

	test('tries a broken connection again', async () => {
		const attempt = failing(broken());
		await expect(withRetry(attempt, { tries: 4, sleep })).resolves.toBe('done');
		expect(attempt).toHaveBeenCalledTimes(2);
	});

	test('gives up after the last try, with the last error', async () => {
		const last = httpError(503);
		const attempt = failing(httpError(429), broken(), last);
		await expect(withRetry(attempt, { tries: 3, sleep })).rejects.toBe(last);
		expect(attempt).toHaveBeenCalledTimes(3);
	});

	test.each([400, 401, 403, 404, 200])('does not repeat what %i refused', async (status) => {
		const attempt = failing(httpError(status));
		await expect(withRetry(attempt, { tries: 4, sleep })).rejects.toMatchObject({
			httpCode: String(status),
		});
		expect(attempt).toHaveBeenCalledTimes(1);
	});

	test('waits as long as the service asks: seconds', async () => {
		await withRetry(failing(httpError(429, { 'retry-after': '7' })), { tries: 2, sleep });
		expect(waits).toEqual([7000]);
	});

	test('waits as long as the service asks: a date', async () => {
		const date = new Date(Date.now() + 20_000).toUTCString();
		await withRetry(failing(httpError(503, { 'retry-after': date })), { tries: 2, sleep });
		expect(waits[0]).toBeGreaterThan(18_000);
		expect(waits[0]).toBeLessThanOrEqual(20_000);
	});

	test('gives up rather than ask earlier than told, past the deadline or after hours', async () => {
		const attempt = failing(httpError(429, { 'retry-after': '7' }));
		await expect(
			withRetry(attempt, { tries: 4, sleep, deadline: Date.now() + 5000 }),
		).rejects.toMatchObject({ httpCode: '429' });
		await expect(
			withRetry(failing(httpError(429, { 'retry-after': '7200' })), { tries: 4, sleep }),
		).rejects.toMatchObject({ httpCode: '429' });
		expect(waits).toEqual([]);
	});

	test('stops waiting when the execution is cancelled', async () => {
		const controller = new AbortController();
		const attempt = failing(httpError(503), httpError(503));
		const running = withRetry(attempt, {
			tries: 4,
			signal: controller.signal,
			sleep: async () => await new Promise(() => controller.abort()),
		});
		await expect(running).rejects.toMatchObject({ httpCode: '503' });
		expect(attempt).toHaveBeenCalledTimes(1);
	});

	test('a wait of just five minutes, up to just the deadline, is still granted', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
		try {
			const fiveMinutes = httpError(429, { 'retry-after': '300' });
			const options = { tries: 2, sleep, deadline: 1_300_000 };
			await expect(withRetry(failing(fiveMinutes), options)).resolves.toBe('done');
			expect(waits).toEqual([300_000]);
		} finally {
			now.mockRestore();
		}
	});

	test.each(['x', { httpCode: '503' }, new Error('ECONNREFUSED'), undefined])(
		'%j is no failure of a request, and not tried again',
		async (thrown) => {
			const attempt = failing(thrown);
			await expect(withRetry(attempt, { tries: 4, sleep })).rejects.toBe(thrown);
			expect(attempt).toHaveBeenCalledTimes(1);
		},
	);

	test('an execution that was cancelled before is not tried again, nor made to wait', async () => {
		const attempt = failing(httpError(503));
		const signal = AbortSignal.abort();
		await expect(withRetry(attempt, { tries: 4, sleep, signal })).rejects.toMatchObject({
			httpCode: '503',
		});
		expect(attempt).toHaveBeenCalledTimes(1);
		expect(waits).toEqual([]);
	});

	test('tells of each retry', async () => {
		const told = jest.fn();
		const first = httpError(503);
		await withRetry(failing(first), { tries: 4, sleep, onRetry: told });
		expect(told.mock.calls).toEqual([[first, 500]]);
	});
});

test('what passes is told from what stays by the whole code', () => {
	const coded = (httpCode: string) => Object.assign(httpError(500), { httpCode });
	for (const code of ['429', '500', '599', 'ECONNREFUSED', 'EAI_AGAIN']) {
		expect([code, isRetryable(coded(code))]).toEqual([code, true]);
	}
	for (const code of ['400', '1429', '4290', '5000', 'none', '', 'NOT_ECONNREFUSED']) {
		expect([code, isRetryable(coded(code))]).toEqual([code, false]);
	}
});

test('a wait that is asked for is a number in what a request failed with', () => {
	expect(retryAfter(httpError(429, { 'retry-after': '7' }))).toBe(7_000);
	expect(retryAfter(httpError(429))).toBeUndefined();
	const odd = httpError(429);
	odd.context.retryAfterMs = '7';
	expect(retryAfter(odd)).toBeUndefined();
	expect(retryAfter({ context: { retryAfterMs: 7 } })).toBeUndefined();
	expect(retryAfter(undefined)).toBeUndefined();
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

	test('0 ms are no wait', async () => {
		await pause(0, undefined);
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

	test('one that was cancelled before waits for nothing', async () => {
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
