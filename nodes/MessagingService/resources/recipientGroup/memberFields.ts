import type { INodeProperties, INodePropertyOptions, PreSendAction } from 'n8n-workflow';

import { emailList } from '../../fields/emailList';
import { validateBeforeSend, chosenAt, chosenListInBody } from '../../operations/body';
import type { Item } from '../../runner/item';
import { isBlank, toList } from '../../../shared/values';

const kinds: INodePropertyOptions[] = [
	{
		name: 'Email',
		value: 'email',
		description: 'By email address, ignoring case',
	},
	{ name: 'ID', value: 'id', description: "By the recipient's ID in the service" },
];

/** How members are named. */
export const identifyBy: INodeProperties = {
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	options: kinds,
	default: 'email',
	description: 'How the recipients are identified',
};

function members(kind: string, property: string) {
	return chosenListInBody(
		property,
		toList,
		(item) => chosenKind(item) === kind,
		'. Nothing was sent: what the service does with an empty list is not documented.',
	);
}

/** The members to add or remove (`recipientEmails` or `recipientIds`, mutually exclusive). */
export const memberFields: INodeProperties[] = [
	identifyBy,
	emailList({
		description:
			'Email addresses, separated by commas, semicolons or new lines, or a list from an expression',
		hint: 'If one address is unknown to the service, it refuses the whole request',
		displayOptions: { show: { identifyBy: ['email'] } },
		routing: members('email', 'recipientEmails'),
	}),
	{
		displayName: 'Recipient IDs',
		name: 'recipientIds',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 64f1c0ffee0000000000abcd, 64f1c0ffee0000000000abce',
		description:
			'IDs of recipients, separated by commas, semicolons or new lines, or a list from an expression',
		displayOptions: { show: { identifyBy: ['id'] } },
		routing: members('id', 'recipientIds'),
	},
];

/**
 * Fails when an expression fills in both lists: the service takes one (recipientGroup.addRecipients in
 * emulator/openapi.yaml). Fails also when Identify By is none of its choices.
 */
export const oneKindOfMembers: PreSendAction = validateBeforeSend((item, body, fail) => {
	chosenKind(item);
	const both = !isBlank(body.recipientEmails) && !isBlank(body.recipientIds);
	if (both && !isEmptyList(body.recipientEmails) && !isEmptyList(body.recipientIds)) {
		throw fail(
			'Recipient Emails and Recipient IDs cannot be given together',
			'Empty the one that Identify By does not choose. Nothing was sent.',
		);
	}
});

function chosenKind(item: Item): string {
	return chosenAt(item, 'identifyBy', 'email', kinds);
}

function isEmptyList(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}
