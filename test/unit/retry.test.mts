import type { IDataObject, INode } from 'n8n-workflow';

import { statusError } from '../../nodes/shared/service/answerErrors.ts';
import { connectionError } from '../../nodes/shared/service/connectionErrors.ts';
import type { About } from '../../nodes/shared/service/errors.ts';
import { withRetry } from '../../nodes/shared/service/retry.ts';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const about: About = { node, asked: { method: 'GET', url: '/int/v1/me' }, sent: [] };

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

	test('tells of each retry', async () => {
		const told = jest.fn();
		const first = httpError(503);
		await withRetry(failing(first), { tries: 4, sleep, onRetry: told });
		expect(told.mock.calls).toEqual([[first, 500]]);
	});
});
