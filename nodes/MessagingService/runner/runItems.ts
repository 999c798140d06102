import type {
	DeclarativeRestApiSettings,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
} from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { failedItem } from '../../shared/transport/errors';
import { pathParameters } from '../../shared/transport/path';
import { batchingFrom } from '../../shared/transport/requestOptions';
import { pause } from '../../shared/transport/retry';
import { createRun, createItemContexts, type ItemContext } from './itemContext';
import type { Operation, Resource } from '../operations/operation';
import { declarationOf, requestFor } from './buildRequest';
import { formatRanges } from './formatRanges';
import { errorForAgent, isTool } from './agentTool';

/** After so much work in one go n8n gets its turn: it serves the editor, webhooks and a worker's lock meanwhile. */
const WORK_MS = 50;

/**
 * How the engine runs each operation: by our runner, unless it has a function of its own. As a tool of an AI agent n8n
 * knows none of these and reads the routing itself (n8n-core 1.122.48 and 2.41.1).
 */
export function customOperationsOf(
	resources: Resource[],
): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(
				operations.map((operation) => [
					operation.value,
					operation.execute ?? runOperation(operation),
				]),
			),
		]),
	);
}

/**
 * Runs an operation for all input items: a few at a time, in order, each answer paired with its item.
 *
 * n8n's own engine prepares every item in one go and then sends everything at once (RoutingNode of n8n-core 1.122.48 and
 * 2.41.1): 10,000 items leave a process deaf for a minute. This one starts with the first request, has ten items under
 * way (or what Batching says), sends changes of one record one after the other, and rests for n8n.
 *
 * @throws the error of the lowest failed item, when the node is not set to continue: nothing new is started after a
 * failure, what is under way is awaited, and the error says which items were done
 */
function runOperation(operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const warnings = new Set<string>();
		const items = new ItemsRun(this, operation, (message) => warnings.add(message));
		const output = await items.toTheEnd();
		for (const message of warnings) {
			this.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		}
		return [output];
	};
}

/** Not `inPool`: items are prepared one after the other, in their order, and n8n and the service get their rests in between. */
class ItemsRun {
	private readonly outputs: Array<INodeExecutionData[] | undefined>;

	private readonly done: boolean[] = [];

	private readonly errors = new Map<number, unknown>();

	/** The last change of each record, by its path. */
	private readonly changes = new Map<string, Promise<void>>();

	/** Whether the operation changes a record that its path names; others read, or make something new. */
	private readonly changesRecord: boolean;

	private underWay = 0;

	private wakeUp: (() => void) | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly warn: (message: string) => void,
	) {
		const { method = 'GET', url = '' } = operation.routing?.request ?? {};
		this.changesRecord = method !== 'GET' && pathParameters(url).length > 0;
		this.outputs = new Array<undefined>(context.getInputData().length);
	}

	async toTheEnd(): Promise<INodeExecutionData[]> {
		const { context, outputs } = this;
		const declaration = declarationOf(this.operation, context.getNode());
		const senderOf = createItemContexts(context, createRun(context, this.warn));
		const { atOnce, pauseMs } = batchingFrom(context.getNodeParameter('requestOptions', 0, {}));
		let restedAt = Date.now();
		for (let itemIndex = 0; itemIndex < outputs.length; itemIndex++) {
			if (pauseMs > 0 && itemIndex > 0 && itemIndex % atOnce === 0) {
				await this.whileMoreThan(0);
				await pause(pauseMs, context.getExecutionCancelSignal());
			}
			await this.whileMoreThan(atOnce - 1);
			if (Date.now() - restedAt > WORK_MS) {
				await sleep(0);
				restedAt = Date.now();
			}
			if (this.isOver()) break;
			try {
				const sender = senderOf(itemIndex);
				const request = await requestFor(declaration, sender);
				// A look-up by name takes its time: another item may have failed meanwhile.
				if (!this.isOver()) this.start(itemIndex, sender, request);
			} catch (error) {
				this.fail(itemIndex, error);
			}
		}
		await this.whileMoreThan(0);
		this.throwWhatEndedIt();
		const [only, ...others] = outputs;
		if (only && others.length === 0) return only;
		const output: INodeExecutionData[] = [];
		for (const items of outputs) {
			for (const item of items ?? []) output.push(item);
		}
		return output;
	}

	private start(
		itemIndex: number,
		sender: ItemContext,
		request: DeclarativeRestApiSettings.ResultOptions,
	): void {
		const record = this.changesRecord ? request.options.url : undefined;
		const before = record === undefined ? undefined : this.changes.get(record);
		this.underWay++;
		const work = this.send(itemIndex, sender, request, before).finally(() => {
			this.underWay--;
			this.wakeUp?.();
		});
		if (record !== undefined) this.changes.set(record, work);
	}

	/** Never throws: what fails is noted. */
	private async send(
		itemIndex: number,
		sender: ItemContext,
		request: DeclarativeRestApiSettings.ResultOptions,
		before: Promise<void> | undefined,
	): Promise<void> {
		try {
			if (before) {
				await before;
				if (this.isOver()) return;
			}
			const { pagination } = this.operation.routing?.operations ?? {};
			if (typeof pagination !== 'function') throw new TypeError('The operation sends nothing');
			this.outputs[itemIndex] = await pagination.call(
				// What n8n's own engine adds to a sender is not used.
				Object.create(sender),
				request,
			);
			this.done[itemIndex] = true;
		} catch (error) {
			this.fail(itemIndex, error);
		}
	}

	private fail(itemIndex: number, error: unknown): void {
		if (isTool(this.context.getNode())) {
			this.outputs[itemIndex] = [{ ...errorForAgent(error), pairedItem: { item: itemIndex } }];
			return;
		}
		try {
			this.outputs[itemIndex] = [failedItem(this.context, error, itemIndex)];
		} catch (nodeError) {
			this.errors.set(itemIndex, nodeError);
		}
	}

	/** Waits until no more than so many items are under way. */
	private async whileMoreThan(most: number): Promise<void> {
		while (this.underWay > most) {
			await new Promise<void>((resolve) => {
				this.wakeUp = resolve;
			});
		}
	}

	private isCancelled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted === true;
	}

	private isOver(): boolean {
		return this.errors.size > 0 || this.isCancelled();
	}

	private throwWhatEndedIt(): void {
		if (this.isCancelled()) {
			// Spelt as n8n knows it: an execution whose error says "canceled" is shown as cancelled, not as failed
			// (processSuccessExecution of n8n-core 1.122.48 and 2.41.1).
			throw new NodeOperationError(this.context.getNode(), 'The execution was canceled', {
				description: this.whatIsDone(),
			});
		}
		const [first] = [...this.errors.keys()].sort((a, b) => a - b);
		if (first === undefined) return;
		const error = this.errors.get(first);
		if (error instanceof Error && 'description' in error && this.outputs.length > 1) {
			error.description = [error.description, this.whatIsDone(first)].filter(Boolean).join(' ');
		}
		throw error;
	}

	/** For whoever runs it again: which items were carried out, and which failed besides the one that is thrown. */
	private whatIsDone(thrown?: number): string {
		const { length } = this.outputs;
		const done = [...this.outputs.keys()].filter((index) => this.done[index]);
		const failed = [...this.errors.keys()].filter((index) => index !== thrown);
		return [
			done.length === 0
				? `None of the ${length} items was done.`
				: `${done.length} of ${length} items ${done.length === 1 ? 'was' : 'were'} done: ${formatRanges(done)}. Run again, the node does them again.`,
			failed.length === 0
				? ''
				: `${thrown === undefined ? 'Failed or broken off' : 'Failed as well'}: ${formatRanges(failed)}.`,
		]
			.filter(Boolean)
			.join(' ');
	}
}
