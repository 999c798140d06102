import { nameSome, truncate } from '../../shared/truncate';
import { isOutcomeUnknown } from '../../shared/transport/errors/apiError';

/** Maximum number of ranges shown, to keep the error readable. */
const MOST_RANGES = 20;

/** How far a run came. Items are named by their index. */
type Progress = {
	/** The number of input items. */
	count: number;
	/** The items that succeeded. */
	done: number[];
	/** The error of each failed item. */
	errors: ReadonlyMap<number, { message: string }>;
	/** Whether the operation changes something. */
	isChange: boolean;
};

/** Maximum number of other failed items that an error names, and maximum length of their messages. */
const MOST_FAILED = 10;
const LONGEST_REASON = 80;

/**
 * Describes which items succeeded, failed (invalid items, too) or, of a change, were never sent, for users who run the node
 * again.
 *
 * @param thrown index of the item whose error gets this text. The text does not list that item
 */
export function describeProgress(
	{ count, done, errors, isChange }: Progress,
	thrown?: number,
): string {
	const ended = new Set([...done, ...errors.keys()]);
	const others = [...errors].filter(([item]) => item !== thrown).sort(([a], [b]) => a - b);
	const perhapsDone = others.flatMap(([item, error]) => (isOutcomeUnknown(error) ? item : []));
	const failed = others.flatMap(([item, error]) =>
		isOutcomeUnknown(error) ? [] : `item ${item} (${truncate(error.message, LONGEST_REASON)})`,
	);
	const all = Array.from({ length: count }, (_, item) => item);
	const neverSent = all.filter((item) => !ended.has(item));
	const were = done.length === 1 ? 'was' : 'were';
	const sentences = [
		done.length === 0
			? 'No item was completed.'
			: `${done.length} of ${count} items ${were} done: ${formatRanges(done)}.`,
		failed.length > 0 && `Also failed: ${nameSome(failed, MOST_FAILED)}.`,
		perhapsDone.length > 0 && `Perhaps done: ${formatRanges(perhapsDone)}.`,
		isChange && neverSent.length > 0 && `Never sent: ${formatRanges(neverSent)}.`,
		isChange &&
			done.length + perhapsDone.length > 0 &&
			"n8n's Retry button, or a restart of n8n, starts a new execution, which sends all items again.",
	];
	return sentences.filter(Boolean).join(' ');
}

/**
 * Formats the indexes of items as ranges, in ascending order: `[5, 0, 1, 2]` becomes "items 0 to 2, item 5". After
 * `MOST_RANGES` ranges, the text only says how many follow: "… and 3 more".
 */
export function formatRanges(numbers: number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const number of [...numbers].sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range && range.last === number - 1) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	const texts = ranges.map(({ first, last }) =>
		first === last ? `item ${first}` : `items ${first} to ${last}`,
	);
	return nameSome(texts, MOST_RANGES);
}
