import axios, { type AxiosInstance, type AxiosResponse, type Method } from 'axios';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.mts';

export interface Envelope<T> {
	success: boolean;
	data?: T;
	message?: string;
	total?: number;
}

interface CallOptions {
	query?: Record<string, string | number>;
	body?: unknown;
	headers?: Record<string, string>;
	/** Default 5. */
	maxRedirects?: number;
	/** In milliseconds; default 20,000. */
	timeout?: number;
}

/** An independent client of the service: axios, none of the node's code. */
export class Client {
	private readonly http: AxiosInstance;

	constructor(url: string, token: string) {
		this.http = axios.create({
			baseURL: `${url}/int/v1`,
			headers: { Authorization: `Bearer ${token}` },
			validateStatus: () => true,
			maxBodyLength: Number.POSITIVE_INFINITY,
			maxContentLength: Number.POSITIVE_INFINITY,
			timeout: 20_000,
		});
	}

	async call<T = unknown>(
		method: Method,
		path: string,
		{ query, body, headers, ...rest }: CallOptions = {},
	): Promise<AxiosResponse<T>> {
		return this.http.request<T>({
			...rest,
			method,
			url: path,
			...(query === undefined ? {} : { params: query }),
			...(body === undefined ? {} : { data: body }),
			...(headers === undefined ? {} : { headers }),
		});
	}

	/** A call that succeeds; gives back the envelope with its data. */
	async ok<T = unknown>(
		method: Method,
		path: string,
		options: CallOptions = {},
	): Promise<{ data: T; total: number | undefined }> {
		const answer = await this.call<Envelope<T>>(method, path, options);
		const { success, data, total, message } = answer.data;
		if (answer.status !== 200 || !success) {
			throw new Error(
				`${method} ${path}: ${answer.status} ${message ?? JSON.stringify(answer.data)}`,
			);
		}
		if (data === undefined) throw new Error(`${method} ${path}: no data`);
		return { data, total };
	}

	/** A call that succeeds without data: the body is exactly `{ success: true }`. */
	async done(method: Method, path: string, options: CallOptions = {}): Promise<void> {
		const answer = await this.call(method, path, options);
		expect({ status: answer.status, body: answer.data }).toEqual({
			status: 200,
			body: { success: true },
		});
	}

	/** A call the service refuses in its own style; gives back the message. */
	async refused(method: Method, path: string, options: CallOptions = {}): Promise<string> {
		const answer = await this.call<Envelope<unknown>>(method, path, options);
		expect(answer.status).toBe(200);
		expect(Object.keys(answer.data).sort()).toEqual(['message', 'success']);
		expect(answer.data.success).toBe(false);
		return answer.data.message ?? '';
	}
}

/** A point of time that the tests' clocks start from. */
export const start = Date.UTC(2026, 0, 31, 9, 0, 0);

/**
 * One emulator for a test file: stopped at the end, and checked after each test not to have broken its
 * own contract.
 */
export function useEmulator(options: EmulatorOptions = {}): {
	readonly emulator: Emulator;
	readonly client: Client;
	readonly plain: Client;
} {
	let emulator: Emulator | undefined;
	const running = (): Emulator => {
		if (emulator === undefined) throw new Error('The emulator is not running');
		return emulator;
	};
	beforeAll(async () => {
		emulator = await startEmulator({ clock: () => start, ...options });
	});
	beforeEach(() => running().reset());
	afterEach(() => {
		expect(running().violations.filter((violation) => violation.kind === 'response')).toEqual([]);
	});
	afterAll(() => running().stop());
	return {
		get emulator() {
			return running();
		},
		get client() {
			return new Client(running().url, running().accessKey);
		},
		get plain() {
			return new Client(running().url, running().plainAccessKey);
		},
	};
}

/** Starts emulators for single tests, which end with the test even when it fails: one left behind would keep the run alive. */
export function ownEmulators(): (options?: EmulatorOptions) => Promise<Emulator> {
	const started: Emulator[] = [];
	afterEach(async () => {
		for (const emulator of started.splice(0)) await emulator.stop();
	});
	return async (options) => {
		const emulator = await startEmulator(options);
		started.push(emulator);
		return emulator;
	};
}

/** The first of a list that must not be empty. */
export function first<T>(list: readonly T[]): T {
	const [value] = list;
	if (value === undefined) throw new Error('The list is empty');
	return value;
}

// Jest's matchers have the type any, which would hide mistakes around them.

/** Any value of this constructor. */
export const any = (type: unknown): unknown => expect.any(type);
/** A text with this part. */
export const textWith = (part: string): unknown => expect.stringContaining(part);
/** A text that matches. */
export const textLike = (expression: RegExp): unknown => expect.stringMatching(expression);
