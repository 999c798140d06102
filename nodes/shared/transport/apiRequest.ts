import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { isKnownMessage, says } from '../serviceMessages';
import { LONGEST_SERVICE_TEXT } from '../truncate';
import { fieldsIn, isDataObject } from '../values';
import { MOST_RENEWALS } from './credential/accessToken';
import { apiError, type RequestInfo } from './errors/apiError';
import { explainNoResponse } from './errors/connectionErrors';
import { explainRefusal, explainStatus, explainUnexpected } from './errors/responseErrors';
import { HTTP_OPTIONS, TIMEOUT } from './credential/credentialRequest';
import { MultipartBody } from './multipart';
import { isTransientStatus } from './retry';
import { isChange, sharedState, type RefusalCertainty } from './sharedState';

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
	/** Time limit in whole milliseconds, from sending the request to the last byte of its response. */
	timeout?: number;
	/** Whether the request is sent even if the execution was canceled, and is not aborted by a cancellation. */
	evenIfCanceled?: boolean;
	/** Aborts when time is up: the request, even if it is a change, and the wait for an access token. Only for clean-up. */
	deadline?: AbortSignal;
} & Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

/** The envelope of every response (emulator/openapi.yaml, Envelope). */
export type Envelope = {
	/** Absent when the operation returns no data. */
	data?: IDataObject[string];
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
	const { method = 'GET', body, evenIfCanceled = false, deadline, ...rest } = request;
	const options: IHttpRequestOptions = {
		...rest,
		...(body && bodyOptions(body)),
		method,
		...HTTP_OPTIONS,
	};
	const node = this.getNode();
	// The trigger, the lists of the editor and the page of Send and Wait have no Request Options.
	const hasRequestOptions = 'getInputData' in this;
	const { url, proxy } = request;
	const info: RequestInfo = { method, url, body, proxy, hasRequestOptions, usedCredentials: [] };
	const signal = 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
	const interrupts = { cancelSignal: evenIfCanceled ? undefined : signal, deadline };
	let response: IN8nHttpFullResponse;
	try {
		response = await sendWithValidToken(
			info,
			// Each attempt has an options object of its own, because `sharedState` uses it as a key.
			async () => await sendOnce(this, info, { ...options }, interrupts),
		);
	} catch (error) {
		throw apiError(node, info, explainNoResponse(info, error));
	}
	if (response.statusCode >= 300) throw apiError(node, info, explainStatus(info, response));
	return openEnvelope(node, info, response);
}

/**
 * Opens the envelope of a response.
 *
 * @throws NodeApiError if the response does not come from the service, or has `success: false` (with the service's message)
 */
export function openEnvelope(
	node: INode,
	request: RequestInfo,
	{ body, headers }: { body: unknown; headers?: IDataObject },
): Envelope {
	if (!isDataObject(body) || typeof body.success !== 'boolean') {
		throw apiError(node, request, explainUnexpected(request, body));
	}
	if (!body.success) throw apiError(node, request, explainRefusal(request, body.message));
	const envelope: Envelope = {};
	if (body.data !== undefined && body.data !== null) envelope.data = body.data;
	if (typeof body.total === 'number') envelope.total = body.total;
	const sentAt = Date.parse(String(headers?.date));
	if (!Number.isNaN(sentAt)) envelope.sentAt = sentAt;
	return envelope;
}

/**
 * Returns the options for a body. The JSON is written here, because n8n would send no body for an empty object
 * (httpRequest of n8n-core 1.122.48 and 2.41.1).
 */
function bodyOptions(
	body: NonNullable<ApiRequest['body']>,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	if (body instanceof MultipartBody) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

/**
 * Sends a request, and sends it again if its access token was refused and replaced: a read, or a change that certainly was not
 * carried out. The new token may be refused, too: a service may keep only one token per client, and two processes then
 * invalidate each other's token (not documented: oauth.token in emulator/openapi.yaml).
 */
async function sendWithValidToken(
	request: RequestInfo,
	send: () => Promise<IN8nHttpFullResponse>,
): Promise<IN8nHttpFullResponse> {
	for (let renewals = 0; ; renewals++) {
		const response = await send();
		const { token } = request.usedCredentials.at(-1) ?? {};
		const message = refusalMessageIn(response);
		const certainty = certaintyOfRefusal(response, message);
		if (certainty === undefined) {
			token?.recordAcceptance();
			return response;
		}
		// One word about access is not enough, because a change may have been carried out: "Sent, but 3 people have no push
		// token".
		const isOnlyToken = response.statusCode === 401 || says('tokenRefused', message);
		const maySendAgain = isOnlyToken || !isChange(request);
		const isRenewed = token?.recordRefusal(certainty) === true;
		if (!isRenewed || !maySendAgain || renewals >= MOST_RENEWALS) return response;
	}
}

/** Returns how certain it is that a response refuses the token, or undefined if it is about the data of the request. */
function certaintyOfRefusal(
	{ statusCode }: IN8nHttpFullResponse,
	message: string,
): RefusalCertainty | undefined {
	if (statusCode === 401) return 'certain';
	if (statusCode === 403) return 'likely';
	if (message === '') return statusCode === 400 ? 'possible' : undefined;
	if (says('aboutAccess', message)) return 'likely';
	return isKnownMessage(message) ? undefined : 'possible';
}

/** Returns the beginning of the message of a refusal (`success: false`), or an empty text for any other response. */
function refusalMessageIn({ statusCode, body }: IN8nHttpFullResponse): string {
	const { success, message } = fieldsIn(body);
	if (success !== false || isTransientStatus(statusCode)) return '';
	return String(message).slice(0, LONGEST_SERVICE_TEXT);
}

/**
 * Sends a request once. Canceling the execution aborts a request that reads, and an upload. It does not abort any other
 * change, because its outcome would be unknown. A deadline aborts every request, and replaces the cancel signal.
 *
 * @throws the error of n8n's helper or of the credential
 */
async function sendOnce(
	context: ApiContext,
	request: RequestInfo,
	options: IHttpRequestOptions,
	{ cancelSignal, deadline }: Record<'cancelSignal' | 'deadline', AbortSignal | undefined>,
): Promise<IN8nHttpFullResponse> {
	const signal = deadline ?? cancelSignal;
	const isUpload = options.body instanceof MultipartBody;
	const isAbortable = deadline !== undefined || isUpload || !isChange(request);
	const requestState = sharedState(options);
	requestState.cancelSignal = signal;
	let limit: AbortSignal | undefined;
	requestState.createAbortSignal = () => {
		// n8n's own timeout counts only idle time.
		limit = options.timeout === undefined ? undefined : AbortSignal.timeout(options.timeout);
		const signals = [limit, isAbortable ? signal : undefined].filter((one) => one !== undefined);
		return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
	};
	try {
		return await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options);
	} catch (error) {
		if (limit?.aborted || deadline?.aborted) throw TIMEOUT;
		const fileError = options.body instanceof MultipartBody ? options.body.file.error : undefined;
		throw requestState.credentialError ?? fileError ?? error;
	} finally {
		const { usedCredential } = requestState;
		if (usedCredential) request.usedCredentials.push(usedCredential);
	}
}
