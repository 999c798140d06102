/** Time to live of a list. */
const KEPT_MS = 60_000;

/** Maximum entries of all lists together, about 20 MB. */
const MOST_ENTRIES = 100_000;

/** `readAt` is in milliseconds since the epoch, and absent while the list is being read. */
type Kept<Item> = { entries: Promise<Item[]>; readAt?: number; size: number };

/** Caches drop-down lists of the editor in memory, so that typing into a search does not read all pages again. */
export class TtlCache<Item> {
	/** The oldest list first. */
	private readonly lists = new Map<string, Kept<Item>>();

	/**
	 * Returns a list, reading it only if it is not cached. Concurrent callers share one read.
	 *
	 * @param key identifies the list and the account, because accounts have different rights
	 * @throws the error of `read`. A failed read is not cached
	 */
	async list(key: string, read: () => Promise<Item[]>): Promise<Item[]> {
		const known = this.lists.get(key);
		const age = Date.now() - (known?.readAt ?? Date.now());
		// If the age is below 0, the clock was set back, and the list is read again.
		if (known && age >= 0 && age < KEPT_MS) return await known.entries;
		const kept: Kept<Item> = { entries: read(), size: 0 };
		this.lists.delete(key);
		this.lists.set(key, kept);
		kept.entries.catch(() => {
			if (this.lists.get(key) === kept) this.lists.delete(key);
		});
		const entries = await kept.entries;
		kept.size = entries.length;
		kept.readAt = Date.now();
		this.dropSurplus();
		return entries;
	}

	/** Drops all lists. Lists that are being read are dropped, too, because they may lack the latest change. */
	clear(): void {
		this.lists.clear();
	}

	/** Drops the oldest lists until at most `MOST_ENTRIES` entries are left. Drops even the only list if it is too long. */
	private dropSurplus(): void {
		let kept = 0;
		for (const { size } of this.lists.values()) kept += size;
		for (const [key, { size }] of this.lists) {
			if (kept <= MOST_ENTRIES) return;
			if (size > 0) this.lists.delete(key);
			kept -= size;
		}
	}
}
