import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { CAMPAIGN_STATUS } from '../../shared/campaignStatus';
import type { CHANNEL_STATUS } from '../../shared/channelStatus';
import type { Fail } from '../../shared/failure';
import type { ApiRequest, Envelope } from '../../shared/transport/apiRequest';
import type { Item } from '../runner/item';

/** One operation: its entry in the Operation list, its parameters in the order of the screen, and how it runs. */
export type Operation = {
	/** Its name in the Operation list; `action` is the one in the node panel. */
	name: string;
	value: string;
	action: string;
	description: string;
	/** What n8n's AI builder is told besides. */
	builderHint?: string;
	/** Method and path as in the service's documentation, each ID in the path as `:` and the parameter that holds it. */
	endpoint?: [method: IHttpRequestMethods, path: string];
	/** A JSON body that is always the same. */
	body?: IDataObject;
	/** What an item must fulfil beside what its fields check themselves. */
	checks?: Check[];
	/** What is sent in place of a JSON body, and the time it may take. */
	upload?: (item: Item) => Promise<Pick<ApiRequest, 'body' | 'timeout'>>;
	/** Sends the requests of one item and returns its output; one request to the endpoint when left out. */
	send?: (
		item: Item,
		request: ApiRequest,
		ids: Record<string, string>,
	) => Promise<INodeExecutionData[]>;
	/** Shapes the output of that one request; `dataOrSuccess` when left out. */
	toItems?: ToItems;
	/** Shared ones are the same object in every operation that uses them. */
	fields: INodeProperties[];
	/** The notice of an operation that sends to people. The screen shows it below the field that it depends on. */
	sends?: INodeProperties;
	/** The states in which it takes a record, where it refuses the others that are known. */
	takes?: Array<keyof typeof CAMPAIGN_STATUS | keyof typeof CHANNEL_STATUS>;
	/** Why it cannot be a tool of an AI agent, and what to use instead. */
	notAsTool?: [message: string, advice: string];
	/** Runs in place of our runner where an operation must see all input items at once. */
	execute?: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
};

/** Reads an item's settings and the whole body, so that invalid input fails before anything is sent. */
export type Check = (item: Item, body: IDataObject, fail: Fail) => unknown;

/** Shapes the output from a response. `ids` are those in the path, by parameter. */
export type ToItems = (
	item: Item,
	envelope: Envelope,
	ids: Record<string, string>,
) => INodeExecutionData[];

export type Resource = {
	displayName: string;
	value: string;
	operations: Operation[];
	/** The operation chosen when a builder picks the resource, one that changes nothing: `getAll` when left out. */
	defaultOperation?: string;
};
