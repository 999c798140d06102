import type {
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';

import { failedWith } from '../../failure';
import { says } from '../../serviceMessages';
import { truncate, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from '../../truncate';
import { isChange, type UsedCredential } from '../sharedState';
import { hideSecrets } from '../secrets';

/** An error whose message and description the editor shows. */
export type ShownError = NodeApiError | NodeOperationError;

/** What the errors of a request say about it. */
export type RequestInfo = {
	method: IHttpRequestMethods;
	url: string;
	body?: unknown;
	/** The proxy of Request Options. */
	proxy?: IHttpRequestOptions['proxy'];
	/** Whether the node has Request Options. The trigger, the lists of the editor and the credential test have none. */
	hasRequestOptions?: boolean;
	/** One for each attempt to send the request. Empty if it was never sent. */
	usedCredentials: UsedCredential[];
};

/** Explains a failed request. */
export type Explanation = {
	message: string;
	/** What to check or to do next. */
	advice: string;
	/** The HTTP status or the code of the failed connection, or 'none'. It decides about a retry (`isTransient`). */
	httpCode: string;
	/**
	 * What became of the request, if the message does not say it: not sent, or sent without a clear response. A change
	 * with an unclear response may have been carried out.
	 */
	outcome?: 'unsent' | 'unclear';
	/** How long the service asked to wait, in milliseconds. */
	retryAfterMs?: number;
};

/** The credential got no access token, so the request of the node was not sent. The message says what to check. */
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
 * The place of Timeout, Batching and Ignore SSL Issues in the editor (isNodeSetting of requestOptions in n8n-core
 * 1.122.48 and 2.41.1).
 */
export const REQUEST_OPTIONS = 'under Request Options, on the Settings tab of the node';

/** What the description of an error says if the request may have changed something. */
const MAY_BE_DONE =
	'The request may or may not have been carried out. Check the service before you run the node again.';

/** What the description of an error says if the request changed nothing. For a read, even an unclear outcome is harmless. */
const NOTHING_CHANGED = {
	unsent: 'Nothing was sent.',
	unclear: 'This request changed nothing, because it only reads.',
};

/**
 * Creates the error of a failed request, without secrets and of limited length. Its context may have `outcomeUnknown`,
 * `retryAfterMs`, and the `fullMessage` of a truncated message.
 */
export function apiError(
	node: INode,
	request: RequestInfo,
	{ outcome, httpCode, retryAfterMs, ...texts }: Explanation,
): NodeApiError {
	const secrets = secretsIn(request);
	const fullMessage = hideSecrets(texts.message, secrets);
	const message = truncate(fullMessage, LONGEST_MESSAGE);
	const outcomeUnknown = outcome === 'unclear' && isChange(request);
	const outcomeText = outcomeUnknown ? MAY_BE_DONE : outcome && NOTHING_CHANGED[outcome];
	const fullDescription = [outcomeText, texts.advice].filter(Boolean).join(' ');
	const description = truncate(hideSecrets(fullDescription, secrets), LONGEST_DESCRIPTION);
	const response: JsonObject = { message };
	const error = new NodeApiError(node, response, { message, description, httpCode });
	// The texts are set again, because n8n replaces messages that contain a system error code (NodeError,
	// setDescriptiveErrorMessage).
	Object.assign(error, { message, description });
	if (message !== fullMessage) error.context.fullMessage = fullMessage;
	if (outcomeUnknown) error.context.outcomeUnknown = true;
	if (retryAfterMs !== undefined) error.context.retryAfterMs = retryAfterMs;
	return error;
}

/** Returns the texts to hide in the errors of a request: the secrets of all attempts to send it. */
export function secretsIn({ usedCredentials }: RequestInfo): string[] {
	return usedCredentials.flatMap(({ secrets }) => secrets());
}

/**
 * Returns the output item for a failed item of a node that continues on errors.
 *
 * @param error any thrown value
 * @throws the error, as an error of the node with its item index, if the node does not continue
 */
export function errorItemOrThrow(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'continueOnFail'>,
	error: unknown,
	itemIndex: number,
): INodeExecutionData {
	const nodeError = asNodeError(context.getNode(), error);
	if (context.continueOnFail()) return errorItem(nodeError, itemIndex);
	nodeError.context.itemIndex = itemIndex;
	throw nodeError;
}

/**
 * Returns the output item for a failed item, with a copy of the error that has the index of the item: several items may have
 * the same error. JavaScript does not treat the copy as an Error. With a real Error in an item, `$input.all()` is undefined in
 * expressions (isolated-vm in n8n 1.123.81 and 2.41.1).
 */
export function errorItem(error: ShownError, itemIndex: number): INodeExecutionData {
	const copy: ShownError = Object.create(
		Object.getPrototypeOf(error),
		Object.getOwnPropertyDescriptors(error),
	);
	copy.context = { ...error.context, itemIndex };
	return { json: { error: error.message }, error: copy, pairedItem: { item: itemIndex } };
}

/** Returns an error of a node as it is. Wraps any other thrown value in an error of this node. */
export function asNodeError(node: INode, error: unknown): ShownError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Whether the service refused access: by HTTP 401 or 403, or with HTTP 200 by a message about access. */
export function isAccessRefusal(error: unknown): error is NodeApiError {
	return (
		failedWith(/^40[13]$/, error) || (failedWith(/^200$/, error) && says('aboutAccess', error))
	);
}

/** Whether the service refused a request for good, so that its record may be missing, or not be shared. */
export function isRefusal(error: unknown): error is NodeApiError {
	return failedWith(/^(200|40[0134]|410)$/, error);
}
