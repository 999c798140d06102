import type {
	GenericValue,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { says } from '../../serviceMessages';
import { truncate, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from '../../truncate';
import { toUrl } from '../address';
import { hideSecrets } from '../secrets';
import type { UsedCredential } from '../requestContext';

/** What the advice of an error depends on. */
export type Asker = {
	/** The proxy of Request Options. */
	proxy?: IHttpRequestOptions['proxy'];
	/** Whether the node has Request Options. The trigger, the lists of the editor and the credential test have none. */
	hasRequestOptions?: boolean;
};

/** The parts of a request that determine the texts of its errors. */
export type RequestInfo = Asker & {
	method: IHttpRequestMethods;
	url: string;
	body?: unknown;
	/** Aborts the request and the waits before it. */
	deadline?: AbortSignal;
};

/** The context of an error about a request. */
export type ErrorContext = {
	node: INode;
	request: RequestInfo;
	/** Base URL and credentials of each attempt to send the request. Empty if it was never sent. */
	sent: UsedCredential[];
};

/** The texts of an error. */
export type Explanation = {
	message: string;
	description: string;
	/** The HTTP status or the code of the failed connection, or 'none' if there is neither. */
	httpCode: string;
	/** Whether the request is a change that may have been carried out. */
	outcomeUnknown?: boolean;
	/** How long the service asked to wait, in milliseconds. */
	retryAfterMs?: number;
	/** The response, prepared for storage (`storedData`). */
	data?: GenericValue | object;
};

/**
 * The credential got no access to the service, so the request of the node was not carried out. The message says what
 * to check.
 */
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

/** The text for a change whose response does not show the outcome. */
export const OUTCOME_UNKNOWN =
	'so the request may or may not have been carried out. Check the service before you run the node again.';

/**
 * Whether a change that failed may have been carried out. Workflows read this from `outcomeUnknown` in the context of
 * the error (docs/many-items.md).
 */
export function isOutcomeUnknown(error: unknown): boolean {
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	return isNodeError && error.context.outcomeUnknown === true;
}

/**
 * The place of Timeout, Batching and Ignore SSL Issues in the editor (isNodeSetting of requestOptions in n8n-core 1.122.48
 * and 2.41.1).
 */
export const REQUEST_OPTIONS = 'under Request Options, on the Settings tab of the node';

/** The message for a 407: the request did not get past the proxy. */
export const PROXY_REFUSED = 'The proxy refused access (HTTP 407)';

/** Returns advice for a 407. Without Proxy in Request Options, n8n takes the proxy from its environment variables. */
export function checkProxy(proxy: Asker['proxy']): string {
	const where = proxy
		? `Proxy, ${REQUEST_OPTIONS}`
		: "n8n's environment variables HTTP_PROXY and HTTPS_PROXY";
	return `Nothing was sent to the service. Check the user name and password in ${where}.`;
}

/** Returns advice for a response that does not come from the service. @param baseUrl the normalized Base URL, if known */
export function checkBaseUrl(baseUrl = ''): string {
	const origin = toUrl(baseUrl)?.origin ?? baseUrl;
	// People paste the address of a page of the console.
	const page = origin === baseUrl ? '' : ` If this is the address of a page, enter only ${origin}.`;
	return `Check the Base URL in the credential. It must be the address of the messaging service itself, not of its website or a sign-in page.${page}`;
}

/** Returns the message for a response of another web server. */
export function otherServer(statusCode: number): string {
	return `There is no messaging service at the Base URL: another web server responded (HTTP ${statusCode})`;
}

/** Whether a response is HTML or XML, which the service does not send. @param body parsed, or its text if it is not JSON */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

/** Creates an error without secrets and of limited length. */
export function apiError(
	{ node, sent }: Pick<ErrorContext, 'node' | 'sent'>,
	texts: Explanation,
): NodeApiError {
	const secrets = secretsIn({ sent });
	const fullMessage = hideSecrets(texts.message, secrets);
	const message = truncate(fullMessage, LONGEST_MESSAGE);
	const description = truncate(hideSecrets(texts.description, secrets), LONGEST_DESCRIPTION);
	const response: JsonObject = { message };
	const error = new NodeApiError(node, response, {
		message,
		description,
		httpCode: texts.httpCode,
	});
	// The texts are set again, because n8n replaces messages that contain a system error code (NodeError,
	// setDescriptiveErrorMessage).
	error.message = message;
	error.description = description;
	const { outcomeUnknown, retryAfterMs, data } = texts;
	const about = { outcomeUnknown: outcomeUnknown || undefined, retryAfterMs, data };
	if (message !== fullMessage) error.context.fullMessage = fullMessage;
	for (const [name, value] of Object.entries(about)) {
		if (value !== undefined) error.context[name] = value;
	}
	return error;
}

/** Returns all secrets of the requests' credentials. */
export function secretsIn({ sent }: Pick<ErrorContext, 'sent'>): string[] {
	return sent.flatMap(({ secrets }) => secrets());
}

/**
 * Returns the output item for a failed item of a node that continues on errors.
 *
 * @throws the error, with its item index, if the node does not continue
 */
export function failedItem(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'continueOnFail'>,
	error: unknown,
	itemIndex: number,
): INodeExecutionData {
	const nodeError = ownError(asNodeError(context.getNode(), error), itemIndex);
	if (!context.continueOnFail()) throw nodeError;
	const json = { error: nodeError.message };
	return { json, error: asData(nodeError), pairedItem: { item: itemIndex } };
}

/**
 * Returns an error as an object with its fields. With a real Error in an item, n8n cannot pass a list of items to an expression:
 * `$input.all()` is undefined then (isolated-vm in n8n 1.123.81 and 2.41.1).
 */
function asData<NodeError extends NodeApiError | NodeOperationError>(error: NodeError): NodeError {
	const data: NodeError = Object.create(
		Object.getPrototypeOf(error),
		Object.getOwnPropertyDescriptors(error),
	);
	return data;
}

/**
 * Returns the error with the number of its item. Several items may share one error object, for example if a list that all of
 * them need cannot be read. Each item then gets a copy.
 */
export function ownError<NodeError extends NodeApiError | NodeOperationError>(
	error: NodeError,
	itemIndex: number,
): NodeError {
	const { itemIndex: known = itemIndex } = error.context;
	if (known === itemIndex) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	const copy: NodeError = Object.create(error, Object.getOwnPropertyDescriptors(error));
	copy.context = { ...error.context, itemIndex };
	return copy;
}

/** Converts any error to one of n8n's two node errors, because the editor shows their descriptions. */
export function asNodeError(node: INode, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Whether the service refused the caller, by status or by a message about the token. */
export function isAccessRefusal(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	if (error.httpCode === '401' || error.httpCode === '403') return true;
	return error.httpCode === '200' && says('aboutAccess', error);
}
