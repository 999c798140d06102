import type { IExecuteSingleFunctions, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { fieldToCheck } from './checkAccess';
import { isRecord } from '../guards';

/** What to do about each message that the service is known to send (Failure, what is known of messages in emulator/openapi.yaml). */
const ADVICE: Array<[message: RegExp, advice: string]> = [
	[
		/^Illegal parameters/i,
		'The service does not take this combination of filters. Check the dates and the status; the scope "All" works only for Super Users.',
	],
	[
		/^Not Found\.?$/i,
		'Nothing with this ID is visible to the owner of the credential. Choose it from the list, or check the ID and with whom it is shared.',
	],
	[
		/^description is mandatory/i,
		'Fill in the description: the service takes no campaign without one.',
	],
	[
		/^Campaign is not a survey/i,
		'Only campaigns with survey questions have responses. Choose a survey, or filter the others out before this node.',
	],
	[/^campaign Id is required/i, 'Choose the campaign or broadcast that the file belongs to.'],
	[
		/^Please confirm delete for file used/i,
		'The file is part of the content. To delete it all the same, add the option "Delete File in Use".',
	],
	[
		/draft' campaign required/i,
		'Questions can only be stored on a draft. Choose a draft survey, or create a new one.',
	],
	[
		/^Not all emails founded/i,
		'At least one address is unknown to the service, which then carries out nothing of this call. Remove the unknown addresses, or send fewer at a time to find them.',
	],
	[/name.*is required/i, 'Fill in the name of the recipient group.'],
	[
		/^Object does not exist/i,
		'There is no recipient group with this ID (any more). Choose it from the list, or check the ID.',
	],
	[/^Title is mandatory/i, 'Fill in the title: the service takes no broadcast without one.'],
	[
		/^Invalid request parameters/i,
		'Only a scheduled broadcast can return to draft. Look at its status first.',
	],
	[
		/^Broadcast not found/i,
		'There is no broadcast with this ID that can be deleted: only drafts, scheduled and closed ones can. Close a live broadcast first.',
	],
	[/^Campaign already closed/i, 'It is closed already; there is nothing left to do.'],
	[
		/^Invalid parameters/i,
		'The service does not know the channel, or one of the values given. Check the channel and every field of this operation.',
	],
];

/** Answers that may mean "this token is no longer good"; their exact form is not shown (security, not shown in emulator/openapi.yaml). */
const TOKEN_REFUSED = /\btoken\b|unauthori[sz]ed|not authori[sz]ed|authenticat|access denied/i;

/**
 * The error for an operation that the service refused with `success: false`.
 *
 * @param message the service's own message; it stays the error's message
 * @param httpCode the HTTP status it came with, '200' as a rule (schema Failure in emulator/openapi.yaml)
 */
export function serviceFailure(node: INode, message: unknown, httpCode = '200'): NodeApiError {
	const said = typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
	const shown = said ?? 'The service refused the request without saying why';
	const advice = ADVICE.find(([pattern]) => pattern.test(shown))?.[1];
	return apiError(node, shown, advice, httpCode);
}

/** The error for an answer that does not come from the service: a web page, broken JSON, nothing at all. */
export function unexpectedAnswer(node: INode, body: unknown): NodeApiError {
	const text = typeof body === 'string' ? body.trim() : '';
	const what = text.startsWith('<')
		? 'a web page'
		: text === ''
			? 'something else'
			: 'text that is not JSON';
	return apiError(
		node,
		`The service answered with ${what} where data was expected`,
		'Check the Base URL in the credential: it is the address of the messaging service itself, not of its website or of a sign-in page. If it is right, try again later.',
	);
}

/**
 * Turns whatever a request threw into an error that tells a builder what to do. An error that already does is left.
 *
 * @param authentication the credential's method, to name the field to check
 * @param changesData whether the request asked for a change, so that "unknown whether carried out" matters
 */
export function requestError(
	node: INode,
	error: unknown,
	authentication: unknown,
	changesData: boolean,
): NodeApiError | NodeOperationError {
	const explained = inWords(node, error, authentication, changesData);
	const retryAfterMs = retryAfter(error);
	if (typeof retryAfterMs === 'number') explained.context.retryAfterMs = retryAfterMs;
	return explained;
}

function inWords(
	node: INode,
	error: unknown,
	authentication: unknown,
	changesData: boolean,
): NodeApiError | NodeOperationError {
	if (!(error instanceof NodeApiError)) return asNodeError(node, error);
	// Already in the service's words: serviceFailure and unexpectedAnswer set this code.
	if (error.httpCode === NO_HTTP_CODE) return error;
	if (error.httpCode === '200') {
		return isAccessRefusal(error)
			? apiError(node, error.message, fieldToCheck(authentication), '200')
			: error;
	}

	const said = serviceMessage(error);
	switch (error.httpCode) {
		case '401':
		case '403':
			return apiError(
				node,
				`The service refused access${said ? `: ${said}` : ''}`,
				`${fieldToCheck(authentication)} If it is right, its owner may lack the permission for this operation.`,
				error.httpCode,
			);
		case '404':
			return apiError(
				node,
				said ?? 'Not Found',
				'The service has nothing under this ID. Choose it from the list, or check the ID; if every operation fails like this, check the Base URL in the credential.',
				'404',
			);
		case '429':
			return apiError(
				node,
				said ?? 'The service is receiving too many requests',
				'Wait a little, or send fewer at once: Batching, under Request Options.',
				'429',
			);
	}
	if (error.httpCode?.startsWith('3')) {
		return apiError(
			node,
			'The service answered with the address of another place',
			'The request was not sent on to it. Check the Base URL in the credential: it must be the final one, with https:// where the service wants it.',
			error.httpCode,
		);
	}
	if (error.httpCode !== null && /^\d{3}$/.test(error.httpCode)) {
		if (said) return serviceFailure(node, said, error.httpCode);
		return error;
	}
	if (changesData && isBrokenConnection(error)) {
		error.description =
			'The connection broke before the service answered, so it may or may not have carried the request out. Look in the service before you run this again.';
	}
	return error;
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

/** Whether the service refused the caller: by status, or by a message about the token. */
export function isAccessRefusal(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	if (error.httpCode === '401' || error.httpCode === '403') return true;
	return error.httpCode === '200' && TOKEN_REFUSED.test(error.message);
}

const NO_HTTP_CODE = 'none';

function apiError(node: INode, message: string, description?: string, httpCode = NO_HTTP_CODE) {
	const response: JsonObject = { message };
	return new NodeApiError(node, response, {
		message,
		description: description ?? 'This is the message of the messaging service itself.',
		httpCode,
	});
}

/** The service's own words in an answer with an HTTP error status; n8n keeps the JSON body in the error's context. */
function serviceMessage(error: NodeApiError): string | undefined {
	const { data } = error.context;
	if (typeof data === 'object' && data !== null && 'message' in data) {
		const { message } = data;
		if (typeof message === 'string' && message.trim() !== '') return message.trim();
	}
	return undefined;
}

/**
 * The error for an answer with an HTTP error status, as n8n itself makes it, with how long the service asked to wait.
 *
 * @param headers in lower case, as n8n gives them
 */
export function statusError(
	node: INode,
	statusCode: number,
	headers: Record<string, unknown>,
	body: unknown,
): NodeApiError {
	const response: JsonObject = { message: `Request failed with status code ${statusCode}` };
	if (isRecord(body)) Object.assign(response, { response: { data: body } });
	const error = new NodeApiError(node, response, { httpCode: String(statusCode) });
	const retryAfterMs = waitIn(headers['retry-after']);
	if (retryAfterMs !== undefined) error.context.retryAfterMs = retryAfterMs;
	return error;
}

/** The header `Retry-After`, seconds or a date (RFC 9110, 10.2.3), in milliseconds from now. */
function waitIn(header: unknown): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** How long the service asked to wait, in an error of `statusError` or one that n8n 2 threw itself. */
function retryAfter(error: unknown): unknown {
	if (!(error instanceof NodeApiError)) return undefined;
	const { cause, context } = error;
	if (context.retryAfterMs !== undefined) return context.retryAfterMs;
	if (!isRecord(cause) || !isRecord(cause.response) || !isRecord(cause.response.headers)) {
		return undefined;
	}
	return waitIn(cause.response.headers['retry-after']);
}

const BROKEN_CONNECTION = /ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|socket hang up|timeout|aborted/i;

/** Whether the connection broke, so that it is unknown whether the request was carried out. */
export function isBrokenConnection(error: NodeApiError): boolean {
	if (error.httpCode === NO_HTTP_CODE || /^\d{3}$/.test(error.httpCode ?? '')) return false;
	return [error.message, error.httpCode, ...error.messages].some(
		(text) => typeof text === 'string' && BROKEN_CONNECTION.test(text),
	);
}
