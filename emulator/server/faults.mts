import { pathTest } from './pathPattern.mts';

/** A response that replaces the response of the service. With `after`, the operation runs first. */
export interface ResponseFault {
	status: number;
	/** Without it, the response has 0 bytes. */
	body?: unknown;
	headers?: Record<string, string>;
	after?: boolean;
}

/**
 * A redirect. If `redirectTo` has no path, the redirect leads to the path and query of the request, as after a gateway
 * has moved. With `after`, the operation runs first.
 */
export interface RedirectFault {
	redirectTo: string;
	/** Default 302. */
	status?: 301 | 302 | 303 | 307 | 308;
	after?: boolean;
}

/** The effect of a fault. */
export type FaultAction =
	| ResponseFault
	| RedirectFault
	/** A failure response with this message. The operation does not run. */
	| { refuse: string }
	/** The connection breaks before the operation. */
	| 'drop'
	/** The connection breaks after the operation, so there is no response. */
	| 'dropAfter'
	/** The response is delayed in real time. Other faults still apply. */
	| { delayMs: number }
	/** There is no response, and the operation does not run. */
	| 'stall'
	/** The operation runs, but there is no response. */
	| 'stallAfter'
	/** After the operation, the connection breaks in the middle of the response body. */
	| 'cutBody'
	/** After the operation, the response stops in the middle of its body. */
	| 'stallBody'
	/** 200 with an HTML page, such as the login page of a proxy. */
	| 'html'
	/** 200 with incomplete JSON. */
	| 'brokenJson';

export interface Fault {
	match: {
		method?: string;
		/** A path without query that may contain `*` and `:name` as placeholders. Without `path`, every path matches. */
		path?: string;
	};
	/** The number of requests that the fault affects. The default is 1, and `Infinity` means all. */
	times?: number;
	/** The number of matching requests that the fault skips first. The default is 0. */
	skip?: number;
	action: FaultAction;
}

interface ActiveFault {
	readonly fault: Fault;
	readonly matches: (path: string) => boolean;
	skipLeft: number;
	timesLeft: number;
}

/**
 * The faults of a test. A request gets the first matching fault that is not a delay, and all matching delays before that
 * fault.
 */
export class Faults {
	private active: ActiveFault[] = [];

	/** Adds a fault. Returns a function that removes the fault. */
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

	/**
	 * Adds a fault for a path below `/int/v1`, such as `/campaign/:id` or `PUT /campaign/:id`. Returns a function that removes
	 * the fault.
	 */
	on(request: string, action: FaultAction, rest: Pick<Fault, 'times' | 'skip'> = {}): () => void {
		const [path = '', method] = request.split(' ').reverse();
		return this.add({ match: { method, path: `/int/v1${path}` }, action, ...rest });
	}

	clear(): void {
		this.active = [];
	}

	/** Returns the faults that apply to a request: delays, and at most one other fault. Counts this use of each fault. */
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

/** Returns the fault as the request log shows it: by its name, or by its first field, such as `status 503`. */
export const faultName = (action: FaultAction): string =>
	typeof action === 'string' ? action : (Object.entries(action)[0] ?? []).join(' ');

/** The bodies of the faults that are a page, all with HTTP 200. */
const pages: Partial<Record<string, [type: string, body: string]>> = {
	html: [
		'text/html',
		'<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>',
	],
	brokenJson: ['application/json', '{"success":true,"data":[{"_id":"65'],
};

/** Returns the response that a fault sends instead of the service's response, or undefined if the fault sends none. */
export function replacementResponse(action: FaultAction, url: string): ResponseFault | undefined {
	if (typeof action === 'string') {
		const [type, body] = pages[action] ?? [];
		return type === undefined
			? undefined
			: { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, body };
	}
	if ('delayMs' in action || 'refuse' in action) return undefined;
	if ('redirectTo' in action) {
		const { redirectTo, status = 302, after = false } = action;
		const target = new URL(redirectTo);
		const location = target.pathname === '/' ? new URL(url, target) : target;
		return { status, headers: { location: location.href }, after };
	}
	return action;
}
