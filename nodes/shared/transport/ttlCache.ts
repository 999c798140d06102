/** A record as a list of the editor needs it: little, because thousands of them stay in memory for a while. */
export type Entry = {
	id: string;
	/** What the record is called; its id when nothing else is known of it. */
	name: string;
	/** The name as it is shown: with the id behind it where another entry would look the same. */
	shown: string;
	/** The state in words, where it is known. */
	state?: string;
	/** The status code as the service gives it. */
	status?: string;
	/** Address in the console. */
	url?: string;
	/** A few words below the name. */
	note?: string;
	categories?: string[];
};

/** How long a list is given out again, in milliseconds. */
const KEPT_MS = 60_000;

/** Below this many entries in all lists together nothing is dropped early; some 20 MB. */
const MOST_ENTRIES = 100_000;

/** `readAt` in milliseconds since the epoch; absent while the list is being read. */
type Kept<Item> = { entries: Promise<Item[]>; readAt?: number; size: number };

/**
 * Lists of the editor in the memory of the process, so that typing into a search does not ask the service for all pages
 * again. Nothing is given out after a minute; what is older is dropped at the next use.
 */
export class TtlCache<Item> {
	private readonly lists = new Map<string, Kept<Item>>();

	/** @param now milliseconds since the epoch; stands in for the clock in tests */
	constructor(private readonly now: () => number = () => Date.now()) {}

	/**
	 * Gives a list, reading it only when none is kept. However many callers ask at once, it is read once.
	 *
	 * @param key what the list is and whose, which callers with other rights must not share
	 * @throws what `read` throws; a failed reading is not kept
	 */
	async list(key: string, read: () => Promise<Item[]>): Promise<Item[]> {
		this.dropOld();
		const known = this.lists.get(key);
		if (known) return await known.entries;
		const kept: Kept<Item> = { entries: read(), size: 0 };
		this.lists.set(key, kept);
		kept.entries.then(
			({ length }) => {
				kept.readAt = this.now();
				kept.size = length;
				this.dropSurplus();
			},
			() => this.drop(key, kept),
		);
		return await kept.entries;
	}

	/** Drops everything, also what is being read: it may be from before a change. */
	clear(): void {
		this.lists.clear();
	}

	private dropOld(): void {
		const now = this.now();
		for (const [key, { readAt }] of this.lists) {
			// A list from the future is an old one too: the clock was put back.
			const isOld = readAt !== undefined && (readAt > now || now - readAt >= KEPT_MS);
			if (isOld) this.lists.delete(key);
		}
	}

	/** The oldest lists make room, even a single one that is too long to keep. */
	private dropSurplus(): void {
		let left = 0;
		for (const { size } of this.lists.values()) left += size;
		for (const [key, { size }] of this.lists) {
			if (left <= MOST_ENTRIES) return;
			if (size > 0) this.lists.delete(key);
			left -= size;
		}
	}

	private drop(key: string, kept: Kept<Item>): void {
		if (this.lists.get(key) === kept) this.lists.delete(key);
	}
}

/** The lists of all editors that this process serves. */
export const listCache = new TtlCache<Entry>();
