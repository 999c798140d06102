import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import {
	asNodeError,
	errorItem,
	errorWithItemIndex,
	isOutcomeUnknown,
	type ShownError,
} from '../../shared/transport/errors/apiError';
import { errorForAgent, isTool } from './agentRouting';
import { describeInvalidItems, describeProgress } from './describeProgress';
import { earlierTries, type ItemOutcome, type TryMemory } from './tries';

/**
 * What becomes of each input item of a run: its output or its error. Items that an earlier try of n8n's Retry On Fail has
 * sent keep their output.
 */
export class ItemResults {
	private readonly outputs: Array<INodeExecutionData[] | undefined>;
	private readonly done: number[] = [];
	private readonly errors = new Map<number, ShownError>();
	private readonly tries: TryMemory<ItemOutcome>;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly isChange: boolean,
	) {
		this.outputs = context.getInputData().map(() => undefined);
		this.tries = earlierTries(context);
		for (const index of this.outputs.keys()) {
			const { outputs } = this.tries.recall(index) ?? {};
			if (outputs) this.succeed(index, outputs);
		}
	}

	/** Whether an item has failed, and its error ends the run: the node is no tool, and does not continue on errors. */
	get hasErrorToThrow(): boolean {
		return this.errors.size > 0;
	}

	/** Returns the indexes of the items without output, in input order. */
	pending(): number[] {
		return [...this.outputs.keys()].filter((index) => this.outputs[index] === undefined);
	}

	/** Returns the error of an item in an earlier try. */
	earlierError(index: number): ShownError | undefined {
		return this.tries.recall(index)?.error;
	}

	/** Whether an earlier try may have sent an item. The item is not sent again, and keeps its error. */
	mayHaveBeenSent(index: number): boolean {
		return isOutcomeUnknown(this.earlierError(index));
	}

	/** Records the output of an item. */
	succeed(index: number, outputs: INodeExecutionData[]): void {
		this.tries.remember(index, { outputs });
		this.outputs[index] = outputs;
		this.done.push(index);
	}

	/** Records the error of an item. If the node continues on errors or is a tool, the error becomes the item's output. */
	fail(index: number, cause: unknown): void {
		const { context } = this;
		const node = context.getNode();
		const error = errorWithItemIndex(asNodeError(node, cause), index);
		const earlier = this.tries.recall(index);
		// If it is the error of an earlier try, its description may end with the progress of that try (`output`).
		if (earlier?.error === error) error.description = earlier.description;
		this.tries.remember(index, { error, description: error.description });
		if (isTool(node)) this.outputs[index] = [errorForAgent(error, index)];
		else if (context.continueOnFail()) this.outputs[index] = [errorItem(error, index)];
		else this.errors.set(index, error);
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
	 * @param about what the error says about the other items: how far the run came, or which of them are invalid
	 * @throws the error of the first failed item, if the node does not continue on errors
	 */
	output(about: 'progress' | 'invalidItems'): INodeExecutionData[] {
		const [first] = [...this.errors].sort(([a], [b]) => a - b);
		if (first) {
			const [index, error] = first;
			if (this.outputs.length > 1) this.describeOthers(error, index, about);
			throw error;
		}
		// The usual case of one item needs no copy.
		const [only] = this.outputs;
		if (this.outputs.length === 1 && only) return only;
		return this.outputs.flatMap((items) => items ?? []);
	}

	/** Adds to the description of an item's error what became of the other items. */
	private describeOthers(error: ShownError, index: number, about: 'progress' | 'invalidItems') {
		const others =
			about === 'invalidItems'
				? describeInvalidItems(this.errors, this.outputs.length, this.done)
				: describeProgress(this.progress(), index);
		error.description = [error.description, others].filter(Boolean).join(' ');
	}

	/** Returns how far the run came. */
	private progress() {
		const { outputs, done, errors, isChange } = this;
		return { count: outputs.length, done, errors, isChange };
	}
}
