import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { chosenAt, inBody, optional } from '../engine/conversions';
import type { Check } from '../engine/declaration';
import { fieldLabel, type FieldInfo } from '../../shared/field';
import {
	choices,
	fixedCollection,
	loadedField,
	optionsField,
	stringField,
	textArea,
} from '../../shared/fieldTypes';
import { toEmail, toEmails } from '../../shared/email';
import { fieldsIn, rowsOfForm, toList, toTitle } from '../../shared/values';

/** Returns the field for a list of email addresses (`recipientEmails`), with further properties in `details`. */
export const emailList = (
	description: string,
	details: Partial<INodeProperties>,
): INodeProperties =>
	textArea('recipientEmails', description, {
		placeholder: 'e.g. ada@example.com, grace@example.com',
		...details,
	});

/** The body field that each choice of Recipients From fills. */
const BODY_FIELD: Record<string, string> = {
	emails: 'recipientEmails',
	groups: 'recipientGroups',
	newRecipients: 'recipients',
};

const kinds = choices({
	emails: ['Email Addresses', 'Addresses that the service already knows'],
	newRecipients: ['New People', 'Addresses and names of people who may be new to the service'],
	groups: ['Recipient Groups', 'All members of the selected groups'],
});

const nobody = choices({ none: ['Nobody Yet', 'No recipients yet'] });

const kindsOrNobody = [...kinds.slice(0, 2), ...nobody, ...kinds.slice(2)];

const recipientsFrom = optionsField(
	'recipientsFrom',
	kindsOrNobody,
	'none',
	'Who receives the message',
);

const requiredRecipientsFrom: INodeProperties = {
	...recipientsFrom,
	options: kinds,
	default: 'emails',
};

// The lists are not marked as required. If Recipients From is an expression, all lists are visible,
// and n8n does not run a node with an empty required field (n8n-core 2.41.1).
const recipientEmails = emailList(
	'Addresses, separated by commas, semicolons or new lines. An expression can also return a list.',
	{
		displayOptions: { show: { recipientsFrom: ['emails'] } },
		routing: inBody('recipientEmails', optional(toEmails)),
	},
);

const recipientGroups = loadedField(
	'multiOptions',
	'recipientGroups',
	'Recipient Group',
	'getRecipientGroups',
	undefined,
	{
		displayOptions: { show: { recipientsFrom: ['groups'] } },
		routing: inBody('recipientGroups', optional(toList)),
	},
);

const recipients = fixedCollection(
	'recipients',
	'New recipients of the message. An expression cannot fill in the whole list.',
	['recipient', 'Person'],
	[
		stringField('email', '', { placeholder: 'name@email.com' }),
		stringField('firstName', ''),
		stringField('lastName', ''),
	],
	{
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Person' },
		placeholder: 'Add Person',
		displayOptions: { show: { recipientsFrom: ['newRecipients'] } },
		routing: inBody('recipients', optional(toNewPeople)),
	},
);

const recipientLists = [recipientEmails, recipientGroups, recipients];

/** Recipient fields of a message for which recipients are optional. */
export const recipientFields = [recipientsFrom, ...recipientLists];

/** Recipient fields of a message that requires recipients. */
export const requiredRecipientFields = [requiredRecipientsFrom, ...recipientLists];

/**
 * Returns a check of several lists. Only the list that the drop-down selects may be in the request, and it must not be empty.
 * Expressions can fill in several lists, and the API does not document what it does with them (campaign.create in
 * emulator/openapi.yaml).
 *
 * @param selector the drop-down, with its `options`
 * @param lists the body field that each option fills. An option without a field needs no list
 */
export function onlyChosenList(
	selector: string,
	options: INodePropertyOptions[],
	lists: Record<string, string>,
): Check {
	const selected = chosenAt(selector, options);
	return (item, body, fail) => {
		const chosen = lists[selected(item)];
		// A list is in the body only if it is not empty (`optional`).
		const others = Object.values(lists).filter((list) => list in body && list !== chosen);
		if (others.length > 0) {
			const names = others.map((list) => fieldLabel(list)).join(' and ');
			throw fail(
				`${fieldLabel(selector)} selects ${chosen ? fieldLabel(chosen) : 'nobody'}, so ${names} must be empty`,
				`Clear the fields that ${fieldLabel(selector)} does not select. Nothing was sent.`,
			);
		}
		if (chosen === undefined || chosen in body) return;
		throw fail(
			`${fieldLabel(chosen)} is empty`,
			'Enter at least one, or check the expression. Nothing was sent.',
		);
	};
}

/** Checks that only the list that Recipients From selects is filled in. */
export const oneKindOfRecipients = onlyChosenList('recipientsFrom', kindsOrNobody, BODY_FIELD);

/** Like `oneKindOfRecipients`, but for operations that require recipients. */
export const oneKindOfRequiredRecipients = onlyChosenList('recipientsFrom', kinds, BODY_FIELD);

/** Reads the rows of New People. Repeated rows count once. @throws for an invalid row, and for one address of two people */
function toNewPeople(value: unknown, field: FieldInfo): IDataObject[] {
	const people = new Map<string, IDataObject>();
	for (const [index, row] of rowsOfForm(value, 'recipient').entries()) {
		const { email: address, firstName, lastName } = fieldsIn(row);
		const email = toEmail(address, field);
		if (!email) throw field.fail(`${field.label}: person ${index + 1} has no email`);
		const person: IDataObject = { email };
		for (const [name, given] of Object.entries({ firstName, lastName })) {
			const text = toTitle(given, field);
			if (text !== '') person[name] = text;
		}
		const key = email.toLowerCase();
		const known = people.get(key) ?? person;
		if (known.firstName !== person.firstName || known.lastName !== person.lastName)
			throw field.fail(`${field.label}: ${email} belongs to two people`, 'Nothing was sent.');
		people.set(key, known);
	}
	return [...people.values()];
}
