import type { INodeProperties } from 'n8n-workflow';

import {
	switchedOn,
	loadedField,
	optionsField,
	stringField,
	textArea,
} from '../../../shared/fieldTypes';
import { commentVisibilities } from '../../fields/messageFields';
import { convertByType, inBody, type WhenEmptied } from '../../engine/conversions';

/** The name of a channel. */
export const channelName = stringField('name', 'Name of the channel in the console (website)', {
	placeholder: 'e.g. New joiners in Oslo',
});

const texts = [
	stringField('title', 'Title of the channel. Without this field, a new channel uses its name.', {
		placeholder: 'e.g. Welcome to Oslo!',
	}),
	textArea('description', 'Purpose of the channel'),
];

/** The default settings of a channel's messages, sent as `defaults`. */
const defaults = [
	loadedField(
		'options',
		'template',
		'Template',
		'getTemplates',
		"Default template of the channel's campaigns.",
	),
	switchedOn('enableEmail', 'Whether the channel sends messages by email'),
	switchedOn('enableAppNotification', 'Whether the channel sends push notifications'),
	switchedOn('enableSms', 'Whether the channel sends messages by SMS'),
	switchedOn('enableComment', 'Whether recipients can comment on messages'),
	optionsField(
		'commentVisibility',
		commentVisibilities,
		'1',
		'Who sees comments, if comments are enabled',
	),
];

/**
 * Returns the optional fields of a channel, including the default settings of its messages (channel.create in
 * emulator/openapi.yaml). The node sends only the defaults that the user adds. The API does not document whether an update
 * keeps the other defaults.
 *
 * @param whenEmptied applies to the default settings. For title and description, the collection of the fields decides
 */
export function channelFields(whenEmptied: WhenEmptied): INodeProperties[] {
	const defaultsFields = defaults.map((field) => ({
		...field,
		routing: inBody(`defaults.${field.name}`, convertByType(field, whenEmptied)),
	}));
	return [...texts, ...defaultsFields];
}
