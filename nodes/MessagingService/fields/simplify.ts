import type { IDataObject } from 'n8n-workflow';

import { fieldAt } from '../../shared/field';
import { booleanField } from '../../shared/fieldTypes';
import { isDataObject, toSwitch } from '../../shared/values';
import { toItems, type Operation } from '../engine/declaration';
import type { Item } from '../engine/item';

export const simplify = booleanField(
	'simplify',
	'Whether to return a simplified version of the response instead of the raw data',
);

/** Returns the simplified form of a record. */
type Simple = (record: IDataObject) => IDataObject;

/**
 * Returns a function that reads an item's Simplify and returns a second function, which simplifies a record or leaves it
 * unchanged. The first function throws NodeOperationError if Simplify is neither on nor off.
 */
export function simplified(simple: Simple) {
	return (item: Item): Simple => (wantsSimple(item) ? simple : (record) => record);
}

/** Returns the parts of a Get operation that apply Simplify to its single record. */
export function simplifiedBy(simple: Simple): Pick<Operation, 'checks' | 'toItems'> {
	const shape = simplified(simple);
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
 * Returns a function that returns the fields of a campaign, broadcast or channel that most workflows need, if the record
 * has them.
 *
 * @param statusName returns the name of a status code; an unknown code is kept
 */
export function simpleRecord(statusName: (code: unknown) => string | undefined): Simple {
	return ({ sender, campaignUrl, broadcastUrl, ...record }) =>
		pick(
			{
				...record,
				status: statusName(record.status) ?? record.status,
				senderEmail: isDataObject(sender) ? sender.email : undefined,
				url: campaignUrl ?? broadcastUrl,
			},
			[
				...['_id', 'name', 'title', 'status', 'liveDate', 'senderEmail', 'recipientAmount'],
				...['categories', 'url'],
			],
		);
}

/** Returns the fields of a file that most workflows need, if the record has them. */
export const simpleFile: Simple = (file) =>
	pick(file, [
		...['_id', 'name', 'media', 'mime', 'format', 'size', 'width', 'height', 'mDate', 'url'],
	]);

/** Returns these fields in this order, without missing ones. */
function pick(record: IDataObject, names: string[]): IDataObject {
	const picked: IDataObject = {};
	for (const name of names) if (record[name] !== undefined) picked[name] = record[name];
	return picked;
}
