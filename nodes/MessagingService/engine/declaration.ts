import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Fail } from '../../shared/failure';
import { fieldLabel } from '../../shared/field';
import type { CAMPAIGN_STATUS, CHANNEL_STATUS } from '../../shared/statusCodes';
import type { ApiRequest, Envelope } from '../../shared/transport/apiRequest';
import type { Item, Run } from './item';

/** An operation: its entry in the Operation list, its parameters in screen order, and how it runs. */
export type Operation = {
	/** Name in the Operation list, if it does not follow from the operation's key (`operationName`). */
	name?: string;
	/** Name in the node panel, if it does not follow from the operation and its resource (`actionName`). */
	action?: string;
	description: string;
	/** A hint for n8n's AI builder. */
	builderHint?: string;
	/** Method and path as documented by the service, with IDs as `:parameterName`. */
	endpoint?: [method: IHttpRequestMethods, path: string];
	/** The constant part of the JSON body. */
	body?: IDataObject;
	/** Checks in addition to the checks of single fields. */
	checks?: Check[];
	/** Returns the item's claim (`Claim`), or undefined if several items may do the same. */
	claim?: (item: Item, request: ApiRequest, ids: Record<string, string>) => Claim | undefined;
	/** Returns the file to send as the body instead of JSON, and the timeout of the request. */
	uploadRequest?: (item: Item) => Promise<Pick<ApiRequest, 'body' | 'timeout'>>;
	/** Sends the requests of one item and returns its output. Defaults to one request to the endpoint. */
	send?: (
		item: Item,
		request: ApiRequest,
		ids: Record<string, string>,
	) => Promise<INodeExecutionData[]>;
	/** Converts the response of the endpoint to output. Defaults to `dataOrSuccess`. */
	toItems?: ToItems;
	/**
	 * Completes the outputs of the items of a run, once all of them are read. Returns for each the complete output, or an error
	 * if the item fails after all.
	 */
	finish?: Finish;
	/** The parameters in screen order. Operations that share a parameter must use the same object. */
	fields: INodeProperties[];
	/** The notice on the screen that the operation sends something to people. */
	sends?: INodeProperties;
	/**
	 * The states in which the operation accepts a record. Without this list, the operation may accept a record in any
	 * state.
	 */
	acceptsStatus?: Array<keyof typeof CAMPAIGN_STATUS | keyof typeof CHANNEL_STATUS>;
	/** Why the operation cannot be a tool of an AI agent, and what to use instead. */
	notAsTool?: [message: string, advice: string];
	/** Whether the operation sends no request. Its screen has no credential and no Request Options. */
	isLocal?: true;
	/** Replaces our runner for an operation that needs all input items at once. */
	execute?: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
};

/**
 * Checks an item's settings and the complete body of its request before anything is sent. Sends only requests that read, for
 * example a list to find a name. What it returns is ignored. @throws for invalid input
 */
export type Check = (item: Item, body: IDataObject, fail: Fail) => unknown;

/** Converts a response of the service into output items. `ids` are the IDs in the path, by parameter. */
export type ToItems = (
	item: Item,
	envelope: Envelope,
	ids: Record<string, string>,
	request: ApiRequest,
) => INodeExecutionData[];

/** Completes the outputs of a run. Returns for each the complete output, or an error. */
export type Finish = (
	outputs: INodeExecutionData[][],
	warn: Run['warn'],
) => Array<INodeExecutionData[] | Error>;

/** The request of an item, and the IDs that its locators select, by parameter. */
export type ItemRequest = { request: ApiRequest; ids: Record<string, string> };

/**
 * The claim of an item to be the only one of its run that does something, for example resets a certain group. If several
 * items have the same claim, they fail before anything is sent. With *On Error: Continue*, the first one is
 * sent, unless `allFail` is set.
 */
export type Claim = {
	/** What the item does, as JSON. Two claims with equal keys are the same claim. */
	key: unknown;
	/** The message of the error. @param count the number of items with this claim */
	message: (count: number) => string;
	advice: string;
	/** Whether even the first of these items fails if the node continues on errors, because each undoes the one before. */
	allFail?: boolean;
};

/** The operations of a resource, by the value that workflows store. */
export type Resource = Record<string, Operation>;

/** Whether an operation may change something in the service. Sync has no endpoint, and changes something. */
export function mayChange({ isLocal, endpoint: [method] = ['POST', ''] }: Operation): boolean {
	return !isLocal && method !== 'GET';
}

/** Returns the name of an operation in the Operation list. @param key the value that workflows store: `getAll` */
export function operationName(key: string, { name }: Operation): string {
	return name ?? fieldLabel(key);
}

/** Returns the name of an operation in the node panel: "Close campaign", "Get many recipient groups". */
export function actionName(resource: string, key: string, operation: Operation): string {
	if (operation.action !== undefined) return operation.action;
	const name = `${operationName(key, operation)} ${fieldLabel(resource)}`;
	const sentence = name.charAt(0) + name.slice(1).toLowerCase();
	return key === 'getAll' ? `${sentence}s` : sentence;
}
