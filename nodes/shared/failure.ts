import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { truncate, LONGEST_DESCRIPTION, LONGEST_MESSAGE } from './truncate';

/** Makes an error that says what went wrong, and in its description what to do. */
export type Fail = (message: string, description?: string) => Error;

/**
 * Makes errors of a node.
 *
 * @param itemIndex the input item they are about, counted from 0; left out where they are about all
 */
export function failure(context: Pick<IExecuteFunctions, 'getNode'>, itemIndex?: number): Fail {
	return (message, description) =>
		new NodeOperationError(context.getNode(), truncate(message, LONGEST_MESSAGE), {
			itemIndex,
			description:
				description === undefined ? undefined : truncate(description, LONGEST_DESCRIPTION),
		});
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
