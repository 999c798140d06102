import { seededRandom } from './random.mts';

const hex8 = (value: number): string => value.toString(16).padStart(8, '0');

/**
 * Record ids of 24 hex digits, the same for the same seed. They rise with every record, as the ids of
 * a document database do, so that "newest first" and `previousLastId` also work for a deleted record.
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
