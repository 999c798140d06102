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
import { isChange, type UsedCredential } from '../requestContext';
import { hideSecrets } from '../secrets';

/** An error whose message and description the editor shows. */
export type ShownError = NodeApiError | NodeOperationError;

/** A request, as the texts of its errors need it. */
export type RequestInfo = {
	method: IHttpRequestMethods;
	url: string;
	body?: unknown;
	/** The proxy of Request Options. */
	proxy?: IHttpRequestOptions['proxy'];
	/** Whether the node has Request Options. The trigger, the lists of the editor and the credential test have none. */
	hasRequestOptions?: boolean;
};

/** A request, and the Base URL and credentials of each attempt to send it. `sent` is empty if it was never sent. */
export type SentRequest = { request: RequestInfo; sent: UsedCredential[] };

/** The context of an error about a request. */
export type ErrorContext = SentRequest & { node: INode };

/** Explains a failed request. */
export type Explanation = {
	message: string;
	/** What to check or to do next. */
	advice: string;
	/** The HTTP status or the code of the failed connection, or 'none' if there is neither. */
	httpCode: string;
	/**
	 * What became of the request, if the message does not say it: not sent, or sent without a clear response. A change with
	 * an unclear response may have been carried out.
	 */
	outcome?: 'unsent' | 'unclear';
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

/** Creates an error without secrets and of limited length. */
export function apiError(
	{ node, request, sent }: ErrorContext,
	{ message: text, advice, outcome, ...about }: Explanation,
): NodeApiError {
	const secrets = secretsIn(sent);
	const fullMessage = hideSecrets(text, secrets);
	const message = truncate(fullMessage, LONGEST_MESSAGE);
	const outcomeUnknown = outcome === 'unclear' && isChange(request);
	const became = outcome && (outcomeUnknown ? OUTCOMES.unknown : OUTCOMES[outcome]);
	const description = truncate(
		hideSecrets([became, advice].filter(Boolean).join(' '), secrets),
		LONGEST_DESCRIPTION,
	);
	const response: JsonObject = { message };
	const { httpCode, retryAfterMs, data } = about;
	const error = new NodeApiError(node, response, { message, description, httpCode });
	// The texts are set again, because n8n replaces messages that contain a system error code (NodeError,
	// setDescriptiveErrorMessage).
	Object.assign(error, { message, description });
	if (message !== fullMessage) error.context.fullMessage = fullMessage;
	if (outcomeUnknown) error.context.outcomeUnknown = true;
	if (retryAfterMs !== undefined) error.context.retryAfterMs = retryAfterMs;
	if (data !== undefined) error.context.data = data;
	return error;
}

const OUTCOMES = {
	unsent: 'Nothing was sent.',
	unclear: 'Nothing was changed, because this operation only reads.',
	unknown:
		'The request may or may not have been carried out. Check the service before you run the node again.',
};

/** Returns all secrets of the credentials with which a request was sent. */
export function secretsIn(sent: UsedCredential[]): string[] {
	return sent.flatMap(({ secrets }) => secrets());
}

/**
 * Returns the output item for a failed item of a node that continues on errors.
 *
 * @throws the error, with its item index, if the node does not continue
 */
export function errorItemOrThrow(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'continueOnFail'>,
	error: unknown,
	itemIndex: number,
): INodeExecutionData {
	const nodeError = errorOfItem(asNodeError(context.getNode(), error), itemIndex);
	if (!context.continueOnFail()) throw nodeError;
	return errorItem(nodeError, itemIndex);
}

/** Returns the output item for a failed item. @param error the error with its item index, as `errorOfItem` returns it */
export function errorItem(error: ShownError, itemIndex: number): INodeExecutionData {
	const json = { error: error.message };
	return { json, error: asData(error), pairedItem: { item: itemIndex } };
}

/**
 * Returns an error as an object with its fields. With a real Error in an item, n8n cannot pass a list of items to an expression:
 * `$input.all()` is undefined then (isolated-vm in n8n 1.123.81 and 2.41.1).
 */
function asData<Some extends ShownError>(error: Some): Some {
	const data: Some = Object.create(
		Object.getPrototypeOf(error),
		Object.getOwnPropertyDescriptors(error),
	);
	return data;
}

/**
 * Returns the error with the number of its item. Several items may share one error object, for example if a list that all of
 * them need cannot be read. Each item then gets a copy.
 */
export function errorOfItem<Some extends ShownError>(error: Some, itemIndex: number): Some {
	const { itemIndex: known = itemIndex } = error.context;
	if (known === itemIndex) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	const copy: Some = Object.create(error, Object.getOwnPropertyDescriptors(error));
	copy.context = { ...error.context, itemIndex };
	return copy;
}

/** Returns an error as it is if it is a `ShownError`. Wraps any other error. */
export function asNodeError(node: INode, error: unknown): ShownError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Whether the service refused the caller, by status or by a message about the token. */
export function isAccessRefusal(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	if (error.httpCode === '401' || error.httpCode === '403') return true;
	return error.httpCode === '200' && says('aboutAccess', error);
}
