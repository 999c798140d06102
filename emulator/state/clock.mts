/** The emulator's time, for token lifetimes and go-live times. Tests advance it. */
export class EmulatorClock {
	private offset = 0;

	/** @param source called for each reading of the time, because tests may replace Date.now */
	constructor(private readonly source: () => number = () => Date.now()) {}

	now(): number {
		return this.source() + this.offset;
	}

	/** Advances the time. The clock then continues from the new time. */
	advance(milliseconds: number): void {
		this.offset += milliseconds;
	}

	/** Undoes all calls of `advance`. */
	reset(): void {
		this.offset = 0;
	}
}

/** Formats a time as the service writes it. */
export function timestamp(time: number): string {
	return new Date(time).toISOString();
}
