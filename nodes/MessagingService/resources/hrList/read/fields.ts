import type { INodeProperties } from 'n8n-workflow';

import { choices, numberField, optionsField, stringField } from '../../../../shared/fieldTypes';
import { binaryField } from '../../../fields/fileContent';

const sources = choices({
	file: ['CSV File', 'The list is in CSV files, one per input item'],
	items: ['Input Items', 'Each input item is a row of the list, for example from Google Sheets'],
});

const people = choices({
	employed: 'People who are employed',
	left: 'People who left. If another row with the same address says that the person is employed, the person is not returned.',
	everybody: 'All people. The field "employed" says who is employed.',
});

const delimiters = choices({
	auto: ['Automatic', 'The node finds the delimiter'],
	',': ['Comma'],
	'|': ['Pipe'],
	';': ['Semicolon'],
	tab: ['Tab'],
});

const encodings = choices({
	auto: ['Automatic', 'UTF-8, unless the file has a byte order mark'],
	'utf-16le': ['UTF-16'],
	'utf-8': ['UTF-8'],
	'windows-1252': ['Windows-1252', 'Western European languages, from Excel on Windows'],
});

const withStatus = { displayOptions: { hide: { statusColumn: [''] } } };

/** The fields, in screen order. */
export const listFields: INodeProperties[] = [
	optionsField('source', sources, 'file', 'Where the list is'),
	binaryField({ displayOptions: { show: { source: ['file'] } } }),
	stringField('emailColumn', 'Name of the column with the email address', {
		default: 'email',
		required: true,
		hint: 'Capital letters and extra spaces in column names do not matter',
	}),
	stringField(
		'statusColumn',
		'Name of the column that says who is employed. If everybody in the list is employed, clear this field.',
		{ default: 'status' },
	),
	stringField(
		'employedValues',
		'Texts in the status column that mark employed people, separated by commas',
		{ default: 'active', placeholder: 'e.g. active, on leave', ...withStatus },
	),
	stringField(
		'leftValues',
		'Texts in the status column that mark people who left, separated by commas. If a row has a status that is neither in Employed Values nor in Left Values, the node fails.',
		{
			default: 'left',
			placeholder: 'e.g. left, terminated',
			...withStatus,
		},
	),
];

/** The fields in Options. */
export const listOptions: INodeProperties[] = [
	stringField(
		'requiredColumns',
		'Names of other columns that the list must have, separated by commas',
	),
	optionsField('people', people, 'employed', 'Which people to return'),
	numberField(
		'minimumPeople',
		1,
		'The node counts the employed people who have an address. If there are fewer than this number, the node fails. This check can detect a list that was cut off.',
		1,
	),
	optionsField('delimiter', delimiters, 'auto', 'What separates the columns of a CSV file'),
	optionsField(
		'encoding',
		encodings,
		'auto',
		'Encoding of a CSV file. A byte order mark (hidden characters at the start of the file) overrides this option.',
	),
];
