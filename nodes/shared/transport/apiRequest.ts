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

import { says } from '../serviceMessages';
import { LONGEST_FOREIGN_TEXT } from '../truncate';
import { fieldsIn, isBlank, isDataObject } from '../values';
import { MOST_RENEWALS } from './accessToken';
import { apiError, type ErrorContext } from './errors/apiError';
import { explainNoResponse } from './errors/connectionErrors';
import { explainRefusal, explainStatus, explainUnexpected } from './errors/responseErrors';
import { TIMEOUT } from './fullResponse';
import { MultipartBody } from './multipart';
import { isChange, requestContext, type TokenRefusal } from './requestContext';

/** The longest time that a timer can run. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const CREDENTIAL = 'messagingServiceApi';

/** All function contexts that can send requests to the service. */
export type ApiContext =
	| IExecuteFunctions
	| IExecuteSingleFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

export type ApiRequest = {
	method?: IHttpRequestMethods;
	/** Path from the root of the service, IDs already encoded: `/int/v1/campaign`. */
	url: string;
	qs?: IDataObject;
	body?: IDataObject | MultipartBody;
	/** Time limit in milliseconds, from sending the request to the last byte of its response. */
	timeout?: number;
	/** Whether an empty response means success. Without it, such a response is an error. */
	acceptsEmpty?: boolean | undefined;
	/** Whether the request is sent even if the execution was canceled, and is not aborted by a cancellation. */
	evenIfCanceled?: boolean;
	/** Aborts the request and the wait for an access token. It aborts even a change, so it is only for clean-up. */
	deadline?: AbortSignal;
} & Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

/** The envelope of every response (emulator/openapi.yaml, Envelope). */
export type Envelope = {
	/** Absent when the operation returns no data. */
	data?: unknown;
	/** The total number of records. Only some lists return it. */
	total?: number;
	/** The time of the response by the service's clock, in milliseconds since the epoch. Absent without a Date header. */
	sentAt?: number;
};

/**
 * Sends one request to the service and opens the envelope of its response. Sends the request again only if the service
 * refused the access token, because a refused request was not carried out.
 *
 * @throws NodeApiError, with the service's own message if there is one
 */
export async function apiRequest(this: ApiContext, request: ApiRequest): Promise<Envelope> {
	const { method = 'GET', body, acceptsEmpty, evenIfCanceled = false, deadline, ...rest } = request;
	const options: IHttpRequestOptions = {
		...rest,
		...(body && withBody(body)),
		method,
		json: true,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	};
	const about: ErrorContext = {
		node: this.getNode(),
		request: {
			...{ method, url: request.url, body, proxy: request.proxy },
			// Only operations have Request Options. The trigger, the lists of the editor and the page of Send and Wait have
			// none.
			hasRequestOptions: 'getInputData' in this,
		},
		sent: [],
	};
	const canceled = 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
	const signal = deadline ?? (evenIfCanceled ? undefined : canceled);
	let response: IN8nHttpFullResponse;
	try {
		response = await withRenewals(
			about,
			async () => await sendOnce(this, about, { ...options }, signal, deadline !== undefined),
		);
	} catch (error) {
		throw apiError(about, explainNoResponse(about, error));
	}
	if (response.statusCode >= 300) throw apiError(about, explainStatus(about, response));
	return acceptsEmpty && isBlank(response.body) ? {} : openEnvelope(about, response);
}

/**
 * Opens the envelope of a response.
 *
 * @throws NodeApiError if the response has `success: false` (with the service's message), or does not come from the service
 */
export function openEnvelope(
	about: ErrorContext,
	{ body, headers }: { body: unknown; headers?: IDataObject },
): Envelope {
	if (!isDataObject(body) || typeof body.success !== 'boolean') {
		throw apiError(about, explainUnexpected(about, body));
	}
	if (!body.success) throw apiError(about, explainRefusal(about, body.message));
	const envelope: Envelope = {};
	if (body.data !== undefined && body.data !== null) envelope.data = body.data;
	if (typeof body.total === 'number') envelope.total = body.total;
	const sentAt = Date.parse(String(headers?.date));
	if (!Number.isNaN(sentAt)) envelope.sentAt = sentAt;
	return envelope;
}

/** Writes the JSON itself, because n8n would send no body for an empty object (httpRequest of n8n-core 1.122.48 and 2.41.1). */
function withBody(
	body: NonNullable<ApiRequest['body']>,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	if (body instanceof MultipartBody) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/**
 * Sends a request. A request whose access token is refused was not carried out, so it is sent again with a new token.
 * A service may keep only one token per client (not documented: oauth.token in emulator/openapi.yaml). Two processes
 * then invalidate each other's token, so the new token may be refused, too.
 */
async function withRenewals(
	{ request, sent }: ErrorContext,
	send: () => Promise<IN8nHttpFullResponse>,
): Promise<IN8nHttpFullResponse> {
	for (let renewals = 0; ; renewals++) {
		const response = await send();
		const { token } = sent.at(-1) ?? {};
		const isRead = !isChange(request);
		const refusal = tokenRefusalIn(response, isRead);
		if (refusal === undefined) {
			token?.accepted();
			return response;
		}
		// A 403 to a change gets a new token for the next request only.
		const maySendAgain = isRead || refusesOnlyToken(response);
		const isRenewed = token?.refused(refusal) === true;
		if (!isRenewed || !maySendAgain || renewals >= MOST_RENEWALS) return response;
	}
}

/** Returns how certain it is that a response refuses the token, or undefined if it does not refuse the token. */
function tokenRefusalIn(response: IN8nHttpFullResponse, isRead: boolean): TokenRefusal | undefined {
	if (response.statusCode === 401) return 'certain';
	if (response.statusCode === 403) return 'possible';
	const message = refusalMessageIn(response);
	if (message === '') return undefined;
	const isRefusal = says('tokenRefused', message) || (isRead && says('aboutAccess', message));
	return isRefusal ? 'possible' : undefined;
}

/**
 * Whether a response can only mean that the service refused the token, so that even a change can be sent again. One word
 * about access is not enough, because the change may have been carried out: "Sent, but 3 people have no push token".
 */
function refusesOnlyToken(response: IN8nHttpFullResponse): boolean {
	return response.statusCode === 401 || says('tokenRefused', refusalMessageIn(response));
}

/** Returns the beginning of the message of a response with `success: false`, or an empty text for any other response. */
function refusalMessageIn({ statusCode, body }: IN8nHttpFullResponse): string {
	const { success, message } = fieldsIn(body);
	if (success !== false || statusCode >= 500) return '';
	return String(message).slice(0, LONGEST_FOREIGN_TEXT);
}

/**
 * Sends a request once. Canceling the execution does not abort a change in flight, because its outcome would be unknown. Of
 * all changes, only an upload is aborted, and a request with a deadline.
 *
 * @throws the error of n8n's helper or of the credential
 */
async function sendOnce(
	context: ApiContext,
	{ request, sent }: ErrorContext,
	options: IHttpRequestOptions,
	signal: AbortSignal | undefined,
	hasDeadline: boolean,
): Promise<IN8nHttpFullResponse> {
	const isUpload = options.body instanceof MultipartBody;
	const isAborted = hasDeadline || isUpload || !isChange(request);
	// The options object of a request is the key of its context.
	const shared = requestContext(options);
	shared.cancelSignal = signal;
	let limit: AbortSignal | undefined;
	/** Starts the time limit. n8n's own timeout counts only idle time. */
	shared.startSending = () => {
		limit = options.timeout === undefined ? undefined : timeLimit(options.timeout);
		const signals = [limit, isAborted ? signal : undefined].filter((one) => one !== undefined);
		return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
	};
	try {
		const { httpRequestWithAuthentication } = context.helpers;
		return await httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	} catch (error) {
		if (limit?.aborted || (hasDeadline && signal?.aborted)) throw TIMEOUT;
		throw shared.unsentBecause ?? error;
	} finally {
		if (shared.usedCredential) sent.push(shared.usedCredential);
	}
}

/** Returns a signal that aborts after this time. A timer takes only whole milliseconds, and at most 25 days. */
function timeLimit(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
}
