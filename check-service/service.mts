import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosResponse } from 'axios';
import { isObject } from '../emulator/server/guards.mts';
import { endpointOf } from './document.mts';

/** What the person with the account has: an access key, or an OAuth client. */
export type Login = { accessKey: string } | { clientId: string; clientSecret: string };

/** A request to the service, and its response. */
export type Exchange = {
	operationId: string;
	/** Undefined if no response arrived. */
	status: number | undefined;
	headers: Record<string, string>;
	/** The body: parsed JSON, or a text. */
	body: unknown;
	/** Whether the body is an envelope with `success: true`. */
	ok: boolean;
	data: unknown;
	/** The message of a refusal, or why no response arrived. */
	message: string;
	/** When the response arrived, in milliseconds since the epoch. */
	at: number;
};

export type Call = {
	/** The IDs in the path, in its order. */
	ids?: string[];
	query?: Record<string, string | number>;
	/** JSON, or form data. */
	body?: object;
	/** The bearer value to send instead of the own one, or null for no Authorization header. */
	bearer?: string | null;
};

export type ServiceOptions = {
	url: string;
	login: Login;
	/** Requests per second. */
	perSecond: number;
	/** The most requests in all. */
	most: number;
	/** The time for one response, in milliseconds. */
	timeoutMs: number;
	/** Ends the checks, for example on Ctrl-C. The clean-up goes on without it. */
	signal?: AbortSignal;
};

/** Why no further request is sent. */
export class CannotGoOn extends Error {
	override readonly name = 'CannotGoOn';
}

/** The longest response that is read. */
const LARGEST_BODY = 50_000_000;

/** After so many requests in a row without a response, no further one is sent. */
const MOST_SILENT = 4;

/** The longest pause after HTTP 429, in milliseconds. */
const LONGEST_PAUSE_MS = 10_000;

/** Sends requests to the service, a few per second, and keeps what came back. */
export class Service {
	readonly exchanges: Exchange[] = [];
	private next = 0;
	private silent = 0;
	private token: { value: string; until: number } | undefined;
	private readonly options: ServiceOptions;

	constructor(options: ServiceOptions) {
		this.options = { ...options };
	}

	get login(): Login {
		return this.options.login;
	}

	/** Lets the clean-up run: without the signal, and with requests of its own. */
	beginCleanUp(): void {
		delete this.options.signal;
		this.options.most = this.exchanges.length + 100;
		this.silent = 0;
	}

	/** Sends a request. @throws CannotGoOn if no further request may be sent */
	async call(operationId: string, call: Call = {}): Promise<Exchange> {
		const bearer = call.bearer === undefined ? await this.ownBearer() : call.bearer;
		for (let attempt = 1; ; attempt++) {
			const exchange = await this.send(operationId, call, bearer);
			if (exchange.status !== 429 || attempt === 3) return exchange;
			await this.pause(pauseOf(exchange));
		}
	}

	/** Requests an access token. @param secret the client's secret, or a wrong one */
	async requestToken(clientId: string, secret: string): Promise<Exchange> {
		const bearer = Buffer.from(`${clientId}:${secret}`).toString('base64');
		const body = { grant_type: 'client_credentials' };
		return await this.call('oauth.token', { bearer, body });
	}

	/** Returns the access key, or a valid access token. */
	private async ownBearer(): Promise<string> {
		const { login } = this.options;
		if ('accessKey' in login) return login.accessKey;
		if (this.token && Date.now() < this.token.until) return this.token.value;
		const { body } = await this.requestToken(login.clientId, login.clientSecret);
		const { access_token: value, expires_in: seconds } = isObject(body) ? body : {};
		if (typeof value !== 'string') return '';
		this.token = { value, until: Date.now() + (Number(seconds) || 60) * 800 };
		return value;
	}

	/** Forgets the access token, for example because another one may have revoked it. */
	forgetToken(): void {
		this.token = undefined;
	}

	private async pause(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: this.options.signal }).catch(() => undefined);
	}

	private async send(operationId: string, call: Call, bearer: string | null): Promise<Exchange> {
		const { perSecond, most, signal } = this.options;
		if (this.exchanges.length >= most) throw new CannotGoOn(`${most} requests were sent`);
		if (this.silent >= MOST_SILENT) throw new CannotGoOn('the service stopped responding');
		const now = Date.now();
		this.next = Math.max(this.next, now) + 1000 / perSecond;
		if (this.next - 1000 / perSecond > now) await this.pause(this.next - 1000 / perSecond - now);
		if (signal?.aborted) throw new CannotGoOn('the checks were stopped');
		const exchange = await this.respond(operationId, call, bearer);
		this.silent = exchange.status === undefined ? this.silent + 1 : 0;
		this.exchanges.push(exchange);
		return exchange;
	}

	private async respond(
		operationId: string,
		{ ids = [], query, body }: Call,
		bearer: string | null,
	): Promise<Exchange> {
		const { url, timeoutMs, signal } = this.options;
		const { method, path } = endpointOf(operationId);
		const rest = [...ids];
		const address = path.replace(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
		const none = { operationId, headers: {}, body: undefined, ok: false, data: undefined };
		const ends = AbortSignal.timeout(timeoutMs);
		try {
			const response = await axios.request<string>({
				method,
				url: `${url}${address}`,
				params: query,
				data: body,
				headers: bearer === null ? {} : { Authorization: `Bearer ${bearer}` },
				responseType: 'text',
				// axios would parse JSON by itself, whatever the type of the content.
				transformResponse: (text: string) => text,
				validateStatus: () => true,
				// A redirect could lead to another host.
				maxRedirects: 0,
				maxContentLength: LARGEST_BODY,
				signal: signal ? AbortSignal.any([signal, ends]) : ends,
			});
			return opened(operationId, response, bearer);
		} catch (error) {
			const why = ends.aborted ? `no response within ${timeoutMs / 1000} s` : codeOf(error);
			return { ...none, status: undefined, message: why, at: Date.now() };
		}
	}
}

/** Why a request failed. The message of axios could contain the address, and its other fields the key. */
function codeOf(error: unknown): string {
	const { code } = axios.isAxiosError(error) ? error : { code: undefined };
	return code ?? 'the request failed';
}

function opened(
	operationId: string,
	response: AxiosResponse<string>,
	bearer: string | null,
): Exchange {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value);
	// A service could repeat the key in its message.
	const text = bearer === null ? response.data : response.data.replaceAll(bearer, '…');
	const body = parsed(text);
	const envelope = isObject(body) ? body : {};
	const message = typeof envelope.message === 'string' ? envelope.message : '';
	return {
		...{ operationId, status: response.status, headers, body },
		ok: response.status < 300 && envelope.success === true,
		data: envelope.data,
		message,
		at: Date.now(),
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Returns how long to wait after HTTP 429, in milliseconds. */
function pauseOf({ headers, at }: Exchange): number {
	const after = headers['retry-after'] ?? '';
	const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - at;
	return Math.min(LONGEST_PAUSE_MS, ms > 0 ? ms : 1000);
}
