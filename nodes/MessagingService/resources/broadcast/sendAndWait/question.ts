import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { fieldInfo, type FieldInfo } from '../../../../shared/field';
import {
	choices,
	dateField,
	fixedCollection,
	numberField,
	optionsField,
	stringField,
} from '../../../../shared/fieldTypes';
import { toFutureTimestamp } from '../../../../shared/date';
import { fieldsIn, isBlank, toNumber, toText } from '../../../../shared/values';
import { choiceAmong, chosenAt } from '../../../engine/conversions';
import type { Item } from '../../../engine/item';
import { addedOptions, valueOrDefault } from '../../../fields/collections';
import type { Question } from './page';

const responseTypes = choices({
	approval:
		'The message links to a page with an Approve button. A second button, Decline, is optional.',
	freeText: 'The message links to a page with a text field',
});

const approvalTypes = choices({ single: ['Approve Only'], double: ['Approve and Disapprove'] });

export const approvalOptions = fixedCollection(
	'approvalOptions',
	'',
	['values', 'Values'],
	[
		optionsField('approvalType', approvalTypes, 'single', '', { displayName: 'Type of Approval' }),
		stringField('approveLabel', '', { displayName: 'Approve Button Label', default: 'Approve' }),
		stringField('disapproveLabel', 'Label of the second button', {
			displayName: 'Disapprove Button Label',
			default: 'Decline',
			displayOptions: { show: { approvalType: ['double'] } },
		}),
	],
	{ placeholder: 'Add option', displayOptions: { hide: { responseType: ['freeText'] } } },
);

export const responseType = optionsField(
	'responseType',
	responseTypes,
	'approval',
	'How people can respond',
);

const limitTypes = choices({ afterTimeInterval: '', atSpecifiedTime: '' });

const units = choices({ minutes: '', hours: '', days: '' });

const afterInterval = { displayOptions: { show: { limitType: ['afterTimeInterval'] } } };

const limitFields = [
	optionsField('limitType', limitTypes, 'afterTimeInterval', ''),
	numberField('resumeAmount', 1, '', undefined, {
		displayName: 'Amount',
		typeOptions: { minValue: 0.01, numberPrecision: 2 },
		...afterInterval,
	}),
	optionsField('resumeUnit', units, 'hours', '', { displayName: 'Unit', ...afterInterval }),
	dateField('maxDateAndTime', '', { displayOptions: { show: { limitType: ['atSpecifiedTime'] } } }),
];

export const limitWaitTime = fixedCollection(
	'limitWaitTime',
	'How long to wait for a response. After this time, the workflow continues without a response. Without this option, there is no time limit.',
	['values', 'Values'],
	limitFields,
	{
		default: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
		},
	},
);

const UNITS_MS: Record<string, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/**
 * Returns the time at which an execution stops waiting. Without Limit Wait Time, returns `WAIT_INDEFINITELY`, as n8n's own
 * nodes do.
 *
 * @throws NodeOperationError for an invalid limit
 */
export function endOfWait(item: Item): Date {
	const limit = fieldsIn(fieldsIn(addedOptions(item).limitWaitTime).values);
	if (Object.keys(limit).length === 0) return WAIT_INDEFINITELY;
	const read = <Value>(name: string, convert: (value: unknown, field: FieldInfo) => Value) => {
		const { displayName = '', default: standard } =
			limitFields.find((each) => each.name === name) ?? {};
		const field = { ...fieldInfo(item, name), label: `Limit Wait Time: ${displayName}` };
		return convert(valueOrDefault(limit, name, standard), field);
	};
	if (read('limitType', choiceAmong(limitTypes)) === 'atSpecifiedTime') {
		return read('maxDateAndTime', (value, field) => {
			return new Date(toFutureTimestamp(value, field, Date.now()));
		});
	}
	const unitMs = UNITS_MS[read('resumeUnit', choiceAmong(units))] ?? NaN;
	return read('resumeAmount', (value, { label, fail }) => {
		const amount = toNumber(value);
		const end = new Date(Date.now() + amount * unitMs);
		if (amount > 0 && !Number.isNaN(end.getTime())) return end;
		throw fail(`${label} must be a number above 0`);
	});
}

const chosenResponseType = chosenAt('responseType', responseTypes);

/**
 * Returns the question that an item asks, with the texts of its broadcast.
 *
 * @throws NodeOperationError for an invalid label or choice
 */
export function questionOf(item: Item, { title, message }: IDataObject): Question {
	const id = crypto.randomUUID();
	const question: Question = { id, title: String(title), message: String(message) };
	if (chosenResponseType(item) === 'freeText') return question;
	const field = fieldInfo(item, 'approvalOptions');
	const values = fieldsIn(fieldsIn(item.getNodeParameter('approvalOptions', {})).values);
	const label = (value: unknown, standard: string) =>
		isBlank(value) ? standard : toText(value, field);
	question.approve = label(values.approveLabel, 'Approve');
	const type = choiceAmong(approvalTypes)(valueOrDefault(values, 'approvalType', 'single'), {
		...field,
		label: 'Type of Approval',
	});
	if (type === 'double') question.decline = label(values.disapproveLabel, 'Decline');
	return question;
}
