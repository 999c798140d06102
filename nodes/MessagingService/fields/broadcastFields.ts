import { switchedOn, stringField, textArea } from '../../shared/fieldTypes';
import { toTitle } from '../../shared/values';
import { inBody, required } from '../engine/conversions';
import { additionalFields } from './collections';

export const title = stringField('title', 'Headline of the broadcast', {
	required: true,
	placeholder: 'e.g. Invitation to the summer party',
	routing: inBody('title', required(toTitle)),
});

export const message = textArea('message', 'Text that recipients see', {
	required: true,
	placeholder: 'e.g. Please read it and respond by Friday.',
	routing: inBody('message', required()),
});

/** The optional content of a broadcast to recipients or to a channel (broadcast.create in emulator/openapi.yaml). */
export const broadcastContent = additionalFields([
	stringField('actionLink', 'Web address that the broadcast links to', {
		placeholder: 'e.g. https://example.com/invitation',
	}),
	stringField('actionLinkText', 'Text of the link in the broadcast. Defaults to "More Detail".', {
		placeholder: 'e.g. Read and respond',
	}),
	stringField(
		'imageUrl',
		'Public web address of the broadcast image. Not the path that "Broadcast File: Upload" returns.',
		{ placeholder: 'e.g. https://example.com/invitation.png' },
	),
	stringField('emoji', 'Emoji of the broadcast. Defaults to a bell.', { placeholder: 'e.g. 📣' }),
	switchedOn(
		'requiredConfirm',
		'Whether recipients must confirm the broadcast. If you do not add this field, recipients need not confirm.',
	),
	switchedOn(
		'contentInEmail',
		'Whether the email about the broadcast contains the message. If you do not add this field, the email does not contain the message.',
	),
]);
