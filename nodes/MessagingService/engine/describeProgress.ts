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
	errors: ReadonlyMap<number, unknown>;
	/** Whether the operation changes something. */
	isChange: boolean;
};

/**
 * Describes which items succeeded, failed or (of a change) were never sent, for users who run the node again.
 *
 * @param thrown index of the item whose error gets this text. The text does not list that item
 */
export function describeProgress(
	{ count, done, errors, isChange }: Progress,
	thrown?: number,
): string {
	const ended = new Set([...done, ...errors.keys()]);
	const failed = [...errors.keys()].filter((item) => item !== thrown);
	const perhapsDone = failed.filter((item) => isOutcomeUnknown(errors.get(item)));
	const notDone = failed.filter((item) => !perhapsDone.includes(item));
	const all = Array.from({ length: count }, (_, item) => item);
	const neverSent = all.filter((item) => !ended.has(item));
	const were = done.length === 1 ? 'was' : 'were';
	const sentences = [
		done.length === 0
			? 'No item was completed.'
			: `${done.length} of ${count} items ${were} done: ${formatRanges(done)}.`,
		notDone.length > 0 && `Also failed: ${formatRanges(notDone)}.`,
		perhapsDone.length > 0 && `Perhaps done: ${formatRanges(perhapsDone)}.`,
		isChange && neverSent.length > 0 && `Never sent: ${formatRanges(neverSent)}.`,
		isChange &&
			done.length + perhapsDone.length > 0 &&
			"n8n's Retry button, or a restart of n8n, starts a new execution, which sends all items again.",
	];
	return sentences.filter(Boolean).join(' ');
}

/** Maximum number of invalid items that an error names. */
const MOST_INVALID = 10;

/** Maximum length of an invalid item's message if several items are invalid. */
const LONGEST_INVALID = 80;

/**
 * Returns a text that names the invalid items of a change, and says that this try has sent no item because of them.
 *
 * @param errors the error of each invalid item, in input order
 * @param count the number of input items
 * @param doneEarlier the items that an earlier try of n8n's Retry On Fail finished
 */
export function describeInvalidItems(
	errors: ReadonlyMap<number, { message: string }>,
	count: number,
	doneEarlier: number[],
): string {
	const names = Array.from(
		errors,
		([item, { message }]) => `item ${item} (${truncate(message, LONGEST_INVALID)})`,
	);
	const howMany = `${errors.size} of ${count} items ${errors.size === 1 ? 'is' : 'are'} invalid`;
	const invalid = nameSome(names, MOST_INVALID);
	if (doneEarlier.length === 0) return `${howMany}, so no item was sent: ${invalid}.`;
	return `${howMany}, so no other item was sent: ${invalid}. An earlier try has sent ${formatRanges(doneEarlier)}.`;
}

/**
 * Formats the indexes of items as ranges, in ascending order: `[5, 0, 1, 2]` becomes "items 0 to 2, item 5". After
 * `MOST_RANGES` ranges, the text only says how many follow: "… and 3 more ranges".
 */
export function formatRanges(numbers: number[]): string {
	const ranges: Array<{ first: number; last: number }> = [];
	for (const number of [...numbers].sort((a, b) => a - b)) {
		const range = ranges.at(-1);
		if (range && range.last === number - 1) range.last = number;
		else ranges.push({ first: number, last: number });
	}
	const texts = ranges
		.slice(0, MOST_RANGES)
		.map(({ first, last }) => (first === last ? `item ${first}` : `items ${first} to ${last}`));
	const more = ranges.length - texts.length;
	if (more === 0) return texts.join(', ');
	return `${texts.join(', ')} and ${more} more ${more === 1 ? 'range' : 'ranges'}`;
}
