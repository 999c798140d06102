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
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { renewRefusedToken } from './accessToken';
import type { Envelope } from './envelope';
import { openEnvelope } from './envelope';
import { MultipartBody } from './multipart';
import { isAccessRefusal, requestError, statusError } from './errors';

export const CREDENTIAL = 'messagingServiceApi';

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

/**
 * Sends one request to the service and opens the envelope of its answer. Never repeats a request, except one that the
 * service refused because of its access token.
 *
 * @throws NodeApiError, with the service's own message when it gave one
 */
export async function apiRequest(this: ApiContext, request: ApiRequest): Promise<Envelope> {
	const { method = 'GET', body, ...rest } = request;
	return await callService(this, method, async () => {
		const options: IHttpRequestOptions = {
			...rest,
			...(body === undefined ? {} : withBody(body)),
			method,
			disableFollowRedirect: method !== 'GET',
			json: true,
		};
		return openEnvelope(this.getNode(), await bodyOf(this, options));
	});
}

/** An empty object as text: n8n would send no body at all for it (httpRequest of n8n-core 1.122.48 and 2.41.1). */
function withBody(
	body: NonNullable<ApiRequest['body']>,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	const isEmpty = !(body instanceof MultipartBody) && Object.keys(body).length === 0;
	return isEmpty ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : { body };
}

/**
 * Sends a request and gives the body of the answer. The answer is taken whole, whatever its status, because n8n 1 throws
 * errors that have lost its headers (NodeError of n8n-workflow 1.120.31), `Retry-After` among them.
 *
 * @throws NodeApiError for an answer with an HTTP error status, or with a redirect that is not followed, as n8n makes it
 */
async function bodyOf(context: ApiContext, options: IHttpRequestOptions): Promise<unknown> {
	const caller = isShortChange(options) ? notCancelled(context) : context;
	const send = async (): Promise<IN8nHttpFullResponse> =>
		await caller.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, {
			...options,
			returnFullResponse: true,
			ignoreHttpStatusErrors: { ignore: true, except: [401] },
		});
	const sentAt = Date.now();
	const first = await send();
	// n8n 2 sees a 401 all the same and renews the token; n8n 1 knows no exceptions and leaves that to us.
	const renewed = first.statusCode === 401 && (await renewToken(context, sentAt));
	const { statusCode, headers, body } = renewed ? await send() : first;
	// From 300 on: a redirect that was not followed is no answer of the service either.
	if (statusCode >= 300) throw statusError(context.getNode(), statusCode, headers, body);
	return body;
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

async function callService<Result>(
	context: ApiContext,
	method: IHttpRequestMethods,
	attempt: () => Promise<Result>,
): Promise<Result> {
	const sentAt = Date.now();
	try {
		return await attempt();
	} catch (error) {
		// A 401 made the engine renew the token and send again already. What an expired token gets is not documented, so
		// 403 and a message about the token count too. Refused is not carried out: sending it again is safe.
		const maybeExpired = isAccessRefusal(error) && error.httpCode !== '401';
		if (maybeExpired && (await renewToken(context, sentAt))) {
			return await lastAttempt(context, method, attempt);
		}
		throw await explained(context, error, method);
	}
}

async function lastAttempt<Result>(
	context: ApiContext,
	method: IHttpRequestMethods,
	attempt: () => Promise<Result>,
): Promise<Result> {
	try {
		return await attempt();
	} catch (error) {
		throw await explained(context, error, method);
	}
}

async function renewToken(context: ApiContext, sentAt: number): Promise<boolean> {
	const credentials = await context.getCredentials(CREDENTIAL);
	if (credentials.authentication !== 'clientCredentials') return false;
	renewRefusedToken(credentials, sentAt);
	return true;
}

async function explained(
	context: ApiContext,
	error: unknown,
	method: IHttpRequestMethods,
): Promise<NodeApiError | NodeOperationError> {
	let authentication: unknown;
	if (isAccessRefusal(error)) {
		({ authentication } = await context.getCredentials(CREDENTIAL));
	}
	return requestError(context.getNode(), error, authentication, method !== 'GET');
}
