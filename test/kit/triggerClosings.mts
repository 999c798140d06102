/** Whether the trigger has been shown a campaign as live since its last closing; `maybe` where n8n may have lost it. */
type Tracking = 'no' | 'maybe' | 'sure';

/** How often the closing of one campaign must and may be emitted. It knows nothing of how the trigger works. */
export class ExpectedClosings {
	private tracking: Tracking = 'no';
	/** When the trigger last learned something that n8n may not have saved. */
	private changedAt = -Infinity;
	private least = 0;
	private most = 0;
	/** The trigger was shown it as closed, but perhaps not all that it needs. */
	private isPossible = false;

	sawLive(now: number): void {
		// It may have been emitted before it was live again.
		this.countPossible();
		if (this.tracking !== 'sure') this.changedAt = now;
		this.tracking = 'sure';
	}

	/** @param isComplete whether nothing can have kept the trigger from emitting */
	sawClosed(now: number, isComplete: boolean): void {
		if (this.tracking === 'no') return;
		this.isPossible = true;
		if (!isComplete) return;
		if (this.tracking === 'sure') this.least++;
		this.countPossible();
		this.tracking = 'no';
		this.changedAt = now;
	}

	/** The campaign is not selected any more. */
	forget(now: number): void {
		if (this.tracking === 'no') return;
		this.countPossible();
		this.tracking = 'no';
		this.changedAt = now;
	}

	kill(lastSaved: number): void {
		if (this.changedAt > lastSaved) this.tracking = 'maybe';
	}

	/** Says what is wrong with so many emitted closings. */
	violation(given: number): string | undefined {
		this.countPossible();
		if (given >= this.least && given <= this.most) return undefined;
		return `closed: owed ${this.least} to ${this.most}, given ${given}`;
	}

	private countPossible(): void {
		if (this.isPossible) this.most++;
		this.isPossible = false;
	}
}
