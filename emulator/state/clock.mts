/** The emulator's time, for token lifetimes and go-live times. Tests set or advance it. */
export class EmulatorClock {
	private offset = 0;
	private frozenAt: number | undefined;
	private readonly source: () => number;

	constructor(source: () => number = Date.now) {
		this.source = source;
	}

	now(): number {
		return (this.frozenAt ?? this.source()) + this.offset;
	}

	/** Advances the time; a running clock continues from there. */
	advance(milliseconds: number): void {
		this.offset += milliseconds;
	}

	/** Stops the clock at a point in time (milliseconds or ISO 8601). @throws for anything else */
	set(time: number | string): void {
		const value = typeof time === 'number' ? time : Date.parse(time);
		if (Number.isNaN(value)) throw new Error(`Not a point in time: ${time}`);
		this.frozenAt = value;
		this.offset = 0;
	}

	/** Returns to the clock that the emulator was started with. */
	reset(): void {
		this.frozenAt = undefined;
		this.offset = 0;
	}
}

/** Formats a time as the service writes it. */
export function timestamp(time: number): string {
	return new Date(time).toISOString();
}
