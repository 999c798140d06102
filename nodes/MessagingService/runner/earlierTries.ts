import type {
	IExecuteFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

/** What became of an input item. `description` is that of the error, before others of the run were added to it. */
type Outcome =
	| { outputs: INodeExecutionData[]; error?: undefined }
	| { error: NodeApiError | NodeOperationError; description: NodeApiError['description'] };

type EarlierTries<Value> = {
	/** What became of an item in an earlier try; undefined where it was not tried. */
	recall(itemIndex: number): Value | undefined;
	remember(itemIndex: number, value: Value): void;
};

/**
 * What n8n's Retry On Fail did before: it runs the node again with all items, and hands each try the same input item
 * objects (WorkflowExecute of n8n-core 1.122.48 and 2.41.1). n8n's Retry button and a restart are new executions, of which
 * nothing is known here.
 */
export function rememberTries<Value>(): (context: IExecuteFunctions) => EarlierTries<Value> {
	/** By input item, then by node run: several nodes, and a loop, may work on the same item. */
	const values = new WeakMap<INodeExecutionData, Map<string, Value>>();
	return (context) => {
		const { id, retryOnFail } = context.getNode();
		if (retryOnFail !== true) return { recall: () => undefined, remember: () => undefined };
		const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
		const run = JSON.stringify([context.getExecutionId(), id, runIndex]);
		const items = context.getInputData();
		return {
			recall(itemIndex) {
				const item = items[itemIndex];
				return item && values.get(item)?.get(run);
			},
			remember(itemIndex, value) {
				const item = items[itemIndex];
				if (item) values.set(item, new Map(values.get(item)).set(run, value));
			},
		};
	};
}

/** The same for operations whose items each have an outcome of their own. */
export const earlierTries = rememberTries<Outcome>();
