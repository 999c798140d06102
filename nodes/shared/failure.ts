import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { truncate, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from './truncate';

/** Makes an error that says what went wrong, and in its description what to do. */
export type Fail = (message: string, description?: string) => Error;

/** What errors are made of: the node, and the input item where there is one. */
export type FailureContext = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteSingleFunctions, 'getItemIndex'>>;

/**
 * Makes errors of a node.
 *
 * @param itemIndex the input item they are about, counted from 0; left out that of the context, or none where they are
 * about all
 */
export function failure(context: FailureContext, itemIndex?: number): Fail {
	return (message, description) =>
		new NodeOperationError(context.getNode(), truncate(message, LONGEST_MESSAGE), {
			itemIndex: itemIndex ?? context.getItemIndex?.(),
			description:
				description === undefined ? undefined : truncate(description, LONGEST_DESCRIPTION),
		});
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
