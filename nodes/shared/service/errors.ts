import type { IExecuteSingleFunctions, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { cut, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from '../texts';
import type { Asked } from './advice';
import { hideSecrets } from './secrets';
import type { SentWith } from './sentWith';

/** All that an error about a request goes by. */
export type About = {
	node: INode;
	asked: Asked;
	/** What the request went out with, each time it was sent; none when it was not. */
	sent: SentWith[];
	/** Whether the service took the access token for the profile of its owner when it was asked. */
	tokenIsGood?: boolean;
};

/** Words that may mean "this token is no longer good"; their exact form is not shown (security, not shown in emulator/openapi.yaml). */
const TOKEN_REFUSED = /\btoken\b|unauthori[sz]ed|not authori[sz]ed|authenticat|access denied/i;

/**
 * An error in words of ours or the service's, without secrets and of bounded length.
 *
 * @param httpCode HTTP status or code of the failed connection; 'none' without either
 */
export function apiError(
	about: About,
	texts: { message: string; description: string; httpCode: string },
): NodeApiError {
	const secrets = secretsIn(about);
	const message = cut(hideSecrets(texts.message, secrets), LONGEST_MESSAGE);
	const description = cut(hideSecrets(texts.description, secrets), LONGEST_DESCRIPTION);
	const response: JsonObject = { message };
	const error = new NodeApiError(about.node, response, {
		message,
		description,
		httpCode: texts.httpCode,
	});
	// n8n puts words of its own in the place of any that hold a system's error code (NodeError, setDescriptiveErrorMessage).
	error.message = message;
	error.description = description;
	return error;
}

/** All texts of the requests' credentials that must not be shown. */
export function secretsIn({ sent }: About): string[] {
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

/** Whether the connection broke, so that it is unknown whether the request was carried out. */
export function isBrokenConnection(error: NodeApiError): boolean {
	return error.httpCode === 'ECONNRESET' || error.httpCode === 'ETIMEDOUT';
}
