import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { fieldInfo, type FieldInfo } from '../../../../shared/field';
import {
	choices,
	dateField,
	fixedCollection,
	numberField,
	optionsField,
	stringField,
	valuesOf,
} from '../../../../shared/fieldTypes';
import { toFutureTimestamp } from '../../../../shared/date';
import { fieldsIn, isBlank, toChoice, toNumber, toText } from '../../../../shared/values';
import { chosenAt } from '../../../engine/conversions';
import type { Item } from '../../../engine/item';
import { addedOptions, valueOrDefault } from '../../../fields/collections';
import type { Question } from './page';

const responseTypes = choices({
	approval: 'A page with a button to approve and, optionally, a button to decline',
	freeText: 'A page with a field to write in',
});

const approvalTypes = choices({ single: ['Approve Only'], double: ['Approve and Disapprove'] });

export const approvalOptions = fixedCollection(
	'approvalOptions',
	'',
	['values', 'Values'],
	[
		optionsField('approvalType', approvalTypes, 'single', '', { displayName: 'Type of Approval' }),
		stringField('approveLabel', '', { displayName: 'Approve Button Label', default: 'Approve' }),
		stringField('disapproveLabel', '', {
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
	'Kind of response that the page asks for',
);

const limitTypes = choices({ afterTimeInterval: '', atSpecifiedTime: '' });

const units = choices({ minutes: '', hours: '', days: '' });

const afterInterval = { displayOptions: { show: { limitType: ['afterTimeInterval'] } } };

export const limitWaitTime = fixedCollection(
	'limitWaitTime',
	'How long to wait before the workflow continues without a response. Without this option, the workflow waits until somebody responds.',
	['values', 'Values'],
	[
		optionsField('limitType', limitTypes, 'afterTimeInterval', ''),
		numberField('resumeAmount', 1, '', undefined, {
			displayName: 'Amount',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			...afterInterval,
		}),
		optionsField('resumeUnit', units, 'hours', '', { displayName: 'Unit', ...afterInterval }),
		dateField('maxDateAndTime', '', {
			displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
		}),
	],
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
	const fieldOf: FieldOf = (label) => ({
		...fieldInfo(item, 'limitWaitTime'),
		label: `Limit Wait Time: ${label}`,
	});
	const type = toChoice(
		valueOrDefault(limit, 'limitType', 'afterTimeInterval'),
		valuesOf(limitTypes),
		fieldOf('Limit Type'),
	);
	return type === 'atSpecifiedTime' ? specifiedTime(limit, fieldOf) : endOfInterval(limit, fieldOf);
}

/** Returns a field of Limit Wait Time, for errors. @param label its name on the screen */
type FieldOf = (label: string) => FieldInfo;

/** Returns the time of At Specified Time. @throws if it is no time in the future */
function specifiedTime({ maxDateAndTime }: IDataObject, fieldOf: FieldOf): Date {
	return new Date(toFutureTimestamp(maxDateAndTime, fieldOf('Max Date and Time'), Date.now()));
}

/** Returns the time at which the interval of After Time Interval ends. @throws for an invalid interval */
function endOfInterval(limit: IDataObject, fieldOf: FieldOf): Date {
	const unit = toChoice(
		valueOrDefault(limit, 'resumeUnit', 'hours'),
		valuesOf(units),
		fieldOf('Unit'),
	);
	const field = fieldOf('Amount');
	const amount = toNumber(valueOrDefault(limit, 'resumeAmount', 1));
	const end = new Date(Date.now() + amount * (UNITS_MS[unit] ?? NaN));
	if (amount > 0 && !Number.isNaN(end.getTime())) return end;
	throw field.fail(`${field.label} must be a number above 0`);
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
	const type = toChoice(valueOrDefault(values, 'approvalType', 'single'), valuesOf(approvalTypes), {
		...field,
		label: 'Type of Approval',
	});
	if (type === 'double') question.decline = label(values.disapproveLabel, 'Decline');
	return question;
}
