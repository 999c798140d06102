import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isRecord } from '../../shared/values';
import { apiRequest, type ApiRequest, type Envelope } from '../../shared/transport/apiRequest';
import { settingsFrom } from '../../shared/transport/requestOptions';
import { isTooMany, RetryPolicy } from '../../shared/transport/retry';

/** Attempts per request, including the first. */
const TRIES = 4;

/** State that the items of one node run share. */
export type Run = {
	/** Shares one pause among all requests. */
	retryPolicy: RetryPolicy;
	/** The lists that were read to find records by name. The key is the path of the list. Each list is read once. */
	listings: Map<string, Promise<IDataObject[]>>;
	/** Work that is done only once for all items, by key; in flight or finished. */
	once: Map<string, Promise<IDataObject>>;
	/** Shows a warning next to the output. */
	warn: (message: string) => void;
};

/**
 * An input item as operations see it. Our runner creates it. With the routing of agentRouting.ts, n8n's own engine creates
 * it, without a `run`.
 */
export type Item = IExecuteSingleFunctions & {
	run?: Run;
	/** The error of an earlier try by n8n's Retry On Fail. */
	failedBefore?: unknown;
};

/** Returns the initial state of a node run. */
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

/** Returns the run of an item. Items that n8n's own engine creates have no `run`, so each call creates one. */
export function runOf(item: Item): Run {
	return item.run ?? createRun(item, (message) => item.logger.warn(message));
}

/**
 * Sends one request of an item with its Request Options. When the service asks for a pause, all requests of the run wait.
 *
 * @throws NodeApiError; NodeOperationError for invalid Request Options
 */
export async function request(item: Item, options: ApiRequest): Promise<Envelope> {
	const given = item.getNodeParameter('requestOptions', {});
	const settings = settingsFrom(given, failure(item));
	return await runOf(item).retryPolicy.run(
		async () => await apiRequest.call(item, { ...settings, ...options }),
		// A change is repeated only after "too many requests". After any other transient failure, it may have been carried out.
		(options.method ?? 'GET') === 'GET' ? {} : { isRetryable: isTooMany },
	);
}

/**
 * Returns a function that creates the item with the given index. Such an item is like ExecuteSingleContext of n8n's own
 * engine, but costs much less, because a parameter without an expression is read once for all items.
 */
export function createItems(context: IExecuteFunctions, run: Run): (itemIndex: number) => Item {
	// n8n copies the whole node at each call (n8n-core 1.122.48 and 2.41.1).
	const node = context.getNode();
	const { helpers } = context;
	const readParameter = parameterReader(context, node);
	const shared: object = Object.create(context, {
		run: { value: run },
		getNode: { value: () => node },
	});
	return (itemIndex) => {
		const item: Item = Object.create(shared, {
			getItemIndex: { value: () => itemIndex },
			getInputData: { value: () => context.getInputData()[itemIndex] },
			getNodeParameter: {
				value: (...request: ParameterRequest) => readParameter(itemIndex, ...request),
			},
			helpers: {
				get: (): object =>
					Object.create(helpers, {
						assertBinaryData: {
							value: (name: string) => helpers.assertBinaryData(itemIndex, name),
						},
					}),
			},
		});
		return item;
	};
}

type ParameterRequest = [name: string, fallback?: object, options?: { extractValue?: boolean }];

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
		// A fallback is not cached, because callers have different fallbacks.
		if (isConstant(name) && value !== fallback) values.set(key, value);
		return value;
	};
}

/** Whether a parameter value contains an expression, so that it must be evaluated for each item. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isRecord(value) && Object.values(value).some(hasExpression);
}
