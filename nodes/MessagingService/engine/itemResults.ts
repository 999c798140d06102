import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import {
	asNodeError,
	errorItem,
	isOutcomeUnknown,
	type ShownError,
} from '../../shared/transport/errors/apiError';
import { errorForAgent, isTool } from './agentRouting';
import { describeProgress } from './describeProgress';
import type { Finish } from './declaration';
import type { Item, Run } from './item';

/**
 * Creates a memory for the tries of n8n's Retry On Fail, which holds a value for each item. If a node does not retry, its
 * memory stays empty.
 *
 * Each try runs the node again with the same input item objects. Other runs get copies: another node, the next run of a loop,
 * and n8n's Retry button (WorkflowExecute of n8n-core 1.122.48 and 2.41.1, and the test `retryOnFail`).
 */
export function createTryMemory<Value>() {
	const values = new WeakMap<INodeExecutionData, Value>();
	return {
		/** Returns the value that an earlier try remembered for an item, if any. */
		recall: (item: Item): Value | undefined => values.get(item.getInputData()),
		/** Remembers a value of an item for later tries. @param input what later tries get as this item, if not the same */
		remember(item: Item, value: Value, input?: INodeExecutionData): void {
			if (item.run.mayBeRetried) values.set(input ?? item.getInputData(), value);
		},
	};
}

/** What became of an input item. `description` is the error's description without the progress of the run. */
type ItemOutcome =
	| { outputs: INodeExecutionData[]; error?: undefined }
	| { outputs?: undefined; error: ShownError; description: ShownError['description'] };

/**
 * What became of the items in earlier tries. n8n also tries again after a success, if the first output item has a field
 * `error`.
 */
const earlierTries = createTryMemory<ItemOutcome>();

/**
 * What becomes of each input item of a run: its output or its error. Items that an earlier try of n8n's Retry On Fail has
 * sent keep their output.
 */
export class ItemResults {
	private readonly outputs: Array<INodeExecutionData[] | undefined>;
	private readonly done: number[] = [];
	/** The error of each failed item, even if the error became the item's output. */
	private readonly errors = new Map<number, ShownError>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly items: Item[],
		private readonly isChange: boolean,
	) {
		this.outputs = Array.from({ length: items.length });
		for (const item of items) {
			const { outputs } = earlierTries.recall(item) ?? {};
			if (outputs) this.succeed(item, outputs);
		}
	}

	/** Whether an item has an output, which may be its error. */
	hasOutput(item: Item): boolean {
		return this.outputs[item.getItemIndex()] !== undefined;
	}

	/** Whether a failed item ends the run: the node is no tool, and does not continue on errors. */
	get endsRun(): boolean {
		const { context, errors } = this;
		return errors.size > 0 && !isTool(context.getNode()) && !context.continueOnFail();
	}

	/** Returns the error of an item that an earlier try may have sent, or an equal one. It is not sent again. */
	finalError(item: Item): ShownError | undefined {
		const { error } = earlierTries.recall(item) ?? {};
		return isOutcomeUnknown(error) || error?.context.isDuplicate === true ? error : undefined;
	}

	/** Records the output of an item. */
	succeed(item: Item, outputs: INodeExecutionData[]): void {
		earlierTries.remember(item, { outputs });
		const index = item.getItemIndex();
		this.outputs[index] = outputs;
		this.done.push(index);
	}

	/** Records the error of an item. If the node continues on errors or is a tool, the error becomes the item's output. */
	fail(item: Item, cause: unknown): void {
		const node = item.getNode();
		const index = item.getItemIndex();
		const error = asNodeError(node, cause);
		const earlier = earlierTries.recall(item);
		// If it is the error of an earlier try, its description may end with the progress of that try (`output`).
		if (earlier?.error === error) error.description = earlier.description;
		earlierTries.remember(item, { error, description: error.description });
		this.errors.set(index, error);
		if (isTool(node)) this.outputs[index] = [errorForAgent(error, index)];
		else if (this.context.continueOnFail()) this.outputs[index] = [errorItem(error, index)];
	}

	/** Completes the outputs of the items that succeeded. @param finish `finish` of the operation */
	finish(finish: Finish, warn: Run['warn']): void {
		const indexes = this.done.splice(0);
		const completed = finish(
			indexes.map((index) => this.outputs[index] ?? []),
			warn,
		);
		for (const [n, index] of indexes.entries()) {
			const item = this.items[index];
			const result = completed[n];
			if (!item || !result) continue;
			if (result instanceof Error) this.fail(item, result);
			else {
				for (const output of result) output.pairedItem = { item: index };
				this.outputs[index] = result;
				this.done.push(index);
			}
		}
	}

	/** Returns the error for a canceled execution. */
	canceledError(): NodeOperationError {
		// Because the message contains "canceled", n8n shows the execution as canceled, not as failed
		// (processSuccessExecution of n8n-core 1.122.48 and 2.41.1).
		return new NodeOperationError(this.context.getNode(), 'The execution was canceled', {
			description: describeProgress(this.progress()),
		});
	}

	/**
	 * Returns the output of all items, in input order.
	 *
	 * @throws the error of the first failed item, if the node does not continue on errors. Its description also says what became
	 *   of the other items
	 */
	output(): INodeExecutionData[] {
		const [first] = [...this.errors].sort(([a], [b]) => a - b);
		if (first && this.endsRun) {
			const [index, error] = first;
			error.context.itemIndex = index;
			const others = this.outputs.length > 1 && describeProgress(this.progress(), index);
			error.description = [error.description, others].filter(Boolean).join(' ');
			throw error;
		}
		return this.outputs.flatMap((items) => items ?? []);
	}

	/** Returns how far the run came. */
	private progress() {
		const errors = new Map(this.errors);
		// An earlier try may have sent an item that this try did not reach.
		for (const [index, item] of this.items.entries()) {
			const earlier = this.finalError(item);
			if (earlier && !errors.has(index)) errors.set(index, earlier);
		}
		return { count: this.outputs.length, done: this.done, errors, isChange: this.isChange };
	}
}
