import type {
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { truncate, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from '../../truncate';
import { hideSecrets } from '../secrets';
import type { SentWith } from '../requestContext';

/** A request as far as its errors go by it. */
export type RequestInfo = {
	method: IHttpRequestMethods;
	url: string;
	body?: unknown;
	proxy?: IHttpRequestOptions['proxy'];
	/** What ends it after a time, other than an execution that is cancelled. */
	deadline?: AbortSignal;
};

/** All that an error about a request goes by. */
export type ErrorContext = {
	node: INode;
	request: RequestInfo;
	/** Base URL and credentials of each attempt to send the request; empty if it was never sent. */
	sent: SentWith[];
};

/** What an error says: `httpCode` is the HTTP status or the code of the failed connection; 'none' without either. */
export type Explanation = { message: string; description: string; httpCode: string };

/** Why there is no access: said in full by the message, with the field to check. Nothing was sent but this question. */
export class AccessError extends UserError {
	constructor(
		message: string,
		/** HTTP status of the response, or the code of the failed connection. */
		readonly httpCode?: string,
		/** How long the service asked to wait, in milliseconds. */
		readonly retryAfterMs?: number,
	) {
		super(message);
	}
}

/** Said of a request that asked for a change and got no response that tells what became of it. */
export const OUTCOME_UNKNOWN =
	'so the request may or may not have been carried out. Look in the service first, before you run this again.';

/** Whether an error says so of its request, or its context does (`outcomeUnknown`). */
export function isOutcomeUnknown(error: unknown): boolean {
	if (error instanceof NodeOperationError) return error.context.outcomeUnknown === true;
	return error instanceof NodeApiError && error.description?.includes(OUTCOME_UNKNOWN) === true;
}

/** Where Timeout, Batching and Ignore SSL Issues are (isNodeSetting of requestOptions in n8n-core 1.122.48 and 2.41.1). */
export const REQUEST_OPTIONS = 'under Request Options, on the Settings tab of the node';

/** What a 407 means, whatever it was to come of the request: nothing got past the proxy. */
export const PROXY_REFUSED = [
	'The proxy refused access (HTTP 407)',
	`Nothing was sent to the service. Check user and password in Proxy, ${REQUEST_OPTIONS}.`,
] as const;

/** Said of a response that the service does not give. */
export const CHECK_BASE_URL =
	'Check the Base URL in the credential: it is the address of the messaging service itself, not of its website or of a sign-in page.';

/** What an HTTP status means that another web server than the service's gave. */
export function otherServer(statusCode: number): string {
	return `There is no messaging service at the Base URL: another web server responded (HTTP ${statusCode})`;
}

/** Whether a response is HTML or XML, which the service does not send. @param body parsed, or its text when it is not JSON */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

/** Words that may mean "this token is no longer good"; their exact form is not shown (security, not shown in emulator/openapi.yaml). */
const TOKEN_REFUSED = /\btoken\b|unauthori[sz]ed|not authori[sz]ed|authenticat|access denied/i;

/** An error in words of ours or the service's, without secrets and of bounded length. */
export function apiError(
	about: Pick<ErrorContext, 'node' | 'sent'>,
	texts: Explanation,
): NodeApiError {
	const secrets = secretsIn(about);
	const fullMessage = hideSecrets(texts.message, secrets);
	const message = truncate(fullMessage, LONGEST_MESSAGE);
	const description = truncate(hideSecrets(texts.description, secrets), LONGEST_DESCRIPTION);
	const response: JsonObject = { message };
	const error = new NodeApiError(about.node, response, {
		message,
		description,
		httpCode: texts.httpCode,
	});
	// n8n puts words of its own in the place of any that hold a system's error code (NodeError, setDescriptiveErrorMessage).
	error.message = message;
	error.description = description;
	if (message !== fullMessage) error.context.fullMessage = fullMessage;
	return error;
}

/** All texts of the requests' credentials that must not be shown. */
export function secretsIn({ sent }: Pick<ErrorContext, 'sent'>): string[] {
	return sent.flatMap(({ secrets }) => secrets());
}

/**
 * The item that stands for a failed one when the node is set to continue on errors.
 *
 * @throws the error, with its item index, when the node is not
 */
export function failedItem(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'continueOnFail'>,
	error: unknown,
	itemIndex: number,
): INodeExecutionData {
	const nodeError = asNodeError(context.getNode(), error);
	nodeError.context.itemIndex = itemIndex;
	if (!context.continueOnFail()) throw nodeError;
	return { json: { error: nodeError.message }, error: nodeError, pairedItem: { item: itemIndex } };
}

/** Any error as one of n8n's own two kinds, which the editor shows with its description. */
export function asNodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Whether a message of the service may be about who asks. */
export function looksLikeAccess(message: string): boolean {
	return TOKEN_REFUSED.test(message);
}

/** Whether the service refused the caller: by status, or by a message about the token. */
export function isAccessRefusal(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	if (error.httpCode === '401' || error.httpCode === '403') return true;
	return error.httpCode === '200' && looksLikeAccess(error.message);
}

/** Whether a request asks for a change, so that it matters whether it was carried out. */
export function isChange({ method }: RequestInfo): boolean {
	return method !== 'GET';
}

/** Whether the connection broke, so that it is unknown whether the request was carried out. */
export function isBrokenConnection(error: NodeApiError): boolean {
	return error.httpCode === 'ECONNRESET' || error.httpCode === 'ETIMEDOUT';
}
