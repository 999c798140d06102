import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.mts';

interface Envelope<T> {
	success: boolean;
	data?: T;
	message?: string;
}

/**
 * Creates a client of the service with axios, independent of the node's code. A request is a method and the path after
 * `/int/v1` with its query: `GET /campaign?limit=3`. URL and key are read for each request.
 */
export function clientOf(service: { readonly url: string; readonly accessKey: string }) {
	async function call<T = unknown>(
		request: string,
		data?: unknown,
		options: Pick<AxiosRequestConfig, 'maxRedirects' | 'timeout'> = {},
	): Promise<AxiosResponse<T>> {
		const [method, path = ''] = request.split(' ');
		return axios.request<T>({
			method,
			url: `${service.url}/int/v1${path}`,
			data,
			headers: { Authorization: `Bearer ${service.accessKey}` },
			validateStatus: () => true,
			timeout: 20_000,
			...options,
		});
	}

	/** Sends a call that must succeed. Returns its data. */
	async function ok<T = unknown>(request: string, body?: unknown): Promise<T> {
		const { status, data: envelope } = await call<Envelope<T>>(request, body);
		const { success, data } = envelope;
		if (status === 200 && success && data !== undefined) return data;
		throw new Error(`${request}: ${status} ${JSON.stringify(envelope)}`);
	}

	/** Sends a call that the service must refuse with `success: false`. Returns the message. */
	async function refused(request: string, body?: unknown): Promise<string> {
		const { status, data } = await call<Envelope<unknown>>(request, body);
		expect([request, status, data]).toEqual([
			request,
			200,
			{ success: false, message: expect.any(String) },
		]);
		return data.message ?? '';
	}

	return { call, ok, refused };
}

const start = Date.UTC(2026, 0, 31, 9, 0, 0);
/** Returns the time this many milliseconds after `start`, as the service writes it. */
export const timeAfter = (ms = 0): string => new Date(start + ms).toISOString();

/** An ID that does not exist. */
export const nobody = '000000000000000000000000';

const inheriting: <T>(prototype: null) => T = Object.create;

/**
 * Starts an emulator for a test file, with a client of a Super User. Resets the emulator before each
 * test, and checks after each test that the emulator's responses met the contract. Stops the emulator at the end.
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
	return { emulator, ...clientOf(emulator) };
}
