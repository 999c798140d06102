/** The outcome of a task. */
export type Outcome<Result> = { result: Result } | { error: unknown };

/** Runs a task and returns its result or its error. */
export async function settle<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
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
