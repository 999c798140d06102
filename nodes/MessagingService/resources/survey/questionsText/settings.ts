import type { IDataObject } from 'n8n-workflow';

import { valuesOf } from '../../../engine/conversions';
import { layouts, typesWith, type QuestionType } from '../questionTypes';
import { withoutQuotes } from './escaping';
import { readText, type Line } from './options';

type Setting = {
	/** The names that the text may use for the setting. Errors use the first name. */
	names: string[];
	/** The API's field for the setting. The setting applies only to question types that have this field. */
	field: string;
	/** Converts the text of the value, or returns `undefined` if it is invalid. Without `read`, the value stays text. */
	read?: (value: string) => string | number | undefined;
	example: string;
};

export const SETTINGS: Setting[] = [
	{
		names: ['description', 'desc'],
		field: 'desc',
		example: 'description: Only your manager sees it',
	},
	{ names: ['placeholder'], field: 'placeholder', example: 'placeholder: In your own words' },
	{
		names: ['layout'],
		field: 'layout',
		read: (value) =>
			valuesOf(layouts).find((layout) => layout.toLowerCase() === value.toLowerCase()),
		example: 'layout: vertical',
	},
	{
		names: ['decimals', 'decimal'],
		field: 'decimal',
		read: (value) => (/^\d{1,2}$/.test(value) ? Number(value) : undefined),
		example: 'decimals: 0',
	},
];

/** Reads the settings (`name: value`) of a line, and returns all other parts unchanged. */
export function readLineSettings(
	all: string[],
	line: Line,
	type: QuestionType,
): { settings: IDataObject; parts: string[] } {
	const settings: IDataObject = {};
	const parts: string[] = [];
	const seen = new Set<Setting>();
	for (const part of all) {
		const [start = '', name = ''] = /^(\w+)\s*[:：]/.exec(part) ?? [];
		const setting = SETTINGS.find(({ names }) => names.includes(name.toLowerCase()));
		if (!setting) {
			parts.push(part);
			continue;
		}
		const { names, field, read, example } = setting;
		const [shown = ''] = names;
		const types = typesWith(field);
		if (types.length > 0 && !types.includes(type)) {
			line.report(
				`the setting "${shown}" does not apply to ${type}`,
				`It is only for ${types.join(' and ')}.`,
			);
		}
		if (seen.has(setting)) line.report(`the setting "${shown}" appears twice`, 'Remove one.');
		seen.add(setting);
		const value = readText(withoutQuotes(part.slice(start.length).trim()), line);
		if (value === '') continue;
		settings[field] = read ? read(value) : value;
		if (settings[field] === undefined) {
			line.report(`"${value}" is not valid for ${shown}`, `For example: ${example}.`);
		}
	}
	return { settings, parts };
}
