import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type NodeApiError,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';

import { failure } from '../../shared/failure';
import {
	asNodeError,
	failedItem,
	isOutcomeUnknown,
	ownError,
} from '../../shared/transport/errors/apiError';
import { readBatching } from './requestOptions';
import { wait } from '../../shared/transport/retry';
import type { Operation, Resource } from './declaration';
import { errorForAgent, isTool } from './agentRouting';
import { createClaims } from './claims';
import { describeInvalidItems, describeProgress } from './describeProgress';
import { createItems, createRun, earlierTries, type Item } from './item';
import {
	buildRequest,
	restored,
	sendingFields,
	sendItem,
	stored,
	type ItemRequest,
	type StoredRequest,
} from './request';

/**
 * After this time without a pause, the runner yields. n8n can then serve the editor and webhooks, and renew a worker's
 * lock.
 */
const WORK_MS = 20;

/** Maximum number of warnings beside the output. */
const MOST_WARNINGS = 10;

/**
 * Returns the functions with which n8n runs the operations: our runner, or the operation's own function. For a tool of AI
 * Agent 2 or of the MCP Server Trigger, n8n uses the routing instead (n8n-core 1.122.48 and 2.41.1).
 */
export function customOperationsOf(
	resources: Record<string, Resource>,
): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		Object.entries(resources).map(([resource, operations]) => [
			resource,
			Object.fromEntries(
				Object.entries(operations).map(([value, operation]) => [
					value,
					async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
						const node = this.getNode();
						// In n8n 2, Send and Wait can ask people to approve an agent's tool calls. The type of
						// the node then ends in HitlTool.
						if (operation.notAsTool && isTool(node) && !node.type.endsWith('HitlTool')) {
							return [[errorForAgent(failure(this)(...operation.notAsTool), 0)]];
						}
						if (operation.execute) return await operation.execute.call(this);
						return [await runItems(this, operation)];
					},
				]),
			),
		]),
	);
}

/**
 * Runs an operation for all input items, in order and a few at a time, and pairs each output with its item. An
 * operation that changes something reads all items and builds their requests before it sends the first request.
 *
 * n8n's own engine prepares all items and then sends all requests at once (RoutingNode of n8n-core 1.122.48 and
 * 2.41.1): 10,000 items block a process for a minute. This runner keeps ten items in flight (Batching changes that),
 * and lets n8n's other work run in between. It sends changes to the same record one after the other.
 *
 * @throws if the execution is canceled. If the node continues on errors, throws no other error. If an item of a change is
 *   invalid, nothing is sent, and the error names the invalid items. If an item fails, no further item starts, and items
 *   in flight finish. The error of the first failed item states which items succeeded
 */
async function runItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const warnings = new Set<string>();
	const fields = sendingFields(operation, node);
	const newItem = createItems(
		context,
		createRun((message) => warnings.add(message)),
	);
	const { concurrency, pauseMs } = readBatching(context.getNodeParameter('requestOptions', 0, {}));
	const [method, path] = operation.endpoint ?? ['GET', ''];
	const isChange = method !== 'GET';

	const outputs = new Array<INodeExecutionData[] | undefined>(context.getInputData().length);
	const done: number[] = [];
	const errors = new Map<number, NodeApiError | NodeOperationError>();
	const signal = context.getExecutionCancelSignal();
	const isCanceled = () => signal?.aborted === true;
	const shouldStop = () => errors.size > 0 || isCanceled();
	const tries = earlierTries(context);
	const itemAt = (index: number): Item => {
		const item = newItem(index);
		item.failedBefore = tries.recall(index)?.error;
		return item;
	};
	const fail = (index: number, cause: unknown): void => {
		const error = ownError(asNodeError(node, cause), index);
		tries.remember(index, { error, description: error.description });
		try {
			outputs[index] = [
				isTool(node) ? errorForAgent(error, index) : failedItem(context, error, index),
			];
		} catch {
			errors.set(index, error);
		}
	};
	let yieldedAt = Date.now();
	const yieldNow = async (): Promise<void> => {
		if (Date.now() - yieldedAt <= WORK_MS) return;
		await sleep(0);
		yieldedAt = Date.now();
	};

	/** The requests of the items that are not sent yet. */
	const requests = new Map<number, StoredRequest>();
	/** Builds the requests of all items that no earlier try has finished. Sends no requests except look-ups of names. */
	const readAll = async (): Promise<void> => {
		const claims = createClaims();
		for (const index of outputs.keys()) {
			if (isCanceled()) return;
			await yieldNow();
			const earlier = tries.recall(index);
			if (earlier && (earlier.outputs || isOutcomeUnknown(earlier.error))) continue;
			try {
				const item = itemAt(index);
				const itemRequest = await buildRequest(operation, fields, item);
				const claim = operation.claim?.(item, itemRequest.request);
				if (claim) claims.add(index, claim);
				requests.set(index, stored(itemRequest));
			} catch (error) {
				fail(index, error);
			}
		}
		for (const { items, message, advice } of claims.clashes()) {
			for (const index of items) fail(index, failure(context, index)(message, advice));
		}
	};

	let inFlight = 0;
	let onSlotFree = (): void => undefined;
	/** Waits until fewer items than `most` are in flight. */
	const waitForSlot = async (most: number): Promise<void> => {
		while (inFlight >= most) {
			await new Promise<void>((resolve) => {
				onSlotFree = resolve;
			});
		}
	};
	/** Whether the operation changes the record in its path. Other operations read or create. */
	const changesRecord = isChange && path.includes(':');
	/** The last change of each record, by its path. */
	const changes = new Map<string, Promise<void>>();
	/** Waits for `before`, then sends an item. Never throws: an error is recorded. */
	const send = async (
		item: Item,
		itemRequest: ItemRequest,
		before?: Promise<void>,
	): Promise<void> => {
		const index = item.getItemIndex();
		inFlight++;
		try {
			if (before) {
				await before;
				if (shouldStop()) return;
			}
			const sent = await sendItem(operation, item, itemRequest);
			// Reads are not remembered: they can safely be repeated, and a later read may return newer data.
			if (isChange) tries.remember(index, { outputs: sent });
			outputs[index] = sent;
			done.push(index);
		} catch (error) {
			fail(index, error);
		} finally {
			inFlight--;
			onSlotFree();
		}
	};
	/** Sends the items in order, a few at a time. */
	const sendAll = async (): Promise<void> => {
		for (const index of outputs.keys()) {
			if (shouldStop()) break;
			const earlier = tries.recall(index);
			if (earlier?.outputs) {
				outputs[index] = earlier.outputs;
				done.push(index);
				continue;
			}
			// The item is invalid, and the node continues on errors.
			if (outputs[index]) continue;
			if (earlier && isOutcomeUnknown(earlier.error)) {
				earlier.error.description = earlier.description;
				fail(index, earlier.error);
				continue;
			}
			if (pauseMs > 0 && index > 0 && index % concurrency === 0) {
				await waitForSlot(1);
				await wait(pauseMs, signal);
			}
			if (inFlight >= concurrency) await waitForSlot(concurrency);
			await yieldNow();
			if (shouldStop()) break;
			try {
				const item = itemAt(index);
				const waiting = requests.get(index);
				const itemRequest = waiting
					? restored(waiting)
					: await buildRequest(operation, fields, item);
				requests.delete(index);
				// Another item may have failed during the look-up by name.
				if (shouldStop()) break;
				const { url } = itemRequest.request;
				const sending = send(item, itemRequest, changes.get(url));
				if (changesRecord) changes.set(url, sending);
			} catch (error) {
				fail(index, error);
			}
		}
		await waitForSlot(1);
	};

	if (isChange) await readAll();
	const areInvalid = errors.size > 0;
	await sendAll();

	/** The items that an earlier try has sent. */
	const doneEarlier = () => [...outputs.keys()].filter((index) => tries.recall(index)?.outputs);
	const progress = { count: outputs.length, done, errors, isChange };
	if (isCanceled()) {
		// Because the message contains "canceled", n8n shows the execution as canceled, not as failed
		// (processSuccessExecution of n8n-core 1.122.48 and 2.41.1).
		throw new NodeOperationError(node, 'The execution was canceled', {
			description: describeProgress(progress),
		});
	}
	const [first] = [...errors.keys()].sort((a, b) => a - b);
	const error = first !== undefined && errors.get(first);
	if (error) {
		if (outputs.length > 1) {
			const others = areInvalid
				? describeInvalidItems(errors, outputs.length, doneEarlier())
				: describeProgress(progress, first);
			error.description = [error.description, others].filter(Boolean).join(' ');
		}
		throw error;
	}
	for (const message of fewOf([...warnings])) {
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	const [only] = outputs;
	const all = outputs.length === 1 && only ? only : outputs.flatMap((items) => items ?? []);
	operation.finish?.(all);
	return all;
}

function fewOf(warnings: string[]): string[] {
	const more = warnings.length - MOST_WARNINGS;
	return more > 0 ? [...warnings.slice(0, MOST_WARNINGS), `And ${more} more warnings`] : warnings;
}
