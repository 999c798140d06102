import { seededRandom } from './random.mts';

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');

/**
 * Generates record IDs of 24 hex digits from a seed. The IDs ascend in the order of creation, like the IDs of a document
 * database. Therefore paging works even if the record with the ID `previousLastId` was deleted.
 */
export class IdSource {
	/** How many IDs were generated. */
	used = 0;
	private readonly random: () => number;

	constructor(readonly seed: number) {
		this.random = seededRandom(seed);
	}

	next(): string {
		this.used += 1;
		return hex8(0x65_00_00_00 + this.used) + hex8(this.random()) + hex8(this.random());
	}

	/** Skips the first IDs, because an earlier run used them. */
	continueAfter(used: number): void {
		while (this.used < used) this.next();
	}
}
