import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { isDataObject } from '../typeGuards';
import { settle } from '../concurrency';
import { isChange, statusError } from './responseErrors';
import { connectionError } from './connectionErrors';
import { openEnvelope, type Envelope } from './envelope';
import { looksLikeAccess, type ErrorContext, type AdviceFor } from './errors';
import { listCache } from './ttlCache';
import { MultipartBody } from './multipart';
import { checkRedirect, followOnHost } from './redirect';
import {
	noteCancelSignal,
	sentWith,
	unsentBecause,
	type SentToken,
	type SentWith,
} from './requestContext';

export const CREDENTIAL = 'messagingServiceApi';

/** How often the access token is renewed for one request; each time another process has taken its place. */
const MOST_RENEWALS = 8;

/** Every kind of function context that talks to the service. */
export type ApiContext =
	| IExecuteFunctions
	| IExecuteSingleFunctions
	| ILoadOptionsFunctions
	| IPollFunctions;

export type ApiRequest = {
	method?: IHttpRequestMethods;
	/** Path from the root of the service, ids already encoded: `/int/v1/campaign`. */
	url: string;
	qs?: IDataObject;
	body?: IDataObject | MultipartBody;
} & Pick<IHttpRequestOptions, 'timeout' | 'proxy' | 'skipSslCertificateValidation'>;

/** An answer, and what its request went out with. */
type Answer = IN8nHttpFullResponse & { sent?: SentWith };

/** Sends a request once. @throws what n8n's helper throws when no answer comes */
type Send = () => Promise<Answer>;

/**
 * Sends one request to the service and opens the envelope of its answer. Never repeats a request, except one that the
 * service refused because of its access token: refused is not carried out.
 *
 * @throws NodeApiError, with the service's own message when it gave one
 */
export async function sendRequest(
	this: ApiContext,
	request: ApiRequest,
	adviceFor: AdviceFor,
): Promise<Envelope> {
	const { method = 'GET', body, ...rest } = request;
	const options: IHttpRequestOptions = {
		...rest,
		...(body === undefined ? {} : withBody(body)),
		method,
		json: true,
		// n8n would send the credentials along to any place, and make a GET of a POST (n8n-core 1.122.48 and 2.41.1).
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const about: ErrorContext = {
		node: this.getNode(),
		request: { method, url: request.url, body },
		adviceFor,
		sent: [],
	};
	const answer = await answerTo(about, () => sendOnce(this, about, options)).finally(() => {
		// Who tries a step in the editor wants to see in the next step's list what it made.
		if (method !== 'GET' && this.getMode?.() === 'manual') listCache.forget();
	});
	if (answer.statusCode >= 300) throw statusError(about, answer);
	return openEnvelope(about, answer.body);
}

/** An empty object as text: n8n would send no body at all for it (httpRequest of n8n-core 1.122.48 and 2.41.1). */
function withBody(
	body: NonNullable<ApiRequest['body']>,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	const isEmpty = !(body instanceof MultipartBody) && Object.keys(body).length === 0;
	return isEmpty ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : { body };
}

/**
 * Sends a request, again with another access token where the service refused the first, and gives the last answer.
 *
 * @throws NodeApiError when there is none
 */
async function answerTo(about: ErrorContext, send: Send): Promise<Answer> {
	try {
		return await afterRenewal(about, send, await send());
	} catch (error) {
		throw connectionError(about, error);
	}
}

/**
 * The answer that counts: the first, unless its access token is to blame. A service may keep one token a client, which
 * two processes then take from each other (not shown: oauth.token in emulator/openapi.yaml), so the new one may be
 * refused, too; it is tried on the profile first, because whoever is refused for good would send a change again and again.
 */
async function afterRenewal(about: ErrorContext, send: Send, first: Answer): Promise<Answer> {
	let answer = first;
	for (let renewals = 0; renewals < MOST_RENEWALS; renewals++) {
		const { token } = answer.sent ?? {};
		if (token === undefined) return answer;
		const refusal = refusalIn(answer);
		if (refusal === undefined) {
			token.worked();
			return answer;
		}
		// What an expired token gets is not shown (security in emulator/openapi.yaml): a 401 is about the token, a 403 or
		// words about access may be about anything.
		const isSure = refusal === 'token' && renewals === 0;
		if (!isSure && !(await token.isRefused())) {
			about.tokenIsGood = true;
			return answer;
		}
		if (renewals === 0) token.renew();
		else if (!(await isRenewed(token))) return answer;
		answer = await send();
	}
	return answer;
}

/** Renews a token until the service takes the new one. */
async function isRenewed(token: SentToken): Promise<boolean> {
	for (let renewals = 0; renewals < MOST_RENEWALS && token.isWorthRenewing(); renewals++) {
		if (await token.renewAndTry()) return true;
	}
	return false;
}

/** Whether the service refused the caller: because of the token, or perhaps because of it. */
function refusalIn({ statusCode, body }: IN8nHttpFullResponse): 'token' | 'perhaps' | undefined {
	if (statusCode === 401) return 'token';
	if (statusCode === 403) return 'perhaps';
	const { success, message } = isDataObject(body) ? body : {};
	const isRefusal = success === false && statusCode < 500;
	return isRefusal && typeof message === 'string' && looksLikeAccess(message)
		? 'perhaps'
		: undefined;
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
): Promise<Answer> {
	const caller = isShortChange(options) ? notCancelled(context) : context;
	async function send(request: IHttpRequestOptions): Promise<Answer> {
		// A new object for each: the credential tells by it what it sent.
		const own = { ...request };
		noteCancelSignal(own, cancelSignal(context));
		const outcome = await settle<IN8nHttpFullResponse>(
			async () => await caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, own),
		);
		const sent = sentWith(own);
		// Nothing where the credential refused to send it.
		if (sent) about.sent.push(sent);
		if ('error' in outcome) throw unsentBecause(own) ?? outcome.error;
		return { ...outcome.result, sent };
	}
	const answer = await send(options);
	if (answer.sent === undefined) return answer;
	const { baseUrl } = answer.sent;
	if (isChange(about.request)) {
		checkRedirect(baseUrl, options.url, answer);
		return answer;
	}
	const read = { ...options };
	// The address that the service names has the query in it.
	delete read.qs;
	return await followOnHost(
		baseUrl,
		options.url,
		answer,
		async (url) => await send({ ...read, url }),
	);
}

function cancelSignal(context: ApiContext): IHttpRequestOptions['abortSignal'] {
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
