import type { Switches } from '../switches.mts';

/** A request above the rate limit, which gets a 429 response. */
export class TooManyRequests extends Error {
	override readonly name = 'TooManyRequests';
	/** @param retryAfter the value of the Retry-After header, if the response has one */
	constructor(readonly retryAfter: string | undefined) {
		super('Too many requests');
	}
}

/** Counts requests in periods of real time (switch rateLimit). */
export class RateLimit {
	private periodEnds = 0;
	private count = 0;

	/** Ends the current period. The next request starts a new period. */
	clear(): void {
		this.periodEnds = 0;
	}

	/** Counts a request. @throws TooManyRequests if the request is above the limit */
	take(limit: Switches['rateLimit']): void {
		if (limit === null) return;
		const now = Date.now();
		if (now >= this.periodEnds) {
			this.periodEnds = now + limit.perMilliseconds;
			this.count = 0;
		}
		this.count += 1;
		if (this.count <= limit.requests) return;
		const seconds = Math.ceil((this.periodEnds - now) / 1000);
		if (limit.retryAfter === 'none') throw new TooManyRequests(undefined);
		throw new TooManyRequests(
			limit.retryAfter === 'seconds'
				? String(seconds)
				: new Date(now + seconds * 1000).toUTCString(),
		);
	}
}
