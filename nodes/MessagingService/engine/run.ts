import { createHash } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { createBreaks, forEachConcurrently, queueByKey } from '../../shared/concurrency';
import { addToList } from '../../shared/listsByKey';
import { cancelableSleep } from '../../shared/transport/retry';
import { readBatching } from './requestOptions';
import {
	mayChange,
	type Claim,
	type ItemRequest,
	type Operation,
	type Resource,
} from './declaration';
import { errorForAgent, isTool } from './agentRouting';
import { itemFactory, type Item } from './item';
import { ItemResults } from './itemResults';
import { requestBuilder, type BuildRequest } from './request';
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
	const functionFor = (operation: Operation) => {
		const builderFor = requestBuilder(operation);
		return async function (this: IExecuteFunctions) {
			return await runOperation(this, operation, builderFor);
		};
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
	builderFor: ReturnType<typeof requestBuilder>,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	// In n8n 2, Send and Wait can ask people to approve an agent's tool calls. The type of the node then ends in HitlTool.
	if (operation.notAsTool && isTool(node) && !node.type.endsWith('HitlTool')) {
		return [[errorForAgent(failure(context)(...operation.notAsTool), 0)]];
	}
	try {
		if (operation.execute) return await operation.execute.call(context);
		return [await new OperationRun(context, operation, builderFor(node)).output()];
	} finally {
		clearListsAfterChange(context, operation);
	}
}

/**
 * Runs an operation for all input items, and pairs each output with its item. First reads all items and builds their
 * requests, then sends the requests, in order and a few at a time.
 *
 * n8n's own engine prepares all items and then sends all requests at once (RoutingNode of n8n-core 1.122.48 and
 * 2.41.1): 10,000 items block a process for a minute. This runner keeps ten items in flight (Batching changes that),
 * and lets n8n's other work run in between. It sends changes to the same record one after the other.
 */
class OperationRun {
	private readonly warnings = new Set<string>();
	private readonly items: Item[];
	private readonly results: ItemResults;
	private readonly signal: AbortSignal | undefined;
	/** The items to send, with their requests. An item that an earlier try may have sent has none. */
	private readonly requests = new Map<Item, ItemRequest | undefined>();
	/** Only for an operation that changes a record whose ID is in the path. */
	private readonly inRecordOrder: ReturnType<typeof queueByKey> | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation,
		private readonly buildRequest: BuildRequest,
	) {
		const newItem = itemFactory(context, this.warn);
		this.items = context.getInputData().map((_, index) => newItem(index));
		const isChange = mayChange(operation);
		if (isChange && operation.endpoint?.[1].includes(':')) this.inRecordOrder = queueByKey();
		this.results = new ItemResults(context, this.items, isChange);
		this.signal = context.getExecutionCancelSignal();
	}

	/**
	 * Runs all items and returns their output.
	 *
	 * @throws if the execution is canceled. If the node continues on errors, throws no other error. If an item is invalid,
	 *   nothing is sent, and the error names the invalid items. If an item fails, no further item starts, and items in flight
	 *   finish. The error of the first failed item states which items succeeded
	 */
	async output(): Promise<INodeExecutionData[]> {
		const { context, operation, results } = this;
		await this.readItems();
		// Sends nothing if an error will end the run (`mayContinue`).
		await this.sendItems();
		if (this.signal?.aborted) throw results.canceledError();
		if (operation.finish && !results.endsRun) results.finish(operation.finish, this.warn);
		const all = results.output();
		for (const message of firstOf([...this.warnings])) {
			context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		}
		return all;
	}

	private readonly warn = (message: string): void => void this.warnings.add(message);

	/** Builds the requests of all items. Sends only requests that read, for example a list to find a name. */
	private async readItems(): Promise<void> {
		const { context, operation, results } = this;
		// By the hash of its key, because the body of a request may be large.
		const claims = new Map<string, Array<{ claim: Claim; item: Item }>>();
		const takeBreak = createBreaks();
		for (const item of this.items) {
			if (this.signal?.aborted) return;
			await takeBreak();
			if (results.hasOutput(item)) continue;
			if (results.finalError(item)) this.requests.set(item, undefined);
			else
				await this.recordFailure(item, async () => {
					const itemRequest = await this.buildRequest(item);
					const { request, ids } = itemRequest;
					const claim = operation.claim?.(item, request, ids);
					if (claim) addToList(claims, hashOf(claim), { claim, item });
					this.requests.set(item, itemRequest);
				});
		}
		for (const same of claims.values()) {
			const [first, ...others] = same;
			if (!first || others.length === 0) continue;
			const { claim } = first;
			const keepsFirst = context.continueOnFail() && claim.allFail !== true;
			const outcome = keepsFirst ? 'The node runs only the first of them.' : 'Nothing was sent.';
			for (const { item } of keepsFirst ? others : same) {
				const message = claim.message(same.length);
				const error = failure(item)(message, `${claim.advice} ${outcome}`);
				error.context.isDuplicate = keepsFirst;
				this.requests.delete(item);
				results.fail(item, error);
			}
		}
	}

	/** Sends the items in order, a few at a time. */
	private async sendItems(): Promise<void> {
		const { concurrency, pauseMs } = readBatching(
			this.context.getNodeParameter('requestOptions', 0, {}),
		);
		const pending = [...this.requests.keys()];
		// If there is no pause between batches, all items are one batch.
		const batchSize = pauseMs > 0 ? concurrency : pending.length;
		for (let start = 0; start < pending.length && this.mayContinue(); start += batchSize) {
			if (start > 0) await cancelableSleep(pauseMs, this.signal);
			await forEachConcurrently(
				pending.slice(start, start + batchSize),
				concurrency,
				async (item) => await this.send(item),
				() => this.mayContinue(),
			);
		}
	}

	/** Sends an item after the earlier changes to its record. */
	private async send(item: Item): Promise<void> {
		const { operation, requests, results } = this;
		const itemRequest = requests.get(item);
		requests.delete(item);
		const work = async () =>
			await this.recordFailure(item, async () => {
				// The change before it may have failed.
				if (!this.mayContinue()) return;
				// An earlier try may have sent the item, or an equal one, so it was not read.
				if (!itemRequest) throw results.finalError(item);
				results.succeed(item, await sendItem(operation, item, itemRequest));
			});
		if (this.inRecordOrder && itemRequest) await this.inRecordOrder(itemRequest.request.url, work);
		else await work();
	}

	/** Does work for an item. Never throws: an error becomes the result of the item. */
	private async recordFailure(item: Item, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.results.fail(item, error);
		}
	}

	/** Whether another item may start: the run is not canceled, and no error will end it. */
	private mayContinue(): boolean {
		return !this.results.endsRun && this.signal?.aborted !== true;
	}
}

/** Returns the same text for the same claims. */
function hashOf({ key }: Claim): string {
	return createHash('sha256').update(JSON.stringify(key)).digest('base64');
}

/** Returns the first warnings. If there are more, the last text says how many. */
function firstOf(warnings: string[]): string[] {
	const more = warnings.length - MOST_WARNINGS;
	return more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `And ${more} more warnings`] : warnings;
}
