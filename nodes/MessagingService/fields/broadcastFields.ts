import { switchedOn, stringField, textArea } from '../../shared/fieldTypes';
import { toTitle } from '../../shared/values';
import { inBody, required } from '../engine/conversions';
import { additionalFields } from './collections';

export const title = stringField('title', 'Headline that recipients see', {
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
	stringField('actionLink', 'Web address that the button below the message opens', {
		placeholder: 'e.g. https://example.com/invitation',
	}),
	stringField('actionLinkText', 'Text of the button. Defaults to "More Detail".', {
		placeholder: 'e.g. Read and respond',
	}),
	stringField(
		'imageUrl',
		'Public URL of an image. Upload returns only a path, which may not be public.',
		{ placeholder: 'e.g. https://example.com/invitation.png' },
	),
	stringField('emoji', 'Emoji next to the title. Defaults to a bell.', { placeholder: 'e.g. 📣' }),
	switchedOn(
		'requiredConfirm',
		'Whether recipients must confirm that they read the broadcast. Without this field, they need not.',
	),
	switchedOn(
		'contentInEmail',
		'Whether the email contains the message itself. Without this field, it does not.',
	),
]);
