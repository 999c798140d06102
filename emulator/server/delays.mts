/** Pending delays of the server. `stop()` and `reset()` end them all. */
export class Delays {
	private readonly pending = new Set<() => void>();
	private ended = false;

	/** True after this many milliseconds (`Infinity`: never), false when `end` came first. */
	for(milliseconds: number): Promise<boolean> {
		if (this.ended) return Promise.resolve(false);
		return new Promise((resolve) => {
			const settle = (whole: boolean): void => {
				clearTimeout(timer);
				this.pending.delete(end);
				resolve(whole);
			};
			const end = (): void => settle(false);
			const timer = Number.isFinite(milliseconds)
				? setTimeout(() => settle(true), milliseconds)
				: undefined;
			this.pending.add(end);
		});
	}

	/** Ends what delays, and whatever would wait from now on. */
	end(): void {
		this.ended = true;
		for (const end of [...this.pending]) end();
	}
}
