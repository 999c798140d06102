import type { IDataObject } from 'n8n-workflow';

import { fieldAt } from '../../shared/field';
import { booleanField } from '../../shared/fieldTypes';
import { isDataObject, toSwitch } from '../../shared/values';
import type { Operation } from '../engine/declaration';
import { toItems } from '../engine/output';
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
 * Returns a function that reduces a campaign, broadcast or channel to the fields that most workflows need.
 *
 * @param statusName returns the name of a status code. An unknown code is kept
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

/** Reduces a file to the fields that most workflows need. */
export const simpleFile: Simple = (file) =>
	pick(file, [
		...['_id', 'name', 'media', 'mime', 'format', 'size', 'width', 'height', 'mDate', 'url'],
	]);

/** Returns the named fields in the order of the names, without missing fields. */
function pick(record: IDataObject, names: string[]): IDataObject {
	const picked: IDataObject = {};
	for (const name of names) if (record[name] !== undefined) picked[name] = record[name];
	return picked;
}
