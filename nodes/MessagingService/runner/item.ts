import type { IDataObject, IExecuteFunctions, IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isRecord } from '../../shared/typeGuards';
import { apiRequest, type ApiRequest } from '../../shared/transport/apiRequest';
import type { Envelope } from '../../shared/transport/envelope';
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
	const settings = settingsFrom(item.getNodeParameter('requestOptions', {}), failure(item));
	return await runOf(item).retryPolicy.run(
		async () => await apiRequest.call(item, { ...settings, ...options }),
		// Of a change that failed in any other way nobody knows whether it was carried out.
		(options.method ?? 'GET') === 'GET' ? {} : { isRetryable: isTooMany },
	);
}

/**
 * Makes what n8n's own engine makes for each item (ExecuteSingleContext), at a fraction of its cost: a parameter without
 * an expression is read once for all items.
 *
 * @returns gives an item by its index
 */
export function createItems(context: IExecuteFunctions, run: Run): (itemIndex: number) => Item {
	// n8n copies the whole node each time it is asked for it (n8n-core 1.122.48 and 2.41.1).
	const node = context.getNode();
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
				value: (name: string, fallback?: object, options?: { extractValue?: boolean }) =>
					readParameter(itemIndex, name, fallback, options),
			},
			helpers: { get: () => helpersFor(context, itemIndex) },
		});
		return item;
	};
}

function helpersFor({ helpers }: IExecuteFunctions, itemIndex: number): Item['helpers'] {
	const own: Item['helpers'] = Object.create(helpers, {
		assertBinaryData: { value: (name: string) => helpers.assertBinaryData(itemIndex, name) },
		getBinaryDataBuffer: { value: (name: string) => helpers.getBinaryDataBuffer(itemIndex, name) },
	});
	return own;
}

function parameterReader(context: IExecuteFunctions, { parameters }: INode) {
	const constant = new Map<string, boolean>();
	const values = new Map<string, unknown>();
	const isConstant = (name: string): boolean => {
		const [top = name] = name.split(/[.[]/, 1);
		const known = constant.get(top);
		if (known !== undefined) return known;
		const is = parameters[top] !== undefined && !hasExpression(parameters[top]);
		constant.set(top, is);
		return is;
	};
	return (
		itemIndex: number,
		name: string,
		fallback?: object,
		options?: { extractValue?: boolean },
	): unknown => {
		const key = options?.extractValue === true ? `${name} extracted` : name;
		if (values.has(key)) return values.get(key);
		const value: unknown = context.getNodeParameter(name, itemIndex, fallback, options);
		// What a fallback stands in for is not remembered: another caller may have another one.
		if (isConstant(name) && value !== fallback) values.set(key, value);
		return value;
	};
}

/** Whether a parameter value contains an expression, which must be evaluated for each item. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isRecord(value) && Object.values(value).some(hasExpression);
}
