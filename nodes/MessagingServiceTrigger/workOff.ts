/** How one piece of work went. */
export type Outcome<Result> = { result: Result } | { error: unknown };

/** Requests at the same time; the service says nothing of its limits. */
export const AT_ONCE = 4;

/**
 * Works off a list, a few pieces at a time, until it is done or the time is over; the first piece is begun in any case.
 *
 * @param deadline milliseconds since the epoch after which nothing more is begun
 * @returns the outcomes by piece; a piece that was not begun has none
 */
export async function workOff<Piece, Result>(
	pieces: Piece[],
	deadline: number,
	work: (piece: Piece) => Promise<Result>,
): Promise<Map<Piece, Outcome<Result>>> {
	const outcomes = new Map<Piece, Outcome<Result>>();
	const left = pieces.entries();
	const worker = async () => {
		// The workers share one iterator: each takes the next piece that nobody has.
		for (const [index, piece] of left) {
			if (index > 0 && Date.now() >= deadline) return;
			outcomes.set(piece, await outcomeOf(work, piece));
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return outcomes;
}

async function outcomeOf<Piece, Result>(
	work: (piece: Piece) => Promise<Result>,
	piece: Piece,
): Promise<Outcome<Result>> {
	try {
		return { result: await work(piece) };
	} catch (error) {
		return { error };
	}
}
