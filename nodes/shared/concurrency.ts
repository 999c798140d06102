import { sleep } from 'n8n-workflow';

/** The outcome of a task. */
export type Settled<Result> = { result: Result } | { error: unknown };

/** Runs a task and returns its result or its error. */
export async function settle<Result>(work: () => Promise<Result>): Promise<Settled<Result>> {
	try {
		return { result: await work() };
	} catch (error) {
		return { error };
	}
}

/**
 * Processes a list in order, a few pieces at a time.
 *
 * @param concurrency maximum number of pieces in flight
 * @param work processes a piece. It must not throw, so wrap code that may fail in `settle`
 * @param mayBegin called before each piece. After the first `false`, no further piece begins
 */
export async function forEachConcurrently<Piece>(
	pieces: Piece[],
	concurrency: number,
	work: (piece: Piece) => Promise<void>,
	mayBegin: () => boolean,
): Promise<void> {
	// The workers share one iterator, so each one takes the next piece.
	const left = pieces.values();
	async function worker(): Promise<void> {
		for (const piece of left) {
			if (!mayBegin()) return;
			await work(piece);
		}
	}
	await Promise.all(Array.from({ length: Math.min(concurrency, pieces.length) }, worker));
}

/** Returns a function that runs tasks in the order of the calls, and at most `limit` at once. */
export function limitTo(limit: number) {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async <Result>(task: () => Promise<Result>): Promise<Result> => {
		if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
		else running++;
		try {
			return await task();
		} finally {
			// The next task gets the free place at once, so that no later task overtakes it.
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}

/**
 * Returns a function that runs tasks with the same key one after the other, in the order of the calls. A task without a key
 * runs at once. A task must not throw, so that the next one knows what became of it.
 */
export function inOrderByKey() {
	const last = new Map<string, Promise<void>>();
	return async (key: string | undefined, task: () => Promise<void>): Promise<void> => {
		if (key === undefined) return await task();
		const running = last.get(key)?.then(task) ?? task();
		last.set(key, running);
		await running;
	};
}

/** After this time without a pause, work yields. n8n can then serve the editor and webhooks, and renew a worker's lock. */
const WORK_MS = 20;

/** Returns a function to call between pieces of work. It lets n8n do other work from time to time. */
export function createBreaks() {
	let rested = Date.now();
	return async (): Promise<void> => {
		if (Date.now() - rested <= WORK_MS) return;
		await sleep(0);
		rested = Date.now();
	};
}
