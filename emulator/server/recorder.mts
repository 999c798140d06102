import type { UploadSummary } from './upload.mts';
import { pathTest, type PathPattern } from './pathPattern.mts';

/** What the Authorization header held; the value itself is not kept. */
export interface RecordedAuthorization {
	kind: 'none' | 'accessKey' | 'accessToken' | 'clientCredentials' | 'unknown';
	ok: boolean;
	/** Id of the access key or OAuth client, when it is a known one. */
	keyId?: string;
	/** Number of the access token, counted from 1 in the order they were given out. */
	tokenNumber?: number;
}

/** The envelope of the response, without its data. */
export interface ResponseSummary {
	success?: boolean;
	message?: string;
	/** Length of `data`, when it is a list. */
	items?: number;
	total?: number;
}

export interface RecordedRequest {
	/** From 1, in the order of arrival. */
	readonly number: number;
	readonly method: string;
	/** As it came in, without the query; percent-encoding is kept. */
	readonly path: string;
	operationId?: string;
	readonly query: Record<string, unknown>;
	/** The value of authorization is masked. */
	readonly headers: Record<string, string | string[] | undefined>;
	authorization: RecordedAuthorization;
	/** The parsed JSON body; of a multipart request only its text fields. */
	body?: unknown;
	upload?: UploadSummary;
	/** 0 while under way and for a connection that was dropped. */
	status: number;
	response?: ResponseSummary;
	/** The fault that changed this request, if any. */
	fault?: string;
	/** Details of what the contract does not allow about this request. */
	readonly violations: string[];
	/** Milliseconds of the machine's clock, not of the emulator's. */
	readonly startedAt: number;
	endedAt?: number;
}

/** Something the contract does not allow. */
export interface Violation {
	/** `response`: a fault of the emulator itself. */
	kind: 'request' | 'response';
	method: string;
	path: string;
	operationId?: string;
	detail: string;
}

export interface RequestSummary {
	total: number;
	inFlight: number;
	maxInFlight: number;
	/** Requests by operation; unknown paths count as 'unknown'. */
	byOperation: Record<string, number>;
	/** The most requests at the same time, by operation. */
	maxInFlightByOperation: Record<string, number>;
	violations: number;
}

const requestsKept = 50_000;
const requestsDroppedAtOnce = 5_000;
const violationsKept = 10_000;

/** Every request to the service, and what was wrong with it. Counts are complete, the log is bounded. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	readonly violations: Violation[] = [];
	maxInFlight = 0;
	private total = 0;
	private readonly active = new Set<RecordedRequest>();
	private readonly counts = new Map<string, { method: string; path: string; count: number }>();
	private readonly flights = new Map<string, { total: number; now: number; most: number }>();

	begin(
		request: Omit<RecordedRequest, 'number' | 'status' | 'violations' | 'startedAt'>,
	): RecordedRequest {
		this.total += 1;
		const record: RecordedRequest = {
			...request,
			number: this.total,
			status: 0,
			violations: [],
			startedAt: Date.now(),
		};
		this.requests.push(record);
		if (this.requests.length >= requestsKept + requestsDroppedAtOnce) {
			this.requests.splice(0, requestsDroppedAtOnce);
		}
		const key = `${record.method} ${record.path}`;
		const { method, path } = record;
		this.counts.set(key, { method, path, count: (this.counts.get(key)?.count ?? 0) + 1 });
		const operation = record.operationId ?? 'unknown';
		this.active.add(record);
		this.maxInFlight = Math.max(this.maxInFlight, this.active.size);
		const flight = this.flights.get(operation) ?? { total: 0, now: 0, most: 0 };
		flight.total += 1;
		flight.now += 1;
		flight.most = Math.max(flight.most, flight.now);
		this.flights.set(operation, flight);
		return record;
	}

	end(record: RecordedRequest): void {
		record.endedAt ??= Date.now();
		// Not so for a request that was under way when the log was cleared.
		if (!this.active.delete(record)) return;
		const flight = this.flights.get(record.operationId ?? 'unknown');
		if (flight !== undefined) flight.now -= 1;
	}

	violation(kind: Violation['kind'], record: RecordedRequest | undefined, detail: string): void {
		record?.violations.push(detail);
		if (this.violations.length >= violationsKept) return;
		const { method = '', path = '', operationId } = record ?? {};
		this.violations.push({ kind, method, path, operationId, detail });
	}

	/** How many requests there were, also those the log has dropped by now. */
	count(method?: string, pattern?: PathPattern): number {
		const matches = pattern === undefined ? () => true : pathTest(pattern);
		let count = 0;
		for (const counted of this.counts.values()) {
			if (method !== undefined && counted.method !== method.toUpperCase()) continue;
			if (matches(counted.path)) count += counted.count;
		}
		return count;
	}

	summary(): RequestSummary {
		const flights = [...this.flights];
		return {
			total: this.total,
			inFlight: this.active.size,
			maxInFlight: this.maxInFlight,
			byOperation: Object.fromEntries(flights.map(([operation, { total }]) => [operation, total])),
			maxInFlightByOperation: Object.fromEntries(flights.map(([name, { most }]) => [name, most])),
			violations: this.violations.length,
		};
	}

	clear(): void {
		this.requests.length = 0;
		this.violations.length = 0;
		this.maxInFlight = 0;
		this.total = 0;
		this.counts.clear();
		this.active.clear();
		this.flights.clear();
	}
}
