/** Ranges are cut after this many: an error is read by people. */
const MOST_RANGES = 20;

/**
 * Which items were done and which failed, for whoever runs the node again.
 *
 * @param failed without the one whose error says this
 */
export function describeProgress(count: number, done: number[], failed: number[]): string {
	const progress =
		done.length === 0
			? `None of the ${count} items was done.`
			: `${done.length} of ${count} items ${done.length === 1 ? 'was' : 'were'} done: ${formatRanges(done)}. Run again, the node does them again.`;
	return failed.length === 0 ? progress : `${progress} Also failed: ${formatRanges(failed)}.`;
}

/** Numbers in words: `[0, 1, 2, 5]` is "items 0 to 2, item 5". */
export function formatRanges(numbers: number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const number of [...numbers].sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range && range.last === number - 1) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	const words = ranges
		.slice(0, MOST_RANGES)
		.map(({ first, last }) => (first === last ? `item ${first}` : `items ${first} to ${last}`));
	const more = ranges.length - words.length;
	if (more === 0) return words.join(', ');
	return `${words.join(', ')} and ${more} more ${more === 1 ? 'range' : 'ranges'}`;
}
