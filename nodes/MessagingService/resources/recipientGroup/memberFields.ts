import type { INodeProperties } from 'n8n-workflow';

import { choices, optionsField, textArea } from '../../../shared/fieldTypes';
import { toEmails } from '../../../shared/values';
import { emailList } from '../../fields/recipients';
import { checkChosenList, chosenAt, listInBody, type Check } from '../../engine/declaration';

const kinds = choices({
	email: 'By email address, ignoring case',
	id: ['ID', "By the recipient's ID in the service"],
});

/** How members are identified. */
export const identifyBy = optionsField(
	'identifyBy',
	kinds,
	'email',
	'How the recipients are identified',
);

/** The members to add or remove (`recipientEmails` or `recipientIds`, mutually exclusive). */
export const memberFields: INodeProperties[] = [
	identifyBy,
	emailList(
		'Email addresses, separated by commas, semicolons or new lines, or a list from an expression',
		{
			hint: 'If the service does not know one of the addresses, it refuses the whole request',
			displayOptions: { show: { identifyBy: ['email'] } },
			routing: listInBody('recipientEmails', 'omit', toEmails),
		},
	),
	textArea(
		'recipientIds',
		'IDs of recipients, separated by commas, semicolons or new lines, or a list from an expression',
		{
			placeholder: 'e.g. 64f1c0ffee0000000000abcd, 64f1c0ffee0000000000abce',
			displayOptions: { show: { identifyBy: ['id'] } },
			routing: listInBody('recipientIds', 'omit'),
		},
	),
];

/**
 * Fails if both lists are filled in, because the service accepts only one (recipientGroup.addRecipients in
 * emulator/openapi.yaml). Also fails if the chosen list is empty or Identify By is invalid.
 */
export const oneKindOfMembers: Check = (item, body, fail) => {
	const kind = chosenAt(item, 'identifyBy', 'email', kinds);
	if ('recipientEmails' in body && 'recipientIds' in body) {
		throw fail(
			'Recipient Emails and Recipient IDs cannot be used together',
			'Clear the field that Identify By does not select. Nothing was sent.',
		);
	}
	checkChosenList(
		kind === 'email' ? 'recipientEmails' : 'recipientIds',
		body,
		fail,
		'. Nothing was sent, because the API does not document the effect of an empty list.',
	);
};
