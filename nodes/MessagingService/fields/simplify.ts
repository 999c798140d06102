import type { IDataObject } from 'n8n-workflow';

import { fieldInfo } from '../../shared/field';
import { switchedOn } from '../../shared/fieldTypes';
import { channelStatusName, statusName } from '../../shared/statusCodes';
import { fieldsIn, isDataObject, toSwitch } from '../../shared/values';
import type { Operation } from '../engine/declaration';
import type { Item } from '../engine/item';
import { outputItems } from '../engine/output';

export const simplify = switchedOn(
	'simplify',
	'Whether to return a simplified version of the response instead of the raw data',
);

const FIELDS_OF_RECORD =
	'_id name title status liveDate senderEmail recipientAmount categories url'.split(' ');

const FIELDS_OF_FILE = '_id name media mime format size width height mDate url'.split(' ');

/** Returns the simplified form of a record. */
export type Simplifier = (record: IDataObject) => IDataObject;

/** Returns `simplifier`, if there is one and Simplify is on. @throws NodeOperationError if Simplify is neither on nor off */
export function chosenSimplifier(item: Item, simplifier?: Simplifier): Simplifier | undefined {
	if (!simplifier) return undefined;
	const given = item.getNodeParameter('simplify', true);
	return toSwitch(given, fieldInfo(item, 'simplify')) ? simplifier : undefined;
}

/**
 * Returns the parts of a Get operation that apply Simplify to its single record. If the service returns no record, the
 * output is `success`.
 */
export function simplifiedBy(simplifier: Simplifier): Pick<Operation, 'checks' | 'toItems'> {
	return {
		// Throws if Simplify is invalid. What it returns is needed only in `toItems`.
		checks: [(item) => chosenSimplifier(item, simplifier)],
		toItems: (item, { data }) =>
			isDataObject(data)
				? outputItems([data], chosenSimplifier(item, simplifier))
				: outputItems([{ success: true }]),
	};
}

/** Reduces a campaign or a broadcast to the fields that most workflows need. An unknown status code is kept. */
export const simplifyMessage: Simplifier = (record) =>
	simplifyRecord(record, statusName(record.status));

/** Reduces a channel to the fields that most workflows need. An unknown status code is kept. */
export const simplifyChannel: Simplifier = (record) =>
	simplifyRecord(record, channelStatusName(record.status));

/** Simplifies a campaign, broadcast or channel. @param status in words, or undefined to keep the service's code */
function simplifyRecord(record: IDataObject, status: string | undefined): IDataObject {
	// A record has only one of the two URLs.
	const { sender, campaignUrl, broadcastUrl: url = campaignUrl } = record;
	const { email: senderEmail } = fieldsIn(sender);
	const flat = { ...record, status: status ?? record.status, senderEmail, url };
	return pick(flat, FIELDS_OF_RECORD);
}

/** Reduces a file to the fields that most workflows need. */
export const simplifyFile: Simplifier = (file) => pick(file, FIELDS_OF_FILE);

/** Returns the named fields in the order of the names, without missing fields. */
function pick(record: IDataObject, names: string[]): IDataObject {
	const picked: IDataObject = {};
	for (const name of names) if (record[name] !== undefined) picked[name] = record[name];
	return picked;
}
