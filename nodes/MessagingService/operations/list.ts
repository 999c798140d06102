import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Filter } from '../../shared/filters';
import { requestSettings } from '../../shared/service/requestOptions';
import { buildPath } from '../../shared/service/path';
import { isDataObject } from '../../shared/guards';
import { recordsOf } from '../../shared/service/envelope';
import { failedItem } from '../../shared/service/errors';
import type { ReadPages } from '../../shared/service/paging';
import { failure } from '../../shared/failure';
import { fieldAt } from '../../shared/field';
import { apiRequest } from '../../shared/service/transport';

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
