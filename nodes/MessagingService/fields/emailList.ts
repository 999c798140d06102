import type { INodeProperties } from 'n8n-workflow';

/** A list of email addresses (`recipientEmails`): what is the same wherever it stands, and what an operation says of its own. */
export const emailList = (
	own: Pick<INodeProperties, 'description' | 'routing'> & Partial<INodeProperties>,
): INodeProperties => ({
	displayName: 'Recipient Emails',
	name: 'recipientEmails',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. ada@example.com, grace@example.com',
	...own,
});
