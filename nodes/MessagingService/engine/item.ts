import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
	NodeParameterValueType,
} from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isRecord } from '../../shared/values';
import {
	apiRequest,
	type ApiContext,
	type ApiRequest,
	type Envelope,
} from '../../shared/transport/apiRequest';
import { readRequestOptions, type RequestSettings } from './requestOptions';
import {
	createPause,
	isTooMany,
	isTransient,
	withRetries,
	type SharedPause,
} from '../../shared/transport/retry';

/** State that the items of one node run share. */
export type Run = {
	/** While one request of the run waits, no other starts. */
	pause: SharedPause;
	/** The lists that were read to find records by name. The key is the path of the list. Each list is read once. */
	listings: Map<string, Promise<IDataObject[]>>;
	/** Work that is done only once for all items, in flight or finished, by key. */
	once: Map<string, Promise<IDataObject>>;
	/** Shows a warning next to the output. */
	warn: (message: string) => void;
};

/** An input item, with those functions of n8n's context that operations need. */
export type Item = Pick<
	IExecuteSingleFunctions,
	| 'getExecutionCancelSignal'
	| 'getInputData'
	| 'getItemIndex'
	| 'getNode'
	| 'getNodeParameter'
	| 'getTimezone'
	| 'logger'
> & {
	run: Run;
	/** n8n's own context, which sends the requests. */
	context: ApiContext;
	helpers: Pick<
		IExecuteSingleFunctions['helpers'],
		'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'
	>;
	/** The error of an earlier try by n8n's Retry On Fail. */
	failedBefore?: NodeApiError | NodeOperationError;
};

/** Returns the initial state of a node run. */
export function createRun(warn: Run['warn']): Run {
	return { pause: createPause(), listings: new Map(), once: new Map(), warn };
}

/**
 * Sends one request of an item with its Request Options. When the service asks for a pause, all requests of the run wait.
 *
 * @throws NodeApiError; NodeOperationError for invalid Request Options
 */
export async function request(item: Item, apiOptions: ApiRequest): Promise<Envelope> {
	const settings = requestSettings(item);
	const isRead = (apiOptions.method ?? 'GET') === 'GET';
	return await withRetries(
		async () => await apiRequest.call(item.context, { ...settings, ...apiOptions }),
		{
			pause: item.run.pause,
			// A change is repeated only after "too many requests". After any other transient failure, it may have been carried out.
			isRetryable: isRead ? isTransient : isTooMany,
			signal: item.getExecutionCancelSignal(),
			log: (text) => item.logger.info(text),
		},
	);
}

/** Reads the Request Options of an item. @throws NodeOperationError for invalid Request Options */
export function requestSettings(item: Item): RequestSettings {
	return readRequestOptions(item.getNodeParameter('requestOptions', {}), failure(item));
}

/**
 * Returns the item of a context. n8n's own engine creates one context per item (agentRouting.ts), so each item is a
 * separate run.
 */
export function itemOf(context: IExecuteSingleFunctions): Item {
	const { helpers, logger } = context;
	return {
		context,
		run: createRun((message) => logger.warn(message)),
		logger,
		getExecutionCancelSignal: () => context.getExecutionCancelSignal(),
		getInputData: () => context.getInputData(),
		getItemIndex: () => context.getItemIndex(),
		getNode: () => context.getNode(),
		getNodeParameter: (...parameter: ParameterRequest) => context.getNodeParameter(...parameter),
		getTimezone: () => context.getTimezone(),
		helpers,
	};
}

/**
 * Returns a function that creates the item with the given index. A parameter without an expression is read once for all
 * items, because reading it is the most expensive part of an item.
 */
export function createItems(context: IExecuteFunctions, run: Run): (itemIndex: number) => Item {
	// `getNode` copies the whole node at each call (n8n-core 1.122.48 and 2.41.1).
	const node = context.getNode();
	const timezone = context.getTimezone();
	const signal = context.getExecutionCancelSignal();
	const { helpers, logger } = context;
	const readParameter = parameterReader(context, node);
	const noInput: INodeExecutionData = { json: {} };
	const shared = {
		...{ context, run, logger },
		getExecutionCancelSignal: () => signal,
		getNode: () => node,
		getTimezone: () => timezone,
	};
	return (itemIndex) => ({
		...shared,
		getInputData: () => context.getInputData()[itemIndex] ?? noInput,
		getItemIndex: () => itemIndex,
		getNodeParameter: (...parameter: ParameterRequest) => readParameter(itemIndex, ...parameter),
		helpers: {
			assertBinaryData: (name) => helpers.assertBinaryData(itemIndex, name),
			getBinaryMetadata: async (id) => await helpers.getBinaryMetadata(id),
			getBinaryStream: async (id, chunkSize) => await helpers.getBinaryStream(id, chunkSize),
		},
	});
}

type ParameterRequest = [name: string, fallback?: unknown, options?: { extractValue?: boolean }];

function parameterReader(context: IExecuteFunctions, { parameters }: INode) {
	const constant = new Map<string, boolean>();
	const values = new Map<string, NodeParameterValueType | object>();
	const isConstant = (name: string): boolean => {
		let is = constant.get(name);
		if (is === undefined) {
			const [top = name] = name.split(/[.[]/, 1);
			is = parameters[top] !== undefined && !hasExpression(parameters[top]);
			constant.set(name, is);
		}
		return is;
	};
	return (itemIndex: number, ...[name, fallback, options]: ParameterRequest) => {
		const key = options?.extractValue === true ? `${name} extracted` : name;
		const known = values.get(key);
		if (known !== undefined) return known;
		const value = context.getNodeParameter(name, itemIndex, fallback, options);
		// A fallback is not cached, because callers have different fallbacks.
		if (isConstant(name) && value !== fallback) values.set(key, value);
		return value;
	};
}

/** Whether a parameter value contains an expression, which must be evaluated for each item. */
function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return isRecord(value) && Object.values(value).some(hasExpression);
}

/** The outcome of an input item. `description` is the error's description without the progress of the run. */
export type Outcome =
	| { outputs: INodeExecutionData[]; error?: undefined }
	| {
			outputs?: undefined;
			error: NodeApiError | NodeOperationError;
			description: NodeApiError['description'];
	  };

/**
 * Remembers values between the tries of n8n's Retry On Fail. Each try runs the node again with all items, and gets the
 * same input item objects (WorkflowExecute of n8n-core 1.122.48 and 2.41.1). n8n's Retry button starts a new execution,
 * for which nothing is remembered.
 */
export function rememberTries<Value>() {
	/** The values by input item, then by node run: several nodes, or several runs of a loop, may process the same item. */
	const values = new WeakMap<INodeExecutionData, Map<string, Value>>();
	return (context: IExecuteFunctions) => {
		const { id, retryOnFail } = context.getNode();
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
