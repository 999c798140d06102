import { NodeApiError } from 'n8n-workflow';

import { RateLimiter } from '../../nodes/shared/transport/rateLimiter.ts';
import { anyNode } from '../kit/anyNode.mts';

/** An answer with an error status, as `apiRequest` throws it. */
function answer(status: number, retryAfterSeconds?: number): NodeApiError {
	const error = new NodeApiError(
		anyNode,
		{ message: `Status ${status}` },
		{ message: `Status ${status}`, httpCode: String(status) },
	);
	if (retryAfterSeconds !== undefined) error.context.retryAfterMs = retryAfterSeconds * 1000;
	return error;
}

const broken = () => new NodeApiError(anyNode, { message: 'socket hang up', code: 'ECONNRESET' });

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
let pacing: RateLimiter;

function pacingWith(signal?: AbortSignal): RateLimiter {
	return new RateLimiter({
		signal,
		log: (text) => log.push(text),
		sleep: clock.sleep,
		now: () => clock.now,
	});
}

beforeEach(() => {
	clock = new Clock();
	log = [];
	pacing = pacingWith();
});

/** Fails with these, one a try, and then succeeds. */
function failing(...errors: unknown[]) {
	return jest.fn(async () => {
		if (errors.length > 0) throw errors.shift();
		return 'done';
	});
}

describe('what is tried again', () => {
	test.each([
		['a 429 of a change', true, answer(429)],
		['a 429 of a reading', false, answer(429)],
		['a 500 of a reading', false, answer(500)],
		['a 503 of a reading', false, answer(503)],
		['a broken connection of a reading', false, broken()],
	])('%s', async (_case, changesData, error) => {
		const send = failing(error);
		await expect(clock.until(pacing.attempt(changesData, send))).resolves.toBe('done');
		expect(send).toHaveBeenCalledTimes(2);
		expect(clock.waits).toEqual([500]);
	});

	test.each([
		['a 500 of a change', true, answer(500)],
		['a 503 of a change, even when it names a time', true, answer(503, 1)],
		['a broken connection of a change', true, broken()],
		['a 400', false, answer(400)],
		['a 404', false, answer(404)],
		['a refusal in words', false, answer(200)],
		['an error of another kind', false, new Error('Oops')],
	])('not %s', async (_case, changesData, error) => {
		const send = failing(error);
		await expect(clock.until(pacing.attempt(changesData, send))).rejects.toBe(error);
		expect(send).toHaveBeenCalledTimes(1);
		expect(clock.waits).toEqual([]);
	});
});

describe('how long, and how often', () => {
	test('four times in all, the waits doubling, then the last error', async () => {
		const last = answer(503);
		const send = failing(answer(503), broken(), answer(429), last);
		await expect(clock.until(pacing.attempt(false, send))).rejects.toBe(last);
		expect(send).toHaveBeenCalledTimes(4);
		expect(clock.waits).toEqual([500, 1000, 2000]);
	});

	test('as long as the service asks', async () => {
		await clock.until(pacing.attempt(true, failing(answer(429, 7), answer(429, 0))));
		expect(clock.waits).toEqual([7000]);
		expect(log).toEqual(['Status 429; all requests wait 7.0 s']);
	});

	test('five minutes at most: asked for more, it fails at once', async () => {
		const send = failing(answer(429, 301));
		await expect(clock.until(pacing.attempt(true, send))).rejects.toThrow('Status 429');
		expect(send).toHaveBeenCalledTimes(1);
		await expect(clock.until(pacing.attempt(true, failing(answer(429, 300))))).resolves.toBe(
			'done',
		);
		expect(clock.waits).toEqual([300_000]);
	});

	test('a 429 uses up no try while other requests succeed', async () => {
		const refused = Array.from({ length: 20 }, () => answer(429));
		const send = jest.fn(async () => {
			const error = refused.shift();
			// Another request comes through while this one is refused.
			await pacing.attempt(true, async () => 'other');
			if (error) throw error;
			return 'done';
		});
		await expect(clock.until(pacing.attempt(true, send))).resolves.toBe('done');
		expect(send).toHaveBeenCalledTimes(21);
		expect(new Set(clock.waits)).toEqual(new Set([500]));
	});

	test('any other failure uses up tries while others succeed', async () => {
		const send = jest.fn(async () => {
			await pacing.attempt(true, async () => 'other');
			throw answer(503);
		});
		await expect(clock.until(pacing.attempt(false, send))).rejects.toThrow('Status 503');
		expect(send).toHaveBeenCalledTimes(4);
	});

	test('the run gives up when nothing succeeded for five minutes', async () => {
		// Two waits of two minutes pass, the third would be the fifth and sixth minute.
		const send = failing(answer(429, 120), answer(429, 120), answer(429, 120));
		const start = clock.now;
		await expect(clock.until(pacing.attempt(true, send))).rejects.toThrow('Status 429');
		expect(send).toHaveBeenCalledTimes(3);
		expect(clock.now - start).toBe(240_000);
	});

	test('the five minutes begin with a failure, however long it was quiet before', async () => {
		clock.now += 3_600_000;
		await expect(clock.until(pacing.attempt(true, failing(answer(429, 120))))).resolves.toBe(
			'done',
		);
		clock.now += 3_600_000;
		await expect(clock.until(pacing.attempt(true, failing(answer(429, 120))))).resolves.toBe(
			'done',
		);
	});
});

describe('all requests of a run', () => {
	test('wait for one pause, those that have not been sent included', async () => {
		const sentAt: number[] = [];
		const start = clock.now;
		const first = pacing.attempt(true, failing(answer(429, 10)));
		await new Promise(setImmediate);
		const others = [1, 2, 3].map(
			async () => await pacing.attempt(true, async () => sentAt.push(clock.now - start)),
		);
		await clock.until(Promise.all([first, ...others]));
		expect(sentAt).toEqual([10_000, 10_000, 10_000]);
	});

	test('wait on when another one makes the pause longer', async () => {
		const start = clock.now;
		const refusals = [answer(429, 2), answer(429, 20)];
		const both = refusals.map(async (error) => await pacing.attempt(true, failing(error)));
		await clock.until(Promise.all(both));
		expect(clock.now - start).toBe(20_000);
	});

	test('a shorter pause does not end a longer one, and is not told', async () => {
		const start = clock.now;
		const refusals = [answer(429, 20), answer(429, 2)];
		await clock.until(
			Promise.all(refusals.map(async (error) => await pacing.attempt(true, failing(error)))),
		);
		expect(clock.now - start).toBe(20_000);
		expect(log).toEqual(['Status 429; all requests wait 20.0 s']);
	});
});

describe('cancelling', () => {
	test('ends the waiting, and nothing more is sent', async () => {
		const controller = new AbortController();
		pacing = pacingWith(controller.signal);
		const refused = answer(429, 60);
		const first = failing(refused);
		const waiting = pacing.attempt(true, first);
		const refusedOne = expect(waiting).rejects.toBe(refused);
		await new Promise(setImmediate);
		const second = failing();
		const secondOne = expect(pacing.attempt(true, second)).rejects.toThrow('canceled');
		await new Promise(setImmediate);
		controller.abort();
		await refusedOne;
		await secondOne;
		expect(first).toHaveBeenCalledTimes(1);
		expect(second).not.toHaveBeenCalled();
	});

	test('before anything was sent, nothing is', async () => {
		const send = failing();
		await expect(pacingWith(AbortSignal.abort()).attempt(false, send)).rejects.toThrow('canceled');
		expect(send).not.toHaveBeenCalled();
	});
});
