import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isRecord } from '../../shared/typeGuards';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import { settingsFrom } from '../../shared/transport/requestOptions';
import { isTooMany, RetryPolicy } from '../../shared/transport/retry';

/** How often a request is tried in all, the first time included. */
const TRIES = 4;

/** What the items of one node run share. */
export type Run = {
	/** One pause for all requests. */
	retryPolicy: RetryPolicy;
	/** Lists that were read to find a record by its name, by path; each is read once. */
	listings: Map<string, Promise<IDataObject[]>>;
	/** What is in flight or done for a key, so that it is done once for all items. */
	once: Map<string, Promise<IDataObject>>;
	/** Tells the builder something beside the output. */
	warn: (message: string) => void;
};

/**
 * An input item as hooks and operations see it, from our runner; as a tool of an AI agent from n8n's own engine,
 * without a run.
 */
export type Item = IExecuteSingleFunctions & {
	run?: Run;
	/** Why an earlier try of n8n's Retry On Fail failed. */
	failedBefore?: unknown;
};

/** What a node run begins with. */
export function createRun(
	context: Pick<IExecuteSingleFunctions, 'getExecutionCancelSignal' | 'logger'>,
	warn: Run['warn'],
): Run {
	return {
		retryPolicy: new RetryPolicy({
			tries: TRIES,
			signal: context.getExecutionCancelSignal(),
			log: (text) => context.logger.info(text),
		}),
		listings: new Map(),
		once: new Map(),
		warn,
	};
}

/** The run that an item belongs to; one of its own in n8n's own engine. */
export function runOf(item: Item): Run {
	return item.run ?? createRun(item, (message) => item.logger.warn(message));
}

/**
 * Sends one request of an item with what Request Options say, waiting with all others of the run when the service asks
 * for it. Look-ups and the steps of an operation go the same way as its own request.
 *
 * @throws NodeApiError; NodeOperationError for a proxy that is no address
 */
export async function request(item: Item, options: ApiRequest): Promise<Envelope> {
	const given = item.getNodeParameter('requestOptions', {});
	const settings = settingsFrom(given, failure(item));
	return await runOf(item).retryPolicy.run(
		async () => await apiRequest.call(item, { ...settings, ...options }),
		// Of a change that failed in any other way nobody knows whether it was carried out.
		(options.method ?? 'GET') === 'GET' ? {} : { isRetryable: isTooMany },
	);
}

/**
 * Makes for each item what n8n's own engine makes (ExecuteSingleContext), at a fraction of its cost: a parameter without
 * an expression is read once for all items.
 *
 * @returns the item with the given index
 */
export function createItems(context: IExecuteFunctions, run: Run): (itemIndex: number) => Item {
	// n8n copies the whole node each time it is asked for it (n8n-core 1.122.48 and 2.41.1).
	const node = context.getNode();
	const readParameter = parameterReader(context, node);
	const shared: object = Object.create(context, {
		run: { value: run },
		getNode: { value: () => node },
		getItemIndex: {
			value(this: Indexed) {
				return this.itemIndex;
			},
		},
		getInputData: {
			value(this: Indexed) {
				return context.getInputData()[this.itemIndex];
			},
		},
		getNodeParameter: {
			value(this: Indexed, ...[name, fallback, options]: ParameterRequest) {
				return readParameter(this.itemIndex, name, fallback, options);
			},
		},
		helpers: {
			get(this: Indexed) {
				return helpersFor(context, this.itemIndex);
			},
		},
	});
	return (itemIndex) => {
		const item: Item = Object.create(shared, { itemIndex: { value: itemIndex } });
		return item;
	};
}

type Indexed = { itemIndex: number };

type ParameterRequest = [name: string, fallback?: object, options?: { extractValue?: boolean }];

function helpersFor({ helpers }: IExecuteFunctions, itemIndex: number): Item['helpers'] {
	const own: Item['helpers'] = Object.create(helpers, {
		assertBinaryData: { value: (name: string) => helpers.assertBinaryData(itemIndex, name) },
	});
	return own;
}

function parameterReader(context: IExecuteFunctions, { parameters }: INode) {
	const constant = new Map<string, boolean>();
	const values = new Map<string, unknown>();
	const isConstant = (name: string): boolean => {
		let is = constant.get(name);
		if (is === undefined) {
			const [top = name] = name.split(/[.[]/, 1);
			is = parameters[top] !== undefined && !hasExpression(parameters[top]);
			constant.set(name, is);
		}
		return is;
	};
	return (itemIndex: number, ...[name, fallback, options]: ParameterRequest): unknown => {
		const key = options?.extractValue === true ? `${name} extracted` : name;
		if (values.has(key)) return values.get(key);
		const value: unknown = context.getNodeParameter(name, itemIndex, fallback, options);
		// A fallback is not remembered: another caller may have another one.
		if (isConstant(name) && value !== fallback) values.set(key, value);
		return value;
	};
}

/** Whether a parameter value contains an expression, which must be evaluated for each item. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isRecord(value) && Object.values(value).some(hasExpression);
}

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
