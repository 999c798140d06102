import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { ApiContext } from '../../shared/transport/apiRequest';
import { SharedPause } from '../../shared/transport/retry';
import { readRequestOptions, type RequestSettings } from './requestOptions';

/** State that the items of one node run share. */
export type Run = {
	/** While one request of the run waits, no other starts. */
	pause: SharedPause;
	/** Whether n8n's Retry On Fail may run the node again with the same items. */
	mayBeRetried?: boolean;
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
	/** n8n's own context, which sends the requests and reads files. */
	context: ApiContext;
	helpers: Pick<IExecuteSingleFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;
	/** The Request Options, once `requestSettings` has read them. */
	settings?: RequestSettings;
};

/** Returns a function that gives each node run a value of its own, which `create` returns for the first item. */
export function onePerRun<Value>(create: () => Value): (item: Item) => Value {
	const values = new WeakMap<Run, Value>();
	return ({ run }) => {
		const value = values.get(run) ?? create();
		values.set(run, value);
		return value;
	};
}

/** Returns the Request Options of an item. @throws NodeOperationError for invalid Request Options */
export function requestSettings(item: Item): RequestSettings {
	item.settings ??= readRequestOptions(item.getNodeParameter('requestOptions', {}), item);
	return item.settings;
}

/**
 * Returns the item of a context. n8n's own engine creates one context per item (agentRouting.ts), so each item is a
 * separate run.
 */
export function itemOf(context: IExecuteSingleFunctions): Item {
	const item: Item = Object.create(context);
	const run: Run = { pause: new SharedPause(), warn: (message) => context.logger.warn(message) };
	return Object.assign(item, { context, run });
}

/**
 * Returns a function that creates the item with the given index. All these items belong to one run. A parameter without an
 * expression is read once for all items, because reading it is the most expensive part of an item.
 */
export function itemFactory(
	context: IExecuteFunctions,
	warn: Run['warn'] = (message) => context.logger.warn(message),
): (itemIndex: number) => Item {
	// `getNode` copies the whole node at each call (n8n-core 1.122.48 and 2.41.1).
	const node = context.getNode();
	const timezone = context.getTimezone();
	const signal = context.getExecutionCancelSignal();
	const readParameter = parameterReader(context, node);
	const input = context.getInputData();
	const noInput: INodeExecutionData = { json: {} };
	// The items inherit all of this, so that a run with many items starts fast.
	const shared: Item & { index: number } = {
		index: 0,
		context,
		helpers: context.helpers,
		logger: context.logger,
		run: { pause: new SharedPause(), mayBeRetried: node.retryOnFail, warn },
		getExecutionCancelSignal: () => signal,
		getNode: () => node,
		getTimezone: () => timezone,
		getInputData() {
			return input[this.index] ?? noInput;
		},
		getItemIndex() {
			return this.index;
		},
		getNodeParameter(...parameter: ParameterRequest) {
			return readParameter(this.index, ...parameter);
		},
	};
	return (index) => {
		const item: typeof shared = Object.create(shared);
		item.index = index;
		return item;
	};
}

/** The arguments of `getNodeParameter` of an item. */
type ParameterRequest = [name: string, fallback?: unknown, options?: { extractValue?: boolean }];

/** Returns a function that reads a parameter of an item, and caches the values that are the same for all items. */
function parameterReader(context: IExecuteFunctions, { parameters }: INode) {
	const cache = new Map<string, NodeParameterValueType | object>();
	return (itemIndex: number, ...[name, fallback, options]: ParameterRequest) => {
		const key = options?.extractValue === true ? `${name} extracted` : name;
		const cached = cache.get(key);
		if (cached !== undefined) return cached;
		const value = context.getNodeParameter(name, itemIndex, fallback, options);
		// `name` may be a path: `channelId.value` is a part of the parameter `channelId`.
		const [parameter = name] = name.split(/[.[]/, 1);
		// A fallback is not cached, because callers have different fallbacks.
		if (value !== fallback && !hasExpression(parameters[parameter])) cache.set(key, value);
		return value;
	};
}

/** Whether a saved parameter may contain an expression, which must be evaluated for each item. */
export function hasExpression(saved: unknown): boolean {
	return JSON.stringify(saved ?? null).includes('"=');
}
