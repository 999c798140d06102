import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Envelope } from '../../shared/transport/apiRequest';
import { fieldsIn, isDataObject } from '../../shared/values';
import type { ToItems } from './declaration';

/**
 * Returns an output item for each record. `pairedItem` is set later, but the property already exists, because adding it would
 * take as long as creating the items (measured with 100,000 items).
 *
 * @param convert returns the output for a record. Defaults to the record itself
 */
export function outputItems(
	records: IDataObject[],
	convert?: (record: IDataObject) => IDataObject,
): INodeExecutionData[] {
	return records.map((record) => ({ json: convert?.(record) ?? record, pairedItem: undefined }));
}

/** Returns one item: the response's `data`, or `success` and the IDs in the path (`recordOrSuccess`). */
export const dataOrSuccess: ToItems = (_item, envelope, ids) =>
	outputItems([recordOrSuccess(envelope, ids)]);

/** Like `dataOrSuccess`. If the output is `success` and the IDs in the path, it also has a field of the body as it was sent. */
export function dataOrSuccessWith(name: string): ToItems {
	return (_item, envelope, ids, { body }) =>
		outputItems([recordOrSuccess(envelope, { ...ids, [name]: fieldsIn(body)[name] })]);
}

/**
 * Returns the response's `data` if it is an object. Otherwise returns `success`, the given IDs, and `data` if the
 * response has any.
 */
export function recordOrSuccess({ data }: Envelope, ids: IDataObject): IDataObject {
	if (isDataObject(data)) return data;
	return { success: true, ...ids, ...(data !== undefined && { data }) };
}

/** Returns the IDs in the path, followed by the response's `data`, which may not contain these IDs, or by `success`. */
export const dataWithIds: ToItems = (_item, envelope, ids) =>
	outputItems([{ ...ids, ...recordOrSuccess(envelope, ids) }]);

/** Returns the output of a deletion: the IDs, the response's `data` and `deleted`. */
export const deleted: ToItems = (_item, { data }, ids) =>
	outputItems([{ ...ids, ...fieldsIn(data), deleted: true }]);
