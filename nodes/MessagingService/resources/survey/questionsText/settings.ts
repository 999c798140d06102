import type { IDataObject } from 'n8n-workflow';

import { typesWith, type QuestionType } from '../questionTypes';
import { plain } from './escapes';
import type { Line } from './line';

type Setting = {
	/** What it is called in the text; the first name is the one shown. */
	names: string[];
	/** The question types it is for; all when left out. */
	types?: QuestionType[];
	/** Gives the fields of the question; `undefined` for a value that it cannot take. */
	read: (value: string) => IDataObject | undefined;
	example: string;
};

/** What can stand after a semicolon, as `name: value`. */
export const SETTINGS: Setting[] = [
	{
		names: ['description', 'desc'],
		read: (desc) => ({ desc }),
		example: 'description: Only your manager sees it',
	},
	{
		names: ['placeholder'],
		read: (placeholder) => ({ placeholder }),
		example: 'placeholder: In your own words',
	},
	{
		names: ['layout'],
		types: typesWith('layout'),
		read: (value) => {
			const layout = ['Horizontal', 'Vertical'].find(
				(known) => known.toLowerCase() === value.toLowerCase(),
			);
			return layout === undefined ? undefined : { layout };
		},
		example: 'layout: vertical',
	},
	{
		names: ['decimals', 'decimal'],
		types: typesWith('decimal'),
		read: (value) => (/^\d{1,2}$/.test(value) ? { decimal: Number(value) } : undefined),
		example: 'decimals: 0',
	},
];

/** Takes the settings (`name: value`) from the parts between semicolons. */
export function readSettings(
	parts: string[],
	line: Line,
	type: QuestionType,
): { fields: IDataObject; others: string[] } {
	const fields: IDataObject = {};
	const others: string[] = [];
	const seen = new Set<Setting>();
	for (const part of parts) {
		const [start = '', name = ''] = /^(\w+)\s*:/.exec(part) ?? [];
		const setting = SETTINGS.find(({ names }) => names.includes(name.toLowerCase()));
		if (!setting) {
			others.push(part);
			continue;
		}
		const [shown = ''] = setting.names;
		const value = plain(part.slice(start.length));
		if (setting.types && !setting.types.includes(type)) {
			line.report(`has the setting "${shown}"`, `It is only for ${setting.types.join(' and ')}.`);
		}
		if (seen.has(setting)) {
			line.report(`has the setting "${shown}" twice`, 'Leave one of them.');
		}
		seen.add(setting);
		if (value === '') continue;
		const read = setting.read(value);
		if (read) Object.assign(fields, read);
		else {
			line.report(`has the ${shown} "${value}"`, `Write it like this: ${setting.example}.`);
		}
	}
	return { fields, others };
}
