import type { IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

/** n8n's `helpers.httpRequest`. */
export type SendRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/**
 * How certain it is that the service refused the token: `certain` after HTTP 401, `likely` after 403 or a message about
 * access, `possible` after any other refusal whose message has no documented meaning.
 */
export type RefusalCertainty = 'certain' | 'likely' | 'possible';

/** An access token that one request uses. */
export type AccessToken = {
	value: string;
	/** Records that the service accepted the token. */
	recordAcceptance(): void;
	/** Records that the service refused the token. Returns whether to send the request again with a new token. */
	recordRefusal(certainty: RefusalCertainty): boolean;
};

/** The Base URL and the credential of one attempt to send a request. */
export type UsedCredential = {
	/** As returned by `normalizeBaseUrl`. */
	baseUrl: string;
	/** Returns the texts to hide in errors (`secretsOf`). */
	secrets: () => string[];
	/** Access token. Absent if the credential uses an access key. */
	token?: AccessToken;
};

/**
 * What the transport and the credential share. n8n gives the credential two objects: its own decrypted data, and the options
 * of a request. Each of them has its own state.
 */
export type SharedState = {
	/** State of the credentials: n8n's `helpers.httpRequest`, for requests of the credential itself. */
	httpRequest?: SendRequest;
	/** State of both, once a request is authorized. Absent if the credential refused to send the request. */
	usedCredential?: UsedCredential;
	/**
	 * State of the options: ends the wait for an access token, even of a change, because a change that waits was not sent. If
	 * it is undefined, nothing ends the wait.
	 */
	cancelSignal?: AbortSignal;
	/**
	 * State of the options: starts the time limit of the request, and returns the signal that aborts the request.
	 * `authenticate` calls it right before sending. The signal replaces the one that n8n sets
	 * (httpRequestWithAuthentication of n8n-core 1.122.48 and 2.41.1).
	 */
	createAbortSignal?: () => AbortSignal | undefined;
	/**
	 * State of the options: the error that the credential threw. n8n 1 loses it (ExecutionBaseError of n8n-workflow
	 * 1.120.31).
	 */
	credentialError?: unknown;
};

// n8n passes one credentials object to both preAuthentication and authenticate. n8n passes the
// request's own options object to authenticate, not a copy (CredentialsHelper of n8n 1.123.81 and
// 2.41.1). Both objects can therefore be keys.
const states = new WeakMap<object, SharedState>();

/** Returns the state of a credentials object, or of the options of one request. A new object gets an empty state. */
export function sharedState(key: object): SharedState {
	const state = states.get(key) ?? {};
	states.set(key, state);
	return state;
}

/** Whether a request may change something, so that its outcome matters: any method but GET. */
export function isChange({ method }: { method: IHttpRequestMethods }): boolean {
	return method !== 'GET';
}
