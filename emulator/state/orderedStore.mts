export interface Identified {
	readonly _id: string;
}

/** Stores records by ID, and in ascending order of their IDs. */
export class OrderedStore<T extends Identified> {
	private readonly byId = new Map<string, T>();
	private readonly inOrder: T[] = [];

	get size(): number {
		return this.byId.size;
	}

	add(record: T): T {
		const last = this.inOrder.at(-1);
		if (last !== undefined && last._id >= record._id) {
			throw new Error(`Record IDs must ascend: ${record._id} after ${last._id}`);
		}
		this.byId.set(record._id, record);
		this.inOrder.push(record);
		return record;
	}

	get(id: string): T | undefined {
		return this.byId.get(id);
	}

	has(id: string): boolean {
		return this.byId.has(id);
	}

	delete(id: string): T | undefined {
		const record = this.byId.get(id);
		if (record === undefined) return undefined;
		this.byId.delete(id);
		this.inOrder.splice(this.position(id), 1);
		return record;
	}

	/** Returns the records, oldest first. */
	values(): readonly T[] {
		return this.inOrder;
	}

	find(matches: (record: T) => boolean): T | undefined {
		return this.inOrder.find(matches);
	}

	/**
	 * Yields the records, newest first. If `olderThan` is the ID of a record, even of a deleted one, yields only older
	 * records.
	 */
	*newestFirst(olderThan?: string): Generator<T> {
		let index = olderThan === undefined ? this.inOrder.length : this.position(olderThan);
		while (index > 0) {
			index -= 1;
			const record = this.inOrder[index];
			if (record !== undefined) yield record;
		}
	}

	/** Returns the index of the first record with this ID or a higher one (binary search). */
	private position(id: string): number {
		let low = 0;
		let high = this.inOrder.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			const record = this.inOrder[middle];
			if (record !== undefined && record._id < id) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
