/** How one piece of work went. */
export type Outcome<Result> = { result: Result } | { error: unknown };

/** What a piece of work gives or throws. */
export async function settle<Result>(work: () => Promise<Result>): Promise<Outcome<Result>> {
	try {
		return { result: await work() };
	} catch (error) {
		return { error };
	}
}

/**
 * Works off a list in its order, a few pieces at a time.
 *
 * @param concurrency the most pieces in flight at the same time
 * @param work does a piece; must not throw: wrap what may fail in `settle`
 * @param mayBegin asked before each piece; after the first "no" nothing more begins
 * @returns the results in the order of the pieces; a hole for each piece that was not begun
 */
export async function mapWithConcurrency<Piece, Result>(
	pieces: Piece[],
	concurrency: number,
	work: (piece: Piece, index: number) => Promise<Result>,
	mayBegin: (index: number) => boolean = () => true,
): Promise<Result[]> {
	const results: Result[] = [];
	// The workers share one iterator: each takes the next piece that nobody has.
	const left = pieces.entries();
	async function worker(): Promise<void> {
		for (const [index, piece] of left) {
			if (!mayBegin(index)) return;
			results[index] = await work(piece, index);
		}
	}
	await Promise.all(Array.from({ length: Math.min(concurrency, pieces.length) }, worker));
	return results;
}
