import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fieldInfo } from '../../shared/field';
import { numberField, switchedOff } from '../../shared/fieldTypes';
import type { List } from '../../shared/lists/list';
import { toPositiveInteger, toSwitch } from '../../shared/values';
import { toPage } from '../../shared/transport/paging';
import type { Operation } from '../engine/declaration';
import type { Item } from '../engine/item';
import { outputItems } from '../engine/output';
import { callApi } from '../engine/sendItem';
import { chosenSimplifier, simplify, type Simplifier } from './simplify';

export const returnAll = switchedOff(
	'returnAll',
	'Whether to return all results or only up to a given limit',
);

export const limit = numberField('limit', 50, 'Max number of results to return', 1, {
	displayOptions: { show: { returnAll: [false] } },
});

/**
 * Returns an operation Get Many, which outputs one item per record.
 *
 * @param list the path, with IDs as `:parameterName`, and how the service pages it
 * @param simplifier simplifies a record, if Simplify is on. Without it, the operation has no Simplify
 * @param above the fields above Return All
 * @param filters the field of the filters
 */
export function getMany(
	{ path, read }: Pick<List, 'path' | 'read'>,
	description: string,
	parts: { simplifier?: Simplifier; above?: INodeProperties[]; filters?: INodeProperties } = {},
): Operation {
	const { simplifier, above = [], filters } = parts;
	const simplifyField = simplifier ? [simplify] : [];
	const filtersField = filters ? [filters] : [];
	return {
		name: 'Get Many',
		description,
		endpoint: ['GET', path],
		// Both throw if their field is invalid. What they return is needed only in `send`.
		checks: [wantedCount, (item) => chosenSimplifier(item, simplifier)],
		async send(item, request) {
			const fetchPage = async (paging: IDataObject) => {
				const qs = { ...request.qs, ...paging };
				return toPage(item.getNode(), await callApi(item, { ...request, qs }));
			};
			const { records, problem } = await read(fetchPage, wantedCount(item));
			if (problem) item.run.warn(problem);
			return outputItems(records, chosenSimplifier(item, simplifier));
		},
		fields: [...above, returnAll, limit, ...simplifyField, ...filtersField],
	};
}

/**
 * Returns the number of records that the user asked for: Limit, or Infinity with Return All.
 *
 * @throws if Return All is neither on nor off, or Limit is not a whole number of 1 or more
 */
export function wantedCount(item: Item): number {
	if (toSwitch(item.getNodeParameter('returnAll', false), fieldInfo(item, 'returnAll'))) {
		return Infinity;
	}
	return toPositiveInteger(item.getNodeParameter('limit', 50), fieldInfo(item, 'limit'));
}
