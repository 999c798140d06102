import { stringField } from '../../../shared/fieldTypes';

const placeholder = 'e.g. ada@example.com';

/** Owner and sender of a campaign. Both can only be set on create. */
export const ownerFields = [
	stringField(
		'senderUserEmail',
		'Console user shown as the sender. Defaults to the owner of the credential. The From address of the email does not change.',
		{ placeholder },
	),
	stringField(
		'ownerUserEmail',
		'Console user who owns the campaign. Defaults to the owner of the credential.',
		{ placeholder },
	),
];
