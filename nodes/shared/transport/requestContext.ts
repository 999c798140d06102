import type { IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

/** n8n's `helpers.httpRequest`. */
export type SendRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/**
 * How certain a refusal of the token is: `certain` after HTTP 401, and `possible` after 403 or a message about access.
 */
export type TokenRefusal = 'certain' | 'possible';

/** An access token that one request uses. */
export type AccessToken = {
	value: string;
	/** Records that the service accepted the token. */
	accepted(): void;
	/** Records that the service refused the token. Returns whether to send the request again with a new token. */
	refused(refusal: TokenRefusal): boolean;
};

/** Base URL and credential of a request that was sent. */
export type UsedCredential = {
	/** As returned by `normalizeBaseUrl`. */
	baseUrl: string;
	/** Texts to hide in errors (secretsOf). */
	secrets: () => string[];
	/** Access token. Absent if the credential uses an access key. */
	token?: AccessToken;
};

/** What the transport and the credential share about one request. */
export type RequestContext = {
	/** n8n's `helpers.httpRequest`, for requests of the credential itself. */
	httpRequest?: SendRequest;
	/**
	 * When the execution is canceled, ends the wait for an access token. This applies even to a change: only a change
	 * in flight is not aborted.
	 */
	cancelSignal?: AbortSignal;
	/**
	 * Called right before the request is sent. Returns the signal that aborts the request, in place of the cancel signal
	 * that n8n sets (httpRequestWithAuthentication of n8n-core 1.122.48 and 2.41.1).
	 */
	startSending?: () => AbortSignal | undefined;
	/** Absent when the credential refused to send the request. */
	usedCredential?: UsedCredential;
	/**
	 * The error that the credential threw, because n8n 1 loses this error (ExecutionBaseError of n8n-workflow 1.120.31).
	 */
	unsentBecause?: unknown;
};

// n8n passes one credentials object to both preAuthentication and authenticate. n8n passes the
// request's own options object to authenticate, not a copy (CredentialsHelper of n8n 1.123.81 and
// 2.41.1). Both objects can therefore be keys.
const contexts = new WeakMap<object, RequestContext>();

/** Returns the context of a credentials object or of a request's options. */
export function requestContext(key: object): RequestContext {
	let context = contexts.get(key);
	if (!context) {
		context = {};
		contexts.set(key, context);
	}
	return context;
}

/** Whether a request changes something, so that its outcome matters. */
export function isChange({ method }: { method: IHttpRequestMethods }): boolean {
	return method !== 'GET';
}
