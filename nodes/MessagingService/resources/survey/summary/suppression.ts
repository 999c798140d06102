import { sumOf } from './answerStatistics';

/**
 * One kind of answer to a question or matrix row: its options and numbers, or its texts. Within a segment, they are
 * all shown or all hidden.
 */
export type Layer = {
	/** For each segment, how many of its people gave an answer of this layer. */
	sizes: number[];
	/** The minimum number of people whose answers may be shown together, 1 or more. */
	minimum: number;
	/** Whether an answer of this layer can lead to another question. A text cannot. */
	canFork: boolean;
};

/** For each layer, the indexes of its hidden segments. */
export type HiddenSegments = ReadonlyMap<Layer, ReadonlySet<number>>;

/**
 * Selects the segments to hide in each layer.
 *
 * Only people who gave a certain answer to an earlier question, the fork, get its branch question. If a segment were
 * hidden for the fork but shown for the branch, the branch would reveal this answer. Survey data does not name forks,
 * but a fork always has at least as many answers as its branch. So layers are processed from the most to the fewest
 * answers. If a layer with `canFork` hides answers of a segment, the segment is hidden in all later layers.
 *
 * @param hidden indexes of segments that are hidden in any case
 * @returns for each layer, the indexes of its hidden segments
 */
export function hiddenSegments(layers: Layer[], hidden: ReadonlySet<number>): HiddenSegments {
	const totals = layers.map((layer) => ({ layer, total: sumOf(layer.sizes) }));
	totals.sort((a, b) => b.total - a.total);
	const hiddenSoFar = new Set(hidden);
	const hiddenByLayer = new Map<Layer, ReadonlySet<number>>();
	for (const { layer } of totals) {
		const hiddenHere = hiddenInLayer(layer.sizes, layer.minimum, hiddenSoFar);
		hiddenByLayer.set(layer, hiddenHere);
		if (!layer.canFork) continue;
		// An empty segment is hidden, too, but hides no answer that a branch could reveal.
		for (const segment of hiddenHere) if (layer.sizes[segment] !== 0) hiddenSoFar.add(segment);
	}
	return hiddenByLayer;
}

/**
 * Selects the segments to hide in one layer. Each visible segment must have at least the minimum number of people. Outside
 * the visible segments, there must be nobody or at least the minimum, because readers can subtract the visible segments
 * from the total.
 *
 * @param sizes for each segment, the number of its people who answered
 * @param minimum the minimum number of people whose answers may be shown together, 1 or more
 * @param hidden indexes of segments that are hidden in any case
 * @returns indexes of the hidden segments: the smallest ones, and as few as possible
 */
function hiddenInLayer(
	sizes: number[],
	minimum: number,
	hidden: ReadonlySet<number> = new Set(),
): Set<number> {
	const hiddenHere = new Set(hidden);
	const smallestFirst = sizes
		.map((size, index) => ({ size, index }))
		.filter(({ index }) => !hidden.has(index))
		.sort((a, b) => a.size - b.size);
	let hiddenPeople = sumOf([...hidden].map((index) => sizes[index] ?? 0));
	for (const { size, index } of smallestFirst) {
		if (size >= minimum && (hiddenPeople === 0 || hiddenPeople >= minimum)) break;
		hiddenHere.add(index);
		hiddenPeople += size;
	}
	return hiddenHere;
}
