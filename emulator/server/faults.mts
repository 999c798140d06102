import { pathTest, type PathPattern } from './pathPattern.mts';

/** What goes wrong. */
export type FaultAction =
	/** An answer instead of the service's; with `after`, the operation is carried out first. */
	| { status: number; body?: unknown; headers?: Record<string, string>; after?: boolean }
	/** The connection breaks before anything is done. */
	| 'drop'
	/** The operation is carried out, and the connection breaks instead of an answer. */
	| 'dropAfter'
	/** The answer comes this much later (real time); other faults still apply. */
	| { delayMs: number }
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

export function isDelay(action: FaultAction): action is { delayMs: number } {
	return typeof action === 'object' && 'delayMs' in action;
}

export function isAnswer(
	action: FaultAction,
): action is { status: number; body?: unknown; headers?: Record<string, string>; after?: boolean } {
	return typeof action === 'object' && 'status' in action;
}
