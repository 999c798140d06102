import type { INodeProperties } from 'n8n-workflow';

import { fieldLabel } from '../../../shared/field';
import { collectionField } from '../../../shared/fieldTypes';
import { convertByType, inBody } from '../../engine/conversions';

/**
 * Declares a setting. Name and default determine the type. It has no description, because the API does not document what it
 * does. An empty text is omitted, because no setting can be empty.
 */
function setting(name: string, standard: string | boolean): INodeProperties {
	const choices = Object.entries(positions).find(([ending]) => name.endsWith(ending))?.[1];
	const textType = name.endsWith('_color') ? 'color' : 'string';
	const field: INodeProperties = {
		displayName: fieldLabel(name).replace('Prev ', 'Previous '),
		name,
		type: standard === false ? 'boolean' : textType,
		default: standard,
		...(name.endsWith('_width') && { placeholder: 'e.g. 80%' }),
		...(choices && { type: 'options', options: choices.map((value) => ({ name: value, value })) }),
	};
	return { ...field, routing: inBody(`surveySettings.${name}`, convertByType(field, 'omit')) };
}

/** The choices of the position settings, by the end of the setting's name. The first end that fits counts. */
const positions = {
	button_position: ['Bottom', 'Top'],
	_position: ['Center', 'Left', 'Right'],
};

/**
 * The appearance of a survey, with the service's defaults. SurveySettings in emulator/openapi.yaml lists the settings.
 * For an update, the API documents only the settings up to and including input_color. The node offers all settings, and
 * sends only those that the user added.
 */
export const surveySettings = collectionField(
	'surveySettings',
	'Add Setting',
	[
		setting('show_questions_individually', false),
		setting('show_user_response', false),
		setting('full_height', false),
		setting('adaptive_height', false),
		setting('page_button_position', 'Bottom'),
		setting('text_color', '#ffffff'),
		setting('text_width', '100%'),
		setting('text_position', 'Left'),
		setting('input_color', '#ffffff'),
		setting('input_width', '100%'),
		setting('input_position', 'Left'),
		setting('required_color', '#ea4f4f'),
		setting('next_button_text_color', '#ffffff'),
		setting('next_button_background_color', '#070707'),
		setting('prev_button_text_color', '#ffffff'),
		setting('prev_button_background_color', '#070707'),
	],
	{
		description:
			'Appearance of the survey. The API does not document what these settings do, so try them in a draft.',
	},
);
