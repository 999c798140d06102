import { seededRandom } from './random.mts';

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');

/**
 * Generates record IDs of 24 hex digits from a seed. The IDs ascend in the order of creation, like the IDs of a document
 * database. Therefore paging works even if the record with the ID `previousLastId` was deleted.
 */
export class IdSource {
	private count = 0x65_00_00_00;
	private readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	next(): string {
		this.count += 1;
		return hex8(this.count) + hex8(this.random()) + hex8(this.random());
	}
}
