import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../emulator/server/guards.mts';
import { endpointOf } from './contract.mts';

export type Row = Record<string, unknown>;

/** A request to the service, and its response. */
export type Exchange = ReturnType<typeof opened> & {
	operationId: string;
	/** Undefined if no response arrived. */
	status: number | undefined;
	headers: Record<string, string>;
	/** The HTTP status and the message of a refusal, or why no response arrived. */
	said: string;
	/** When the response arrived, in milliseconds since the epoch. */
	at: number;
};

export type Call = {
	/** The IDs in the path, in its order. */
	ids?: string[];
	query?: Record<string, string | number>;
	body?: object;
	/** The key to send instead of the own one, or null for no Authorization header. */
	key?: string | null;
};

export type ServiceOptions = {
	url: string;
	accessKey: string;
	/** The client ID and secret of OAuth, instead of an access key. */
	client?: [id: string, secret: string] | undefined;
	/** The most requests in all. */
	most: number;
	/** The time for one response, in milliseconds. */
	timeoutMs: number;
	/** Ends the checks, for example on Ctrl-C. The clean-up goes on without it. */
	signal?: AbortSignal;
};

/** Why no further request is sent. */
export class CannotGoOn extends Error {}

/** After so many requests in a row without a response, no further one is sent. */
const MOST_SILENT = 4;

/** The pause before each request, in milliseconds. */
const PAUSE_MS = 250;

/** The longest pause after HTTP 429, in seconds. */
const LONGEST_PAUSE_S = 10;

/** Sends requests to the service, a few per second, and keeps what came back. */
export class Service {
	readonly exchanges: Exchange[] = [];
	private readonly options: ServiceOptions;
	/** The number of requests before the clean-up. */
	private before = 0;

	constructor(options: ServiceOptions) {
		this.options = { ...options };
	}

	/** Lets the clean-up run: without the signal, and with requests of its own. */
	beginCleanUp(): void {
		delete this.options.signal;
		this.options.most = 100;
		this.before = this.exchanges.length;
	}

	/** Requests an access token for the client, or with another secret. @throws Error without a client */
	async requestToken(otherSecret?: string) {
		const { client } = this.options;
		if (!client) throw new Error('the account has an access key, not an OAuth client');
		const [id, secret] = client;
		const key = Buffer.from(`${id}:${otherSecret ?? secret}`).toString('base64');
		const body = { grant_type: 'client_credentials' };
		const exchange = await this.call('oauth.token', { key, body });
		const { access_token: token, expires_in: seconds } = isObject(exchange.body)
			? exchange.body
			: {};
		return { exchange, token: typeof token === 'string' ? token : undefined, seconds };
	}

	/** Uses a new access token from now on, if the account has a client. @throws Error if there is none */
	async signIn(): Promise<void> {
		if (!this.options.client) return;
		const { token, exchange } = await this.requestToken();
		if (token === undefined)
			throw new Error(`The service issued no access token: ${exchange.said}`);
		this.options.accessKey = token;
	}

	/** Sends a request. Repeats it after HTTP 429. @throws CannotGoOn if no further request may be sent */
	async call(operationId: string, call: Call = {}): Promise<Exchange> {
		let pauseMs = PAUSE_MS;
		for (let attempt = 1; ; attempt++) {
			await this.pause(pauseMs);
			const exchange = await this.send(operationId, call);
			this.exchanges.push(exchange);
			if (exchange.status !== 429 || attempt === 3) return exchange;
			pauseMs = Math.min(LONGEST_PAUSE_S, Number(exchange.headers['retry-after']) || 1) * 1000;
		}
	}

	/** Waits before a request. @throws CannotGoOn if it may not be sent */
	private async pause(ms: number): Promise<void> {
		const { most, signal } = this.options;
		const sent = this.exchanges.slice(this.before);
		const silent = sent.slice(-MOST_SILENT).filter(({ status }) => status === undefined);
		if (sent.length >= most) throw new CannotGoOn(`${most} requests were sent`);
		if (silent.length === MOST_SILENT) throw new CannotGoOn('the service stopped responding');
		await sleep(ms, undefined, { signal }).catch(() => undefined);
		if (signal?.aborted) throw new CannotGoOn('the checks were stopped');
	}

	private async send(operationId: string, { ids = [], query, body, key }: Call): Promise<Exchange> {
		const { url, accessKey, timeoutMs, signal } = this.options;
		const { method, path } = endpointOf(operationId);
		const rest = [...ids];
		const target = new URL(
			path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? '')),
			url,
		);
		for (const [name, value] of Object.entries(query ?? {}))
			target.searchParams.set(name, `${value}`);
		const sentKey = key === undefined ? accessKey : key;
		const ends = AbortSignal.timeout(timeoutMs);
		try {
			const response = await fetch(target, {
				method,
				headers: {
					...(sentKey !== null && { authorization: `Bearer ${sentKey}` }),
					...(body && { 'content-type': 'application/json' }),
				},
				...(body && { body: JSON.stringify(body) }),
				// A redirect could lead to another host.
				redirect: 'manual',
				signal: signal ? AbortSignal.any([signal, ends]) : ends,
			});
			const { status } = response;
			const headers: Exchange['headers'] = {};
			response.headers.forEach((value, name) => (headers[name] = value));
			const text = await response.text();
			// A service could repeat the key in its message.
			const content = opened(sentKey ? text.replaceAll(sentKey, '…') : text);
			const { ok, message } = content;
			return {
				...{ ...content, operationId, status, ok: ok && status < 300, at: Date.now() },
				headers,
				said: `HTTP ${status}${message === '' ? '' : `, "${message}"`}`,
			};
		} catch (error) {
			const said = ends.aborted ? `no response within ${timeoutMs / 1000} s` : reasonOf(error);
			return { ...opened(''), operationId, status: undefined, headers: {}, said, at: Date.now() };
		}
	}
}

/** Why a request failed. The message of an error could contain the address. */
function reasonOf(error: unknown): string {
	const { cause } = error instanceof Error ? error : {};
	return isObject(cause) && typeof cause.code === 'string' ? cause.code : 'the request failed';
}

/** Returns what is in a body: `data` as it is, as a list of records, and as a record. */
function opened(text: string) {
	let body: unknown = text;
	try {
		body = JSON.parse(text);
	} catch {
		// It remains a text.
	}
	const { success, message, data, total } = isObject(body) ? body : {};
	const rows: Row[] = Array.isArray(data) ? data.filter(isObject) : [];
	const record: Row = isObject(data) ? data : {};
	return {
		...{ body, data, rows, record },
		/** Whether the body is an envelope with `success: true`. */
		ok: success === true,
		total: typeof total === 'number' ? total : undefined,
		message: typeof message === 'string' ? message : isObject(body) ? '' : text.slice(0, 80),
	};
}
