import { sleep } from 'n8n-workflow';

/** A task that has ended: its result, or the error that it threw. */
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
	const remaining = pieces.values();
	async function worker(): Promise<void> {
		for (const piece of remaining) {
			if (!mayBegin()) return;
			await work(piece);
		}
	}
	await Promise.all(Array.from({ length: Math.min(concurrency, pieces.length) }, worker));
}

/** Returns a function that runs tasks in the order of the calls, and at most `limit` at once. */
export function limiter(limit: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
	let running = 0;
	const waiting: Array<() => void> = [];
	return async (task) => {
		if (running < limit) running++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await task();
		} finally {
			// A waiting task takes the place of this one, so `running` stays the same, and no later task overtakes it.
			const startNext = waiting.shift();
			if (startNext) startNext();
			else running--;
		}
	};
}

/**
 * Returns a function that runs tasks with the same key one after the other, in the order of the calls. A key is
 * forgotten after its last task.
 */
export function queueByKey() {
	const lastTasks = new Map<string, Promise<unknown>>();
	return async <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
		const running = lastTasks.get(key)?.then(task, task) ?? task();
		lastTasks.set(key, running);
		try {
			return await running;
		} finally {
			if (lastTasks.get(key) === running) lastTasks.delete(key);
		}
	};
}

/** The longest time that a node works without a break. */
const LONGEST_WORK_MS = 20;

/**
 * Returns a function to call between pieces of work. If the last break was more than 20 ms ago, n8n's other work goes
 * first: it serves the editor and webhooks, and renews a worker's lock.
 */
export function createBreaks(): () => Promise<void> {
	let lastBreakAt = Date.now();
	return async () => {
		if (Date.now() - lastBreakAt <= LONGEST_WORK_MS) return;
		await sleep(0);
		lastBreakAt = Date.now();
	};
}

/** Does a short piece of work for each entry of a list, in order, with breaks (`createBreaks`). */
export async function forEachWithBreaks<Entry>(
	entries: Iterable<Entry>,
	work: (entry: Entry, index: number) => void,
): Promise<void> {
	const takeBreak = createBreaks();
	let index = 0;
	for (const entry of entries) {
		work(entry, index++);
		await takeBreak();
	}
}
