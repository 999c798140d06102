import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type NodeApiError,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';

import { failure, messageOf } from '../../shared/failure';
import { asNodeError, failedItem, isOutcomeUnknown } from '../../shared/transport/errors/apiError';
import { batchingFrom } from '../../shared/transport/requestOptions';
import { pause } from '../../shared/transport/retry';
import type { Operation, Resource } from '../operations/operation';
import { describeProgress } from './describeProgress';
import { createItems, createRun, type Item } from './item';
import { buildRequest, sendingFields, sendItem, type ItemRequest } from './itemRequest';

/** Whether a node is used as a tool: n8n then gives it a separate type (n8n 1.123.81 and 2.41.1). */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/**
 * Returns the output that tells an agent why its call failed. A thrown error would not reach the agent: AI Agent 2 passes
 * the model an empty text, and AI Agent 3 of n8n 1 ends the workflow.
 */
export function errorForAgent(error: unknown, item: number): INodeExecutionData {
	const advice =
		error instanceof Error && 'description' in error && typeof error.description === 'string'
			? { advice: error.description }
			: {};
	return { json: { error: messageOf(error), ...advice }, pairedItem: { item } };
}

/** The outcome of an input item. `description` is that of the error, before the progress of the run was added. */
type Outcome =
	| { outputs: INodeExecutionData[]; error?: undefined }
	| { error: NodeApiError | NodeOperationError; description: NodeApiError['description'] };

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

/**
 * After this time without a pause, the runner yields, so that n8n can serve the editor and webhooks and renew a worker's
 * lock.
 */
const WORK_MS = 50;

/**
 * Returns the functions with which n8n runs the operations: our runner, or the operation's own function. For a tool of AI
 * Agent 2 or of the MCP Server Trigger, n8n uses the routing instead (n8n-core 1.122.48 and 2.41.1).
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
					async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
						const node = this.getNode();
						// In n8n 2, Send and Wait can ask people to approve an agent's tool calls; its type then ends in HitlTool.
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
 * Runs an operation for all input items, in order and a few at a time, and pairs each output with its item.
 *
 * n8n's own engine prepares all items and then sends all requests at once (RoutingNode of n8n-core 1.122.48 and 2.41.1):
 * 10,000 items block a process for a minute. This runner sends the first request immediately, keeps ten items in flight
 * (Batching changes that), and lets n8n's other work run in between. It sends changes to the same record one after the
 * other.
 *
 * @throws the error of the first failed item, unless the node continues on errors. After this failure, no further item
 *   starts, and items in flight finish. The error states which items succeeded
 */
async function runItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const warnings = new Set<string>();
	const fields = sendingFields(operation, node);
	const run = createRun(context, (message) => warnings.add(message));
	const itemAt = createItems(context, run);
	const { concurrency, pauseMs } = batchingFrom(context.getNodeParameter('requestOptions', 0, {}));

	const outputs = new Array<INodeExecutionData[] | undefined>(context.getInputData().length);
	const done: number[] = [];
	const errors = new Map<number, NodeApiError | NodeOperationError>();
	const signal = context.getExecutionCancelSignal();
	const isCanceled = () => signal?.aborted === true;
	const shouldStop = () => errors.size > 0 || isCanceled();
	let inFlight = 0;
	let onSlotFree = (): void => undefined;
	/** Waits until fewer items than `concurrency` are in flight. */
	const waitForSlot = async (concurrency: number): Promise<void> => {
		while (inFlight >= concurrency) {
			await new Promise<void>((resolve) => {
				onSlotFree = resolve;
			});
		}
	};
	const tries = earlierTries(context);
	const fail = (index: number, cause: unknown): void => {
		const error = asNodeError(node, cause);
		tries.remember(index, { error, description: error.description });
		try {
			outputs[index] = [
				isTool(node) ? errorForAgent(error, index) : failedItem(context, error, index),
			];
		} catch {
			errors.set(index, error);
		}
	};

	const [method, path] = operation.endpoint ?? ['GET', ''];
	/** Whether the operation changes the record in its path; other operations read or create. */
	const changesRecord = method !== 'GET' && path.includes(':');
	/** The last change of each record, by its path. */
	const changes = new Map<string, Promise<void>>();
	/** Never throws; records the error instead. */
	const send = async (item: Item, own: ItemRequest, before?: Promise<void>): Promise<void> => {
		const index = item.getItemIndex();
		inFlight++;
		try {
			if (before) {
				await before;
				if (shouldStop()) return;
			}
			const sent = await sendItem(operation, item, own);
			// Reads are not remembered: they can safely be repeated, and a later read may return newer data.
			if (method !== 'GET') tries.remember(index, { outputs: sent });
			outputs[index] = sent;
			done.push(index);
		} catch (error) {
			fail(index, error);
		} finally {
			inFlight--;
			onSlotFree();
		}
	};

	let yieldedAt = Date.now();
	for (const index of outputs.keys()) {
		if (shouldStop()) break;
		const earlier = tries.recall(index);
		if (earlier && 'outputs' in earlier) {
			outputs[index] = earlier.outputs;
			done.push(index);
			continue;
		}
		if (earlier && isOutcomeUnknown(earlier.error)) {
			earlier.error.description = earlier.description;
			fail(index, earlier.error);
			continue;
		}
		if (pauseMs > 0 && index > 0 && index % concurrency === 0) {
			await waitForSlot(1);
			await pause(pauseMs, signal);
		}
		if (inFlight >= concurrency) await waitForSlot(concurrency);
		if (Date.now() - yieldedAt > WORK_MS) {
			await sleep(0);
			yieldedAt = Date.now();
		}
		if (shouldStop()) break;
		try {
			const item = itemAt(index);
			item.failedBefore = earlier?.error;
			const own = await buildRequest(operation, fields, item);
			// Another item may have failed during the look-up by name.
			if (shouldStop()) break;
			const { url } = own.request;
			const sending = send(item, own, changes.get(url));
			if (changesRecord) changes.set(url, sending);
		} catch (error) {
			fail(index, error);
		}
	}
	await waitForSlot(1);

	const progress = { count: outputs.length, done, errors, isChange: method !== 'GET' };
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
			const others = describeProgress(progress, first);
			error.description = [error.description, others].filter(Boolean).join(' ');
		}
		throw error;
	}
	for (const message of warnings) {
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	}
	const [only] = outputs;
	const all = outputs.length === 1 && only ? only : outputs.flatMap((items) => items ?? []);
	operation.finish?.(all);
	return all;
}
