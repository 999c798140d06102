import type { IHttpRequestOptions } from 'n8n-workflow';

/** What the credential put on a request, told to whoever must judge its answer. */
export type SentWith = {
	/** As `normaliseBaseUrl` gives it. */
	baseUrl: string;
	/** The credential's method. */
	authentication: unknown;
	/** What must not be shown (secretsOf); asked for only when something fails. */
	secrets: () => string[];
	/** The access token of client credentials. */
	token?: SentToken;
};

export type SentToken = {
	/** Notes that the service took it. */
	worked(): void;
	/**
	 * Whether the service refuses it for everything: `GET /int/v1/me` with it is refused as well (profile.get in
	 * emulator/openapi.yaml). Asked once for all requests that wait for the answer.
	 */
	isRefused(): Promise<boolean>;
	/** Sees to it that the next request goes out with another token. */
	renew(): void;
	/** Whether there is hope in one more token. */
	isWorthRenewing(): boolean;
	/** Renews it, and tells whether the service takes the new one. @throws AccessError when it gives none */
	renewAndTry(): Promise<boolean>;
};

// The engine hands the options of a request to the credential as they are (CredentialsHelper.authenticate of n8n
// 1.123.81 and 2.41.1): they say which request is meant.
const sent = new WeakMap<object, SentWith>();

/** Tells what a request goes out with. */
export function noteSentWith(options: IHttpRequestOptions, what: SentWith): void {
	sent.set(options, what);
}

/** What a request went out with; undefined when the credential refused to send it. */
export function sentWith(options: object): SentWith | undefined {
	return sent.get(options);
}

const cancelSignals = new WeakMap<IHttpRequestOptions, IHttpRequestOptions['abortSignal']>();

/** Tells what ends the waiting for an access token, where the request itself must not be broken off. */
export function noteCancelSignal(
	options: IHttpRequestOptions,
	signal: IHttpRequestOptions['abortSignal'],
): void {
	cancelSignals.set(options, signal);
}

/** What tells that the execution of a request was cancelled. */
export function cancelSignalOf(options: IHttpRequestOptions): IHttpRequestOptions['abortSignal'] {
	return cancelSignals.get(options) ?? options.abortSignal;
}

const unsent = new WeakMap<object, unknown>();

/** Tells why a request was not sent: n8n 1 loses what the credential throws (ExecutionBaseError of n8n-workflow 1.120.31). */
export function noteUnsent(options: IHttpRequestOptions, why: unknown): void {
	unsent.set(options, why);
}

/** Why the credential did not let a request go out; undefined when it did. */
export function unsentBecause(options: object): unknown {
	return unsent.get(options);
}
