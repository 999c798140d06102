import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fieldAt } from '../../shared/field';
import { isDataObject } from '../../shared/typeGuards';
import { toSwitch } from '../../shared/values';
import type { Operation } from '../operations/operation';
import { toItems } from '../operations/output';
import type { Item } from '../runner/item';

/** Whether the big records come out with what most workflows need, or as the service gives them. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Gives a record in words where the service has only a code. */
type StatusWords = (code: unknown) => string | undefined;

/** Shapes records for the output, as the switch Simplify of an item wants it. @throws NodeOperationError for a switch that is none */
export function simplified(statusWords: StatusWords) {
	return (item: Item) => {
		const isSimple = wantsSimple(item);
		return (record: IDataObject): IDataObject =>
			isSimple ? simpleRecord(record, statusWords) : record;
	};
}

/** The same for the one record of a Get. */
export function simplifiedBy(statusWords: StatusWords): Pick<Operation, 'checks' | 'toItems'> {
	const shape = simplified(statusWords);
	return {
		checks: [wantsSimple],
		toItems: (item, { data }) =>
			toItems([isDataObject(data) ? shape(item)(data) : { success: true }]),
	};
}

/** Whether the switch is on. @throws NodeOperationError for a switch that is none */
function wantsSimple(item: Item): boolean {
	const given = item.getNodeParameter('simplify', true);
	return toSwitch(given, fieldAt(item, 'simplify'));
}

/**
 * What most workflows need of a campaign, broadcast or channel, as far as the record has it.
 *
 * @param statusWords gives a status code in words; an unknown one stays as it is
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
