/** Whether the trigger has seen a campaign live since its last closing; `maybe` if n8n may have lost this state. */
type Tracking = 'no' | 'maybe' | 'sure';

/** The oracle of one campaign's closings: how many must be emitted and how many may be. */
export class ExpectedClosings {
	private tracking: Tracking = 'no';
	/** When the trigger's state last changed; n8n may not have saved the change. */
	private changedAt = -Infinity;
	private least = 0;
	private most = 0;
	/** The trigger has seen the campaign closed, but may lack what it needs to emit the closing. */
	private isPossible = false;

	sawLive(now: number): void {
		// The closing may have been emitted before the campaign was live again.
		this.countPossible();
		if (this.tracking !== 'sure') this.changedAt = now;
		this.tracking = 'sure';
	}

	/** @param isComplete whether the trigger had everything that it needs to emit the closing */
	sawClosed(now: number, isComplete: boolean): void {
		if (this.tracking === 'no') return;
		this.isPossible = true;
		if (!isComplete) return;
		if (this.tracking === 'sure') this.least++;
		this.countPossible();
		this.tracking = 'no';
		this.changedAt = now;
	}

	/** The campaign is no longer selected. */
	forget(now: number): void {
		if (this.tracking === 'no') return;
		this.countPossible();
		this.tracking = 'no';
		this.changedAt = now;
	}

	kill(lastSaved: number): void {
		if (this.changedAt > lastSaved) this.tracking = 'maybe';
	}

	/** Describes why this number of emitted closings is wrong; undefined if it is right. */
	violation(emitted: number): string | undefined {
		this.countPossible();
		if (emitted >= this.least && emitted <= this.most) return undefined;
		return `closed: owed ${this.least} to ${this.most}, emitted ${emitted}`;
	}

	private countPossible(): void {
		if (this.isPossible) this.most++;
		this.isPossible = false;
	}
}
