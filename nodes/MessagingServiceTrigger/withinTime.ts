import { inPool, outcomeOf, type Outcome } from '../shared/pool';

/** Requests at the same time; the service says nothing of its limits. */
export const AT_ONCE = 4;

/**
 * Works off a list, a few pieces at a time, until it is done or the time is over; the first piece is begun in any case.
 *
 * @param deadline milliseconds since the epoch after which nothing more is begun
 * @returns the outcomes by piece; a piece that was not begun has none
 */
export async function withinTime<Piece, Result>(
	pieces: Piece[],
	deadline: number,
	work: (piece: Piece) => Promise<Result>,
): Promise<Map<Piece, Outcome<Result>>> {
	const outcomes = new Map<Piece, Outcome<Result>>();
	await inPool(
		pieces,
		AT_ONCE,
		async (piece) => {
			outcomes.set(piece, await outcomeOf(async () => await work(piece)));
		},
		(index) => index === 0 || Date.now() < deadline,
	);
	return outcomes;
}
