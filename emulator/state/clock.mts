/** The emulator's time. Tests set or move it; token lifetimes and go-live times follow it. */
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

	/** Moves the time on; a clock that runs goes on running from there. */
	advance(milliseconds: number): void {
		this.offset += milliseconds;
	}

	/** Stops the clock at a point of time (milliseconds or ISO 8601). */
	set(time: number | string): void {
		const value = typeof time === 'number' ? time : Date.parse(time);
		if (Number.isNaN(value)) throw new Error(`Not a point of time: ${time}`);
		this.frozenAt = value;
		this.offset = 0;
	}

	/** Back to the clock it was started with. */
	reset(): void {
		this.frozenAt = undefined;
		this.offset = 0;
	}
}

/** A point of time as the service writes it. */
export function timestamp(time: number): string {
	return new Date(time).toISOString();
}
