import type { INodeProperties } from 'n8n-workflow';

import { choiceInBody, switchInBody, textInBody } from '../../operations/body';

type Setting = { displayName: string; name: string; description: string };

function onOff({ displayName, name, description }: Setting): INodeProperties {
	return {
		displayName,
		name,
		type: 'boolean',
		default: false,
		description,
		routing: switchInBody(`surveySettings.${name}`),
	};
}

/** An emptied colour is left out on update too: there is no empty colour, and the service's default holds. */
function color({ displayName, name, description }: Setting, byDefault: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'color',
		default: byDefault,
		description,
		routing: textInBody(`surveySettings.${name}`, 'leaveOut'),
	};
}

function width({ displayName, name, description }: Setting): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '100%',
		placeholder: 'e.g. 80%',
		description,
		routing: textInBody(`surveySettings.${name}`, 'leaveOut'),
	};
}

function position(
	{ displayName, name, description }: Setting,
	allowed: [byDefault: string, ...others: string[]],
): INodeProperties {
	const [byDefault] = allowed;
	const options = [...allowed].sort().map((value) => ({ name: value, value }));
	return {
		displayName,
		name,
		type: 'options',
		options,
		default: byDefault,
		description,
		routing: choiceInBody(`surveySettings.${name}`, options),
	};
}

/**
 * How a survey looks, with the service's defaults (schema SurveySettings in emulator/openapi.yaml). For update the documentation shows
 * only the settings up to input_color; whether the others are taken there is not shown, so they are offered and sent
 * only when added.
 */
export const surveySettings: INodeProperties = {
	displayName: 'Survey Settings',
	name: 'surveySettings',
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How the survey looks; the service decides what is not added',
	options: [
		onOff({
			displayName: 'Adaptive Height',
			name: 'adaptive_height',
			description: 'Whether the height follows the content',
		}),
		onOff({
			displayName: 'Full Height',
			name: 'full_height',
			description: 'Whether the survey takes the full height of the screen',
		}),
		color(
			{
				displayName: 'Input Color',
				name: 'input_color',
				description: 'Color of what recipients enter',
			},
			'#ffffff',
		),
		position(
			{
				displayName: 'Input Position',
				name: 'input_position',
				description: 'Where the answer fields stand',
			},
			['Left', 'Right', 'Center'],
		),
		width({
			displayName: 'Input Width',
			name: 'input_width',
			description: 'Width of the answer fields',
		}),
		color(
			{
				displayName: 'Next Button Background Color',
				name: 'next_button_background_color',
				description: 'Color of the button to the next page',
			},
			'#070707',
		),
		color(
			{
				displayName: 'Next Button Text Color',
				name: 'next_button_text_color',
				description: 'Color of the text on the button to the next page',
			},
			'#ffffff',
		),
		position(
			{
				displayName: 'Page Button Position',
				name: 'page_button_position',
				description: 'Where the buttons between pages stand',
			},
			['Bottom', 'Top'],
		),
		color(
			{
				displayName: 'Previous Button Background Color',
				name: 'prev_button_background_color',
				description: 'Color of the button to the previous page',
			},
			'#070707',
		),
		color(
			{
				displayName: 'Previous Button Text Color',
				name: 'prev_button_text_color',
				description: 'Color of the text on the button to the previous page',
			},
			'#ffffff',
		),
		color(
			{
				displayName: 'Required Color',
				name: 'required_color',
				description: 'Color of the mark at questions that must be answered',
			},
			'#ea4f4f',
		),
		onOff({
			displayName: 'Show Questions Individually',
			name: 'show_questions_individually',
			description: 'Whether each question has a page of its own',
		}),
		onOff({
			displayName: 'Show User Response',
			name: 'show_user_response',
			description: 'Whether recipients see what they answered',
		}),
		color(
			{
				displayName: 'Text Color',
				name: 'text_color',
				description: 'Color of titles and descriptions',
			},
			'#ffffff',
		),
		position(
			{
				displayName: 'Text Position',
				name: 'text_position',
				description: 'Where titles and descriptions stand',
			},
			['Left', 'Right', 'Center'],
		),
		width({
			displayName: 'Text Width',
			name: 'text_width',
			description: 'Width of titles and descriptions',
		}),
	],
};
