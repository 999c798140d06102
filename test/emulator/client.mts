import axios, { type AxiosResponse } from 'axios';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.mts';

interface Envelope<T> {
	success: boolean;
	data?: T;
	message?: string;
	total?: number;
}

interface CallOptions {
	headers?: Record<string, string>;
	/** Default 5. */
	maxRedirects?: number;
	/** In milliseconds; default 20,000. */
	timeout?: number;
}

/**
 * An independent client of the service: axios, none of the node's code. A request is its method and its path behind
 * `/int/v1`, with its query: `GET /campaign?limit=3`. URL and key are read anew for each.
 */
export function clientOf(service: { readonly url: string; readonly accessKey: string }) {
	async function call<T = unknown>(
		request: string,
		data?: unknown,
		{ headers, ...options }: CallOptions = {},
	): Promise<AxiosResponse<T>> {
		const [method, path = ''] = request.split(' ');
		return axios.request<T>({
			method,
			url: `${service.url}/int/v1${path}`,
			data,
			headers: { Authorization: `Bearer ${service.accessKey}`, ...headers },
			validateStatus: () => true,
			maxBodyLength: Number.POSITIVE_INFINITY,
			timeout: 20_000,
			...options,
		});
	}

	/** Sends a call that must succeed; returns its data and its total. */
	async function list<T>(request: string, body?: unknown) {
		const { status, data: envelope } = await call<Envelope<T>>(request, body);
		const { success, data, total } = envelope;
		if (status !== 200 || !success || data === undefined)
			throw new Error(`${request}: ${status} ${JSON.stringify(envelope)}`);
		return { data, total };
	}

	/** A call that succeeds; gives back its data. */
	const ok = async <T = unknown,>(request: string, body?: unknown): Promise<T> =>
		(await list<T>(request, body)).data;

	/** A call that succeeds without data: the body is exactly `{ success: true }`. */
	async function done(request: string, body?: unknown): Promise<void> {
		const { status, data } = await call(request, body);
		expect([request, status, data]).toEqual([request, 200, { success: true }]);
	}

	/** A call that the service refuses in its own style; gives back the message. */
	async function refused(request: string, body?: unknown): Promise<string> {
		const { status, data } = await call<Envelope<unknown>>(request, body);
		expect([request, status, data]).toEqual([
			request,
			200,
			{ success: false, message: expect.any(String) },
		]);
		return data.message ?? '';
	}

	return { call, list, ok, done, refused };
}

/** A request with IDs in the place of their names: `GET /campaign/{live}`. */
export const withIds = (request: string, ids: Record<string, string>): string =>
	request.replace(/\{(\w+)\}/g, (_name, key: string) => ids[key] ?? key);

/** A point of time that the tests' clocks start from. */
export const start = Date.UTC(2026, 0, 31, 9, 0, 0);
/** That time and so many milliseconds, as the service writes it. */
export const timeAfter = (ms = 0): string => new Date(start + ms).toISOString();

/** An ID that nothing has. */
export const nobody = '000000000000000000000000';

const inheriting: <T>(prototype: null) => T = Object.create;

/**
 * One emulator for a test file, with clients of a Super User and of a plain user: stopped at the end, and checked after
 * each test not to have broken its own contract.
 */
export function useEmulator(options: EmulatorOptions = {}) {
	let running: Emulator | undefined;
	const emulator = new Proxy(inheriting<Emulator>(null), {
		get(_target, name): unknown {
			if (running === undefined) throw new Error('The emulator is not running');
			return Reflect.get(running, name);
		},
	});
	beforeAll(async () => {
		running = await startEmulator({ clock: () => start, ...options });
	});
	beforeEach(() => emulator.reset());
	afterEach(() => {
		expect(emulator.violations.filter(({ kind }) => kind === 'response')).toEqual([]);
	});
	afterAll(() => emulator.stop());
	const plain = clientOf({
		get url() {
			return emulator.url;
		},
		get accessKey() {
			return emulator.plainAccessKey;
		},
	});
	/** Checks what clients sent against the contract. */
	const expectViolations = (count: number): void => expect(emulator.violations).toHaveLength(count);
	return { emulator, plain, expectViolations, ...clientOf(emulator) };
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
export function first<T>(list: Iterable<T>): T {
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
