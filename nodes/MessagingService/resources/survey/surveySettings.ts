import type { INodeProperties } from 'n8n-workflow';

import { fieldLabel } from '../../../shared/field';
import { collectionField } from '../../../shared/fieldTypes';
import { convertByType, inBody } from '../../engine/conversions';

/** Declares a setting. Name and default determine the type. An empty text is omitted, because no setting can be empty. */
function setting(name: string, standard: string | boolean, description: string): INodeProperties {
	const choices = Object.entries(positions).find(([ending]) => name.endsWith(ending))?.[1];
	const textType = name.endsWith('_color') ? 'color' : 'string';
	const field: INodeProperties = {
		displayName: fieldLabel(name).replace('Prev ', 'Previous '),
		name,
		type: standard === false ? 'boolean' : textType,
		default: standard,
		description,
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
		setting('show_questions_individually', false, 'Whether each question has its own page'),
		setting('show_user_response', false, 'Whether recipients see their own answers'),
		setting('full_height', false, 'Whether the survey takes the full height of the screen'),
		setting('adaptive_height', false, 'Whether the height of the survey adapts to its content'),
		setting('page_button_position', 'Bottom', 'Position of the buttons that change the page'),
		setting('text_color', '#ffffff', 'Color of titles and descriptions'),
		setting('text_width', '100%', 'Width of titles and descriptions'),
		setting('text_position', 'Left', 'Position of titles and descriptions'),
		setting('input_color', '#ffffff', 'Color of what recipients enter'),
		setting('input_width', '100%', 'Width of the input fields'),
		setting('input_position', 'Left', 'Position of the input fields'),
		setting('required_color', '#ea4f4f', 'Color of the mark next to required questions'),
		setting('next_button_text_color', '#ffffff', 'Text color of the button to the next page'),
		setting(
			'next_button_background_color',
			'#070707',
			'Background color of the button to the next page',
		),
		setting('prev_button_text_color', '#ffffff', 'Text color of the button to the previous page'),
		setting(
			'prev_button_background_color',
			'#070707',
			'Background color of the button to the previous page',
		),
	],
	{
		description:
			"Appearance of the survey. The service has defaults for settings that you don't add.",
	},
);
