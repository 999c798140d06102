import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fieldAt } from '../../shared/field';
import { isDataObject, toSwitch } from '../../shared/values';
import type { Operation } from '../engine/operation';
import { toItems } from '../engine/output';
import type { Item } from '../engine/item';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Returns the name of a status code. */
type StatusWords = (code: unknown) => string | undefined;

/**
 * Returns a function that reads an item's Simplify and returns a second function, which simplifies a record or leaves it
 * unchanged. The first function throws NodeOperationError if Simplify is neither on nor off.
 */
export function simplified(statusWords: StatusWords) {
	return (item: Item) => {
		const isSimple = wantsSimple(item);
		return (record: IDataObject): IDataObject =>
			isSimple ? simpleRecord(record, statusWords) : record;
	};
}

/** Returns the parts of a Get operation that apply Simplify to its single record. */
export function simplifiedBy(statusWords: StatusWords): Pick<Operation, 'checks' | 'toItems'> {
	const shape = simplified(statusWords);
	return {
		checks: [wantsSimple],
		toItems: (item, { data }) =>
			toItems([isDataObject(data) ? shape(item)(data) : { success: true }]),
	};
}

/** Returns the value of Simplify. @throws NodeOperationError if it is neither on nor off */
function wantsSimple(item: Item): boolean {
	const given = item.getNodeParameter('simplify', true);
	return toSwitch(given, fieldAt(item, 'simplify'));
}

/**
 * Returns the fields of a campaign, broadcast or channel that most workflows need, if the record has them.
 *
 * @param statusWords returns the name of a status code; an unknown code is kept
 */
export function simpleRecord(record: IDataObject, statusWords: StatusWords): IDataObject {
	const { status, sender, campaignUrl, broadcastUrl } = record;
	const simple: IDataObject = {};
	const enter = (name: string, value: IDataObject[string]): void => {
		if (value !== undefined) simple[name] = value;
	};
	for (const name of ['_id', 'name', 'title']) enter(name, record[name]);
	enter('status', statusWords(status) ?? status);
	enter('liveDate', record.liveDate);
	if (isDataObject(sender)) enter('senderEmail', sender.email);
	enter('recipientAmount', record.recipientAmount);
	enter('categories', record.categories);
	enter('url', campaignUrl ?? broadcastUrl);
	return simple;
}
