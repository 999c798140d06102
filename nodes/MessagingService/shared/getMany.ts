import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { buildPath } from './endpoint';
import { isDataObject, recordsOf } from './envelope';
import { failedItem } from './errors';
import type { ReadPages } from './paging';
import { failure, fieldAt } from './send';
import type { ApiRequest } from './transport';
import { apiRequest } from './transport';
import type { Field } from './values';
import { toJsonObject, toText, toUtcTimestamp } from './values';

/** Turns what a builder entered for a filter into query parameters; blank filters give none. */
export type Filter = (value: unknown, field: Field, name: string) => IDataObject;

/** Sends a filter's text. */
export const textFilter: Filter = (value, field, name) => {
	const text = toText(value, field).trim();
	return text === '' ? {} : { [name]: text };
};

/** Sends a filter's point in time. */
export const dateFilter: Filter = (value, field, name) => {
	const timestamp = toUtcTimestamp(value, field);
	return timestamp === undefined ? {} : { [name]: timestamp };
};

/** Sends a switch as the text the service expects. */
export const switchFilter: Filter = (value, _field, name) => ({ [name]: String(Boolean(value)) });

/** Sends conditions JSON-encoded (service-api.md, GET channel recipients). */
export const conditionsFilter: Filter = (value, field, name) => {
	const conditions = toJsonObject(value, field);
	return conditions === undefined ? {} : { [name]: JSON.stringify(conditions) };
};

/** One choice for the two mutually exclusive parameters `all` and `onlyApi` (service-api.md, GET campaign). */
export const scopeFilter: Filter = (value, field) => {
	switch (value) {
		case undefined:
		case null:
		case '':
		case 'mine':
			return {};
		case 'all':
			return { all: 'true' };
		case 'onlyApi':
			return { onlyApi: 'true' };
		default:
			throw field.fail(`${field.label} "${String(value)}" is unknown`, 'Use mine, all or onlyApi.');
	}
};

/** The pair of parameters of every Get Many. */
export const returnAll: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

export const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	displayOptions: { show: { returnAll: [false] } },
};

type List = {
	/** Path of the list, ids as `:parameterName`. */
	path: string;
	read: ReadPages;
	/** What each entry of the `filters` collection sends. */
	filters?: Record<string, Filter>;
};

/**
 * Runs a Get Many. A function of its own, because the engine joins a declarative operation's results with
 * `push(...items)`, which overflows the call stack above some 120,000 items (n8n-core 2.41.1).
 *
 * @returns one output item a record, paired with the input item it was fetched for
 */
export function getMany({ path, read, filters = {} }: List) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const output: INodeExecutionData[] = [];
		const warnings = new Set<string>();
		for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
			try {
				const fail = failure(this, itemIndex);
				const wanted = wantedRecords(this, itemIndex);
				const url = buildPath(
					path,
					(name) => this.getNodeParameter(name, itemIndex, undefined, { extractValue: true }),
					(message) => fail(message),
				);
				const qs = filterQuery(this, itemIndex, filters);
				const settings = requestSettings(this, itemIndex);
				const records = await read(
					async (paging) => {
						const envelope = await apiRequest.call(this, {
							...settings,
							url,
							qs: { ...qs, ...paging },
						});
						return { records: recordsOf(this.getNode(), envelope), total: envelope.total };
					},
					wanted,
					fail,
					(message) => warnings.add(message),
				);
				for (const json of records) output.push({ json, pairedItem: { item: itemIndex } });
			} catch (error) {
				output.push(failedItem(this, error, itemIndex));
			}
		}
		for (const message of warnings) {
			this.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
		}
		return [output];
	};
}

/** How many records a builder asked for. @throws when Limit is no whole number of 1 or more */
export function wantedRecords(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	const wanted = Number(context.getNodeParameter('limit', itemIndex, 50));
	if (Number.isInteger(wanted) && wanted >= 1) return wanted;
	throw failure(context, itemIndex)('Limit must be a whole number of 1 or more');
}

/**
 * What the builder set under Request Options, which n8n adds to every declarative node and reads only for declarative
 * operations.
 */
export function requestSettings(
	context: IExecuteFunctions,
	itemIndex: number,
): Pick<ApiRequest, 'timeout' | 'proxy' | 'skipSslCertificateValidation'> {
	const options: unknown = context.getNodeParameter('requestOptions', itemIndex, {});
	if (!isDataObject(options)) return {};
	const { timeout, proxy, allowUnauthorizedCerts } = options;
	const settings: ReturnType<typeof requestSettings> = {};
	if (typeof timeout === 'number' && timeout > 0) settings.timeout = timeout;
	if (allowUnauthorizedCerts === true) settings.skipSslCertificateValidation = true;
	if (typeof proxy === 'string' && proxy !== '') {
		const fail = failure(context, itemIndex);
		settings.proxy = proxySettings(proxy, fail);
	}
	return settings;
}

function filterQuery(
	context: IExecuteFunctions,
	itemIndex: number,
	filters: Record<string, Filter>,
): IDataObject {
	const entered = context.getNodeParameter('filters', itemIndex, {});
	if (!isDataObject(entered)) return {};
	const query: IDataObject = {};
	for (const [name, filter] of Object.entries(filters)) {
		if (name in entered) {
			Object.assign(query, filter(entered[name], fieldAt(context, name, itemIndex), name));
		}
	}
	return query;
}

function proxySettings(typed: string, fail: Field['fail']): ApiRequest['proxy'] {
	let url: URL;
	try {
		url = new URL(typed);
	} catch {
		throw fail('The proxy is not valid', 'It needs the form http://host:port.');
	}
	const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
	const proxy: NonNullable<ApiRequest['proxy']> = {
		host: url.hostname,
		port,
		protocol: url.protocol.replace(/:$/, ''),
	};
	if (url.username !== '') {
		proxy.auth = {
			username: decodeURIComponent(url.username),
			password: decodeURIComponent(url.password),
		};
	}
	return proxy;
}
