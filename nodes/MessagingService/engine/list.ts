import type { IDataObject } from 'n8n-workflow';

import { failure } from '../../shared/failure';
import { fieldAt } from '../../shared/field';
import { numberField, switchedOff } from '../../shared/fieldTypes';
import type { List } from '../../shared/lists/lists';
import { toNumber, toSwitch } from '../../shared/values';
import { toPage } from '../../shared/transport/paging';
import type { Item } from './item';
import type { Operation } from './declaration';
import { toItems } from './output';
import { request } from './send';

/** Every Get Many operation has this parameter and `limit`. */
export const returnAll = switchedOff(
	'returnAll',
	'Whether to return all results or only up to a given limit',
);

export const limit = numberField('limit', 50, 'Max number of results to return', 1, {
	displayOptions: { show: { returnAll: [false] } },
});

/**
 * Returns the parts that all Get Many operations have in common. These operations output one item per record.
 *
 * @param list the path, with IDs as `:parameterName`, and how the service pages it
 * @param toOutput reads the settings of an input item and returns the function that shapes each record. It throws if the
 *   settings are invalid
 */
export function list(
	{ path, read }: Pick<List, 'path' | 'read'>,
	toOutput?: (item: Item) => (record: IDataObject) => IDataObject,
): Pick<Operation, 'name' | 'endpoint' | 'checks' | 'send'> {
	return {
		name: 'Get Many',
		endpoint: ['GET', path],
		checks: toOutput ? [wantedRecords, toOutput] : [wantedRecords],
		async send(item, options) {
			const records = await read(
				async (paging) => {
					const qs = { ...options.qs, ...paging };
					return toPage(item.getNode(), await request(item, { ...options, qs }));
				},
				wantedRecords(item),
				failure(item),
				item.run.warn,
			);
			return toItems(records, toOutput?.(item));
		},
	};
}

/** Returns the number of records that the user asked for. @throws if Limit is not a whole number of 1 or more */
export function wantedRecords(item: Item): number {
	if (toSwitch(item.getNodeParameter('returnAll', false), fieldAt(item, 'returnAll'))) {
		return Infinity;
	}
	const wanted = toNumber(item.getNodeParameter('limit', 50));
	if (Number.isInteger(wanted) && wanted >= 1) return wanted;
	throw failure(item)('Limit must be a whole number of 1 or more');
}
