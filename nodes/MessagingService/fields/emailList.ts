import type { INodeProperties } from 'n8n-workflow';

/** Returns the field for a list of email addresses (`recipientEmails`), with the operation's own properties. */
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
