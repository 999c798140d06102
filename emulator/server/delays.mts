/** Pending delays of the server. `stop()` and `reset()` of the emulator end all pending delays. */
export class Delays {
	private readonly pending = new Set<() => void>();
	private ended = false;

	/** Resolves to true after this many milliseconds (`Infinity`: never), or to false when `end` is called. */
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

	end(): void {
		this.ended = true;
		for (const end of [...this.pending]) end();
	}
}
