import type { SendRequest } from './fullResponse';

/** How sure it is that the service refused the token: a 401 is, a 403 or words about access may mean something else. */
export type TokenRefusal = 'certain' | 'possible';

/** An access token as one request uses it. */
export type AccessToken = {
	value: string;
	/** Notes that the service accepted it. */
	accepted(): void;
	/** Notes that the service refused it, and says whether to send the request again with another one. */
	refused(refusal: TokenRefusal): boolean;
};

/** What a request goes out with. */
export type SentWith = {
	/** As `normaliseBaseUrl` gives it. */
	baseUrl: string;
	/** The credential's method. */
	authentication: unknown;
	/** What must not be shown (secretsOf); asked for only when something fails. */
	secrets: () => string[];
	/** The access token of client credentials. */
	token?: AccessToken;
};

/** What transport and credential tell each other about a request. */
export type RequestContext = {
	/** n8n's own `helpers.httpRequest`, for the requests of the credential itself. */
	httpRequest?: SendRequest;
	/** Says that the execution was cancelled, also where the request itself must not be aborted. */
	cancelSignal?: AbortSignal;
	/** Absent when the credential refused to send the request. */
	sentWith?: SentWith;
	/** Why it refused: n8n 1 loses what a credential throws (ExecutionBaseError of n8n-workflow 1.120.31). */
	unsentBecause?: unknown;
};

// n8n hands one credentials object to preAuthentication and authenticate, and the options of a request to authenticate as
// they are (CredentialsHelper of n8n 1.123.81 and 2.41.1): by these objects each finds what the other said.
const contexts = new WeakMap<object, RequestContext>();

/** The context that belongs to a credentials object or to the options of a request. */
export function requestContext(key: object): RequestContext {
	let context = contexts.get(key);
	if (!context) {
		context = {};
		contexts.set(key, context);
	}
	return context;
}
