import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { createBreaks, forEachConcurrently, queueByKey, limiter } from '../../shared/concurrency';
import { cancelableSleep } from '../../shared/transport/retry';
import { readBatching } from './requestOptions';
import { mayChange, type ItemRequest, type Operation, type Resource } from './declaration';
import { errorForAgent, isTool } from './agentRouting';
import { Claims } from './claims';
import { itemFactory, type Item } from './item';
import { ItemResults } from './itemResults';
import { buildRequest, routedFields } from './request';
import { clearListsAfterChange, sendItem } from './sendItem';

/** Maximum number of warnings beside the output. */
const MOST_WARNINGS = 10;

/**
 * Returns the function with which n8n runs each operation (`runOperation`), by resource and operation. For a tool of AI
 * Agent 2 or of the MCP Server Trigger, n8n uses the routing instead (n8n-core 1.122.48 and 2.41.1).
 */
export function customOperationsOf(
	resources: Record<string, Resource>,
): NonNullable<INodeType['customOperations']> {
	const functionFor = (operation: Operation) =>
		async function (this: IExecuteFunctions) {
			return await runOperation(this, operation);
		};
	return mapValues(resources, (operations) => mapValues(operations, functionFor));
}

/** Returns an object with the same keys and converted values. */
function mapValues<Value, Result>(
	values: Record<string, Value>,
	convert: (value: Value) => Result,
): Record<string, Result> {
	return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value)]));
}

/**
 * Runs an operation for all input items: with its own `execute`, if it has one, or else with our runner. If it cannot be a
 * tool but is used as one, returns an error for the agent.
 */
async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	// In n8n 2, Send and Wait can ask people to approve an agent's tool calls. The type of the node then ends in HitlTool.
	if (operation.notAsTool && isTool(node) && !node.type.endsWith('HitlTool')) {
		return [[errorForAgent(failure(context)(...operation.notAsTool), 0)]];
	}
	try {
		if (operation.execute) return await operation.execute.call(context);
		return [await new OperationRun(context, operation).output()];
	} finally {
		clearListsAfterChange(context, operation);
	}
}

/**
 * Runs an operation for all input items, in order and a few at a time, and pairs each output with its item. An
 * operation that changes something reads all items and builds their requests before it sends the first request.
 *
 * n8n's own engine prepares all items and then sends all requests at once (RoutingNode of n8n-core 1.122.48 and
 * 2.41.1): 10,000 items block a process for a minute. This runner keeps ten items in flight (Batching changes that),
 * and lets n8n's other work run in between. It sends changes to the same record one after the other.
 */
class OperationRun {
	private readonly warnings = new Set<string>();
	private readonly fields: ReturnType<typeof routedFields>;
	private readonly newItem: ReturnType<typeof itemFactory>;
	private readonly results: ItemResults;
	private readonly signal: AbortSignal | undefined;
	private readonly isChange: boolean;
	/** The items of a change that are not sent yet. */
	private readonly built = new Map<number, Built>();
	private readonly inRecordOrder = queueByKey();
	private readonly inItemOrder = limiter(1);
	private readonly takeBreak = createBreaks();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
	) {
		this.isChange = mayChange(operation);
		this.fields = routedFields(operation, context.getNode());
		this.newItem = itemFactory(context, (message) => this.warnings.add(message));
		this.results = new ItemResults(context, this.isChange);
		this.signal = context.getExecutionCancelSignal();
	}

	/**
	 * Runs all items and returns their output.
	 *
	 * @throws if the execution is canceled. If the node continues on errors, throws no other error. If an item of a change
	 *   is invalid, nothing is sent, and the error names the invalid items. If an item fails, no further item starts, and
	 *   items in flight finish. The error of the first failed item states which items succeeded
	 */
	async output(): Promise<INodeExecutionData[]> {
		const { context, operation, results } = this;
		if (this.isChange) await this.buildAll();
		const hasInvalidItems = results.hasErrorToThrow;
		// Sends nothing if an error will end the run (`mayContinue`).
		await this.sendAll();
		if (this.signal?.aborted) throw results.canceledError();
		const all = results.output(hasInvalidItems ? 'invalidItems' : 'progress');
		for (const message of firstOf([...this.warnings])) {
			context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		}
		operation.finish?.(all);
		return all;
	}

	/** Builds the requests of all items. Sends no requests except look-ups of names. */
	private async buildAll(): Promise<void> {
		const { context, operation, results } = this;
		const claims = new Claims();
		for (const index of results.pending()) {
			if (this.signal?.aborted) return;
			await this.takeBreak();
			if (results.mayHaveBeenSent(index)) continue;
			await this.recordFailure(index, async () => {
				const built = await this.build(index);
				const claim = operation.claim?.(built.item, built.request, built.ids);
				if (claim) claims.add(index, claim);
				this.built.set(index, built);
			});
		}
		for (const { items, message, advice } of claims.clashes()) {
			for (const index of items) results.fail(index, failure(context, index)(message, advice));
		}
	}

	/** Sends the items in order, a few at a time. */
	private async sendAll(): Promise<void> {
		const { concurrency, pauseMs } = readBatching(
			this.context.getNodeParameter('requestOptions', 0, {}),
		);
		const pending = this.results.pending();
		// If there is no pause between batches, all items are one batch.
		const batchSize = pauseMs > 0 ? concurrency : pending.length;
		for (let start = 0; start < pending.length && this.mayContinue(); start += batchSize) {
			if (start > 0) await cancelableSleep(pauseMs, this.signal);
			await forEachConcurrently(
				pending.slice(start, start + batchSize),
				concurrency,
				async (index) => await this.send(index),
				() => this.mayContinue(),
			);
		}
	}

	/** Builds the request of an item, unless it is already built, and sends it. Never throws: an error is recorded. */
	private async send(index: number): Promise<void> {
		// In the order of the items: the request of an item starts before the next item is read.
		const { sending } = await this.inItemOrder(async () => await this.startSending(index));
		await sending;
	}

	/** Returns the promise of the response in an object, because an async function would wait for the promise itself. */
	private async startSending(index: number): Promise<{ sending?: Promise<void> }> {
		const { results } = this;
		const started: { sending?: Promise<void> } = {};
		await this.recordFailure(index, async () => {
			if (!this.mayContinue()) return;
			if (results.mayHaveBeenSent(index)) throw results.earlierError(index);
			await this.takeBreak();
			const built = this.built.get(index) ?? (await this.build(index));
			this.built.delete(index);
			started.sending = this.sendBuilt(index, built);
		});
		return started;
	}

	/** Sends an item after the earlier changes to its record. Operations without an ID in the path read or create. */
	private async sendBuilt(index: number, { item, ...itemRequest }: Built): Promise<void> {
		const { operation, results } = this;
		const changesRecord = this.isChange && operation.endpoint?.[1].includes(':');
		await this.inRecordOrder(changesRecord ? itemRequest.request.url : undefined, async () => {
			await this.recordFailure(index, async () => {
				// Another item may have failed during the look-up by name, or before this one.
				if (!this.mayContinue()) return;
				results.succeed(index, await sendItem(operation, item, itemRequest));
			});
		});
	}

	/** Does work for an item. Never throws: an error becomes the result of the item. */
	private async recordFailure(index: number, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.results.fail(index, error);
		}
	}

	/** Whether another item may start: the run is not canceled, and no error will end it. */
	private mayContinue(): boolean {
		return !this.results.hasErrorToThrow && this.signal?.aborted !== true;
	}

	/** Creates an item and builds its request. @throws for invalid input */
	private async build(index: number): Promise<Built> {
		const item = this.newItem(index);
		item.failedBefore = this.results.earlierError(index);
		return { item, ...(await buildRequest(this.operation, this.fields, item)) };
	}
}

/** An item and its request. */
type Built = ItemRequest & { item: Item };

/** Returns the first warnings. If there are more, the last text says how many. */
function firstOf(warnings: string[]): string[] {
	const more = warnings.length - MOST_WARNINGS;
	return more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `And ${more} more warnings`] : warnings;
}
