import type { Switches } from '../switches.mts';

/** One request too many: a 429 response. */
export class TooManyRequests extends Error {
	override readonly name = 'TooManyRequests';
	/** Value of the Retry-After header, if there is one. */
	readonly retryAfter: string | undefined;

	constructor(retryAfter: string | undefined) {
		super('Too many requests');
		this.retryAfter = retryAfter;
	}
}

/** Counts requests in spans of machine time (switch rateLimit). */
export class RateLimit {
	private spanEnds = 0;
	private taken = 0;

	/** Begins a new span. */
	clear(): void {
		this.spanEnds = 0;
	}

	/** Throws TooManyRequests when this span has taken as many as it may. */
	take(limit: Switches['rateLimit']): void {
		if (limit === null) return;
		const now = Date.now();
		if (now >= this.spanEnds) {
			this.spanEnds = now + limit.perMilliseconds;
			this.taken = 0;
		}
		this.taken += 1;
		if (this.taken <= limit.requests) return;
		const seconds = Math.ceil((this.spanEnds - now) / 1000);
		if (limit.retryAfter === 'none') throw new TooManyRequests(undefined);
		throw new TooManyRequests(
			limit.retryAfter === 'seconds'
				? String(seconds)
				: new Date(now + seconds * 1000).toUTCString(),
		);
	}
}
