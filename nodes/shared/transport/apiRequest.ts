import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { LONGEST_FOREIGN_TEXT } from '../truncate';
import { isDataObject } from '../typeGuards';
import { MOST_RENEWALS } from './accessToken';
import { openEnvelope, type Envelope } from './envelope';
import { looksLikeAccess, type ErrorContext } from './errors/apiError';
import { connectionError } from './errors/connectionErrors';
import { statusError } from './errors/responseErrors';
import { listCache } from './ttlCache';
import { MultipartBody } from './multipart';
import { checkRedirect, followOnHost } from './address';
import { requestContext, type SentWith, type TokenRefusal } from './requestContext';

export const CREDENTIAL = 'messagingServiceApi';

/** Every kind of function context that talks to the service. */
export type ApiContext =
	| IExecuteFunctions
	| IExecuteSingleFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

export type ApiRequest = {
	method?: IHttpRequestMethods;
	/** Path from the root of the service, ids already encoded: `/int/v1/campaign`. */
	url: string;
	qs?: IDataObject;
	body?: IDataObject | MultipartBody;
	/** Ends the request, where n8n has no execution to cancel: in the lists of the editor. */
	deadline?: AbortSignal;
} & Pick<IHttpRequestOptions, 'timeout' | 'proxy' | 'skipSslCertificateValidation'>;

/** A response, and what its request went out with. */
type Response = IN8nHttpFullResponse & { sentWith?: SentWith };

/**
 * Sends one request to the service and opens the envelope of its response. Never repeats a request, except one that the
 * service refused because of its access token: refused is not carried out.
 *
 * @throws NodeApiError, with the service's own message when it gave one
 */
export async function apiRequest(this: ApiContext, request: ApiRequest): Promise<Envelope> {
	const { method = 'GET', body, deadline, ...rest } = request;
	const options: IHttpRequestOptions = {
		...rest,
		...(body === undefined ? {} : withBody(body)),
		...(deadline && { abortSignal: deadline }),
		method,
		json: true,
		// n8n would send the credentials along to any place, and make a GET of a POST (n8n-core 1.122.48 and 2.41.1).
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const about: ErrorContext = {
		node: this.getNode(),
		request: { method, url: request.url, body, proxy: request.proxy, deadline },
		sent: [],
	};
	const response = await sendWithRenewals(this, about, options)
		.catch((error: unknown) => {
			throw connectionError(about, error);
		})
		.finally(() => {
			// After testing a step in the editor, the lists of the next step must include what it created.
			if (method !== 'GET' && this.getMode?.() === 'manual') listCache.clear();
		});
	if (response.statusCode >= 300) throw statusError(about, response);
	const envelope = openEnvelope(about, response.body);
	const sentAt = Date.parse(String(response.headers?.date));
	return Number.isNaN(sentAt) ? envelope : { ...envelope, sentAt };
}

/** An empty object as text: n8n would send no body at all for it (httpRequest of n8n-core 1.122.48 and 2.41.1). */
function withBody(
	body: NonNullable<ApiRequest['body']>,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	const isEmpty = !(body instanceof MultipartBody) && Object.keys(body).length === 0;
	return isEmpty ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : { body };
}

/**
 * Sends a request, again with another access token where the service refused the first: refused is not carried out. A
 * service may keep one token a client, which two processes then take from each other (not shown: oauth.token in
 * emulator/openapi.yaml), so the new one may be refused, too.
 *
 * @throws RedirectError, or what n8n's helper or the credential throws
 */
async function sendWithRenewals(
	context: ApiContext,
	about: ErrorContext,
	options: IHttpRequestOptions,
): Promise<Response> {
	for (let renewals = 0; ; renewals++) {
		const response = await sendOnce(context, about, options);
		const { token } = response.sentWith ?? {};
		const refusal = tokenRefusalIn(response);
		if (refusal === undefined) token?.accepted();
		else if (renewals < MOST_RENEWALS && token?.refused(refusal)) continue;
		return response;
	}
}

/** Whether the service refused the caller, because of the token or perhaps because of it. */
function tokenRefusalIn({ statusCode, body }: IN8nHttpFullResponse): TokenRefusal | undefined {
	if (statusCode === 401) return 'certain';
	if (statusCode === 403) return 'possible';
	const { success, message } = isDataObject(body) ? body : {};
	if (success !== false || statusCode >= 500) return undefined;
	return looksLikeAccess(String(message).slice(0, LONGEST_FOREIGN_TEXT)) ? 'possible' : undefined;
}

/**
 * Sends a request, a read along the redirects on the service's own host.
 *
 * @throws RedirectError, or what n8n's helper throws
 */
async function sendOnce(
	context: ApiContext,
	about: ErrorContext,
	options: IHttpRequestOptions,
): Promise<Response> {
	const caller = isShortChange(options) ? notCancelled(context) : context;
	async function send(request: IHttpRequestOptions): Promise<Response> {
		// A new object for each: its context belongs to it alone.
		const own = { ...request };
		const shared = requestContext(own);
		shared.cancelSignal = cancelSignal(context);
		const { httpRequestWithAuthentication } = caller.helpers;
		try {
			const response: IN8nHttpFullResponse = await httpRequestWithAuthentication.call(
				caller,
				CREDENTIAL,
				own,
			);
			return { ...response, sentWith: shared.sentWith };
		} catch (error) {
			throw shared.unsentBecause ?? error;
		} finally {
			if (shared.sentWith) about.sent.push(shared.sentWith);
		}
	}
	const first = await send(options);
	if (first.sentWith === undefined) return first;
	const { baseUrl } = first.sentWith;
	if (options.method !== 'GET') {
		checkRedirect(baseUrl, options.url, first);
		return first;
	}
	const read = { ...options };
	// The address that the service names has the query in it.
	delete read.qs;
	return await followOnHost(
		baseUrl,
		options.url,
		first,
		async (url) => await send({ ...read, url }),
	);
}

function cancelSignal(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** Whether a request changes something and carries no file. */
function isShortChange({ method, body }: IHttpRequestOptions): boolean {
	return method !== 'GET' && !(body instanceof MultipartBody);
}

/**
 * The context without its cancel signal: n8n breaks off the requests of a cancelled execution, and of a change under way
 * nobody would know then whether it was carried out (n8n-core 1.122.48 and 2.41.1).
 */
export function notCancelled<Context extends ApiContext>(context: Context): Context {
	const quiet: Context = Object.create(context, {
		getExecutionCancelSignal: { value: () => undefined },
	});
	return quiet;
}
