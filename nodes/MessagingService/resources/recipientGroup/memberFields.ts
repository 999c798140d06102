import type { INodeProperties } from 'n8n-workflow';

import { choices, optionsField, textArea } from '../../../shared/fieldTypes';
import { toEmails } from '../../../shared/email';
import { toList } from '../../../shared/values';
import { emailList, onlyChosenList } from '../../fields/recipients';
import { inBody, optional } from '../../engine/conversions';

const kinds = choices({
	email: 'The email address',
	id: ['ID', 'The ID in the service'],
});

/** Whether members are named by email or by ID. */
export const identifyBy = optionsField(
	'identifyBy',
	kinds,
	'email',
	'What you enter for each recipient',
);

/** The members to add or remove (`recipientEmails` or `recipientIds`, mutually exclusive). */
export const memberFields: INodeProperties[] = [
	identifyBy,
	emailList(
		'Email addresses, separated by commas, semicolons or new lines. An expression can also return a list.',
		{
			hint: 'If one address is unknown to the service, the service may refuse the whole request',
			displayOptions: { show: { identifyBy: ['email'] } },
			routing: inBody('recipientEmails', optional(toEmails)),
		},
	),
	textArea(
		'recipientIds',
		'IDs of recipients, separated by commas, semicolons or new lines. An expression can also return a list.',
		{
			placeholder: 'e.g. 64f1c0ffee0000000000abcd, 64f1c0ffee0000000000abce',
			displayOptions: { show: { identifyBy: ['id'] } },
			routing: inBody('recipientIds', optional(toList)),
		},
	),
];

/** Only one of the lists may be filled in (recipientGroup.addRecipients in emulator/openapi.yaml). */
export const oneKindOfMembers = onlyChosenList('identifyBy', kinds, {
	email: 'recipientEmails',
	id: 'recipientIds',
});
