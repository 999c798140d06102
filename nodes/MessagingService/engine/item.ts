import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	NodeParameterValueType,
} from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { isRecord } from '../../shared/values';
import type { ApiContext } from '../../shared/transport/apiRequest';
import type { ShownError } from '../../shared/transport/errors/apiError';
import { createPause, type SharedPause } from '../../shared/transport/retry';
import { readRequestOptions, type RequestSettings } from './requestOptions';

/** State that the items of one node run share. */
export type Run = {
	/** While one request of the run waits, no other starts. */
	pause: SharedPause;
	/** The lists that were read to find records by name. The key is the path of the list. Each list is read once. */
	listings: Map<string, Promise<IDataObject[]>>;
	/** The groups of Get or Create, in flight or finished, by name or ID. */
	createdByName: Map<string, Promise<IDataObject>>;
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
	/** The error of an earlier try by n8n's Retry On Fail. */
	failedBefore?: ShownError;
	/** The Request Options, once `requestSettings` has read them. */
	settings?: RequestSettings;
};

/** Returns the initial state of a node run. */
export function createRun(warn: Run['warn']): Run {
	return { pause: createPause(), listings: new Map(), createdByName: new Map(), warn };
}

/** Returns the Request Options of an item. @throws NodeOperationError for invalid Request Options */
export function requestSettings(item: Item): RequestSettings {
	item.settings ??= readRequestOptions(item.getNodeParameter('requestOptions', {}), failure(item));
	return item.settings;
}

/**
 * Returns the item of a context. n8n's own engine creates one context per item (agentRouting.ts), so each item is a
 * separate run.
 */
export function itemOf(context: IExecuteSingleFunctions): Item {
	const { helpers, logger } = context;
	return {
		...{ context, helpers, logger },
		run: createRun((message) => logger.warn(message)),
		getExecutionCancelSignal: () => context.getExecutionCancelSignal(),
		getInputData: () => context.getInputData(),
		getItemIndex: () => context.getItemIndex(),
		getNode: () => context.getNode(),
		getNodeParameter: (...parameter: ParameterRequest) => context.getNodeParameter(...parameter),
		getTimezone: () => context.getTimezone(),
	};
}

/**
 * Returns a function that creates the item with the given index. A parameter without an expression is read once for all
 * items, because reading it is the most expensive part of an item.
 */
export function createItems(
	context: IExecuteFunctions,
	warn: Run['warn'] = (message) => context.logger.warn(message),
): (itemIndex: number) => Item {
	// `getNode` copies the whole node at each call (n8n-core 1.122.48 and 2.41.1).
	const node = context.getNode();
	const timezone = context.getTimezone();
	const signal = context.getExecutionCancelSignal();
	const { helpers, logger } = context;
	const readParameter = parameterReader(context, node);
	const noInput: INodeExecutionData = { json: {} };
	const shared = {
		...{ context, helpers, logger },
		run: createRun(warn),
		getExecutionCancelSignal: () => signal,
		getNode: () => node,
		getTimezone: () => timezone,
	};
	return (itemIndex) => ({
		...shared,
		getInputData: () => context.getInputData()[itemIndex] ?? noInput,
		getItemIndex: () => itemIndex,
		getNodeParameter: (...parameter: ParameterRequest) => readParameter(itemIndex, ...parameter),
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
