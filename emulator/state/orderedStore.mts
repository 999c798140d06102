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
		return this.enter(record);
	}

	/** Adds saved records, oldest first. Keeps the records that are there. */
	restore(records: readonly T[]): void {
		for (const record of records) if (!this.has(record._id)) this.enter(record);
	}

	protected enter(record: T): T {
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

	delete(id: string): void {
		const record = this.byId.get(id);
		if (record === undefined) return;
		this.byId.delete(id);
		this.inOrder.splice(this.inOrder.indexOf(record), 1);
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
		for (let index = this.inOrder.length - 1; index >= 0; index -= 1) {
			const record = this.inOrder[index];
			if (record && (olderThan === undefined || record._id < olderThan)) yield record;
		}
	}
}
