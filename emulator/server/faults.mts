import { pathTest, type PathPattern } from './pathPattern.mts';

/** A response instead of the service's; with `after`, the operation is carried out first. */
export interface ResponseFault {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
	after?: boolean;
}

/**
 * A redirect to another place. A URL without a path keeps the path and query of the request, as a gateway
 * that has moved does. With `after`, the operation is carried out first.
 */
export interface RedirectFault {
	redirectTo: string;
	/** Default 302. */
	status?: 301 | 302 | 303 | 307 | 308;
	after?: boolean;
}

/** What goes wrong. */
export type FaultAction =
	| ResponseFault
	| RedirectFault
	/** The service's own "no", in these words, for example about a whole group; nothing is done. */
	| { refuse: string }
	/** The connection breaks before anything is done. */
	| 'drop'
	/** The operation is carried out, and the connection breaks instead of a response. */
	| 'dropAfter'
	/** The response comes this much later (real time); other faults still apply. */
	| { delayMs: number }
	/** No response ever, and nothing is done. */
	| 'stall'
	/** The operation is carried out, and no response ever comes. */
	| 'stallAfter'
	/** The operation is carried out, and its response breaks off in the middle of the body. */
	| 'cutBody'
	/** The operation is carried out, half of the response body comes, and then nothing more. */
	| 'stallBody'
	/** 200 with an HTML page, as a proxy's login page. */
	| 'html'
	/** 200 with JSON that breaks off. */
	| 'brokenJson';

export interface Fault {
	match: {
		method?: string;
		/** The path without query; `*` and `:name` as placeholders, or a RegExp. Absent: every path. */
		path?: PathPattern;
	};
	/** How often it strikes; default 1, `Infinity` for always. */
	times?: number;
	/** How many matching requests pass first; default 0. */
	skip?: number;
	action: FaultAction;
}

interface ActiveFault {
	readonly fault: Fault;
	readonly matches: (path: string) => boolean;
	skipLeft: number;
	timesLeft: number;
}

/** Faults that tests ask for. The first one that matches strikes; delays add up with it. */
export class Faults {
	private active: ActiveFault[] = [];

	/** Adds a fault and gives back how to take it away again. */
	add(fault: Fault): () => void {
		const entry: ActiveFault = {
			fault,
			matches: fault.match.path === undefined ? () => true : pathTest(fault.match.path),
			skipLeft: fault.skip ?? 0,
			timesLeft: fault.times ?? 1,
		};
		this.active.push(entry);
		return () => {
			this.active = this.active.filter((other) => other !== entry);
		};
	}

	/** The same for a request by its method, if any, and its path behind `/int/v1`: `PUT /campaign/:id`. */
	on(request: string, action: FaultAction, rest: Pick<Fault, 'times' | 'skip'> = {}): () => void {
		const [path = '', method] = request.split(' ').reverse();
		return this.add({ match: { method, path: `/int/v1${path}` }, action, ...rest });
	}

	clear(): void {
		this.active = [];
	}

	/** The faults still to come. */
	list(): { fault: Fault; timesLeft: number; skipLeft: number }[] {
		return this.active.map(({ fault, timesLeft, skipLeft }) => ({ fault, timesLeft, skipLeft }));
	}

	/** The faults that strike this request, and counts them down: delays, and at most one other. */
	take(method: string, path: string): FaultAction[] {
		const actions: FaultAction[] = [];
		for (const entry of this.active) {
			const { match, action } = entry.fault;
			if (match.method !== undefined && match.method.toUpperCase() !== method) continue;
			if (!entry.matches(path)) continue;
			if (entry.skipLeft > 0) {
				entry.skipLeft -= 1;
				continue;
			}
			entry.timesLeft -= 1;
			actions.push(action);
			if (!isDelay(action)) break;
		}
		this.active = this.active.filter((entry) => entry.timesLeft > 0);
		return actions;
	}
}

/** Whether a fault only delays the response. */
export function isDelay(action: FaultAction): action is { delayMs: number } {
	return typeof action === 'object' && 'delayMs' in action;
}

/** What the log of requests calls a fault. */
export function faultName(action: FaultAction): string {
	if (typeof action === 'string') return action;
	if ('delayMs' in action) return 'delay';
	if ('refuse' in action) return 'refuse';
	if ('redirectTo' in action) return `redirect ${action.status ?? 302}`;
	return `status ${action.status}`;
}

/** The response that replaces the service's; `undefined` if the fault only breaks the connection. */
export function replacementResponse(action: FaultAction, url: string): ResponseFault | undefined {
	if (action === 'html') {
		return {
			status: 200,
			headers: { 'content-type': 'text/html; charset=utf-8' },
			body: '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
		};
	}
	if (action === 'brokenJson') {
		return {
			status: 200,
			headers: { 'content-type': 'application/json; charset=utf-8' },
			body: '{"success":true,"data":[{"_id":"65',
		};
	}
	if (typeof action === 'string' || 'delayMs' in action || 'refuse' in action) return undefined;
	if ('redirectTo' in action) {
		const target = new URL(action.redirectTo);
		const location = target.pathname === '/' ? new URL(url, target) : target;
		return {
			status: action.status ?? 302,
			headers: { location: location.href },
			after: action.after ?? false,
		};
	}
	return action;
}
