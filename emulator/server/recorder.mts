import type { Upload } from '../state/files.mts';
import { pathTest } from './pathPattern.mts';

export interface RecordedRequest {
	/** The requests are numbered from 1 in the order of arrival. */
	readonly number: number;
	readonly method: string;
	/** The path as received: percent-encoded, without the query. */
	readonly path: string;
	operationId?: string;
	readonly query: Record<string, unknown>;
	/** All headers as received, but with a masked value of `authorization`. */
	readonly headers: Record<string, string | string[] | undefined>;
	/** Whether the Authorization header is accepted, and the ID of its key if it is known. Its value is not recorded. */
	authorization: { ok: boolean; keyId?: string };
	/** The parsed JSON body. For a multipart request, only its text fields. */
	body?: unknown;
	upload?: Upload;
	/** The HTTP status, or 0 while the request is in flight or if the connection broke. */
	status: number;
	/** The envelope of the response. Of a list in `data`, its length. */
	response?: { success?: boolean; message?: string; items?: number };
	fault?: string;
	/** Violations of the contract by the request or its response. */
	readonly violations: string[];
}

/** A violation of the contract. */
export interface Violation {
	/** The side that violates the contract. With `response`, this is an error of the emulator. */
	kind: 'request' | 'response';
	method: string;
	path: string;
	operationId?: string;
	detail: string;
}

/** The log of the requests to the service and of the violations. */
export class Recorder {
	readonly requests: RecordedRequest[] = [];
	readonly violations: Violation[] = [];
	maxInFlight = 0;
	private readonly active = new Set<RecordedRequest>();

	begin(request: Omit<RecordedRequest, 'number' | 'status' | 'violations'>): RecordedRequest {
		const number = this.requests.length + 1;
		const record: RecordedRequest = { ...request, number, status: 0, violations: [] };
		this.requests.push(record);
		this.active.add(record);
		this.maxInFlight = Math.max(this.maxInFlight, this.active.size);
		return record;
	}

	end(record: RecordedRequest): void {
		this.active.delete(record);
	}

	violation(kind: Violation['kind'], record: RecordedRequest | undefined, detail: string): void {
		record?.violations.push(detail);
		const { method = '', path = '', operationId } = record ?? {};
		this.violations.push({ kind, method, path, operationId, detail });
	}

	/** Counts the logged requests. With a method or path, counts only the requests that match. */
	count(method?: string, pattern?: string): number {
		const matches = pattern === undefined ? () => true : pathTest(pattern);
		return this.requests.filter(
			(request) =>
				(method === undefined || request.method === method.toUpperCase()) && matches(request.path),
		).length;
	}

	clear(): void {
		this.requests.length = 0;
		this.violations.length = 0;
		this.maxInFlight = 0;
		this.active.clear();
	}
}
