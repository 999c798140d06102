import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ShownError } from '../../shared/transport/errors/apiError';

/** What became of an input item. `description` is the error's description without the progress of the run. */
export type ItemOutcome =
	| { outputs: INodeExecutionData[]; error?: undefined }
	| { outputs?: undefined; error: ShownError; description: ShownError['description'] };

/** What the tries of one node run remember for its items. */
export type TryMemory<Value> = {
	/** Returns the value that an earlier try remembered for an item, if any. */
	recall(itemIndex: number): Value | undefined;
	/** Remembers a value of an item for later tries. @param item what later tries get as this item. Defaults to the same item */
	remember(itemIndex: number, value: Value, item?: INodeExecutionData): void;
};

/**
 * Creates a memory for the tries of n8n's Retry On Fail, and returns the function that opens it for a node run. If a node
 * does not retry, its memory stays empty.
 *
 * Each try runs the node again with all items, and gets the same input item objects (WorkflowExecute of n8n-core 1.122.48
 * and 2.41.1). n8n's Retry button starts a new execution, for which nothing is remembered.
 */
export function createTryMemory<Value>(): (context: IExecuteFunctions) => TryMemory<Value> {
	/** The values by input item, then by node run: several nodes, or several runs of a loop, may process the same item. */
	const values = new WeakMap<INodeExecutionData, Map<string, Value>>();
	return (context) => {
		const { id, retryOnFail } = context.getNode();
		const items = retryOnFail === true ? context.getInputData() : [];
		// An expression needs an item.
		const runIndex = items.length > 0 && context.evaluateExpression('{{ $runIndex }}', 0);
		const run = JSON.stringify([context.getExecutionId(), id, runIndex]);
		return {
			recall(itemIndex) {
				const item = items[itemIndex];
				return item && values.get(item)?.get(run);
			},
			remember(itemIndex, value, item = items[itemIndex]) {
				if (item) values.set(item, new Map(values.get(item)).set(run, value));
			},
		};
	};
}

/**
 * Opens the memory of what became of items. n8n also tries again after a success, if the first output item has a field
 * `error`.
 */
export const earlierTries = createTryMemory<ItemOutcome>();
