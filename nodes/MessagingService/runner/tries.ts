import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

/** The outcome of an input item. `description` is that of the error, before the progress of the run was added. */
export type Outcome =
	| { outputs: INodeExecutionData[]; error?: undefined }
	| {
			outputs?: undefined;
			error: NodeApiError | NodeOperationError;
			description: NodeApiError['description'];
	  };

/**
 * Remembers values between the tries of n8n's Retry On Fail, which runs the node again with all items and passes the same
 * input item objects to each try (WorkflowExecute of n8n-core 1.122.48 and 2.41.1). n8n's Retry button, or a restart of n8n,
 * starts a new execution, for which nothing is remembered.
 */
export function rememberTries<Value>() {
	/** By input item, then by node run, because several nodes, or a loop, may process the same item. */
	const values = new WeakMap<INodeExecutionData, Map<string, Value>>();
	return (context: IExecuteFunctions) => {
		const { id, retryOnFail } = context.getNode();
		// Without Retry On Fail, no item is remembered.
		const items = retryOnFail === true ? context.getInputData() : [];
		const runIndex = items.length > 0 && context.evaluateExpression('{{ $runIndex }}', 0);
		const run = JSON.stringify([context.getExecutionId(), id, runIndex]);
		return {
			/** Returns the value that an earlier try remembered for an item, if any. */
			recall(itemIndex: number): Value | undefined {
				const item = items[itemIndex];
				return item && values.get(item)?.get(run);
			},
			remember(itemIndex: number, value: Value): void {
				const item = items[itemIndex];
				if (item) values.set(item, new Map(values.get(item)).set(run, value));
			},
		};
	};
}

/** Remembers the outcomes of items: failures, and changes that succeeded. */
export const earlierTries = rememberTries<Outcome>();
