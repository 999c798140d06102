import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { truncate, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from './truncate';

/** Creates an error, and does not throw it. The message says what went wrong, and the description what to do. */
export type Fail = (message: string, description?: string) => Error;

/** The context of an error: the node, and the input item if there is one. */
export type FailureContext = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteSingleFunctions, 'getItemIndex'>>;

/**
 * Returns the function that creates errors for an item: `const fail = failure(item); throw fail('The name is empty')`. Long
 * texts are truncated.
 *
 * @param itemIndex the input item, counted from 0. Defaults to the item of the context, if it has an item
 */
export function failure(
	context: FailureContext,
	itemIndex?: number,
): (...texts: Parameters<Fail>) => NodeOperationError {
	return (message, description) =>
		new NodeOperationError(context.getNode(), truncate(message, LONGEST_MESSAGE), {
			itemIndex: itemIndex ?? context.getItemIndex?.(),
			description:
				description === undefined ? undefined : truncate(description, LONGEST_DESCRIPTION),
		});
}

/** Whether a request failed with such a code: an HTTP status, or the code of a failed connection. */
export function failedWith(code: RegExp, error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && code.test(error.httpCode ?? '');
}

/** Returns the message of a thrown value, or of an error that n8n copied into an item. */
export function messageOf(error: unknown): string {
	const isError = typeof error === 'object' && error !== null && 'message' in error;
	return String(isError ? error.message : error);
}
