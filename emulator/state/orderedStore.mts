export interface Identified {
	readonly _id: string;
}

/** Stores records by ID, and in ascending order of their IDs. */
export class OrderedStore<T extends Identified> {
	private readonly byId = new Map<string, T>();
	private lastId = '';

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
		if (record._id <= this.lastId)
			throw new Error(`Record IDs must ascend: ${record._id} after ${this.lastId}`);
		this.byId.set(record._id, record);
		this.lastId = record._id;
		return record;
	}

	get(id: string): T | undefined {
		return this.byId.get(id);
	}

	has(id: string): boolean {
		return this.byId.has(id);
	}

	delete(id: string): void {
		this.byId.delete(id);
	}

	/** Returns the records, oldest first. */
	values(): T[] {
		return [...this.byId.values()];
	}

	/** Returns the records, newest first. If `olderThan` is the ID of a record, even of a deleted one, only older records. */
	newestFirst(olderThan?: string): T[] {
		const isOlder = ({ _id }: T) => olderThan === undefined || _id < olderThan;
		return this.values().filter(isOlder).reverse();
	}
}
